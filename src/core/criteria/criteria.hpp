// The three split criteria: the loss of a partition and a lower bound on it over a box of class counts.
//
// A criterion maps the class weights of one side to a loss (lower is better: Gini impurity itself, minus twoing, minus
// information gain). All three are concave in the side's class weights, so over a box a_j <= x_j <= a_j + u_j the
// smallest loss is at a corner. With few uncertain classes all corners are tried; with many, a bound of cost O(k) is
// used that lets every class choose its end for itself (see `many_classes`).
#pragma once

#include <cmath>
#include <vector>

#include "exact/exact_node.hpp"

namespace elc {

constexpr int kCornerClasses = 6;  // up to 2^6 corners are tried

// Gini and information gain share one shape: loss = offset - (side(L) + side(R)) / n with
// side(x) = combine(sum_j term(x_j), sum_j x_j).
template <class Shape>
class Additive {
public:
    Additive(const std::vector<double>& totals, double total, bool integral)
        : shape_(total, integral), totals_(totals), total_(total), k_(static_cast<int>(totals.size())) {
        offset_ = shape_.offset(totals_);
    }

    double loss(const double* left) const {
        double left_terms = 0, right_terms = 0, left_size = 0;
        for (int j = 0; j < k_; ++j) {
            left_terms += shape_.term(left[j]);
            right_terms += shape_.term(totals_[j] - left[j]);
            left_size += left[j];
        }
        return to_loss(shape_.combine(left_terms, left_size) + shape_.combine(right_terms, total_ - left_size));
    }

    // Smallest loss over a_j <= x_j <= a_j + u_j.
    double bound(const double* a, const double* u) const {
        if (k_ == 2) return two_classes(a, u);
        int open[kCornerClasses], n_open = 0;
        for (int j = 0; j < k_; ++j) {
            if (u[j] == 0) continue;
            if (n_open == kCornerClasses) return many_classes(a, u);
            open[n_open++] = j;
        }
        return corners(a, u, open, n_open);
    }

    double perfect() const { return to_loss(shape_.perfect(total_)); }

private:
    double to_loss(double quality) const { return offset_ - quality / total_; }

    double two_classes(const double* a, const double* u) const {
        const double low[2] = {shape_.term(a[0]), shape_.term(a[1])};
        const double high[2] = {shape_.term(a[0] + u[0]), shape_.term(a[1] + u[1])};
        const double right_low[2] = {shape_.term(totals_[0] - a[0]), shape_.term(totals_[1] - a[1])};
        const double right_high[2] = {shape_.term(totals_[0] - a[0] - u[0]), shape_.term(totals_[1] - a[1] - u[1])};
        const double size = a[0] + a[1];
        const double both = size + u[0] + u[1];
        const double q0 = quality(low[0] + low[1], right_low[0] + right_low[1], size);
        const double q1 = quality(high[0] + low[1], right_high[0] + right_low[1], size + u[0]);
        const double q2 = quality(low[0] + high[1], right_low[0] + right_high[1], size + u[1]);
        const double q3 = quality(high[0] + high[1], right_high[0] + right_high[1], both);
        return to_loss(std::max(std::max(q0, q1), std::max(q2, q3)));
    }

    double quality(double left_terms, double right_terms, double left_size) const {
        return shape_.combine(left_terms, left_size) + shape_.combine(right_terms, total_ - left_size);
    }

    // All corners in Gray-code order: one class changes its end at a time.
    double corners(const double* a, const double* u, const int* open, int n_open) const {
        double left_terms = 0, right_terms = 0, size = 0;
        for (int j = 0; j < k_; ++j) {
            left_terms += shape_.term(a[j]);
            right_terms += shape_.term(totals_[j] - a[j]);
            size += a[j];
        }
        double step_left[kCornerClasses], step_right[kCornerClasses];
        for (int q = 0; q < n_open; ++q) {
            const int j = open[q];
            step_left[q] = shape_.term(a[j] + u[j]) - shape_.term(a[j]);
            step_right[q] = shape_.term(totals_[j] - a[j] - u[j]) - shape_.term(totals_[j] - a[j]);
        }
        double best = quality(left_terms, right_terms, size);
        unsigned raised = 0;
        for (unsigned corner = 1; corner < (1u << n_open); ++corner) {
            const int q = __builtin_ctz(corner);
            const double sign = (raised >> q & 1u) ? -1.0 : 1.0;
            raised ^= 1u << q;
            left_terms += sign * step_left[q];
            right_terms += sign * step_right[q];
            size += sign * u[open[q]];
            best = std::max(best, quality(left_terms, right_terms, size));
        }
        return to_loss(best);
    }

