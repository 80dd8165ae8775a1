// The best split found so far, shared by all threads, and the order that decides between equal scores.
//
// Between scores within kTie the earlier visit wins, so that the answer is the same for any number of threads. Splits
// found by the first greedy dives have no visit: they prune only what is strictly worse. Where ties are kept, there is
// no such order: all splits of the lowest loss are found, and chosen from at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "common/inline.hpp"
#include "common/numbers.hpp"
#include "exact/found_split.hpp"
#include "exact/ties.hpp"

namespace elc {

class Incumbent {
public:
    // With ties, every split of the lowest loss is kept. A loss must be below the ceiling by more than a tie.
    Incumbent(bool keeps_ties, double ceiling, Ties::KeyOf key_of)
        : keeps_ties_(keeps_ties), ceiling_(ceiling), ties_(std::move(key_of)) {}

    bool keeps_ties() const { return keeps_ties_; }
    double ceiling() const { return std::min(loss() + kTie, ceiling_); }
    bool is_too_high(double loss) const { return loss >= ceiling_ - kTie; }
    Ties& ties() { return ties_; }

    // Only what is below it, or as good, can become the answer.
    double highest() const { return std::min(loss() + kTie, ceiling_ - kTie); }

    // Whether nothing with this lower bound can become the answer, whenever it is visited.
    bool is_beyond(double bound) const { return bound > loss() + kTie || is_too_high(bound); }

    // The lowest loss ever offered decides what is a tie.
    void offer_tie(const FoundSplit& candidate) {
        std::lock_guard<std::mutex> lock(mutex_);
        const double lowest = loss_.load(std::memory_order_relaxed);
        if (is_too_high(candidate.loss) || candidate.loss > lowest + kTie) return;
        if (candidate.loss < lowest - kTie) ties_.clear();
        ties_.add(candidate);
        loss_.store(std::min(lowest, candidate.loss), std::memory_order_relaxed);
    }

    bool knows(const Visit& visit, const PartitionKey& key) {
        std::lock_guard<std::mutex> lock(mutex_);
        return ties_.knows(visit, key);
    }

    double loss() const { return loss_.load(std::memory_order_relaxed); }  // the lowest found
    uint64_t version() const { return version_.load(std::memory_order_acquire); }

    FoundSplit copy() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return found_;
    }

    // The lowest loss ever offered decides what is a tie, so that a chain of ties cannot drift upwards.
    void offer(const FoundSplit& candidate) {
        if (is_too_high(candidate.loss)) return;
        std::lock_guard<std::mutex> lock(mutex_);
        const double lowest = loss_.load(std::memory_order_relaxed);
        const bool better =
            candidate.loss < lowest - kTie || (candidate.loss <= lowest + kTie && candidate.visit.before(found_.visit));
        if (!better) return;
        found_ = candidate;
        loss_.store(std::min(lowest, candidate.loss), std::memory_order_relaxed);
        version_.fetch_add(1, std::memory_order_release);
    }

private:
    const bool keeps_ties_;
    const double ceiling_;
    mutable std::mutex mutex_;
    Ties ties_;
    FoundSplit found_;
    std::atomic<double> loss_{kInfinity};
    std::atomic<uint64_t> version_{0};
};

// One thread's view of the incumbent: refreshed only when it changed.
class IncumbentView {
public:
    explicit IncumbentView(Incumbent& shared) : shared_(shared) {}

    // Whether nothing at `visit` or below it with this lower bound can become the answer.
    ELC_INLINE bool rules_out(double bound, const Visit& visit) {
        const double loss = shared_.loss();
        if (shared_.is_beyond(bound)) return true;
        if (bound < loss - kTie || shared_.keeps_ties()) return false;
        refresh();
        return bound >= loss - kTie / 2 && known_visit_.before(visit);
    }

    bool accepts(double loss, const Visit& visit) {
        const double best = shared_.loss();
        if (loss > best + kTie || shared_.is_too_high(loss)) return false;
        if (loss < best - kTie || shared_.keeps_ties()) return true;
        refresh();
        return visit.before(known_visit_);
    }

    // Whether a lower bound leaves room for ties only, and they are kept.
    bool is_tie(double bound) const { return shared_.keeps_ties() && bound >= shared_.loss() - kTie; }

    Incumbent& shared() { return shared_; }

private:
    void refresh() {
        const uint64_t version = shared_.version();
        if (version == version_) return;
        known_visit_ = shared_.copy().visit;
        version_ = version;
    }

    Incumbent& shared_;
    Visit known_visit_;
    uint64_t version_ = 0;
};

}  // namespace elc
