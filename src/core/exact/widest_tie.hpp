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

inline void take_widest(const ExactNode& node, const Incumbent& incumbent, const FeatureSets& sets,
                        SearchAnswer& answer) {
    MarginFinder finder(node);
    const std::vector<Ties::Tie>& ties = incumbent.ties().all();
    answer.n_ties = 0;
    answer.all_ties_kept = incumbent.ties().all_kept();
    std::vector<double> margins(ties.size(), -1.0);
    double widest = 0;
    for (size_t i = 0; i < ties.size(); ++i) {
        if (ties[i].found.loss > incumbent.loss() + kTie) continue;
        ++answer.n_ties;
        const std::vector<int> features = sets.features(ties[i].found.visit.subset);
        margins[i] = ties.size() == 1 ? 0 : finder.half_margin(features, partition(node, features, ties[i].found));
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
    finder.half_margin(answer.features, partition(node, answer.features, answer.found));
    answer.normal = finder.normal();
}

}  // namespace elc
