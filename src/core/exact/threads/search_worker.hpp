// One thread of a search: its tools, what it shares with the others, and how it answers the search of a feature set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/numbers.hpp"
#include "exact/boxes/subset_search.hpp"
#include "exact/node/feature_sets.hpp"
#include "exact/partition.hpp"
#include "exact/points/coarse_cells.hpp"
#include "exact/points/subset_maker.hpp"
#include "exact/threads/dives.hpp"
#include "exact/threads/search_monitor.hpp"
#include "exact/threads/work_queue.hpp"
#include "exact/threads/worker_pool.hpp"
#include "exact/unsearched_bound.hpp"

namespace elc {

// In how many feature sets what a dive found is improved: the nearer to the best split a search is, the fewer boxes it
// opens, and boxes of few features are cheap beside a turn of a plane about all rows. Where all linear splits are
// candidates, which of a partition's planes is kept would hang on what was improved.
inline int64_t n_to_improve(const ExactNode& node) {
    constexpr int kMostRows = 20000;
    const int r = node.options.r;
    return node.n > kMostRows || node.options.planes == Candidates::any ? 0 : r == 2 ? 1 : r == 3 ? 8 : 128;
}

// What the threads of a search share.
template <int R>
struct SharedSearch {
    SharedSearch(const ExactNode& node, double perfect, const KeepSearching& keep_searching)
        : node(node), perfect(perfect), sets(node), coarse(node), dives(node, sets.count(), n_to_improve(node)),
          incumbent(node.options.planes == Candidates::any, node.options.must_beat,
                    [this](const FoundSplit& found) {
                        return key_of(partition(this->node, sets.features(found.visit.subset), found));
                    }),
          monitor(node.options.seconds, keep_searching), queue(sets.count(), perfect),
          pool(node.options.n_threads, [this] { end_all(); }) {}

    void end_all() {
        monitor.stop();
        queue.abandon();
    }

    const ExactNode& node;
    const double perfect;  // no loss is lower
    FeatureSets sets;
    CoarseColumns coarse;
    Dives dives;
    Incumbent incumbent;
    SearchMonitor monitor;
    WorkQueue<R> queue;
    WorkerPool pool;
};

template <int R>
void offer_best_dive(SharedSearch<R>& shared) {
    FoundSplit best = shared.dives.best();
    if (best.loss == kInfinity) return;
    if (!shared.incumbent.keeps_ties()) return shared.incumbent.offer(best);
    best.visit.subset = shared.dives.best_number();
    shared.incumbent.offer_tie(best);
}

template <int R, class Criterion>
class SearchWorker final : public SearchControl<R> {
public:
    SearchWorker(SharedSearch<R>& shared, const Criterion& criterion, bool is_caller)
        : shared_(shared), is_caller_(is_caller), subset_search_(shared.node, criterion), incumbent_(shared.incumbent),
          maker_(shared.node, shared.sets), coarse_(shared.node, shared.coarse), places_bound_(criterion) {
        shared_.queue.add_worker(open_bound_);
    }
    ~SearchWorker() override { shared_.queue.remove_worker(open_bound_); }
    SearchWorker(const SearchWorker&) = delete;
    SearchWorker& operator=(const SearchWorker&) = delete;

    bool stop() override { return ++n_asked_ % kBoxesBetweenLooks == 0 ? stop_now() : shared_.monitor.stopped(); }
    bool stop_now() override {
        look_at_the_clock();
        return shared_.monitor.stopped();
    }
    bool wants_half() override { return shared_.queue.has_idle_worker(); }
    void give(DonatedHalf<R>&& half) override { shared_.queue.give(std::move(half)); }
    void leave_open(double bound) override { shared_.queue.leave_open(bound); }

    // Dives in feature sets until there was a dive in each, or nothing better can be found; or `estimates` by coarse
    // cells what a dive would find.
    void dive(bool estimates) {
        for (int64_t position; shared_.dives.next(position);) {
            const bool done = shared_.dives.best_loss() <= shared_.perfect + kTie && !shared_.incumbent.keeps_ties();
            if (stop_now() || done) continue;
            const int64_t number = shared_.dives.number_at(position);
            if (estimates && make_coarse(number)) {
                shared_.dives.note_estimate(position, subset_search_.estimate(coarse_.subset()));
                continue;
            }
            const auto subset = maker_.make(number);
            shared_.dives.keep_points(position, subset);
            if (may_end_early()) shared_.dives.note_bound(position, bound_of(*subset));
            FoundSplit best;
            if (subset->coplanar) continue;
            const double known = shared_.dives.best_loss();
            std::vector<KnownPath>* const paths = shared_.dives.paths_at(position);
            shared_.dives.note_estimate(position, subset_search_.dive(*subset, known, best, paths, *this));
            shared_.dives.note(position, best);
        }
        look_at_the_clock();
    }