    // For a fixed left size N the quality is a sum over classes, each at most its larger end; that sum is convex in N,
    // so its maximum is at an end of N's range. The refinement bound (uncertain weight of each class as a pure part of
    // its own) covers the range's ends where a side is empty. Both are upper bounds on quality: the smaller counts.
    double many_classes(const double* a, const double* u) const {
        double low_size = 0, high_size = 0, sure_left = 0, sure_right = 0, sure_right_size = 0, pure = 0;
        for (int j = 0; j < k_; ++j) {
            low_size += a[j];
            high_size += a[j] + u[j];
            const double right = totals_[j] - a[j] - u[j];
            sure_left += shape_.term(a[j]);
            sure_right += shape_.term(right);
            sure_right_size += right;
            pure += shape_.combine(shape_.term(u[j]), u[j]);
        }
        const double refined = shape_.combine(sure_left, low_size) + shape_.combine(sure_right, sure_right_size) + pure;
        const double free_ends = std::max(free_ends_at(a, u, low_size), free_ends_at(a, u, high_size));
        return to_loss(std::min(refined, free_ends));
    }

    double free_ends_at(const double* a, const double* u, double left_size) const {
        if (left_size <= 0 || left_size >= total_) return kInfinity;
        double sum = 0;
        for (int j = 0; j < k_; ++j) {
            sum += std::max(shape_.class_quality(a[j], totals_[j] - a[j], left_size, total_ - left_size),
                            shape_.class_quality(a[j] + u[j], totals_[j] - a[j] - u[j], left_size, total_ - left_size));
        }
        return sum;
    }

    Shape shape_;
    std::vector<double> totals_;
    double total_, offset_ = 0;
    int k_;
};

// Weighted Gini impurity of the two sides: 1 - (sum L_j^2 / |L| + sum R_j^2 / |R|) / n.
class GiniShape {
public:
    GiniShape(double, bool) {}
    static double term(double x) { return x * x; }
    static double combine(double terms, double size) { return size > 0 ? terms / size : 0.0; }
    static double class_quality(double left, double right, double left_size, double right_size) {
        return left * left / left_size + right * right / right_size;
    }
    static double perfect(double total) { return total; }
    static double offset(const std::vector<double>&) { return 1.0; }
};

// Minus the information gain in bits: the node's entropy is the offset.
class EntropyShape {
public:
    EntropyShape(double total, bool integral) : total_(total) {
        if (!integral || total > kLargestTable) return;
        table_.resize(static_cast<size_t>(total) + 1);
        for (size_t x = 0; x < table_.size(); ++x) table_[x] = x_log_x(static_cast<double>(x));
    }
    double term(double x) const { return table_.empty() ? x_log_x(x) : table_[static_cast<size_t>(x)]; }
    double combine(double terms, double size) const { return terms - term(size); }
    double class_quality(double left, double right, double left_size, double right_size) const {
        return term(left) - left * std::log2(left_size) + term(right) - right * std::log2(right_size);
    }
    static double perfect(double) { return 0.0; }
    double offset(const std::vector<double>& totals) const {
        double sum = 0;
        for (double t : totals) sum += term(t);
        return (sum - term(total_)) / total_;
    }

private:
    static constexpr double kLargestTable = 1 << 22;
    static double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }
    double total_;
    std::vector<double> table_;
};

using Gini = Additive<GiniShape>;
using InformationGain = Additive<EntropyShape>;

// Minus twoing: (sum_j |n L_j - T_j |L||)^2 / (4 n^2 |L| |R|).
class Twoing {
public:
    Twoing(const std::vector<double>& totals, double total, bool)
        : totals_(totals), total_(total), k_(static_cast<int>(totals.size())) {}

    double loss(const double* left) const {
        double size = 0;
        for (int j = 0; j < k_; ++j) size += left[j];
        double sum = 0;
        for (int j = 0; j < k_; ++j) sum += std::abs(total_ * left[j] - totals_[j] * size);
        return -value(sum, size);
    }

    double bound(const double* a, const double* u) const {
        int open[kCornerClasses], n_open = 0;
        for (int j = 0; j < k_; ++j) {
            if (u[j] == 0) continue;
            if (n_open == kCornerClasses) return many_classes(a, u);
            open[n_open++] = j;
        }
        return corners(a, u, open, n_open);
    }

    double perfect() const { return -0.25; }

private:
    double value(double sum, double size) const {
        if (size <= 0 || size >= total_) return 0;
        const double ratio = sum / total_;
        return ratio * ratio / (4 * size * (total_ - size));
    }

    double corners(const double* a, const double* u, const int* open, int n_open) const {
        std::vector<double>& x = scratch();
        x.assign(a, a + k_);
        double best = loss(x.data());
        for (unsigned corner = 1; corner < (1u << n_open); ++corner) {
            const int j = open[__builtin_ctz(corner)];
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
