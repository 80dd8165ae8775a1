// Minus the information gain in bits: the node's entropy is the offset.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "criteria/additive.hpp"
#include "criteria/entropy.hpp"

namespace elc {

class EntropyShape {
public:
    static constexpr const char* name = "information_gain";
    static constexpr bool is_ratio = false;

    explicit EntropyShape(const ClassTotals& totals) : total_(totals.sum) {
        if (!totals.few_whole_numbers || total_ > kLargestTable) return;
        table_.resize(static_cast<size_t>(total_) + 1);
        for (size_t x = 0; x < table_.size(); ++x) table_[x] = x_log_x(static_cast<double>(x));
    }
    double term(double x) const { return table_.empty() ? x_log_x(x) : table_[static_cast<size_t>(x)]; }
    double combine(double terms, double size) const { return terms - term(size); }
    double class_quality(double left, double right, double left_size, double right_size) const {
        return term(left) - left * std::log2(left_size) + term(right) - right * std::log2(right_size);
    }
    bool any_above(const ClassCorners& corners, double quality) const {
        return best_corner(corners, [&](double left, double right, double size) {
                   return combine(left, size) + combine(right, corners.both - size);
               }) > quality;
    }
    static double perfect(double) { return 0.0; }
    double offset(const std::vector<double>& totals) const {
        double sum = 0;
        for (double t : totals) sum += term(t);
        return (sum - term(total_)) / total_;
    }

private:
    static constexpr double kLargestTable = 1 << 22;
    double total_;
    std::vector<double> table_;
};

using InformationGain = Additive<EntropyShape>;

}  // namespace elc
