// Bindings of the searches that climb: OC1's and CART-LC's. Ctrl-C is answered; the GIL is released while they run.
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/interruption.hpp"
#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "criteria/dispatch.hpp"
#include "scans/hill_climbing.hpp"
#include "scans/linear_combination.hpp"

namespace elc {
namespace {

Order order_of(const std::string& name) {
    if (name == "sequential") return Order::sequential;
    if (name == "best") return Order::best;
    if (name == "random") return Order::random;
    throw std::invalid_argument("unknown order: " + name);
}

// (loss, coefficients of the scaled features, whether each row is above, cuts scored)
nb::tuple to_tuple(const FoundPlane& found) {
    if (found.interrupted) nb::raise_python_error();
    std::vector<int8_t> above(found.value.size());
    for (size_t i = 0; i < above.size(); ++i) above[i] = found.value[i] >= 0;
    return nb::make_tuple(found.loss, to_numpy(found.coefficients), to_numpy(above), found.n_cuts);
}

// Where a climb begins: the plane `first` over features that are centred and scaled.
struct Start {
    VectorIn<double> centre, scale, first;
};

struct Limits {
    double min_rows, min_weight;
};

// Runs climb(columns, node, criterion, first) without the GIL.
template <class Climb>
FoundPlane climb_from(const NodeArrays& arrays, const Start& start, const std::string& name, const Limits& limits,
                      const Climb& climb) {
    const WithoutGil free;
    const RowView view = arrays.view();
    const ScanNode node = make_scan_node(view, limits.min_rows, limits.min_weight);
    const Columns columns = make_columns(view, start.centre.data(), start.scale.data());
    const std::vector<double> first(start.first.data(), start.first.data() + start.first.shape(0));
    return with_criterion<Support::scans>(name, node.class_totals(), [&](const auto& criterion) -> FoundPlane {
        return climb(columns, node, criterion, first);
    });
}

nb::tuple climb(const NodeArrays& arrays, VectorIn<double> centre, VectorIn<double> scale, VectorIn<double> first,
                const std::string& name, double min_rows, double min_weight, int restarts, int jumps,
                const std::string& order, double stagnation, uint64_t seed, double seconds) {
    const ClimbOptions options{restarts, jumps, order_of(order), stagnation, seed, seconds};
    const KeepGoing<> keep_going = until_interrupted();
    const auto run = [&](const Columns& columns, const ScanNode& node, const auto& criterion, const auto& start) {
        return HillClimbing(columns, node, criterion, options, keep_going).run(start);
    };
    return to_tuple(climb_from(arrays, {centre, scale, first}, name, {min_rows, min_weight}, run));
}

nb::tuple combine(const NodeArrays& arrays, VectorIn<double> centre, VectorIn<double> scale, VectorIn<double> first,
                  const std::string& name, double min_rows, double min_weight, double tolerance, double deletion) {
    const CombinationOptions options{tolerance, deletion};
    const KeepGoing<> keep_going = until_interrupted();
    const auto run = [&](const Columns& columns, const ScanNode& node, const auto& criterion, const auto& start) {
        return LinearCombination(columns, node, criterion, options, keep_going).run(start);
    };
    return to_tuple(climb_from(arrays, {centre, scale, first}, name, {min_rows, min_weight}, run));
}

}  // namespace

void bind_climbing(nb::module_& m) {
    m.def("climb", &climb, nb::arg("node"), nb::arg("centre"), nb::arg("scale"), nb::arg("first"), nb::arg("criterion"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("restarts"), nb::arg("jumps"), nb::arg("order"),
          nb::arg("stagnation"), nb::arg("seed"), nb::arg("seconds"),
          "OC1's climb from the plane `first`: (loss, coefficients and bias in scaled units, above, n_cuts).");
    m.def("combine", &combine, nb::arg("node"), nb::arg("centre"), nb::arg("scale"), nb::arg("first"),
          nb::arg("criterion"), nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("tolerance"), nb::arg("deletion"),
          "CART-LC's linear combination from the plane `first`; the same answer as `climb`.");
}

}  // namespace elc
