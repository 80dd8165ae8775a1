// Bits of words: the compiler's own instructions where it offers them, plain C++17 elsewhere.
#pragma once

#include <cstdint>

namespace elc {

#if defined(__GNUC__)

inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
inline int count_bits(uint64_t word) { return __builtin_popcountll(word); }

#else

// The number of the lowest bit that is set; the word is not zero.
inline int lowest_bit(uint64_t word) {
    int number = 0;
    for (; (word & 1) == 0; word >>= 1) ++number;
    return number;
}

inline int count_bits(uint64_t word) {
    int n = 0;
    for (; word; word &= word - 1) ++n;
    return n;
}

#endif

}  // namespace elc
