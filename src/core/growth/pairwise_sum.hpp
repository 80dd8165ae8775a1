// A sum of many terms by halves: its error grows with the logarithm of their number.
//
// In the order in which NumPy adds a contiguous array, so that a node's statistics are the same numbers in both
// languages.
#pragma once

#include <cstdint>

namespace elc {

// The sum of term(i) for i from `begin` on.
template <class Term>
double pairwise_sum(const Term& term, int64_t begin, int64_t n) {
    constexpr int64_t kLanes = 8, kLongest = 128;
    if (n < kLanes) {
        double sum = 0;
        for (int64_t i = begin; i < begin + n; ++i) sum += term(i);
        return sum;
    }
    if (n > kLongest) {
        const int64_t half = n / 2 - n / 2 % kLanes;
        return pairwise_sum(term, begin, half) + pairwise_sum(term, begin + half, n - half);
    }
    double lane[kLanes];
    for (int64_t q = 0; q < kLanes; ++q) lane[q] = term(begin + q);
    int64_t i = kLanes;
    for (; i < n - n % kLanes; i += kLanes)
        for (int64_t q = 0; q < kLanes; ++q) lane[q] += term(begin + i + q);
    double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; ++i) sum += term(begin + i);
    return sum;
}

}  // namespace elc
