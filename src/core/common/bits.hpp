// Bits of words: the compiler's own instructions where it offers them, plain C++17 elsewhere.
//
// Always inlined: sources compiled for different instruction sets use them, and the linker must not mix them up.
#pragma once

#include <cstdint>

#include "common/inline.hpp"

namespace elc {

#if defined(__GNUC__)

ELC_INLINE int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
ELC_INLINE int highest_bit(uint64_t word) { return 63 - __builtin_clzll(word); }
ELC_INLINE int count_bits(uint64_t word) { return __builtin_popcountll(word); }

#else

// The number of the lowest bit that is set; the word is not zero.
ELC_INLINE int lowest_bit(uint64_t word) {
    int number = 0;
    for (; (word & 1) == 0; word >>= 1) ++number;
    return number;
}

// The number of the highest bit that is set; the word is not zero.
ELC_INLINE int highest_bit(uint64_t word) {
    int number = 63;
    while ((word >> number & 1) == 0) --number;
    return number;
}

ELC_INLINE int count_bits(uint64_t word) {
    int n = 0;
    for (; word; word &= word - 1) ++n;
    return n;
}

#endif

}  // namespace elc
