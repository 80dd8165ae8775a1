// Affine rank of a few points by farthest-first Gram-Schmidt: do they hold a candidate at all, or just one?
//
// Points within 1e-8 of a flat of dimension below r-1 have no affinely independent selection (its singular value would
// be below 1e-7): the box is empty. Points that lie on one plane up to rounding share a single candidate plane.
#pragma once

#include <cmath>
#include <vector>

#include "passes/passes.hpp"
#include "problem.hpp"

namespace elc {

enum class ListRank { no_candidate, one_plane, general };

class RankFinder {
public:
    // The r points that span the plane best, where there is one.
    const std::vector<int>& chosen() const { return chosen_; }

    // Of the list's first n points.
    ListRank rank_of(const ScoringList& list, int n, int r) {
        residual_.resize(static_cast<size_t>(n) * r);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < r; ++j) residual_[i * r + j] = list.array(j)[i] - list.array(j)[0];
        direction_.resize(r);
        chosen_.assign(r, 0);
        for (int dimension = 0; dimension < r; ++dimension) {
            int farthest = 0;
            double largest = -1;
            for (int i = 0; i < n; ++i) {
                double norm = 0;
                for (int j = 0; j < r; ++j) norm += residual_[i * r + j] * residual_[i * r + j];
                if (norm > largest) largest = norm, farthest = i;
            }
            largest = std::sqrt(largest);
            if (dimension == r - 1) return largest <= kCoplanar ? ListRank::one_plane : ListRank::general;
            if (largest <= kIndependent / (4 * std::sqrt(static_cast<double>(r)))) return ListRank::no_candidate;
            chosen_[dimension + 1] = farthest;
            for (int j = 0; j < r; ++j) direction_[j] = residual_[farthest * r + j] / largest;
            for (int i = 0; i < n; ++i) {
                double along = 0;
                for (int j = 0; j < r; ++j) along += residual_[i * r + j] * direction_[j];
                for (int j = 0; j < r; ++j) residual_[i * r + j] -= along * direction_[j];
            }
        }
        return ListRank::general;
    }

private:
    std::vector<double> residual_, direction_;  // what each point has outside of the span so far, r numbers a point
    std::vector<int> chosen_;
};

}  // namespace elc
