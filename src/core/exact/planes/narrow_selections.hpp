// Of points that lie near one plane P: the selections that may fix another plane.
//
// Let the points be within e of P, scaled so that its largest coefficient is 1, and let s be the smallest leading
// singular value of r of them, centred. The affine function f that is constant along P's normal and equals P at the
// selection has a slope of at most g = e sqrt(r) / s, since its values there have a norm of at most e sqrt(r). P - f is
// zero at the selection: it is the plane Q through it, whose scale differs from P's by a factor within g of 1. So at a
// distance of at most D from the selection, where |P| is at most D sqrt(r), the values of P and Q differ by no more
// than e + g D (1 + sqrt(r)), and where that is less than what rows need to change sides, Q is P to them. What is left
// are selections with a small s.
//
// In such a selection some point is within H = s sqrt(r) of the flat of the others: the slopes of its barycentric
// coordinates are one over those distances, and their squares add up to at least 1 / s^2. So with any r - 2 of the
// others for an axis the last one and the point are seen from it at nearly the same angle, and are found by sorting
// angles. Seen along a coordinate of P whose coefficient is 1, distances shrink by no more than a factor of sqrt(r).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exact/node/combinations.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

class NarrowSelections {
public:
    // r points each, one selection after the other.
    const std::vector<int>& found() const { return found_; }

    // Finds the selections among the list's first n points with a singular value of at most `widest`, and perhaps some
    // that have a larger one; the coefficient of the plane at `seen_along` is 1. False if there are too many.
    bool find(const ScoringList& list, int n, int r, double widest, int seen_along) {
        list_ = &list;
        r_ = r;
        widest_ = widest;
        found_.clear();
        if (widest <= kIndependent) return true;
        return r == 2 ? find_pairs(n) : find_by_angles(n, seen_along);
    }

private:
    static constexpr double kHalfTurn = 2;           // in the angles of half_angle
    static constexpr size_t kMost = 1 << 16;         // numbers in found_
    static constexpr int64_t kMostAngles = 1 << 21;  // to be sorted

    // A point as it is seen from the axis: its angle, modulo half a turn, and its distance.
    struct Seen {
        double angle, distance;
        int point;
    };

