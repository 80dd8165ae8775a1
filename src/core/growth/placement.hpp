// Where the plane lies once its two sides are known.
//
// The search decides a partition; many planes give it. A rule w_0 x_0 + ... >= threshold is checked as prediction
// evaluates it: a sum from left to right in double, without fused multiply-add.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "common/numbers.hpp"
#include "exact/margin.hpp"

namespace elc {

// Rows without missing values on the features of a split, one after the other, and whether each is left.
struct SidedPoints {
    std::vector<double> x;
    std::vector<char> left;
    size_t d = 0;  // features

    size_t n() const { return left.size(); }
};

// `margin` is half the width of the empty band, NaN where a side is empty; `exact` is false where double cannot express
// the sides.
struct Placement {
    std::vector<double> weights;
    double threshold = 0, margin = 0;
    bool exact = false;
};

// A number in (low, high], as near to the middle as there is.
inline double middle_of(double low, double high) {
    const double middle = low + (high - low) / 2;
    return low < middle && middle <= high ? middle : high;
}

class Placer {
public:
    explicit Placer(const SidedPoints& points) : points_(points) {
        for (char left : points.left) n_left_ += left != 0;
    }

    bool one_sided() const { return n_left_ == 0 || n_left_ == points_.n(); }

    // Keeps the normal and puts the threshold just below the left side. The slack is of the size of rounding, so that a
    // product with another order of summation gives the same sides.
    Placement through(const std::vector<double>& weights) {
        sum_up(weights);
        const double slack = rounding(weights);
        if (one_sided()) {
            const double limit = n_left_ ? lowest(1) - slack : std::nextafter(highest(0) + slack, kInfinity);
            return {weights, limit, std::numeric_limits<double>::quiet_NaN(), true};
        }
        const double left = lowest(1), right = highest(0);
        if (!(left > right)) return {weights, least_wrong_threshold(), 0.0, false};
        return {weights, std::max(left - slack, middle_of(right, left)), (left - right) / 2, true};
    }

    // Moves the plane to the widest margin in coordinates scaled by `half`, half the range of each feature. Where that
    // cannot keep the sides, the given normal with the threshold midway; where that cannot either, the given plane.
    Placement widest(const std::vector<double>& weights, double threshold, std::vector<double> half) {
        const size_t d = points_.d;
        double largest = 0;
        for (size_t j = 0; j < d; ++j) {
            if (!(half[j] > 0)) half[j] = 1;
            const double reach = std::abs(weights[j] * half[j]);
            largest = std::isnan(reach) || reach > largest ? reach : largest;
        }
        if (largest > 0 && std::isfinite(largest)) {
            for (const std::vector<double>& normal : {widest_weights(weights, half, largest), weights}) {
                const Placement placed = midway(normal);
                if (placed.exact) return placed;
            }
        }
        Placement given = midway(weights);
        given.threshold = threshold;
        given.exact = keeps(threshold);
        return given;
    }

    // The given normal with the threshold in the middle of the empty band; neither side is empty.
    Placement midway(const std::vector<double>& weights) {
        sum_up(weights);
        const double left = lowest(1), right = highest(0);
        return {weights, middle_of(right, left), std::max(left - right, 0.0) / 2, left > right};
    }

private:
    void sum_up(const std::vector<double>& weights) {
        sums_.resize(points_.n());
        for (size_t i = 0; i < sums_.size(); ++i) {
            double sum = 0;
            for (size_t j = 0; j < points_.d; ++j) sum += weights[j] * points_.x[i * points_.d + j];
            sums_[i] = sum;
        }
    }

    // Of the sums of a side; NaN if one of them is.
    double lowest(char side) const {
        double low = kInfinity;
        for (size_t i = 0; i < sums_.size(); ++i) {
            if (points_.left[i] != side) continue;
            if (std::isnan(sums_[i])) return sums_[i];
            low = std::min(low, sums_[i]);
        }
        return low;
    }
    double highest(char side) const {
        double high = -kInfinity;
        for (size_t i = 0; i < sums_.size(); ++i) {
            if (points_.left[i] != side) continue;
            if (std::isnan(sums_[i])) return sums_[i];
            high = std::max(high, sums_[i]);
        }
        return high;
    }

    bool keeps(double threshold) const {
        for (size_t i = 0; i < sums_.size(); ++i)
            if ((points_.left[i] != 0) != (sums_[i] >= threshold)) return false;
        return true;
    }

    // A bound on the error of a sum in any order of summation.
    double rounding(const std::vector<double>& weights) const {
        double sum = 0;
        for (size_t j = 0; j < points_.d; ++j) {
            double largest = 0;
            for (size_t i = 0; i < points_.n(); ++i)
                largest = std::max(largest, std::abs(points_.x[i * points_.d + j]));
            sum += std::abs(weights[j]) * largest;
        }
        return static_cast<double>(points_.d + 1) * std::numeric_limits<double>::epsilon() * sum;
    }

    // The threshold with two non-empty sides, if there is one, that sends the fewest rows to the wrong side.
    double least_wrong_threshold() const {
        std::vector<size_t> order(sums_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        const auto before = [&](size_t a, size_t b) {
            return sums_[a] < sums_[b] || (std::isnan(sums_[b]) && !std::isnan(sums_[a]));
        };
        std::stable_sort(order.begin(), order.end(), before);
        // A threshold at position i sends rows [0, i) right and [i, n) left.
        size_t wrong = sums_.size() - n_left_, fewest = SIZE_MAX;
        double best = sums_[order[0]];
        for (size_t i = 1; i < order.size(); ++i) {
            if (points_.left[order[i - 1]]) ++wrong;
            else --wrong;
            if (sums_[order[i]] > sums_[order[i - 1]] && wrong < fewest) fewest = wrong, best = sums_[order[i]];
        }
        return best;
    }

    // The normal of the widest margin in the data's units; its largest reach over a feature's range is `largest`.
    std::vector<double> widest_weights(const std::vector<double>& weights, const std::vector<double>& half,
                                       double largest) {
        const size_t d = points_.d;
        std::vector<double> low(d, kInfinity), normal(d);
        for (size_t i = 0; i < points_.x.size(); ++i) low[i % d] = std::min(low[i % d], points_.x[i]);
        scaled_.left.clear();
        scaled_.right.clear();
        for (size_t i = 0; i < points_.n(); ++i) {
            std::vector<double>& side = points_.left[i] ? scaled_.left : scaled_.right;
            for (size_t j = 0; j < d; ++j) side.push_back(2 * ((points_.x[i * d + j] / 2 - low[j] / 2) / half[j]) - 1);
        }
        for (size_t j = 0; j < d; ++j) normal[j] = weights[j] * half[j] / largest;
        if (finder_.half_margin(scaled_, normal) > 0) normal = finder_.normal();
        double longest = 0;
        for (double w : normal) longest = std::max(longest, std::abs(w));
        for (size_t j = 0; j < d; ++j) normal[j] = normal[j] * (largest / longest) / half[j] + 0.0;
        return normal;
    }

    const SidedPoints& points_;
    size_t n_left_ = 0;
    std::vector<double> sums_;
    SidePoints scaled_;
    MarginFinder finder_;
};

}  // namespace elc
