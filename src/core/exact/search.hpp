// The complete search of one node: dives in every feature set, then branch and bound over the sets by what they found.
//
// Threads take feature sets from a common list and, when it is empty, boxes that busy threads give away. The calling
// thread is one of them; it alone polls the caller (for Ctrl-C and progress). The others are started only once the
// search has lasted a few milliseconds, so that small nodes cost no thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>

#include "criteria/dispatch.hpp"
#include "exact/answer.hpp"
#include "exact/combinations.hpp"
#include "exact/subset_search.hpp"
#include "exact/threshold_scan.hpp"

namespace elc {

template <int R, class Criterion>
class Search {
public:
    Search(const ExactNode& node, const Criterion& criterion, const KeepSearching& keep_going)
        : node_(node), criterion_(criterion), keep_going_(keep_going), start_(Clock::now()) {
        n_subsets_ = count_combinations(node.m, node.options.r);
    }

    SearchAnswer run() {
        if (node_.n < node_.options.r || n_subsets_ == 0) return finish();
        dive_everywhere();
        in_parallel([this](Worker& worker) { search_sets(worker); });
        return finish();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr int64_t kMostDives = 1 << 20;
    static constexpr int64_t kFewDives = 1 << 10;   // where there are more sets than that, to have some split at all
    static constexpr int64_t kMostKept = 1 << 23;   // doubles, 64 MiB
    static constexpr double kSecondsAlone = 0.002;  // before other threads are started
    static constexpr double kPollEvery = 0.05;

    struct Dive {
        int64_t rank;
        double loss;
        std::shared_ptr<const SubsetPoints> subset;  // kept where memory allows
    };

    // One thread's tools.
    struct Worker {
        Worker(Search& search, bool caller)
            : owner(search), subset_search(search.node_, search.criterion_), view(search.incumbent_),
              is_caller(caller) {
            std::lock_guard<std::mutex> lock(owner.mutex_);
            owner.workers_.push_back(this);
        }
        ~Worker() {
            std::lock_guard<std::mutex> lock(owner.mutex_);
            owner.workers_.erase(std::find(owner.workers_.begin(), owner.workers_.end(), this));
        }

        // Asked once a box and, in long enumerations, once in a few thousand planes' worth of arithmetic.
        bool stop() {
            if (++ticks % 64 == 0) owner.look_at_the_clock(*this);
            return owner.stop_.load(std::memory_order_relaxed);
        }
        bool stop_now() {
            owner.look_at_the_clock(*this);
            return owner.stop_.load(std::memory_order_relaxed);
        }
        bool wants_task() { return owner.idle_workers_.load(std::memory_order_relaxed) > 0; }
        void give(DonatedHalf<R>&& task) { owner.add_task(std::move(task)); }
        void open_bound(double bound) { owner.note_open(bound); }

        Search& owner;
        SubsetSearch<R, Criterion> subset_search;
        IncumbentView view;
        PointMaker maker;
        std::shared_ptr<SubsetPoints> spare;
        bool is_caller;
        uint64_t ticks = 0;
        int64_t boxes_reported = 0;
        double last_poll = 0;
        std::atomic<double> open_bound_now{-kInfinity};
    };

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    void look_at_the_clock(Worker& worker) {
        const int64_t boxes = worker.subset_search.n_boxes();
        n_boxes_ += boxes - worker.boxes_reported;
        worker.boxes_reported = boxes;
        worker.open_bound_now.store(worker.subset_search.open_bound(), std::memory_order_relaxed);
        const double now = seconds();
        if (now > node_.options.seconds) stop_ = true;
        if (!worker.is_caller) return;
        if (now > kSecondsAlone) start_helpers();
        if (now - worker.last_poll < kPollEvery) return;
        worker.last_poll = now;
        poll(now);
    }

    void poll(double now) {
        if (interrupted_) return;
        if (keep_going_ && !keep_going_({subsets_done_, n_subsets_, n_boxes_, incumbent_.loss(), bound_now(), now})) {
            interrupted_ = true;
            stop_ = true;
        }
    }

    // What is proven while the search runs: no candidate of an open box is better than this.
    double bound_now() {
        std::lock_guard<std::mutex> lock(mutex_);
        if (diving_ || next_ < n_subsets_) return criterion_.perfect();
        double bound = std::min(incumbent_.loss(), open_bound_);
        for (const DonatedHalf<R>& task : tasks_) bound = std::min(bound, task.bound);
        for (const Worker* worker : workers_) bound = std::min(bound, worker->open_bound_now.load());
        return bound;
    }

    void note_open(double bound) {
        std::lock_guard<std::mutex> lock(mutex_);
        open_bound_ = std::min(open_bound_, bound);
    }

    // ---- threads ----

    void in_parallel(std::function<void(Worker&)> work) {
        work_ = std::move(work);
        helpers_wanted_ = node_.options.n_threads - 1;
        run_worker(true);
        for (std::thread& helper : helpers_) helper.join();
        helpers_.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

    // What one thread throws (no memory, say) ends the search and is thrown again in the caller's thread.
    void run_worker(bool is_caller) {
        try {
            Worker worker(*this, is_caller);
            work_(worker);
            look_at_the_clock(worker);
        } catch (...) {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            stop_ = true;
            busy_ = 0;
            changed_.notify_all();
        }
    }

    void start_helpers() {
        while (static_cast<int>(helpers_.size()) < helpers_wanted_) {
            try {
                helpers_.emplace_back([this] { run_worker(false); });
            } catch (const std::system_error&) {
                helpers_wanted_ =
                    static_cast<int>(helpers_.size());  // the system has no more threads: go on with these
            }
        }
    }

    void add_task(DonatedHalf<R>&& task) {
        std::lock_guard<std::mutex> lock(mutex_);
        tasks_.push_back(std::move(task));
        changed_.notify_one();
    }

    // ---- dives ----

    void dive_everywhere() {
        const int64_t n_dives = n_subsets_ <= kMostDives ? n_subsets_ : kFewDives;
        dives_.resize(n_dives);
        next_ = 0;
        in_parallel([this, n_dives](Worker& worker) {
            for (int64_t rank; (rank = next_++) < n_dives;) dive_in(worker, rank);
        });
        if (n_dives < n_subsets_) return dives_.clear();  // too many sets to put in order
        std::stable_sort(dives_.begin(), dives_.end(), [](const Dive& a, const Dive& b) { return a.loss < b.loss; });
    }

    void dive_in(Worker& worker, int64_t rank) {
        dives_[rank] = {rank, kInfinity, nullptr};
        look_at_the_clock(worker);
        if (stop_ || best_dive_loss_ <= criterion_.perfect() + kTie) return;
        const auto subset = make_subset(worker, rank);
        if (keeps_points()) dives_[rank].subset = subset;
        if (subset->coplanar) return;
        FoundSplit best;
        worker.subset_search.dive(*subset, best, worker);
        dives_[rank].loss = best.loss;
        if (best.loss == kInfinity) return;
        std::lock_guard<std::mutex> lock(mutex_);
        if (best.loss < best_dive_.loss || (best.loss == best_dive_.loss && rank < best_dive_rank_)) {
            best_dive_ = best;
            best_dive_rank_ = rank;
            best_dive_loss_ = best.loss;
        }
    }

    // Whether the points of all feature sets together are small enough to be made only once.
    bool keeps_points() const {
        const double arrays = node_.options.r + node_.k + 2;
        return static_cast<double>(n_subsets_) * arrays * (node_.n + 64) <= kMostKept;
    }

    std::shared_ptr<const SubsetPoints> make_subset(Worker& worker, int64_t rank) {
        if (!worker.spare || worker.spare.use_count() > 1) worker.spare = std::make_shared<SubsetPoints>();
        std::atomic_thread_fence(std::memory_order_acquire);
        const std::shared_ptr<SubsetPoints>& subset = worker.spare;  // its memory is used again when no task holds it
        subset->number = rank;
        subset->features = combination_of_rank(rank, node_.m, node_.options.r);
        worker.maker.make(node_, subset->features.data(), node_.options.r, subset->points);
        subset->coplanar = is_coplanar_set(node_, subset->features, subset->points);
        return subset;
    }

    // ---- branch and bound ----

    void search_sets(Worker& worker) {
        if (worker.is_caller) begin_search();
        for (;;) {
            DonatedHalf<R> task;
            bool has_task = false;
            int64_t position = -1;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                if (stop_ && next_ < n_subsets_) {
                    open_bound_ = std::min(open_bound_, criterion_.perfect());
                    next_ = n_subsets_;
                }
                if (next_ < n_subsets_) {
                    position = next_++;
                    ++busy_;
                    worker.open_bound_now = criterion_.perfect();
                } else if (!wait_for_task(worker, lock, task, has_task)) {
                    return;
                }
            }
            if (has_task) worker.subset_search.resume(task, worker.view, worker);
            else search_set(worker, position);
            std::lock_guard<std::mutex> lock(mutex_);
            worker.open_bound_now = kInfinity;
            if (--busy_ <= 0) changed_.notify_all();
        }
    }

    void begin_search() {
        next_ = 0;
        diving_ = false;
        if (best_dive_.loss < kInfinity) incumbent_.offer(best_dive_);
    }

    // Waits until a box is given away; false when no thread is busy any more.
    bool wait_for_task(Worker& worker, std::unique_lock<std::mutex>& lock, DonatedHalf<R>& task, bool& has_task) {
        ++idle_workers_;
        while (tasks_.empty() && busy_ > 0) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            if (worker.is_caller) {
                lock.unlock();
                look_at_the_clock(worker);
                lock.lock();
            }
        }
        --idle_workers_;
        if (tasks_.empty()) return false;
        task = std::move(tasks_.front());
        tasks_.pop_front();
        has_task = true;
        ++busy_;
        worker.open_bound_now = task.bound;
        return true;
    }

