// Affine rank of a list of points by farthest-first Gram-Schmidt: does the list hold a candidate at all, or just one?
//
// Points within 1e-8 of a flat of dimension below r-1 have no affinely independent selection (its singular value would
// be below 1e-7): the box is empty. Points that lie on one plane up to rounding share a single candidate plane.
#pragma once

#include <cmath>

#include "box.hpp"

namespace elc {

enum class ListRank { no_candidate, one_plane, general };

// `chosen` gets r points that span the plane best, where there is one.
inline ListRank rank_of(const List& list, int r, int* chosen, double* scratch) {
    double basis[kMaxR][kMaxR];
    const auto component = [&](int i, int j) { return list.array(j)[i] - list.array(j)[0]; };
    // scratch holds the residual vectors, r per point
    for (int i = 0; i < list.n; ++i)
        for (int j = 0; j < r; ++j) scratch[i * r + j] = component(i, j);
    chosen[0] = 0;
    for (int dimension = 0; dimension < r; ++dimension) {
        int farthest = 0;
        double largest = -1;
        for (int i = 0; i < list.n; ++i) {
            double norm = 0;
            for (int j = 0; j < r; ++j) norm += scratch[i * r + j] * scratch[i * r + j];
            if (norm > largest) largest = norm, farthest = i;
        }
        largest = std::sqrt(largest);
        if (dimension < r - 1 && largest <= kIndependent / (4 * std::sqrt(static_cast<double>(r)))) {
            return ListRank::no_candidate;
        }
        if (dimension == r - 1) return largest <= kCoplanar ? ListRank::one_plane : ListRank::general;
        chosen[dimension + 1] = farthest;
        for (int j = 0; j < r; ++j) basis[dimension][j] = scratch[farthest * r + j] / largest;
        for (int i = 0; i < list.n; ++i) {
            double along = 0;
            for (int j = 0; j < r; ++j) along += scratch[i * r + j] * basis[dimension][j];
            for (int j = 0; j < r; ++j) scratch[i * r + j] -= along * basis[dimension][j];
        }
    }
    return ListRank::general;
}

}  // namespace elc
