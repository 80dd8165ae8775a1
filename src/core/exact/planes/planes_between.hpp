// Whether there is a plane between the two sides of a split, and one with the signs to keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "exact/margin.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/monotone.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/partition.hpp"
#include "exact/points/points.hpp"
#include "exact/widest_tie.hpp"

namespace elc {

class PlanesBetween {
public:
    explicit PlanesBetween(const ExactNode& node) : node_(node) {}

    // Whether some plane makes the split, and not by rounding alone: of all rows, where the node is a part of another.
    bool make(const FoundSplit& found, const std::vector<int>& features) {
        if (node_.is_linear) return node_.is_linear(found);
        const std::vector<int8_t> side = partition(node_, features, found);
        PartitionKey key = key_of(side);
        for (int feature : features) key = key.mixed_with(feature);
        const auto known = made_.find(key);
        if (known != made_.end()) return known->second;
        const double margin = half_margin(finder_, points_of(node_, features, side), features.size());
        if (made_.size() == kMostKnown) made_.clear();
        return made_[key] = margin > kCoplanarByRounding + node_.rounding_in(features);
    }

    // Whether the widest plane between the sides has the signs to keep; any plane would do, see monotone.hpp. Where
    // rows have missing values, both sides must have complete ones, and need all features with a direction to be told
    // apart.
    bool keep_signs(const FoundSplit& found, const SubsetPoints& subset, int direction) {
        if (!(half_margin(finder_, node_, subset.features, found) > 0)) return false;
        if (!keeps_signs(node_.options.monotone, subset.features, finder_.normal(), direction, kOnPlane)) return false;
        return subset.points.missing.empty() || need_all_with_direction(found, subset.features);
    }

private:
    bool need_all_with_direction(const FoundSplit& found, const std::vector<int>& features) {
        const std::vector<int8_t> side = partition(node_, features, found);
        for (size_t j = 0; j < features.size(); ++j) {
            if (node_.options.monotone.sign(features[j]) == 0) continue;
            std::vector<int> others = features;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
            if (half_margin(finder_, points_of(node_, others, side), others.size()) > 0) return false;
        }
        return true;
    }

    static constexpr size_t kMostKnown = 1 << 16;

    const ExactNode& node_;
    MarginFinder finder_;
    std::map<PartitionKey, bool> made_;  // whether some plane makes splits that were asked for
};

}  // namespace elc
