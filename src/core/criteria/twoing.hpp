// Minus twoing: (sum_j |n L_j - T_j |L||)^2 / (4 n^2 |L| |R|).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/bits.hpp"
#include "common/numbers.hpp"
#include "criteria/criterion.hpp"

namespace elc {

class Twoing {
public:
    static constexpr const char* name = "twoing";
    static constexpr Support support = Support::exact;

    explicit Twoing(const ClassTotals& totals) : totals_(totals.weights), total_(totals.sum), k_(totals.k()) {}

    double loss(const double* left) const {
        double size = 0;
        for (int j = 0; j < k_; ++j) size += left[j];
        double sum = 0;
        for (int j = 0; j < k_; ++j) sum += std::abs(total_ * left[j] - totals_[j] * size);
        return -value(sum, size);
    }

    double bound(const double* a, const double* u) const {
        const UncertainClasses open(u, k_);
        return open.too_many ? many_classes(a, u) : corners(a, u, open);
    }

    double perfect() const { return -0.25; }

private:
    double value(double sum, double size) const {
        if (size <= 0 || size >= total_) return 0;
        const double ratio = sum / total_;
        return ratio * ratio / (4 * size * (total_ - size));
    }

    double corners(const double* a, const double* u, const UncertainClasses& open) const {
        std::vector<double>& x = scratch();
        x.assign(a, a + k_);
        double best = loss(x.data());
        for (unsigned corner = 1; corner < (1u << open.n); ++corner) {
            const int j = open[lowest_bit(corner)];
            x[j] = x[j] == a[j] ? a[j] + u[j] : a[j];
            best = std::min(best, loss(x.data()));
        }
        return best;
    }

    // Each class takes the end that is farther from proportional; convex in the left size, so its ends decide. An empty
    // end is covered by twoing's own limit p_L p_R.
    double many_classes(const double* a, const double* u) const {
        double low_size = 0, high_size = 0;
        for (int j = 0; j < k_; ++j) {
            low_size += a[j];
            high_size += a[j] + u[j];
        }
        const double middle = std::min(std::max(total_ / 2, low_size), high_size);
        const double limit = middle * (total_ - middle) / (total_ * total_);
        return -std::min(limit, std::max(free_ends_at(a, u, low_size), free_ends_at(a, u, high_size)));
    }

    double free_ends_at(const double* a, const double* u, double size) const {
        if (size <= 0 || size >= total_) return kInfinity;
        double sum = 0;
        for (int j = 0; j < k_; ++j) {
            sum += std::max(std::abs(total_ * a[j] - totals_[j] * size),
                            std::abs(total_ * (a[j] + u[j]) - totals_[j] * size));
        }
        return value(sum, size);
    }

    static std::vector<double>& scratch() {
        thread_local std::vector<double> counts;
        return counts;
    }

    std::vector<double> totals_;
    double total_;
    int k_;
};

}  // namespace elc
