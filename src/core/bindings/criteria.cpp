// The criteria's losses and bounds for the tests, which compare them with enumeration.
#include "criteria/criteria.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/module.hpp"

namespace {

template <class Use>
double with_criterion(const std::string& name, const std::vector<double>& totals, Use&& use) {
    double total = 0;
    for (double weight : totals) total += weight;
    if (name == "gini") return use(elc::Gini(totals, total, true));
    if (name == "twoing") return use(elc::Twoing(totals, total, true));
    if (name == "information_gain") return use(elc::InformationGain(totals, total, true));
    throw std::invalid_argument("unknown criterion: " + name);
}

double loss(const std::string& criterion, const std::vector<double>& totals, const std::vector<double>& left) {
    return with_criterion(criterion, totals, [&](const auto& c) { return c.loss(left.data()); });
}

double bound(const std::string& criterion, const std::vector<double>& totals, const std::vector<double>& certain,
             const std::vector<double>& uncertain) {
    return with_criterion(criterion, totals, [&](const auto& c) { return c.bound(certain.data(), uncertain.data()); });
}

}  // namespace

void bind_criteria(nb::module_& m) {
    m.def("criterion_loss", &loss, nb::arg("criterion"), nb::arg("totals"), nb::arg("left"));
    m.def("criterion_bound", &bound, nb::arg("criterion"), nb::arg("totals"), nb::arg("certain"), nb::arg("uncertain"));
}
