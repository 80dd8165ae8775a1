// The best split found so far, shared by all threads, and the order that decides between equal scores.
//
// A candidate's visit is its feature set's number, then its path in the depth-first box order, which depends on
// the data alone. Between scores within kTie the earlier visit wins, so that the answer is the same for any number of
// threads. Splits found by the first greedy dives have no visit: they prune only what is strictly worse.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "common/numbers.hpp"
#include "exact/planes/plane.hpp"

namespace elc {

struct Visit {
    int64_t subset = INT64_MAX;
    std::vector<uint8_t> path;

    bool before(const Visit& other) const { return subset != other.subset ? subset < other.subset : path < other.path; }
};

struct FoundSplit {
    double loss = kInfinity;
    Visit visit;
    Plane plane;            // in the feature set's centred coordinates
    std::vector<int> rows;  // sorted rows that define the plane
    bool on_above = true;   // the samples on the plane join those above it
    bool missing_above = false;
};

class Incumbent {
public:
    double loss() const { return loss_.load(std::memory_order_relaxed); }  // the lowest found
    uint64_t version() const { return version_.load(std::memory_order_acquire); }

    FoundSplit copy() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return found_;
    }

    // The lowest loss ever offered decides what is a tie, so that a chain of ties cannot drift upwards.
    void offer(const FoundSplit& candidate) {
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
    mutable std::mutex mutex_;
    FoundSplit found_;
    std::atomic<double> loss_{kInfinity};
    std::atomic<uint64_t> version_{0};
};

// One thread's view of the incumbent: refreshed only when it changed.
class IncumbentView {
public:
    explicit IncumbentView(Incumbent& shared) : shared_(shared) {}

    // Whether nothing at `visit` or below it with this lower bound can become the answer.
    bool rules_out(double bound, const Visit& visit) {
        const double loss = shared_.loss();
        if (bound > loss + kTie) return true;
        if (bound < loss - kTie) return false;
        refresh();
        return bound >= loss - kTie / 2 && known_visit_.before(visit);
    }

    bool accepts(double loss, const Visit& visit) {
        const double best = shared_.loss();
        if (loss < best - kTie) return true;
        if (loss > best + kTie) return false;
        refresh();
        return visit.before(known_visit_);
    }

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
