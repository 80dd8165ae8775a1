// The complete search of one node: dives in every feature set, then branch and bound over the sets by what they found.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/numbers.hpp"
#include "criteria/dispatch.hpp"
#include "exact/answer.hpp"
#include "exact/threads/search_worker.hpp"
#include "exact/threshold_scan.hpp"

namespace elc {

template <int R>
SearchAnswer answer_of(const SharedSearch<R>& shared) {
    SearchAnswer answer;
    answer.found = shared.incumbent.copy();
    answer.interrupted = shared.monitor.interrupted();
    answer.n_boxes = shared.monitor.n_boxes();
    const double left_open = shared.queue.left_open();
    answer.proven = left_open == kInfinity || left_open >= answer.found.loss;
    answer.bound = std::min(left_open, answer.found.loss);
    if (!answer.has_split()) return answer;
    const bool from_dive = answer.found.visit.subset == INT64_MAX;
    answer.features = shared.sets.features(from_dive ? shared.dives.best_number() : answer.found.visit.subset);
    return answer;
}

// The best split on exactly r features: R, where that is known at compile time, or any number (R = 0).
template <int R, class Criterion>
SearchAnswer search_sets(const ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching) {
    SharedSearch<R> shared(node, criterion.perfect(), keep_searching);
    if (shared.sets.count() == 0) return answer_of(shared);
    shared.pool.run([&](bool is_caller) { SearchWorker<R, Criterion>(shared, criterion, is_caller).dive(); });
    shared.dives.put_in_order();
    if (shared.dives.best().loss < kInfinity) shared.incumbent.offer(shared.dives.best());
    shared.pool.run([&](bool is_caller) { SearchWorker<R, Criterion>(shared, criterion, is_caller).search(); });
    return answer_of(shared);
}

inline SearchAnswer search(const ExactNode& node, const KeepSearching& keep_searching) {
    const auto with = [&](const auto& criterion) {
        switch (node.options.r) {
            case 1: return scan_thresholds(node, criterion, keep_searching);
            case 2: return search_sets<2>(node, criterion, keep_searching);
            case 3: return search_sets<3>(node, criterion, keep_searching);
            case 4: return search_sets<4>(node, criterion, keep_searching);
            default: return search_sets<0>(node, criterion, keep_searching);
        }
    };
    return with_criterion<Support::exact>(node.options.criterion, node.class_totals(), with);
}

}  // namespace elc