    // Improves what the best dives found, once these are in order. Which ones these are may hang on threads: only
    // planes through samples are improved, which the search of boxes finds again.
    void improve_dives() {
        for (int64_t position; shared_.dives.next(position);) {
            const FoundSplit* found = shared_.dives.found_at(position);
            if (!found || found->loss <= shared_.perfect + kTie || stop_now()) continue;
            FoundSplit best = *found;
            auto subset = shared_.dives.points_at(position);
            if (!subset) subset = maker_.make(shared_.dives.number_at(position));
            subset_search_.improve(*subset, best, *this);
            if (best.loss < found->loss) shared_.dives.note(position, best);
        }
    }

    // Searches feature sets, then halves that other threads give away, until all is searched.
    void search() {
        Assignment<R> work;
        for (;;) {
            if (shared_.monitor.stopped()) shared_.queue.drop_sets();
            if (!shared_.queue.take(work, open_bound_, [this] { wait(); })) break;
            if (work.position < 0) subset_search_.resume(work.half, incumbent_, *this);
            else search_set(work.position, work.bound);
            work.half = DonatedHalf<R>();
            shared_.queue.finish(open_bound_);
        }
        look_at_the_clock();
    }

private:
    static constexpr uint64_t kBoxesBetweenLooks = 64;
    static constexpr double kSecondsAlone = 0.002;  // before other threads are started

    bool may_end_early() const { return shared_.node.options.seconds < kInfinity; }

    // Without opening any box; a coplanar set has no candidates.
    double bound_of(const SubsetPoints& subset) {
        return subset.coplanar ? kInfinity : places_bound_.of(shared_.node, subset.points);
    }

    void search_set(int64_t position, double bound) {
        if (stop_now()) return leave_open(bound);
        open_bound_ = bound;
        auto subset = shared_.dives.take_points(position);
        const bool beyond = !subset && make_coarse(shared_.dives.number_at(position)) &&
                            subset_search_.is_beyond(coarse_.subset(), shared_.incumbent);
        if (beyond) return shared_.monitor.finish_subset();
        if (!subset) subset = maker_.make(shared_.dives.number_at(position));
        if (shared_.incumbent.keeps_ties()) offer_dive(*subset, position);
        if (!subset->coplanar) subset_search_.search(subset, shared_.dives.take_paths(position), incumbent_, *this);
        shared_.monitor.finish_subset();
    }

    // Makes the coarse cells of a feature set, if it can have any.
    bool make_coarse(int64_t number) {
        return shared_.coarse.bits() > 0 && coarse_.make(shared_.sets.features(number));
    }

    void offer_dive(const SubsetPoints& subset, int64_t position) {
        const FoundSplit* found = shared_.dives.found_at(position);
        if (!found) return;
        FoundSplit tie = *found;
        tie.visit.subset = subset.number;
        shared_.incumbent.offer_tie(tie);
    }

    void wait() {
        if (is_caller_) look_at_the_clock();
    }

    // Tells the others how far this thread is; the calling thread starts helpers and tells its caller.
    void look_at_the_clock() {
        const int64_t n_boxes = subset_search_.n_boxes();
        shared_.monitor.add_boxes(n_boxes - n_boxes_told_);
        n_boxes_told_ = n_boxes;
        open_bound_.store(subset_search_.open_bound(), std::memory_order_relaxed);
        const double now = shared_.monitor.look_at_the_clock();
        if (!is_caller_) return;
        if (now > kSecondsAlone) shared_.pool.start_helpers();
        if (shared_.monitor.is_due(now)) shared_.monitor.tell(progress(now));
    }

    Progress progress(double now) {
        const double loss = shared_.incumbent.loss(), bound = std::min(loss, shared_.queue.open_bound());
        const SearchMonitor& monitor = shared_.monitor;
        return {monitor.subsets_done(), shared_.sets.count(), monitor.n_boxes(), loss, bound, now,
                shared_.dives.n_begun()};
    }

    SharedSearch<R>& shared_;
    const bool is_caller_;
    SubsetSearch<R, Criterion> subset_search_;
    IncumbentView incumbent_;
    SubsetMaker maker_;
    CoarseMaker coarse_;
    PlacesBound<Criterion> places_bound_;
    uint64_t n_asked_ = 0;
    int64_t n_boxes_told_ = 0;
    typename WorkQueue<R>::OpenBound open_bound_{-kInfinity};
};

}  // namespace elc
