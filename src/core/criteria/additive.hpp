// Criteria that are sums over classes: Gini and information gain.
//
// They share one shape, loss = offset - (side(L) + side(R)) / n with side(x) = combine(sum_j term(x_j), sum_j x_j). A
// Shape has `name`, `is_ratio` (combine divides the terms by the size) and the functions term, combine, class_quality
// (one class's share of the quality at given sizes of the sides), any_above (whether the quality is larger at some
// corner of a box), perfect and offset.
#pragma once

#include <algorithm>
#include <vector>

#include "common/numbers.hpp"
#include "criteria/class_corners.hpp"
#include "criteria/criterion.hpp"

namespace elc {

template <class Shape>
class Additive {
public:
    static constexpr const char* name = Shape::name;
    static constexpr Support support = Support::exact;
    static constexpr bool falls_with_purity = true;  // sizes of sides times concave functions of their shares

    explicit Additive(const ClassTotals& totals)
        : shape_(totals), totals_(totals.weights), total_(totals.sum), k_(totals.k()) {
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
        const UncertainClasses open(u, k_);
        return open.too_many ? many_classes(a, u) : corners(a, u, open);
    }

    // A closer look where `bound` is not exact: all corners of the heaviest uncertain classes, first of a few. The
    // uncertain weight of the others is a pure part of its own. Exact to ten uncertain classes.
    bool exceeds(const double* a, const double* u, double ceiling) const {
        if (!UncertainClasses(u, k_).too_many) return false;
        const auto pure = [&](int j) { return shape_.combine(shape_.term(u[j]), u[j]); };
        ClassCorners corners = lowest_corner(a, u);
        const double middle = corners.left_size + (total_ - corners.both) / 2;
        double quality = (offset_ - ceiling) * total_;
        for (int j = 0; j < k_; ++j) quality -= pure(j);
        for (int j : HeaviestClasses(u, k_)) {
            divide(j, a, u, corners);
            // A class that is rather on the left begins there: the first corners are then good ones.
            if ((a[j] + u[j] / 2) * total_ > totals_[j] * middle) corners.turn_last();
            quality += pure(j);
            if (corners.n == kCornerClasses && !shape_.any_above(corners, quality)) return true;
        }
        return !shape_.any_above(corners, quality);
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
        const auto best_of = [&](const auto& quality) {
            return std::max(std::max(quality(low[0] + low[1], right_low[0] + right_low[1], size),
                                     quality(high[0] + low[1], right_high[0] + right_low[1], size + u[0])),
                            std::max(quality(low[0] + high[1], right_low[0] + right_high[1], size + u[1]),
                                     quality(high[0] + high[1], right_high[0] + right_high[1], both)));
        };
        if constexpr (Shape::is_ratio) {
            // An empty side has no terms.
            const auto size_of = [](double side) { return side > 0 ? side : 1.0; };
            const auto quality = [&](double left, double right, double left_size) {
                return Fraction::sum(left, size_of(left_size), right, size_of(total_ - left_size));
            };
            return to_loss(best_of(quality).value());
        } else {
            return to_loss(best_of([&](double l, double r, double n) { return quality(l, r, n); }));
        }
    }

    // Of positive numbers. To find the largest of several takes one division.
    struct Fraction {
        double over, under;
        static Fraction sum(double a, double b, double c, double d) { return {a * d + c * b, b * d}; }
        bool operator<(const Fraction& other) const { return over * other.under < other.over * under; }
        double value() const { return over / under; }
    };

    double quality(double left_terms, double right_terms, double left_size) const {
        return shape_.combine(left_terms, left_size) + shape_.combine(right_terms, total_ - left_size);
    }

    double corners(const double* a, const double* u, const UncertainClasses& open) const {
        ClassCorners corners = lowest_corner(a, u);
        for (int q = 0; q < open.n; ++q) divide(open[q], a, u, corners);
        return to_loss(best_corner(
            corners, [this](double left, double right, double size) { return quality(left, right, size); }));
    }

    // What is certain.
    ClassCorners lowest_corner(const double* a, const double* u) const {
        ClassCorners corners;
        for (int j = 0; j < k_; ++j) {
            const double right = totals_[j] - a[j] - u[j];
            corners.left += shape_.term(a[j]);
            corners.right += shape_.term(right);
            corners.left_size += a[j];
            corners.both += a[j] + right;
        }
        return corners;
    }

    // Adds the uncertain weight of a class, which is on the right at its lower end.
    void divide(int j, const double* a, const double* u, ClassCorners& corners) const {
        const double right = totals_[j] - a[j], step = shape_.term(right) - shape_.term(right - u[j]);
        corners.right += step;
        corners.both += u[j];
        corners.add(shape_.term(a[j] + u[j]) - shape_.term(a[j]), -step, u[j]);
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

}  // namespace elc
