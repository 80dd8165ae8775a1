// OC1's max minority, as a share of the node's weight; its sum minority is in error.hpp.
//
// The minority of a side is the weight of all but its largest class (Murthy, Kasif, Salzberg 1994, appendix).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "criteria/criterion.hpp"

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
    static constexpr const char* name = "max_minority";
    static constexpr Support support = Support::scans;

    explicit MaxMinority(const ClassTotals& totals) : totals_(totals.weights), total_(totals.sum) {}

    double loss(const double* left) const {
        const Minorities m = minorities(totals_, left);
        return std::max(m.left, m.right) / total_;
    }

private:
    std::vector<double> totals_;
    double total_;
};

}  // namespace elc
