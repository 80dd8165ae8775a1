// Binding of gain_ratio.hpp: one row per feature. The GIL is released.
#include "scans/gain_ratio.hpp"

#include <nanobind/ndarray.h>

#include <memory>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"

namespace {

constexpr size_t kColumns = 6;

nb::object feature_tests(const NodeArrays& node, double min_objects, double min_rows, double min_weight) {
    const elc::RowView view = node.view();
    const size_t n_features = static_cast<size_t>(view.n_features);
    std::unique_ptr<double[]> table(new double[n_features * kColumns]);
    {
        nb::gil_scoped_release release;
        const elc::Sample sample = elc::make_sample(view, min_rows, min_weight);
        elc::GainRatio scan(sample, min_objects);
        for (size_t j = 0; j < n_features; ++j) {
            const elc::FeatureTest test = scan.test([&](int i) { return view.x[view.rows[i] * view.n_features + j]; });
            const double row[kColumns] = {test.gain, test.correction, test.split_info,
                                          test.low,  test.high,       static_cast<double>(test.n_cuts)};
            std::copy(row, row + kColumns, table.get() + j * kColumns);
        }
    }
    double* raw = table.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(raw, {n_features, kColumns}, owner));
}

}  // namespace

void bind_gain_ratio(nb::module_& m) {
    m.def("feature_tests", &feature_tests, nb::arg("node"), nb::arg("min_objects"), nb::arg("min_rows"),
          nb::arg("min_weight"),
          "Per feature: gain, correction, split_info, low, high, n_cuts; gain -inf without a cut.");
}
