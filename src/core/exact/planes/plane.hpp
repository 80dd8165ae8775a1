// A hyperplane w.x = b, and where a row lies: below it, on it or above it.
#pragma once

#include <vector>

#include "exact/node/exact_node.hpp"
#include "exact/node/tolerances.hpp"

namespace elc {

struct Plane {
    std::vector<double> w;
    double b = 0;
};

enum PlaneSide { kBelow = -1, kOn = 0, kAbove = 1, kIncomplete = 2 };

// Where sorted row i lies, up to the tolerance `on`; a row with a missing value in the feature set is incomplete.
inline int plane_side_of(const ExactNode& node, const std::vector<int>& features, const Plane& plane, int r, int i,
                         double on) {
    for (int feature : features)
        if (node.codes(feature)[i] < 0) return kIncomplete;
    double value = 0;
    for (int j = 0; j < r; ++j) {
        const double term = plane.w[j] * node.column(features[j])[i];
        value = j == 0 ? term : value + term;
    }
    value -= plane.b;
    return value > on ? kAbove : value < -on ? kBelow : kOn;
}

}  // namespace elc
