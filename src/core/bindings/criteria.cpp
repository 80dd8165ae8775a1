// The criteria's losses and bounds for the tests, which compare them with enumeration.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <string>
#include <vector>

#include "bindings/module.hpp"
#include "criteria/dispatch.hpp"

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

}  // namespace

void bind_criteria(nb::module_& m) {
    m.def("criterion_loss", &loss, nb::arg("criterion"), nb::arg("totals"), nb::arg("left"));
    m.def("criterion_bound", &bound, nb::arg("criterion"), nb::arg("totals"), nb::arg("certain"), nb::arg("uncertain"));
}

}  // namespace elc
