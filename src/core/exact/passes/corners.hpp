// The corners of a box of class weights for a criterion whose sides are ratios (Gini), eight at a time.
#pragma once

#include <algorithm>

#include "common/bits.hpp"
#include "criteria/class_corners.hpp"
#include "exact/passes/lanes.hpp"

namespace elc {
namespace {

// The sums of a few classes' steps at all of their corners.
ELC_INLINE Vector<double> sums_of_steps(const double* step, int n) {
    double sums[kLanes<double>] = {};
    for (int q = 0; q < n; ++q)
        for (int i = 0; i < kLanes<double>; ++i) sums[i] += (i >> q & 1) ? step[q] : 0.0;
    return load(sums);
}

constexpr unsigned kBetweenLooks = 4;

// Both ratios are brought to one denominator, so that there is nothing to divide; where a side is empty, nothing is
// above.
bool any_ratio_sum_above(const ClassCorners& corners, double quality) {
    const int at_once = std::min(corners.n, 3);
    const Vector<double> left_steps = sums_of_steps(corners.left_step, at_once);
    const Vector<double> right_steps = sums_of_steps(corners.right_step, at_once);
    const Vector<double> size_steps = sums_of_steps(corners.size_step, at_once);
    double left = corners.left, right = corners.right, size = corners.left_size;
    LaneCount<double> n_above;
    unsigned raised = 0;
    for (unsigned corner = 1;; ++corner) {
        const Vector<double> sizes = size_steps + size, others = Vector<double>{} + corners.both - sizes;
        const Vector<double> terms = (left_steps + left) * others + (right_steps + right) * sizes;
        n_above.add(LanesOf<double>::greater(terms, quality * (sizes * others)));
        if (corner % kBetweenLooks == 0 && n_above.total() > 0) return true;
        if (corner == 1u << (corners.n - at_once)) break;
        const int q = lowest_bit(corner);
        const double sign = (raised >> q & 1u) ? -1.0 : 1.0;
        raised ^= 1u << q;
        left += sign * corners.left_step[at_once + q];
        right += sign * corners.right_step[at_once + q];
        size += sign * corners.size_step[at_once + q];
    }
    return n_above.total() > 0;
}

}  // namespace
}  // namespace elc
