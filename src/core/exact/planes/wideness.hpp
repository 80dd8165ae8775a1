// How wide a selection of points near a plane must be to have no other plane; narrow_selections.hpp says why.
#pragma once

#include <cmath>
#include <vector>

#include "common/numbers.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

// How wide selections of r points must be that lie near a plane; rows are within `reach` of each other.
class Wideness {
public:
    Wideness(double reach, int r) {
        const double root = std::sqrt(static_cast<double>(r));
        value_ = root * (1 + root) * reach;
        const double others = r > 2 ? reach * std::sqrt((r - 1.0) / (r - 2.0)) : 1.0;
        volume_ = 1.001 * root * std::pow(others, r - 2);
    }

    // The singular value from which on selections of points within `distance` of a plane are that plane to rows that
    // may move by `tolerance`.
    double least_value(double distance, double tolerance) const {
        return distance < tolerance ? distance * value_ / (tolerance - distance) : kInfinity;
    }

    // The volume of edges, seen along a coordinate, from which on selections have this singular value. The product of
    // r - 2 of the edges' r - 1 singular values is largest where they are equal; the smallest is at most sqrt(r) times
    // that of the centred points.
    double least_volume(double value) const { return volume_ * value; }

private:
    double value_, volume_;
};

// The volume that the edges from a selection's first point span when they are seen along a coordinate.
template <int R>
double volume_seen_along(const ScoringList& list, const std::vector<int>& selection, int seen_along) {
    static_assert(R >= 0 && R <= 4, "written down for few dimensions");
    double edge[3][3];
    for (int j = 0, q = 0; j < R; ++j) {
        if (j == seen_along) continue;
        const double* x = list.array(j);
        for (int i = 1; i < R; ++i) edge[i - 1][q] = x[selection[i]] - x[selection[0]];
        ++q;
    }
    const auto minor = [&](int a, int b) { return edge[1][a] * edge[2][b] - edge[1][b] * edge[2][a]; };
    if constexpr (R == 2) return std::abs(edge[0][0]);
    if constexpr (R == 3) return std::abs(edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]);
    if constexpr (R == 4)
        return std::abs(edge[0][0] * minor(1, 2) - edge[0][1] * minor(0, 2) + edge[0][2] * minor(0, 1));
    return 0;
}

}  // namespace elc
