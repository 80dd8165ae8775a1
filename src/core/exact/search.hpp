// The complete search of one node: one size after another, from a single feature upwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/numbers.hpp"
#include "common/stop_watch.hpp"
#include "criteria/dispatch.hpp"
#include "exact/answer.hpp"
#include "exact/search_size.hpp"
#include "exact/unsearched_bound.hpp"

namespace elc {

// Where the time is limited, bounds are raised first: a search for splits below a low loss opens few boxes, and if it
// finds none, there are none. Each rung is a share of the way from a perfect split to the best one known. One set of
// four features of the diabetes data, whose best Gini is 0.324: half the way takes 3,500 boxes, three quarters 20,000,
// and 300,000 do not yet take the bound to 0.311.
constexpr double kRungs[] = {0.5, 0.75};
constexpr double kShareOfRung = 0.2;  // of the time that is left

// Searches sizes one after another, and keeps the best split of all and what was left open. The losses of its answer
// include the price.
template <class Criterion>
class SizesSearch {
public:
    SizesSearch(ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching)
        : node_(node), criterion_(criterion), keep_searching_(keep_searching), asked_(node.options),
          lowest_(node.options.must_beat), perfect_(smallest_loss_of_labels(criterion, node)) {
        if (is_timed()) perfect_ = std::max(perfect_, PlacesBound<Criterion>(criterion).of_all_features(node));
    }
    ~SizesSearch() { node_.options = asked_; }
    SizesSearch(const SizesSearch&) = delete;
    SizesSearch& operator=(const SizesSearch&) = delete;

    // A split of this size must be better than all smaller ones by more than a tie. One feature is a short scan that
    // runs to its end whatever the time, so that no answer is worse than the best split on one feature; larger sizes
    // are not begun when there is no time left.
    void search(int size) {
        price_ = asked_.prices.empty() ? 0.0 : asked_.prices[size - 1];
        node_.options.r = size;
        node_.options.must_beat = lowest_ - price_;
        if (perfect_ >= node_.options.must_beat - kTie) return;
        if (size > 1 && seconds_left() <= 0) return leave_open(perfect_);
        Rungs climbed{perfect_, {}};
        if (size > 1 && is_timed()) climbed = climb();
        if (interrupted_) return leave_open(climbed.bound);
        SearchAnswer answer = run(climbed.bound, seconds_left());
        if (!answer.proven) leave_open(std::max(answer.bound, climbed.bound));
        if (!answer.proven && climbed.found.found.loss < answer.found.loss) answer = std::move(climbed.found);
        if (answer.has_split()) take(std::move(answer));
    }

    bool interrupted() const { return interrupted_; }

    SearchAnswer answer() const {
        SearchAnswer answer = best_;
        answer.interrupted = interrupted_;
        answer.n_boxes = n_boxes_;
        answer.proven = left_open_ == kInfinity || left_open_ >= best_.found.loss - kTie;
        answer.bound = answer.proven ? best_.found.loss : left_open_;
        return answer;
    }

private:
    // No split of the size has a loss below the bound; `found` is the best that was met on the way.
    struct Rungs {
        double bound;
        SearchAnswer found;
    };

    bool is_timed() const { return asked_.seconds < kInfinity; }
    double seconds_left() const { return asked_.seconds - watch_.seconds(); }

    Rungs climb() {
        Rungs rungs{perfect_, {}};
        const double must_beat = node_.options.must_beat;
        const double known = std::min(must_beat, criterion_.loss(node_.totals.data()));
        node_.options.dives = false;
        for (double share : kRungs) {
            const double rung = perfect_ + share * (known - perfect_);
            node_.options.must_beat = rung;
            rungs.found = run(rungs.bound, kShareOfRung * seconds_left());
            rungs.bound = std::max(rungs.bound, std::min(rungs.found.bound, rung - kTie));
            if (!rungs.found.proven || rungs.found.has_split() || interrupted_) break;
        }
        node_.options.dives = true;
        node_.options.must_beat = must_beat;
        return rungs;
    }

    // Searches the size that the node's options name; no loss is lower than `perfect`.
    SearchAnswer run(double perfect, double seconds) {
        node_.options.seconds = seconds;
        const double before = watch_.seconds();
        const KeepSearching told = [&](const Progress& of_size) {
            return !keep_searching_ || keep_searching_(progress(of_size, before));
        };
        SearchAnswer answer = search_size(node_, criterion_, perfect, told);
        n_boxes_ += answer.n_boxes;
        interrupted_ = answer.interrupted;
        return answer;
    }

    // The progress of the whole search from that of one size.
    Progress progress(const Progress& of_size, double seconds_before) const {
        Progress whole = of_size;
        whole.n_boxes += n_boxes_;
        whole.seconds += seconds_before;
        whole.loss = std::min(of_size.loss + price_, best_.found.loss);
        whole.bound = std::min({of_size.bound + price_, left_open_, whole.loss});
        return whole;
    }

    void leave_open(double bound) { left_open_ = std::min(left_open_, bound + price_); }

    void take(SearchAnswer&& answer) {
        best_ = std::move(answer);
        best_.found.loss += price_;
        lowest_ = best_.found.loss;
    }

    ExactNode& node_;
    const Criterion& criterion_;
    const KeepSearching& keep_searching_;
    const Options asked_;
    const StopWatch watch_;
    SearchAnswer best_;
    double lowest_, perfect_, price_ = 0, left_open_ = kInfinity;
    int64_t n_boxes_ = 0;
    bool interrupted_ = false;
};

// The best split on exactly r features or, where any linear split is a candidate, on at most r, from one feature
// upwards.
template <class Criterion>
SearchAnswer search_sizes(ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching) {
    SizesSearch<Criterion> search(node, criterion, keep_searching);
    const int largest = node.options.r;
    const int smallest = node.options.planes == Candidates::any ? 1 : largest;
    for (int size = smallest; size <= largest && !search.interrupted(); ++size) search.search(size);
    return search.answer();
}

inline SearchAnswer search(ExactNode& node, const KeepSearching& keep_searching) {
    const auto with = [&](const auto& criterion) { return search_sizes(node, criterion, keep_searching); };
    if (node.has_numbers) return with(SquaredError(node.number_totals()));
    return with_criterion<Support::exact>(node.options.criterion, node.class_totals(), with);
}

}  // namespace elc
