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

#include "common/numbers.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

enum class AffineRank { no_candidate, one_plane, near_one_plane, general };

// What became of points in or near one plane: whether there is more to do, or the search was asked to end.
enum class FlatResult { settled, unsettled, stopped };

class AffineRankFinder {
public:
    explicit AffineRankFinder(int r) : r_(r), residuals_(passes_for(r, 2).residuals), direction_(r), chosen_(r) {}

    // The r points that span the plane best, where there is one.
    const std::vector<int>& chosen() const { return chosen_; }
    // How far the points are from it, but for rounding.
    double distance() const { return distance_; }

    // Of points that have a candidate: half the distance of the two planes beside that one between which they all lie,
    // and how far they reach in the direction within it that they reach least far in.
    double half_width() const {
        if (!(distance_ > 0)) return 0;
        double low = kInfinity, high = -kInfinity;
        for (int i = 0; i < n_; ++i) {
            double along = 0;
            for (int j = 0; j < r_; ++j) along += rest_[j * stride_ + i] * direction_[j];
            low = std::min(low, along);
            high = std::max(high, along);
        }
        return (high - low) / distance_ / 2;
    }
    double reach() const { return reach_; }
    // The direction out of that plane.
    const std::vector<double>& normal() const { return direction_; }

    // Of the list's first n points; those within the tolerance `on` of one plane are near it.
    AffineRank rank_of(const ScoringList& list, int n, double on) {
        n_ = n;
        stride_ = (static_cast<size_t>(n) + 7) / 8 * 8;
        if (rest_.size() < stride_ * r_) rest_.resize(stride_ * r_);
        if (by_point_.size() < stride_) by_point_.resize(stride_);
        const double* taken = nullptr;
        for (int dimension = 0; dimension < r_; ++dimension) {
            const int farthest = residuals_(list, n, r_, taken, rest_.data(), stride_, by_point_.data());
            const double largest = std::sqrt(by_point_[farthest]);
            for (int j = 0; j < r_; ++j) direction_[j] = rest_[j * stride_ + farthest];
            if (dimension == r_ - 1) {
                distance_ = largest;
                if (largest <= kCoplanarByRounding) return AffineRank::one_plane;
                return largest <= on ? AffineRank::near_one_plane : AffineRank::general;
            }
            if (largest <= 0.999 * kIndependent / std::sqrt(static_cast<double>(r_))) return AffineRank::no_candidate;
            reach_ = largest;
            chosen_[dimension + 1] = farthest;
            for (int j = 0; j < r_; ++j) direction_[j] /= largest;
            taken = direction_.data();
        }
        return AffineRank::general;
    }

private:
    const int r_;
    int n_ = 0;
    size_t stride_ = 0;
    const Passes::Residuals residuals_;
    std::vector<double> rest_, direction_;  // r arrays: what each point has outside of the span so far
    std::vector<double> by_point_;          // its squares
    std::vector<int> chosen_;
    double distance_ = 0, reach_ = 0;
};

}  // namespace elc
