// Bindings of axis_search.hpp: the best cut along the axes or along given directions. The GIL is released.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "criteria/dispatch.hpp"
#include "scans/axis_search.hpp"

namespace elc {
namespace {

using CutTuple = std::tuple<int, double, double, double, bool, int64_t>;

CutTuple to_tuple(const Cut& cut) { return {cut.direction, cut.low, cut.high, cut.loss, cut.missing_high, cut.n_cuts}; }

CutTuple axis_search(const NodeArrays& arrays, const std::string& name, double min_rows, double min_weight) {
    nb::gil_scoped_release release;
    const RowView view = arrays.view();
    const ScanNode node = make_scan_node(view, min_rows, min_weight);
    return to_tuple(with_criterion<Support::scans>(
        name, node.class_totals(), [&](const auto& criterion) { return search_axes(view, node, criterion); }));
}

CutTuple direction_search(const NodeArrays& arrays, MatrixIn<double> directions, const std::string& name,
                          double min_rows, double min_weight, double gap) {
    nb::gil_scoped_release release;
    const RowView view = arrays.view();
    const ScanNode node = make_scan_node(view, min_rows, min_weight);
    const auto n_directions = static_cast<int64_t>(directions.shape(0));
    return to_tuple(with_criterion<Support::scans>(name, node.class_totals(), [&](const auto& criterion) {
        return search_directions(view, node, criterion, directions.data(), n_directions, gap);
    }));
}

}  // namespace

void bind_axis(nb::module_& m) {
    nb::class_<NodeArrays>(m, "NodeArrays", "The arrays of a node, ready for a scan.")
        .def(nb::init<MatrixIn<double>, VectorIn<int64_t>, VectorIn<int64_t>, VectorIn<double>, int>(), nb::arg("x"),
             nb::arg("y"), nb::arg("rows"), nb::arg("weights"), nb::arg("n_classes"));
    m.def("axis_search", &axis_search, nb::arg("node"), nb::arg("criterion"), nb::arg("min_rows"),
          nb::arg("min_weight"), "Best cut along the axes: (feature, low, high, loss, missing_high, n_cuts).");
    m.def("direction_search", &direction_search, nb::arg("node"), nb::arg("directions"), nb::arg("criterion"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("gap"), "The same along the rows of `directions`.");
}

}  // namespace elc
