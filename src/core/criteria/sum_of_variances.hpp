// OC1's sum of variances, in shares of the node's weight (Murthy, Kasif, Salzberg 1994, appendix).
//
// The variance of a side takes the class codes 0, 1, 2, ... as numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "criteria/criterion.hpp"

namespace elc {

class SumOfVariances {
public:
    static constexpr const char* name = "sum_of_variances";
    static constexpr Support support = Support::scans;

    explicit SumOfVariances(const ClassTotals& totals) : totals_(totals.weights), total_(totals.sum) {}

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

}  // namespace elc
