// The impurity measures of OC1 beyond Gini, twoing and information gain, and the dispatch from a name to a type.
//
// Each maps the class weights of one side to the loss of the partition, as in criteria.hpp, in shares of the node's
// weight. Murthy, Kasif, Salzberg (1994), appendix: the minority of a side is the weight of all but its largest class;
// the variance of a side takes the class codes 0, 1, 2, ... as numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "criteria/criteria.hpp"
#include "scans/scan_node.hpp"

namespace elc {

// The weight outside the largest class on each side.
struct Minorities {
    double left, right;
};

inline Minorities minorities(const std::vector<double>& totals, const double* left) {
    double left_size = 0, right_size = 0, left_most = 0, right_most = 0;
    for (size_t j = 0; j < totals.size(); ++j) {
        const double right = totals[j] - left[j];
        left_size += left[j];
        right_size += right;
        left_most = std::max(left_most, left[j]);
        right_most = std::max(right_most, right);
    }
    return {left_size - left_most, right_size - right_most};
}

class MaxMinority {
public:
    MaxMinority(const std::vector<double>& totals, double total, bool) : totals_(totals), total_(total) {}
    double loss(const double* left) const {
        const Minorities m = minorities(totals_, left);
        return std::max(m.left, m.right) / total_;
    }

private:
    std::vector<double> totals_;
    double total_;
};

class SumMinority {
public:
    SumMinority(const std::vector<double>& totals, double total, bool) : totals_(totals), total_(total) {}
    double loss(const double* left) const {
        const Minorities m = minorities(totals_, left);
        return (m.left + m.right) / total_;
    }

private:
    std::vector<double> totals_;
    double total_;
};

class SumOfVariances {
public:
    SumOfVariances(const std::vector<double>& totals, double total, bool) : totals_(totals), total_(total) {}
    double loss(const double* left) const {
        double size[2] = {0, 0}, first[2] = {0, 0}, second[2] = {0, 0};
        for (size_t j = 0; j < totals_.size(); ++j) {
            const double number = static_cast<double>(j), side[2] = {left[j], totals_[j] - left[j]};
            for (int s = 0; s < 2; ++s) {
                size[s] += side[s];
                first[s] += number * side[s];
                second[s] += number * number * side[s];
            }
        }
        double sum = 0;
        for (int s = 0; s < 2; ++s) sum += size[s] > 0 ? second[s] - first[s] * (first[s] / size[s]) : 0.0;
        return sum / total_;
    }

private:
    std::vector<double> totals_;
    double total_;
};

// Calls search(criterion) with the criterion of that name for the sample.
template <class Search>
auto with_measure(const std::string& name, const Sample& s, Search search) {
    if (name == "gini") return search(Gini(s.totals, s.total, s.tabulated()));
    if (name == "twoing") return search(Twoing(s.totals, s.total, s.tabulated()));
    if (name == "information_gain") return search(InformationGain(s.totals, s.total, s.tabulated()));
    if (name == "max_minority") return search(MaxMinority(s.totals, s.total, s.tabulated()));
    if (name == "sum_minority") return search(SumMinority(s.totals, s.total, s.tabulated()));
    if (name == "sum_of_variances") return search(SumOfVariances(s.totals, s.total, s.tabulated()));
    throw std::invalid_argument("unknown criterion: " + name);
}

}  // namespace elc
