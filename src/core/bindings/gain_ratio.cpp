// Binding of gain_ratio.hpp: one row per feature. The GIL is released.
#include "scans/gain_ratio.hpp"

#include <algorithm>
#include <memory>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"

namespace elc {
namespace {

constexpr size_t kColumns = 6;

ArrayOut<double, 2> feature_tests(const NodeArrays& arrays, double min_objects, double min_rows, double min_weight) {
    const RowView view = arrays.view();
    const size_t n_features = static_cast<size_t>(view.n_features);
    std::unique_ptr<double[]> table(new double[n_features * kColumns]);
    {
        nb::gil_scoped_release release;
        const ScanNode node = make_scan_node(view, min_rows, min_weight);
        GainRatio scan(node, min_objects);
        for (size_t j = 0; j < n_features; ++j) {
            const FeatureTest test = scan.test([&](int i) { return view.row(i)[j]; });
            const double row[kColumns] = {test.gain, test.correction, test.split_info,
                                          test.low,  test.high,       static_cast<double>(test.n_cuts)};
            std::copy(row, row + kColumns, table.get() + j * kColumns);
        }
    }
    return to_numpy(std::move(table), {n_features, kColumns});
}

}  // namespace

void bind_gain_ratio(nb::module_& m) {
    m.def("feature_tests", &feature_tests, nb::arg("node"), nb::arg("min_objects"), nb::arg("min_rows"),
          nb::arg("min_weight"),
          "Per feature: gain, correction, split_info, low, high, n_cuts; gain -inf without a cut.");
}

}  // namespace elc
