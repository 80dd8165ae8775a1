// Random numbers that are the same on every platform: the standard fixes the engine, but not its distributions.
#pragma once

#include <cstdint>
#include <random>

namespace elc {

class Random {
public:
    explicit Random(uint64_t seed) : engine_(seed) {}

    // Uniform in [0, 1): the upper 53 bits of a draw.
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

    // Uniform in [-1, 1).
    double symmetric() { return 2 * unit() - 1; }

    // Uniform in {0, ..., n - 1}.
    int below(int n) { return static_cast<int>(unit() * n); }

private:
    std::mt19937_64 engine_;
};

}  // namespace elc
