// The complete search of one node: one size after another, from a single feature upwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/numbers.hpp"
#include "common/stop_watch.hpp"
#include "exact/answer.hpp"
#include "exact/search.hpp"
#include "exact/search_size.hpp"
#include "exact/unsearched_bound.hpp"

namespace elc {

// Where time ends a search, its bound is raised: a search for splits below a low loss opens few boxes, and if it finds
// none, there are none. One set of four features of the diabetes data, whose best Gini is 0.324: half the way there
// from a perfect split takes 3,500 boxes, three quarters 20,000, and 300,000 do not yet take the bound to 0.311.
constexpr double kShareOfSearch = 0.7;  // of the time that is left; the rest is for the bound
constexpr double kShareOfRung = 0.5;    // of the time that is left then
constexpr double kLeastShare = 0.05;    // of all time: no rung has less, unless it is the last

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
        if (size == 1 && (asked_.share > 0 || !asked_.only.empty())) return;
        node_.options.r = size;
        node_.options.must_beat = lowest_ - price_;
        unbegun_ = bound_above(size);
        if (perfect_ >= node_.options.must_beat - kTie) return;
        if (size > 1 && seconds_left() <= 0) return leave_open(perfect_);
        const bool may_climb = size > 1 && is_timed() && asked_.boxes;
        SearchAnswer answer = run(perfect_, may_climb ? kShareOfSearch * seconds_left() : seconds_left());
        answer.bound = std::max(answer.bound, perfect_);
        if (!answer.proven && may_climb) climb(answer);
        if (!answer.proven) leave_open(answer.bound);
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
    bool is_timed() const { return asked_.seconds < kInfinity; }
    double seconds_left() const { return asked_.seconds - watch_.seconds(); }

    // Raises the answer's bound until the time is over: halfway to the lowest loss that was tried in vain, and so on. A
    // better split that is met on the way takes the answer's place.
    void climb(SearchAnswer& answer) {
        const double must_beat = node_.options.must_beat;
        const auto known = [&] {
            return std::min({must_beat, criterion_.loss(node_.totals.data()), answer.found.loss});
        };
        double tried = known();
        node_.options.dives = false;
        while (!interrupted_ && seconds_left() > 0 && answer.bound < known() - kTie) {
            if (tried - answer.bound < 1e-3 * (known() - answer.bound)) tried = known();
            const double rung = answer.bound + 0.5 * (tried - answer.bound);
            node_.options.must_beat = rung;
            const double least = std::min(seconds_left(), kLeastShare * asked_.seconds);
            SearchAnswer below = run(answer.bound, std::max(kShareOfRung * seconds_left(), least));
            if (!below.proven) tried = rung;
            const double bound = std::max(answer.bound, std::min(below.bound, rung - kTie));
            if (below.has_split()) answer = std::move(below);
            answer.bound = bound;
        }
        node_.options.dives = asked_.dives;
        node_.options.must_beat = must_beat;
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

    // The progress of the whole search from that of one size. The loss never rises, and the bound never falls: it is
    // that of all sizes, and a search for splits below a loss knows nothing of those above it.
    Progress progress(const Progress& of_size, double seconds_before) {
        Progress whole = of_size;
        whole.n_boxes += n_boxes_;
        whole.seconds += seconds_before;
        told_loss_ = std::min({told_loss_, of_size.loss + price_, best_.found.loss});
        const double bound = std::min(of_size.bound, node_.options.must_beat) + price_;
        told_bound_ = std::max(told_bound_, std::min({bound, left_open_, unbegun_, told_loss_}));
        whole.loss = told_loss_;
        whole.bound = told_bound_;
        return whole;
    }

    // The bound of all sizes that come after this one.
    double bound_above(int size) const {
        double bound = kInfinity;
        for (int larger = size + 1; larger <= asked_.r; ++larger)
            bound = std::min(bound, perfect_ + (asked_.prices.empty() ? 0.0 : asked_.prices[larger - 1]));
        return bound;
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
    double lowest_, perfect_, price_ = 0, left_open_ = kInfinity, unbegun_ = kInfinity;
    double told_loss_ = kInfinity, told_bound_ = -kInfinity;
    int64_t n_boxes_ = 0;
    bool interrupted_ = false;
};

template <class Criterion>
SearchAnswer search_sizes(ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching) {
    SizesSearch<Criterion> search(node, criterion, keep_searching);
    const int largest = node.options.r;
    const int smallest = node.options.planes == Candidates::any ? 1 : largest;
    for (int size = smallest; size <= largest && !search.interrupted(); ++size) search.search(size);
    return search.answer();
}

}  // namespace elc
