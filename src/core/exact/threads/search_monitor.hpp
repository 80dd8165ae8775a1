// How long a search has lasted, how far it is, and whether it is to end.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/stop_watch.hpp"
#include "exact/answer.hpp"

namespace elc {

class SearchMonitor {
public:
    SearchMonitor(double seconds_allowed, const KeepSearching& keep_searching)
        : seconds_allowed_(seconds_allowed), keep_searching_(keep_searching) {}

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void stop() { stop_ = true; }
    bool interrupted() const { return interrupted_; }

    int64_t n_boxes() const { return n_boxes_; }
    void add_boxes(int64_t n) { n_boxes_ += n; }
    int64_t subsets_done() const { return subsets_done_; }
    void finish_subset() { ++subsets_done_; }

    // Seconds since the search began; stops it when they are more than allowed.
    double look_at_the_clock() {
        const double now = watch_.seconds();
        if (now > seconds_allowed_) stop();
        return now;
    }

    // Whether the caller has not been told for a while.
    bool is_due(double now) const { return now - last_told_ >= kTellEvery && !interrupted_; }

    // Tells the caller how far the search is; its answer may end the search. In the calling thread only.
    void tell(const Progress& progress) {
        last_told_ = progress.seconds;
        if (!keep_searching_ || keep_searching_(progress)) return;
        interrupted_ = true;
        stop();
    }

private:
    static constexpr double kTellEvery = 0.05;

    const double seconds_allowed_;
    const KeepSearching& keep_searching_;
    const StopWatch watch_;
    std::atomic<bool> stop_{false};
    std::atomic<int64_t> n_boxes_{0}, subsets_done_{0};
    double last_told_ = 0;
    bool interrupted_ = false;
};

}  // namespace elc
