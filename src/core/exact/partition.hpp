// The sides of all rows under a found split: the partition that the search scored.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/search.hpp"

namespace elc {

enum Side : int8_t { kRight = 0, kLeft = 1, kMissing = 2 };

// At r = 1 ranks decide: they tell apart what scaling may have rounded together.
inline int position_of(const Problem& p, const Answer& answer, int i) {
    const Found& found = answer.found;
    if (answer.features.size() > 1)
        return position_of(p, answer.features, found.plane, static_cast<int>(answer.features.size()), i);
    const int32_t code = p.codes(answer.features[0])[i], own = p.codes(answer.features[0])[found.rows[0]];
    return code < 0 ? kIncomplete : (code > own) - (code < own);
}

// Sides in the caller's row order. Left is the side that holds the samples on the plane.
inline std::vector<int8_t> partition(const Problem& p, const Answer& answer) {
    std::vector<int8_t> side(p.n);
    for (int i = 0; i < p.n; ++i) {
        const int position = position_of(p, answer, i);
        const bool left = position == kOn || (position == kAbove) == answer.found.on_above;
        side[p.position[i]] = position == kIncomplete ? kMissing : left ? kLeft : kRight;
    }
    return side;
}

// Whether rows with missing values go left; where none were seen, the heavier side (left on a tie).
inline bool missing_goes_left(const Problem& p, const Answer& answer, const std::vector<int8_t>& side) {
    double left = 0, right = 0, missing = 0;
    for (int i = 0; i < p.n; ++i) {
        const int8_t s = side[p.position[i]];
        (s == kLeft ? left : s == kRight ? right : missing) += p.weight[i];
    }
    if (missing > 0) return answer.found.missing_above == answer.found.on_above;
    return p.options.missing == MissingMode::learn && left >= right;
}

}  // namespace elc
