// The best step along a line of planes: the one search that OC1's perturbations, its jumps and CART-LC have in common.
//
// A plane gives row i the value v_i; it is above where v_i >= 0. Along a line the value is v_i + t g_i. Row i changes
// its side at the critical value u_i = -v_i / g_i: upwards if g_i > 0, downwards if g_i < 0; rows with g_i = 0 stay.
// The critical values are sorted and every cut between two neighbouring distinct ones is scored: O(n log n + n k). The
// step is the middle of the best cut; among equal ones the first from below.
//
// g_i = x_im perturbs coefficient m (Murthy et al. 1994: U_i = (a_m x_im - V_i) / x_im is a_m + u_i), g_i = 1 moves
// the threshold, g_i = R.x_i is a jump along the random direction R, and g_i = x_im + gamma is CART-LC's step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "common/sorting.hpp"
#include "scans/scan_node.hpp"

namespace elc {

constexpr double kFlatSlope = 1e-12;     // of scaled features: a smaller slope never turns a row
constexpr double kSameCritical = 1e-12;  // critical values this near, relative to their size, are one

struct Step {
    double size = 0;
    double loss = kInfinity;
};

template <class Criterion>
class LineSearch {
public:
    LineSearch(const ScanNode& node, const Criterion& criterion) : node_(node), criterion_(criterion), above_(node.k) {
        row_values_.reserve(node.n);
    }

    int64_t n_cuts() const { return n_cuts_; }

    Step best(const std::vector<double>& value, const double* slope) {
        start_at_minus_infinity(value, slope);
        sorter_.sort(row_values_);
        Step best;
        for (size_t q = 0; q + 1 < row_values_.size(); ++q) {
            turn(row_values_[q].row, slope[row_values_[q].row] > 0);
            const double low = row_values_[q].value, high = row_values_[q + 1].value;
            if (high - low <= kSameCritical * std::max(std::abs(low), std::abs(high))) continue;
            ++n_cuts_;
            if (!node_.admits(weight_, rows_)) continue;
            const double loss = criterion_.loss(above_.data());
            if (loss < best.loss - kTie) best = {low + (high - low) / 2, loss};
        }
        return best;
    }

    // The loss of the plane with these values; infinite if a side is too small.
    double loss(const std::vector<double>& value) {
        clear();
        for (int i = 0; i < node_.n; ++i)
            if (value[i] >= 0) turn(i, true);
        return node_.admits(weight_, rows_) ? criterion_.loss(above_.data()) : kInfinity;
    }

    // The loss of not splitting at all.
    double unsplit_loss() {
        clear();
        return criterion_.loss(above_.data());
    }

private:
    void clear() {
        std::fill(above_.begin(), above_.end(), 0.0);
        weight_ = rows_ = 0;
    }

    void turn(int32_t row, bool upwards) {
        const double sign = upwards ? 1.0 : -1.0;
        above_[node_.y[row]] += sign * node_.weight[row];
        weight_ += sign * node_.weight[row];
        rows_ += sign;
    }

    void start_at_minus_infinity(const std::vector<double>& value, const double* slope) {
        clear();
        row_values_.clear();
        for (int i = 0; i < node_.n; ++i) {
            if (std::abs(slope[i]) <= kFlatSlope) {
                if (value[i] >= 0) turn(i, true);
                continue;
            }
            if (slope[i] < 0) turn(i, true);
            row_values_.push_back({-value[i] / slope[i], i});
        }
    }

    const ScanNode& node_;
    const Criterion& criterion_;
    std::vector<RowValue> row_values_;
    RowValueSorter sorter_;
    std::vector<double> above_;
    double weight_ = 0, rows_ = 0;
    int64_t n_cuts_ = 0;
};

}  // namespace elc
