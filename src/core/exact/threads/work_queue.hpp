// What the threads of a search do next: feature sets from a common list and, when it is empty, halves of boxes that
// busy threads give away.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/donation.hpp"

namespace elc {

// A position in the list of feature sets, none of whose candidates has a loss below `bound`, or, where the position is
// negative, a half.
template <int R>
struct Assignment {
    int64_t position = -1;
    double bound = -kInfinity;
    DonatedHalf<R> half;
};

template <int R>
class WorkQueue {
public:
    // What a worker has open at most: no candidate there has a smaller loss.
    using OpenBound = std::atomic<double>;

    // `perfect` is the loss than which none is smaller.
    WorkQueue(int64_t n_sets, double perfect) : n_sets_(n_sets), perfect_(perfect) {}

    // Sets are taken in the order in which a bound of each is given; without bounds nothing is smaller than `perfect`.
    void set_bounds(std::vector<double> bounds) {
        lowest_from_ = std::move(bounds);
        for (size_t i = lowest_from_.size(); i-- > 0;) {
            const double later = i + 1 < lowest_from_.size() ? lowest_from_[i + 1] : kInfinity;
            lowest_from_[i] = std::min(std::max(lowest_from_[i], perfect_), later);
        }
    }

    void add_worker(const OpenBound& open) {
        std::lock_guard<std::mutex> lock(mutex_);
        workers_.push_back(&open);
    }

    void remove_worker(const OpenBound& open) {
        std::lock_guard<std::mutex> lock(mutex_);
        workers_.erase(std::find(workers_.begin(), workers_.end(), &open));
    }

    bool has_idle_worker() const { return idle_workers_.load(std::memory_order_relaxed) > 0; }

    void give(DonatedHalf<R>&& half) {
        std::lock_guard<std::mutex> lock(mutex_);
        halves_.push_back(std::move(half));
        changed_.notify_one();
    }

    // Leaves the sets that are not begun unsearched.
    void drop_sets() {
        std::lock_guard<std::mutex> lock(mutex_);
        left_open_ = std::min(left_open_, unbegun());
        next_ = n_sets_;
    }

    // Notes a bound of something that stays unsearched.
    void leave_open(double bound) {
        std::lock_guard<std::mutex> lock(mutex_);
        left_open_ = std::min(left_open_, bound);
    }

    // Ends the waiting of idle workers after one has failed.
    void abandon() {
        std::lock_guard<std::mutex> lock(mutex_);
        n_busy_ = 0;
        changed_.notify_all();
    }

    // Takes the next piece of work, for which waiting() is called now and then; false when no thread is busy any more.
    template <class Waiting>
    bool take(Assignment<R>& work, OpenBound& open, const Waiting& waiting) {
        std::unique_lock<std::mutex> lock(mutex_);
        if (next_ < n_sets_) {
            open = work.bound = unbegun();
            work.position = next_++;
        } else {
            if (!wait_for_half(lock, waiting)) return false;
            work.position = -1;
            work.half = std::move(halves_.front());
            halves_.pop_front();
            open = work.half.bound;
        }
        ++n_busy_;
        return true;
    }

    void finish(OpenBound& open) {
        std::lock_guard<std::mutex> lock(mutex_);
        open = kInfinity;
        if (--n_busy_ <= 0) changed_.notify_all();
    }

    // No candidate in what stays unsearched has a smaller loss.
    double left_open() const { return left_open_; }

    // No candidate that is not searched yet has a smaller loss; while the search runs.
    double open_bound() {
        std::lock_guard<std::mutex> lock(mutex_);
        double bound = std::min(left_open_, unbegun());
        for (const DonatedHalf<R>& half : halves_) bound = std::min(bound, half.bound);
        for (const OpenBound* worker : workers_) bound = std::min(bound, worker->load());
        return bound;
    }

private:
    // No candidate in the sets that are not begun has a smaller loss.
    double unbegun() const {
        if (next_ == n_sets_) return kInfinity;
        return lowest_from_.empty() ? perfect_ : lowest_from_[next_];
    }

    // False when there is none and no thread is busy any more.
    template <class Waiting>
    bool wait_for_half(std::unique_lock<std::mutex>& lock, const Waiting& waiting) {
        ++idle_workers_;
        while (halves_.empty() && n_busy_ > 0) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            lock.unlock();
            waiting();
            lock.lock();
        }
        --idle_workers_;
        return !halves_.empty();
    }

    const int64_t n_sets_;
    const double perfect_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<DonatedHalf<R>> halves_;
    std::vector<const OpenBound*> workers_;
    std::vector<double> lowest_from_;  // by position: the smallest bound of the sets from there on; empty: not known
    std::atomic<int> idle_workers_{0};
    int64_t next_ = 0;
    int n_busy_ = 0;
    double left_open_ = kInfinity;
};

}  // namespace elc
