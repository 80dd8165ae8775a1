// As many numbers as are known at compile time, or any.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace elc {

// N = 0: any.
template <int N>
using Numbers = std::conditional_t<N == 0, std::vector<double>, std::array<double, N ? N : 1>>;

inline void set_size(std::vector<double>& numbers, int n) { numbers.resize(n); }
template <size_t N>
void set_size(std::array<double, N>&, int) {}

// The number of features, known to the compiler where R says it: loops over it are then unrolled.
template <int R>
constexpr int order_of(int r) {
    return R ? R : r;
}

}  // namespace elc
