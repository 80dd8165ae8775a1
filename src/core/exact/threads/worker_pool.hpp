// The threads of a search: the calling thread works at once, others join it when it asks for them.
//
// So small nodes cost no thread. What one thread throws (no memory, say) is thrown again in the calling thread.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace elc {

class WorkerPool {
public:
    using Work = std::function<void(bool is_caller)>;

    // `end_all` is called when a thread has failed; it must make the others end their work soon.
    WorkerPool(int n_threads, std::function<void()> end_all) : n_threads_(n_threads), end_all_(std::move(end_all)) {}

    // Does the work in the calling thread and in its helpers, and returns when all are done.
    void run(Work work) {
        work_ = std::move(work);
        n_helpers_ = n_threads_ - 1;
        work_in_this_thread(true);
        for (std::thread& helper : helpers_) helper.join();
        helpers_.clear();
        if (failure_) std::rethrow_exception(failure_);
    }

    // Lets the helpers join; called by the calling thread while it works.
    void start_helpers() {
        while (static_cast<int>(helpers_.size()) < n_helpers_) {
            try {
                helpers_.emplace_back([this] { work_in_this_thread(false); });
            } catch (const std::system_error&) {
                n_helpers_ = static_cast<int>(helpers_.size());  // the system has no more threads: go on with these
            }
        }
    }

private:
    void work_in_this_thread(bool is_caller) {
        try {
            work_(is_caller);
        } catch (...) {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            end_all_();
        }
    }

    int n_threads_, n_helpers_ = 0;
    std::function<void()> end_all_;
    Work work_;
    std::vector<std::thread> helpers_;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace elc
