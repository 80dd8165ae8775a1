// Affine rank of a few points by farthest-first Gram-Schmidt: do they hold a candidate at all, or just one?
//
// r points within a distance e of a flat of dimension below r-1 have a singular value of at most e sqrt(r): if all
// points are so near that this is not above 1e-7, none of their selections is affinely independent and the box is
// empty. Points that lie within the tolerance of one plane may share a single candidate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

enum class AffineRank { no_candidate, one_plane, near_one_plane, general };

// What became of points in or near one plane: whether there is more to do, or the search was asked to end.
enum class FlatResult { settled, unsettled, stopped };

class AffineRankFinder {
public:
    // The r points that span the plane best, where there is one.
    const std::vector<int>& chosen() const { return chosen_; }
    // How far the points are from it, but for rounding.
    double distance() const { return distance_; }

    // Of points that have a candidate: half the distance of the two planes beside that one between which they all lie,
    // and how far they reach in the direction within it that they reach least far in.
    double half_width() {
        find_components();
        const auto [low, high] = std::minmax_element(by_point_.begin(), by_point_.end());
        return distance_ > 0 ? (*high - *low) / distance_ / 2 : 0.0;
    }
    double reach() const { return reach_; }
    // The direction out of that plane.
    const std::vector<double>& normal() const { return direction_; }

    // Of the list's first n points; those within the tolerance `on` of one plane are near it.
    AffineRank rank_of(const ScoringList& list, int n, int r, double on) {
        residual_.resize(static_cast<size_t>(n) * r);
        by_point_.resize(n);
        for (int j = 0; j < r; ++j) {
            const double* x = list.array(j);
            for (int i = 0; i < n; ++i) residual_[j * n + i] = x[i] - x[0];
        }
        direction_.resize(r);
        chosen_.assign(r, 0);
        for (int dimension = 0; dimension < r; ++dimension) {
            std::fill(by_point_.begin(), by_point_.end(), 0.0);
            for (int j = 0; j < r; ++j)
                for (int i = 0; i < n; ++i) by_point_[i] += residual_[j * n + i] * residual_[j * n + i];
            const int farthest = place_of_largest(by_point_);
            const double largest = std::sqrt(by_point_[farthest]);
            if (dimension == r - 1) {
                distance_ = largest;
                for (int j = 0; j < r; ++j) direction_[j] = residual_[j * n + farthest];
                if (largest <= kCoplanarByRounding) return AffineRank::one_plane;
                return largest <= on ? AffineRank::near_one_plane : AffineRank::general;
            }
            if (largest <= 0.999 * kIndependent / std::sqrt(static_cast<double>(r))) return AffineRank::no_candidate;
            reach_ = largest;
            chosen_[dimension + 1] = farthest;
            for (int j = 0; j < r; ++j) direction_[j] = residual_[j * n + farthest] / largest;
            find_components();
            for (int j = 0; j < r; ++j) {
                const double along = direction_[j];
                for (int i = 0; i < n; ++i) residual_[j * n + i] -= by_point_[i] * along;
            }
        }
        return AffineRank::general;
    }

private:
    // Of all points along the direction.
    void find_components() {
        const size_t n = by_point_.size(), r = direction_.size();
        std::fill(by_point_.begin(), by_point_.end(), 0.0);
        for (size_t j = 0; j < r; ++j) {
            const double along = direction_[j];
            for (size_t i = 0; i < n; ++i) by_point_[i] += residual_[j * n + i] * along;
        }
    }

    // The first of the largest ones; four at a time, so that no comparison waits for the one before.
    static int place_of_largest(const std::vector<double>& numbers) {
        double largest[4] = {numbers[0], numbers[0], numbers[0], numbers[0]};
        size_t i = 0;
        for (; i + 4 <= numbers.size(); i += 4)
            for (size_t q = 0; q < 4; ++q) largest[q] = std::max(largest[q], numbers[i + q]);
        for (; i < numbers.size(); ++i) largest[0] = std::max(largest[0], numbers[i]);
        const double most = *std::max_element(largest, largest + 4);
        return static_cast<int>(std::find(numbers.begin(), numbers.end(), most) - numbers.begin());
    }

    std::vector<double> residual_, direction_;  // r arrays: what each point has outside of the span so far
    std::vector<double> by_point_;              // its squared residual, then its component along the direction
    std::vector<int> chosen_;
    double distance_ = 0, reach_ = 0;
};

}  // namespace elc
