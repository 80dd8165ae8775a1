// Bindings of axis_search.hpp: the best cut along the axes or along given directions. The GIL is released.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "criteria/measures.hpp"
#include "scans/axis_search.hpp"

namespace {

using Answer = std::tuple<int, double, double, double, bool, int64_t>;

Answer to_tuple(const elc::Cut& cut) {
    return {cut.direction, cut.low, cut.high, cut.loss, cut.missing_high, cut.n_cuts};
}

Answer axis_search(const NodeArrays& node, const std::string& criterion, double min_rows, double min_weight) {
    nb::gil_scoped_release release;
    const elc::RowView view = node.view();
    const elc::Sample sample = elc::make_sample(view, min_rows, min_weight);
    return to_tuple(elc::with_measure(criterion, sample,
                                      [&](const auto& measure) { return elc::search_axes(view, sample, measure); }));
}

Answer direction_search(const NodeArrays& node, Matrix directions, const std::string& criterion, double min_rows,
                        double min_weight, double gap) {
    nb::gil_scoped_release release;
    const elc::RowView view = node.view();
    const elc::Sample sample = elc::make_sample(view, min_rows, min_weight);
    return to_tuple(elc::with_measure(criterion, sample, [&](const auto& measure) {
        return elc::search_directions(view, sample, measure, directions.data(),
                                      static_cast<int64_t>(directions.shape(0)), gap);
    }));
}

}  // namespace

void bind_axis(nb::module_& m) {
    nb::class_<NodeArrays>(m, "NodeArrays", "The arrays of a node, ready for a scan.")
        .def(nb::init<Matrix, Integers, Integers, Doubles, int>(), nb::arg("x"), nb::arg("y"), nb::arg("rows"),
             nb::arg("weights"), nb::arg("n_classes"));
    m.def("axis_search", &axis_search, nb::arg("node"), nb::arg("criterion"), nb::arg("min_rows"),
          nb::arg("min_weight"), "Best cut along the axes: (feature, low, high, loss, missing_high, n_cuts).");
    m.def("direction_search", &direction_search, nb::arg("node"), nb::arg("directions"), nb::arg("criterion"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("gap"), "The same along the rows of `directions`.");
}
