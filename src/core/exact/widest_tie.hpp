// Of splits that are equal in loss and size, the one with the widest margin; of equal ones, that of the first features.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "exact/answer.hpp"
#include "exact/incumbent.hpp"
#include "exact/margin.hpp"
#include "exact/node/feature_sets.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/partition.hpp"

namespace elc {

// `side` is by sorted row; rows whose side is unknown are left out.
inline SidePoints points_of(const ExactNode& node, const std::vector<int>& features, const std::vector<int8_t>& side) {
    SidePoints sides;
    for (int i = 0; i < node.n; ++i) {
        if (side[i] == static_cast<int8_t>(Side::unknown)) continue;
        std::vector<double>& points = side[i] == static_cast<int8_t>(Side::left) ? sides.left : sides.right;
        for (int feature : features) points.push_back(node.column(feature)[i]);
    }
    return sides;
}

// 0 where a side has no row; the finder then knows no normal.
inline double half_margin(MarginFinder& finder, const SidePoints& sides, size_t n_features) {
    if (sides.left.empty() || sides.right.empty()) {
        finder = MarginFinder();
        return 0;
    }
    std::vector<double> direction(n_features);
    for (size_t j = 0; j < direction.size(); ++j) direction[j] = sides.left[j] - sides.right[j];
    return finder.half_margin(sides, direction);
}
inline double half_margin(MarginFinder& finder, const ExactNode& node, const std::vector<int>& features,
                          const FoundSplit& found) {
    return half_margin(finder, points_of(node, features, partition(node, features, found)), features.size());
}

inline void take_widest(const ExactNode& node, Incumbent& incumbent, const FeatureSets& sets, SearchAnswer& answer) {
    MarginFinder finder;
    const std::vector<Ties::Tie>& ties = incumbent.ties().all();
    answer.n_ties = 0;
    answer.all_ties_kept = incumbent.ties().all_kept();
    std::vector<double> margins(ties.size(), -1.0);
    double widest = 0;
    for (size_t i = 0; i < ties.size(); ++i) {
        if (ties[i].found.loss > incumbent.loss() + kTie) continue;
        ++answer.n_ties;
        const std::vector<int> features = sets.features(ties[i].found.visit.subset);
        margins[i] = ties.size() == 1 ? 0 : half_margin(finder, node, features, ties[i].found);
        widest = std::max(widest, margins[i]);
    }
    const Ties::Tie* best = nullptr;
    for (size_t i = 0; i < ties.size(); ++i) {
        if (margins[i] < 0 || margins[i] < widest - kSameMargin) continue;
        const bool earlier = !best || ties[i].found.visit.subset < best->found.visit.subset ||
                             (ties[i].found.visit.subset == best->found.visit.subset && ties[i].key < best->key);
        if (earlier) best = &ties[i];
    }
    if (!best) return;
    answer.found = best->found;
    answer.features = sets.features(best->found.visit.subset);
    half_margin(finder, node, answer.features, answer.found);
    answer.normal = finder.normal();
}

}  // namespace elc
