// The criteria's losses and bounds for the tests, which compare them with enumeration.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings/module.hpp"
#include "criteria/dispatch.hpp"
#include "criteria/squared_error.hpp"

namespace elc {
namespace {

ClassTotals totals_of(const std::vector<double>& weights) {
    return {weights, std::accumulate(weights.begin(), weights.end(), 0.0), true};
}

double loss(const std::string& name, const std::vector<double>& totals, const std::vector<double>& left) {
    return with_criterion<Support::scans>(name, totals_of(totals),
                                          [&](const auto& criterion) { return criterion.loss(left.data()); });
}

double bound(const std::string& name, const std::vector<double>& totals, const std::vector<double>& certain,
             const std::vector<double>& uncertain) {
    return with_criterion<Support::exact>(name, totals_of(totals), [&](const auto& criterion) {
        return criterion.bound(certain.data(), uncertain.data());
    });
}

// Whether a closer look shows that no loss is below the ceiling; false for criteria that have none.
bool exceeds(const std::string& name, const std::vector<double>& totals, const std::vector<double>& certain,
             const std::vector<double>& uncertain, double ceiling) {
    return with_criterion<Support::exact>(name, totals_of(totals), [&](const auto& criterion) {
        if constexpr (kLooksCloser<std::decay_t<decltype(criterion)>>)
            return criterion.exceeds(certain.data(), uncertain.data(), ceiling);
        else return false;
    });
}

// Of numbers in bins: weight, moment and squared error of the node, the ranges of the bins, one side, what is open.
SquaredError squared_error(const std::vector<double>& totals, const std::vector<double>& low,
                           const std::vector<double>& high) {
    return SquaredError(NumberTotals{totals[0], totals[1], totals[2], low, high, 0});
}

double squared_error_bound(const std::vector<double>& totals, const std::vector<double>& low,
                           const std::vector<double>& high, const std::vector<double>& side,
                           const std::vector<double>& open) {
    return squared_error(totals, low, high).bound(side.data(), open.data());
}

double squared_error_loss(const std::vector<double>& totals, const std::vector<double>& side) {
    return squared_error(totals, {0}, {0}).loss(side.data());
}

}  // namespace

void bind_criteria(nb::module_& m) {
    m.def("squared_error_bound", &squared_error_bound, nb::arg("totals"), nb::arg("low"), nb::arg("high"),
          nb::arg("side"), nb::arg("open"));
    m.def("squared_error_loss", &squared_error_loss, nb::arg("totals"), nb::arg("side"));
    m.def("criterion_loss", &loss, nb::arg("criterion"), nb::arg("totals"), nb::arg("left"));
    m.def("criterion_bound", &bound, nb::arg("criterion"), nb::arg("totals"), nb::arg("certain"), nb::arg("uncertain"));
    m.def("criterion_exceeds", &exceeds, nb::arg("criterion"), nb::arg("totals"), nb::arg("certain"),
          nb::arg("uncertain"), nb::arg("ceiling"));
}

}  // namespace elc
