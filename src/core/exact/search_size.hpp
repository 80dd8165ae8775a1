// The search of one node among splits of one size: dives in every feature set, then branch and bound over the sets by
// what they found.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/numbers.hpp"
#include "exact/answer.hpp"
#include "exact/flat_search.hpp"
#include "exact/threads/search_worker.hpp"
#include "exact/threshold_scan.hpp"
#include "exact/widest_tie.hpp"

namespace elc {

// Without ties: the split of the lowest loss that was visited first.
template <int R>
void take_first(const SharedSearch<R>& shared, SearchAnswer& answer) {
    answer.found = shared.incumbent.copy();
    if (!answer.has_split()) return;
    const bool from_dive = answer.found.visit.subset == INT64_MAX;
    answer.features = shared.sets.features(from_dive ? shared.dives.best_number() : answer.found.visit.subset);
}

template <int R>
SearchAnswer answer_of(SharedSearch<R>& shared) {
    SearchAnswer answer;
    if (shared.incumbent.keeps_ties()) take_widest(shared.node, shared.incumbent, shared.sets, answer);
    else take_first(shared, answer);
    answer.interrupted = shared.monitor.interrupted();
    answer.n_boxes = shared.monitor.n_boxes();
    const double left_open = shared.queue.left_open();
    answer.proven = left_open == kInfinity || left_open >= answer.found.loss;
    answer.bound = std::min(left_open, answer.found.loss);
    return answer;
}

// Whether coarse cells tell where dives are worth while. With a limit on time, the dives in all sets give each a bound.
template <int R>
bool can_estimate(const SharedSearch<R>& shared) {
    const Options& options = shared.node.options;
    return shared.coarse.bits() > 0 && shared.dives.are_complete() && options.boxes && options.seconds == kInfinity;
}

template <int R, class Criterion>
void dive_in_all(SharedSearch<R>& shared, const Criterion& criterion) {
    using Worker = SearchWorker<R, Criterion>;
    const auto run = [&](auto&& work) {
        shared.pool.run([&](bool is_caller) {
            Worker worker(shared, criterion, is_caller);
            work(worker);
        });
    };
    const bool estimates = can_estimate(shared);
    run([estimates](Worker& worker) { worker.dive(estimates); });
    shared.dives.put_in_order();
    if (estimates) {
        shared.dives.begin_again_with(Dives::kInFull);
        run([](Worker& worker) { worker.dive(false); });
    }
    if (const int64_t n = n_to_improve(shared.node); n > 0) {
        shared.dives.begin_again_with(n);
        run([](Worker& worker) { worker.improve_dives(); });
    }
    offer_best_dive(shared);
    shared.queue.set_bounds(shared.dives.bounds());
}

// What the dives found, of which nothing is proven.
template <int R>
SearchAnswer best_dive(SharedSearch<R>& shared, double perfect) {
    SearchAnswer answer;
    if (!shared.incumbent.is_too_high(shared.dives.best_loss())) answer.found = shared.dives.best();
    if (answer.has_split()) answer.features = shared.sets.features(shared.dives.best_number());
    answer.interrupted = shared.monitor.interrupted();
    answer.n_boxes = shared.monitor.n_boxes();
    answer.proven = false;
    answer.bound = perfect;
    return answer;
}

// The best split on exactly r features: R, where that is known at compile time, or any number (R = 0). No loss is lower
// than `perfect`.
template <int R, class Criterion>
SearchAnswer search_sets(const ExactNode& node, const Criterion& criterion, double perfect,
                         const KeepSearching& keep_searching) {
    SharedSearch<R> shared(node, perfect, keep_searching);
    if (shared.sets.count() == 0) return answer_of(shared);
    if (node.options.dives) dive_in_all(shared, criterion);
    else shared.dives.skip();
    if (!node.options.boxes) return best_dive(shared, perfect);
    shared.pool.run([&](bool is_caller) { SearchWorker<R, Criterion>(shared, criterion, is_caller).search(); });
    return answer_of(shared);
}

template <class Criterion>
SearchAnswer search_size(const ExactNode& node, const Criterion& criterion, double perfect,
                         const KeepSearching& keep_searching) {
    switch (node.options.r) {
        case 1: return scan_thresholds(node, criterion, keep_searching);
        case 2: return search_sets<2>(node, criterion, perfect, keep_searching);
        case 3: return search_sets<3>(node, criterion, perfect, keep_searching);
        case 4: return search_sets<4>(node, criterion, perfect, keep_searching);
        default: return search_sets<0>(node, criterion, perfect, keep_searching);
    }
}

}  // namespace elc
