// From a criterion's name to its compiled type: the one list that all kernels share.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "criteria/error.hpp"
#include "criteria/gini.hpp"
#include "criteria/information_gain.hpp"
#include "criteria/minority.hpp"
#include "criteria/sum_of_variances.hpp"
#include "criteria/twoing.hpp"

namespace elc {

template <class... Criteria>
struct CriterionList {};

using AllCriteria = CriterionList<Gini, Twoing, InformationGain, Error, MaxMinority, SumOfVariances>;

template <Support needed, class Result, class Use>
Result with_criterion_among(CriterionList<>, const std::string& name, const ClassTotals&, const Use&) {
    const char* kind = needed == Support::exact ? "exact criterion: " : "criterion: ";
    throw std::invalid_argument(std::string("unknown ") + kind + name);
}

template <Support needed, class Result, class Use, class First, class... Rest>
Result with_criterion_among(CriterionList<First, Rest...>, const std::string& name, const ClassTotals& totals,
                            const Use& use) {
    if constexpr (First::support >= needed) {
        if (name == First::name) return use(First(totals));
    }
    return with_criterion_among<needed, Result>(CriterionList<Rest...>(), name, totals, use);
}

// Calls use(criterion) with the criterion of that name for a node of these class weights.
template <Support needed, class Use>
auto with_criterion(const std::string& name, const ClassTotals& totals, const Use& use) {
    using Result = std::invoke_result_t<Use, const Gini&>;
    return with_criterion_among<needed, Result>(AllCriteria(), name, totals, use);
}

}  // namespace elc
