// Seconds since it was made.
#pragma once

#include <chrono>

namespace elc {

class StopWatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace elc