    void search_set(Worker& worker, int64_t position) {
        if (worker.stop_now()) return note_open(criterion_.perfect());
        std::shared_ptr<const SubsetPoints> subset;
        if (!dives_.empty()) subset = std::move(dives_[position].subset);
        if (!subset) subset = make_subset(worker, dives_.empty() ? position : dives_[position].rank);
        if (!subset->coplanar) worker.subset_search.search(subset, worker.view, worker);
        ++subsets_done_;
    }

    SearchAnswer finish() {
        SearchAnswer answer;
        answer.found = incumbent_.copy();
        answer.interrupted = interrupted_;
        answer.n_boxes = n_boxes_;
        answer.proven = open_bound_ == kInfinity || open_bound_ >= answer.found.loss;
        answer.bound = std::min(open_bound_, answer.found.loss);
        if (answer.found.loss < kInfinity) {
            const bool from_dive = answer.found.visit.subset == INT64_MAX;
            const int64_t rank = from_dive ? best_dive_rank_ : answer.found.visit.subset;
            answer.features = combination_of_rank(rank, node_.m, node_.options.r);
        }
        return answer;
    }

    const ExactNode& node_;
    const Criterion& criterion_;
    const KeepSearching& keep_going_;
    Clock::time_point start_;
    int64_t n_subsets_ = 0;
    Incumbent incumbent_;
    std::vector<Dive> dives_;
    FoundSplit best_dive_;
    int64_t best_dive_rank_ = INT64_MAX;
    std::atomic<double> best_dive_loss_{kInfinity};

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<DonatedHalf<R>> tasks_;
    std::atomic<int64_t> next_{0}, subsets_done_{0}, n_boxes_{0};
    std::atomic<int> idle_workers_{0};
    std::atomic<bool> stop_{false};
    bool interrupted_ = false;
    bool diving_ = true;
    int busy_ = 0;
    double open_bound_ = kInfinity;
    std::function<void(Worker&)> work_;
    std::vector<std::thread> helpers_;
    std::vector<const Worker*> workers_;
    int helpers_wanted_ = 0;
    std::exception_ptr failure_;
};

namespace detail {

constexpr int kLongScan = 10000;  // rows, from which on a scan asks after every feature whether to go on

template <class Criterion>
SearchAnswer scan_axes(const ExactNode& node, const Criterion& criterion, const KeepSearching& keep_going) {
    ThresholdScan<Criterion> scan(node, criterion);
    SearchAnswer answer;
    for (int feature = 0; feature < node.m && !answer.interrupted; ++feature) {
        scan.scan(feature, answer.found);
        const bool long_scan = node.n >= kLongScan;
        answer.interrupted =
            long_scan && keep_going && !keep_going({feature, node.m, 0, answer.found.loss, criterion.perfect(), 0});
    }
    if (answer.found.loss < kInfinity) answer.features = {static_cast<int>(answer.found.visit.subset)};
    answer.bound = answer.found.loss;
    return answer;
}

template <class Criterion>
SearchAnswer search_with(const ExactNode& node, const Criterion& criterion, const KeepSearching& keep_going) {
    switch (node.options.r) {
        case 1: return scan_axes(node, criterion, keep_going);
        case 2: return Search<2, Criterion>(node, criterion, keep_going).run();
        case 3: return Search<3, Criterion>(node, criterion, keep_going).run();
        case 4: return Search<4, Criterion>(node, criterion, keep_going).run();
        default: return Search<0, Criterion>(node, criterion, keep_going).run();
    }
}

}  // namespace detail

inline SearchAnswer search(const ExactNode& node, const KeepSearching& keep_going) {
    return with_criterion<Support::exact>(node.options.criterion, node.class_totals(), [&](const auto& criterion) {
        return detail::search_with(node, criterion, keep_going);
    });
}

}  // namespace elc
