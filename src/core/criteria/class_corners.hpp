// The corners of a box of class weights, as an additive criterion sees them: sums over classes that change by a step
// when a class goes from one end to the other.
#pragma once

#include <algorithm>
#include <array>

#include "common/bits.hpp"

namespace elc {

constexpr int kMostCornerClasses = 10;  // at most: 2^10 corners

struct ClassCorners {
    int n = 0;                       // classes
    double left = 0, right = 0;      // the terms of either side at the corner to begin with
    double left_size = 0, both = 0;  // the size of the left side there, and of both sides together
    double left_step[kMostCornerClasses], right_step[kMostCornerClasses], size_step[kMostCornerClasses];

    void add(double left_terms, double right_terms, double size) {
        left_step[n] = left_terms;
        right_step[n] = right_terms;
        size_step[n++] = size;
    }

    // Begins with the other end of the class that was added last.
    void turn_last() {
        left += left_step[n - 1];
        right += right_step[n - 1];
        left_size += size_step[n - 1];
        for (double* step : {left_step, right_step, size_step}) step[n - 1] = -step[n - 1];
    }
};

// The largest quality(left terms, right terms, left size), in Gray-code order: one class changes its end at a time.
template <class Quality>
double best_corner(const ClassCorners& corners, const Quality& quality) {
    double left = corners.left, right = corners.right, size = corners.left_size;
    double best = quality(left, right, size);
    unsigned raised = 0;
    for (unsigned corner = 1; corner < (1u << corners.n); ++corner) {
        const int q = lowest_bit(corner);
        const double sign = (raised >> q & 1u) ? -1.0 : 1.0;
        raised ^= 1u << q;
        left += sign * corners.left_step[q];
        right += sign * corners.right_step[q];
        size += sign * corners.size_step[q];
        best = std::max(best, quality(left, right, size));
    }
    return best;
}

// Whether left terms / left size + right terms / right size is above `quality` at some corner with rows on both sides.
// Compiled for several instruction sets, see exact/passes/corners.hpp.
using AnyRatiosAbove = bool (*)(const ClassCorners& corners, double quality);
AnyRatiosAbove any_ratios_above();

// The classes with the most uncertain weight, at most `most` of them, the heaviest first.
class HeaviestClasses {
public:
    HeaviestClasses(const double* uncertain, int k, int most) {
        for (int j = 0; j < k; ++j) {
            if (uncertain[j] == 0) continue;
            int at = n_;
            for (; at > 0 && uncertain[j] > uncertain[classes_[at - 1]]; --at) classes_[at] = classes_[at - 1];
            classes_[at] = j;
            n_ = std::min(n_ + 1, most);
        }
    }

    const int* begin() const { return classes_.data(); }
    const int* end() const { return classes_.data() + n_; }

private:
    int n_ = 0;
    std::array<int, kMostCornerClasses + 1> classes_;  // with room for one that is too light
};

}  // namespace elc