    // Along the line the pairs are those of neighbours.
    bool find_pairs(int n) {
        int along = 0;
        double longest = -1;
        for (int j = 0; j < 2; ++j) {
            const auto [low, high] = std::minmax_element(list_->array(j), list_->array(j) + n);
            if (*high - *low > longest) longest = *high - *low, along = j;
        }
        const double* x = list_->array(along);
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&](int a, int b) { return x[a] != x[b] ? x[a] < x[b] : a < b; });
        for (int i = 0, first = 0; i < n; ++i) {
            // Two points fix a line if they are kIndependent sqrt(2) apart; along the longer axis, that over sqrt(2).
            while (first < n && x[order_[first]] - x[order_[i]] < 0.99 * kIndependent) ++first;
            for (int other = first; other < n && x[order_[other]] - x[order_[i]] <= std::sqrt(2.0) * widest_; ++other) {
                if (found_.size() >= kMost) return false;
                found_.insert(found_.end(), {order_[i], order_[other]});
            }
        }
        return true;
    }

    bool find_by_angles(int n, int seen_along) {
        const int d = r_ - 1;
        if (count_combinations(n, r_ - 2) > kMostAngles / n) return false;
        seen_.resize(static_cast<size_t>(n) * d);
        for (int j = 0, q = 0; j < r_; ++j) {
            if (j == seen_along) continue;
            for (int i = 0; i < n; ++i) seen_[i * d + q] = list_->array(j)[i];
            ++q;
        }
        axis_.assign(r_ - 2, 0);
        basis_.resize(static_cast<size_t>(d) * d);
        if (!choose_axis(n, 0, 0)) return false;
        drop_copies();
        return true;
    }

    bool choose_axis(int n, int depth, int from) {
        if (depth == r_ - 2) return look_around(n);
        for (int i = from; i < n; ++i) {
            axis_[depth] = i;
            if ((depth == 0 || add_direction(depth - 1, i)) && !choose_axis(n, depth + 1, i + 1)) return false;
        }
        return true;
    }

    // Makes direction `at` of the basis that from the axis's first point to point i; false if the others span it.
    bool add_direction(int at, int i) {
        const int d = r_ - 1;
        for (int q = 0; q < d; ++q) basis_[at * d + q] = seen_[i * d + q] - seen_[axis_[0] * d + q];
        return orthonormalise(at, nearest_height());
    }

    // False if no more than `least` is left of the direction.
    bool orthonormalise(int at, double least) {
        const int d = r_ - 1;
        double* v = basis_.data() + at * d;
        for (int pass = 0; pass < 2; ++pass)
            for (int other = 0; other < at; ++other) {
                const double* u = basis_.data() + other * d;
                const double along = std::inner_product(v, v + d, u, 0.0);
                for (int q = 0; q < d; ++q) v[q] -= along * u[q];
            }
        const double length = std::sqrt(std::inner_product(v, v + d, v, 0.0));
        if (!(length > least)) return false;
        for (int q = 0; q < d; ++q) v[q] /= length;
        return true;
    }

    // The two last directions of the basis: of coordinates that are well off the others.
    void complete_basis() {
        const int d = r_ - 1;
        for (int at = d - 2; at < d; ++at) {
            for (int q = 0; q < d; ++q) {
                std::fill_n(basis_.begin() + at * d, d, 0.0);
                basis_[at * d + q] = 1;
                if (orthonormalise(at, 0.9 / std::sqrt(static_cast<double>(d)))) break;
            }
        }
    }

    // No point of an independent selection is nearer to the flat of the others, seen along a coordinate.
    double nearest_height() const { return 0.9 * kIndependent / std::sqrt(static_cast<double>(r_)); }

    // Takes the pairs that are seen from the axis at nearly the same angle.
    bool look_around(int n) {
        complete_basis();
        const int d = r_ - 1;
        const double* across = basis_.data() + (d - 2) * d;
        around_.clear();
        for (int i = 0; i < n; ++i) {
            double u = 0, v = 0;
            for (int q = 0; q < d; ++q) {
                const double step = seen_[i * d + q] - seen_[axis_[0] * d + q];
                u += step * across[q];
                v += step * across[d + q];
            }
            const double distance = std::sqrt(u * u + v * v);
            if (distance < nearest_height()) continue;  // in the flat of the axis
            around_.push_back({half_angle(u, v), distance, i});
        }
        std::sort(around_.begin(), around_.end(), [](const Seen& a, const Seen& b) {
            return a.angle != b.angle ? a.angle < b.angle : a.point < b.point;
        });
        for (size_t k = 0; k < around_.size(); ++k)
            if (!take_neighbours(k)) return false;
        return true;
    }

    // A number that grows with the angle of (u, v), modulo half a turn, by 1/2 to 1 per radian.
    static double half_angle(double u, double v) {
        if (v < 0 || (v == 0 && u < 0)) u = -u, v = -v;
        return u >= 0 ? v / (u + v) : kHalfTurn - v / (v - u);
    }

    // Point k with the others of its window, on either side of it and around the half turn.
    bool take_neighbours(size_t k) {
        const double sine = widest_ * std::sqrt(static_cast<double>(r_)) / around_[k].distance;
        const double window = 1.6 * std::min(sine, 1.0);  // no smaller than the angle
        const double least = 0.45 * nearest_height() / around_[k].distance, middle = around_[k].angle;
        for (double turn : {-kHalfTurn, 0.0, kHalfTurn}) {
            if (!take_range(k, middle + turn - window, middle + turn - least)) return false;
            if (!take_range(k, middle + turn + least, middle + turn + window)) return false;
        }
        return true;
    }

    // Point k with those that are seen at angles from `low` to `high`.
    bool take_range(size_t k, double low, double high) {
        if (high < 0 || low > kHalfTurn) return true;
        const auto is_before = [](const Seen& seen, double angle) { return seen.angle < angle; };
        auto other = std::lower_bound(around_.begin(), around_.end(), low, is_before);
        for (; other != around_.end() && other->angle <= high; ++other) {
            if (found_.size() >= kMost) return false;
            const size_t at = found_.size();
            found_.insert(found_.end(), axis_.begin(), axis_.end());
            found_.insert(found_.end(), {around_[k].point, other->point});
            std::sort(found_.begin() + at, found_.end());
        }
        return true;
    }

    void drop_copies() {
        std::vector<std::vector<int>> selections;
        for (size_t at = 0; at < found_.size(); at += r_)
            selections.emplace_back(found_.begin() + at, found_.begin() + at + r_);
        std::sort(selections.begin(), selections.end());
        selections.erase(std::unique(selections.begin(), selections.end()), selections.end());
        found_.clear();
        for (const std::vector<int>& selection : selections)
            found_.insert(found_.end(), selection.begin(), selection.end());
    }

    const ScoringList* list_ = nullptr;
    int r_ = 0;
    double widest_ = 0;
    std::vector<int> order_, found_, axis_;
    std::vector<double> seen_, basis_;  // the points without a coordinate; orthonormal directions, row by row
    std::vector<Seen> around_;
};

}  // namespace elc
