// The sides of all rows under a found split: the partition that the search scored.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/answer.hpp"
#include "exact/node/exact_node.hpp"
#include "predict.hpp"

namespace elc {

// At r = 1 ranks decide: they tell apart what scaling may have rounded together.
inline int plane_side_of(const ExactNode& node, const SearchAnswer& answer, int i) {
    const FoundSplit& found = answer.found;
    const int r = static_cast<int>(answer.features.size());
    if (r > 1) return plane_side_of(node, answer.features, found.plane, r, i);
    const int32_t code = node.codes(answer.features[0])[i], own = node.codes(answer.features[0])[found.rows[0]];
    return code < 0 ? kIncomplete : (code > own) - (code < own);
}

// Left is the side that holds the samples on the plane.
inline Side side_of(const ExactNode& node, const SearchAnswer& answer, int i) {
    const int plane_side = plane_side_of(node, answer, i);
    if (plane_side == kIncomplete) return Side::unknown;
    const bool left = plane_side == kOn || (plane_side == kAbove) == answer.found.on_above;
    return left ? Side::left : Side::right;
}

// Sides in the caller's row order.
inline std::vector<int8_t> partition(const ExactNode& node, const SearchAnswer& answer) {
    std::vector<int8_t> side(node.n);
    for (int i = 0; i < node.n; ++i) side[node.caller_row[i]] = static_cast<int8_t>(side_of(node, answer, i));
    return side;
}

// Whether rows with missing values go left; where none were seen, the heavier side (left on a tie).
inline bool missing_goes_left(const ExactNode& node, const SearchAnswer& answer, const std::vector<int8_t>& side) {
    double weight[3] = {};  // by side
    for (int i = 0; i < node.n; ++i) weight[side[node.caller_row[i]]] += node.weight[i];
    const auto weight_of = [&](Side s) { return weight[static_cast<int>(s)]; };
    if (weight_of(Side::unknown) > 0) return answer.found.missing_above == answer.found.on_above;
    return node.options.missing == MissingMode::learn && weight_of(Side::left) >= weight_of(Side::right);
}

}  // namespace elc
