// The sides of all rows under a found split: the partition that the search scored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "exact/answer.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/ties.hpp"
#include "predict.hpp"

namespace elc {

// At r = 1 ranks decide: they tell apart what scaling may have rounded together.
inline int plane_side_of(const ExactNode& node, const std::vector<int>& features, const FoundSplit& found, int i) {
    const int r = static_cast<int>(features.size());
    if (r > 1) return plane_side_of(node, features, found.plane, r, i, found.on);
    const int32_t code = node.codes(features[0])[i], own = node.codes(features[0])[found.rows[0]];
    return code < 0 ? kIncomplete : (code > own) - (code < own);
}

// The places of some rows.
class Places {
public:
    Places(const ExactNode& node, const std::vector<int>& features, std::vector<int32_t> rows)
        : node_(node), features_(features), rows_(std::move(rows)) {
        std::sort(rows_.begin(), rows_.end(), [this](int a, int b) { return is_before(a, b); });
    }

    bool hold(int row) const { return row_at_place_of(row) >= 0; }

    // One of the rows that is at the place of the given one, or -1.
    int32_t row_at_place_of(int row) const {
        const auto at =
            std::lower_bound(rows_.begin(), rows_.end(), row, [this](int a, int b) { return is_before(a, b); });
        return at != rows_.end() && !is_before(row, *at) ? *at : -1;
    }

private:
    bool is_before(int row, int other) const {
        for (int feature : features_) {
            const int32_t* code = node_.codes(feature);
            if (code[row] != code[other]) return code[row] < code[other];
        }
        return false;
    }

    const ExactNode& node_;
    const std::vector<int>& features_;
    std::vector<int32_t> rows_;
};

// Sides by sorted row. Left is the side that holds the samples on the plane or, where they are divided, what is above.
inline std::vector<int8_t> partition(const ExactNode& node, const std::vector<int>& features, const FoundSplit& found) {
    const Places above_on(node, features, found.above_on);
    std::vector<int8_t> side(node.n, static_cast<int8_t>(Side::unknown));
    for (int i = 0; i < node.n; ++i) {
        const int plane_side = plane_side_of(node, features, found, i);
        if (plane_side == kIncomplete) continue;
        bool left = (plane_side == kAbove) == found.on_above;
        if (plane_side == kOn) left = !found.divides_on || above_on.hold(i);
        side[i] = static_cast<int8_t>(left ? Side::left : Side::right);
    }
    return side;
}

// The key of the partition of the rows that are complete in the features.
inline PartitionKey key_of(const std::vector<int8_t>& side) {
    PartitionKey left, all;
    for (size_t i = 0; i < side.size(); ++i) {
        if (side[i] == static_cast<int8_t>(Side::unknown)) continue;
        const PartitionKey key = row_key(static_cast<int>(i));
        all = all + key;
        if (side[i] == static_cast<int8_t>(Side::left)) left = left + key;
    }
    return partition_key(left, all);
}

// Whether rows with missing values go left; where none were seen, the heavier side (left on a tie).
inline bool missing_goes_left(const ExactNode& node, const FoundSplit& found, const std::vector<int8_t>& side) {
    double weight[3] = {};  // by side
    for (int i = 0; i < node.n; ++i) weight[side[i]] += node.weight[i];
    const auto weight_of = [&](Side s) { return weight[static_cast<int>(s)]; };
    if (weight_of(Side::unknown) > 0) return found.missing_above == found.on_above;
    return node.options.missing == MissingMode::learn && weight_of(Side::left) >= weight_of(Side::right);
}

}  // namespace elc
