// What ends a kernel that runs without the GIL: Ctrl-C, a fit that was given up, the interpreter's end.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "bindings/module.hpp"
#include "common/keep_going.hpp"

namespace elc {

// Lets other threads have the GIL while a kernel runs that asks now and then whether it may go on. When the interpreter
// ends, such kernels are told to end too, and waited for: a thread that came back for the GIL later would be unwound in
// the middle of C++, which aborts the process.
class WithoutGil {
public:
    static bool must_end() { return is_over(); }

    // Called when the interpreter ends.
    static void end_all() {
        nb::gil_scoped_release release;
        is_over() = true;
        for (int i = 0; i < kMostWaits && n_running() > 0; ++i) std::this_thread::sleep_for(kWait);
        is_over() = false;
    }

private:
    struct Counted {
        Counted() { ++n_running(); }
        ~Counted() { --n_running(); }
    };

    static constexpr std::chrono::milliseconds kWait{2};
    static constexpr int kMostWaits = 5000;

    static std::atomic<int>& n_running() {
        static std::atomic<int> count{0};
        return count;
    }
    static std::atomic<bool>& is_over() {
        static std::atomic<bool> over{false};
        return over;
    }

    Counted counted_;  // until the GIL is back
    nb::gil_scoped_release release_;
};

// Whether to go on; if not, there is a Python error to be raised. Needs the GIL. `given_up` is true, as Python takes
// it, when nobody waits for the answer any more.
inline bool may_go_on(nb::handle given_up = nb::none()) {
    if (WithoutGil::must_end() || PyObject_IsTrue(given_up.ptr()) != 0) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return false;
    }
    return PyErr_CheckSignals() == 0;
}

// Asks at most twenty times a second: taking the GIL waits for other threads.
inline KeepGoing<> until_interrupted(nb::handle given_up = nb::none()) {
    using Clock = std::chrono::steady_clock;
    auto last = std::make_shared<Clock::time_point>(Clock::now());
    return [last, given_up] {
        const Clock::time_point now = Clock::now();
        if (now - *last < std::chrono::milliseconds(50)) return true;
        *last = now;
        nb::gil_scoped_acquire gil;
        return may_go_on(given_up);
    };
}

}  // namespace elc
