// The lanes for which a comparison holds, how many they are, and the sum of what they weigh.
#pragma once

#include "common/bits.hpp"
#include "exact/passes/vectors.hpp"

#if defined(__AVX512F__) && defined(ELC_GNU_VECTORS)
#define ELC_MASK_REGISTERS
#include <immintrin.h>
#endif

namespace elc {
namespace {

#if defined(ELC_MASK_REGISTERS)

template <class T>
struct LanesOf;

template <>
struct LanesOf<float> {
    using Lanes = __mmask16;
    static ELC_INLINE Lanes greater(Vector<float> a, Vector<float> b) {
        return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ);
    }
    static ELC_INLINE Lanes at_most(Vector<float> a, Vector<float> b) {
        return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
    }
    static ELC_INLINE Vector<float> add(Vector<float> sum, Lanes lanes, Vector<float> v) {
        return (Vector<float>)_mm512_mask_add_ps((__m512)sum, lanes, (__m512)sum, (__m512)v);
    }
    static ELC_INLINE double total(Vector<float> v) { return _mm512_reduce_add_ps((__m512)v); }
    static ELC_INLINE void compress(float* target, Lanes lanes, Vector<float> v) {
        _mm512_storeu_ps(target, _mm512_maskz_compress_ps(lanes, (__m512)v));
    }
};

template <>
struct LanesOf<double> {
    using Lanes = __mmask8;
    static ELC_INLINE Lanes greater(Vector<double> a, Vector<double> b) {
        return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
    }
    static ELC_INLINE Lanes at_most(Vector<double> a, Vector<double> b) {
        return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
    }
    static ELC_INLINE Vector<double> add(Vector<double> sum, Lanes lanes, Vector<double> v) {
        return (Vector<double>)_mm512_mask_add_pd((__m512d)sum, lanes, (__m512d)sum, (__m512d)v);
    }
    static ELC_INLINE double total(Vector<double> v) { return _mm512_reduce_add_pd((__m512d)v); }
    static ELC_INLINE uint64_t bits(Lanes lanes) { return lanes; }
    static ELC_INLINE void compress(double* target, Lanes lanes, Vector<double> v) {
        _mm512_storeu_pd(target, _mm512_maskz_compress_pd(lanes, (__m512d)v));
    }
};

template <class T>
struct LaneCount {
    int n = 0;
    ELC_INLINE void add(typename LanesOf<T>::Lanes lanes) { n += count_bits(lanes); }
    ELC_INLINE int total() const { return n; }
};

#else

template <class T>
struct LanesOf {
    using Lanes = Mask<T>;
    static ELC_INLINE Lanes greater(Vector<T> a, Vector<T> b) { return a > b; }
    static ELC_INLINE Lanes at_most(Vector<T> a, Vector<T> b) { return a <= b; }
    static ELC_INLINE Vector<T> add(Vector<T> sum, Lanes lanes, Vector<T> v) { return sum + only<T>(lanes, v); }
    static ELC_INLINE double total(Vector<T> v) { return total_of<T>(v); }
    static ELC_INLINE uint64_t bits(Lanes lanes) {
        uint64_t bits = 0;
        for (int i = 0; i < kLanes<T>; ++i) bits |= static_cast<uint64_t>(lanes[i] != 0) << i;
        return bits;
    }
};

template <class T>
struct LaneCount {
    Mask<T> n = {};
    ELC_INLINE void add(Mask<T> lanes) { n -= lanes; }
    ELC_INLINE int total() const { return static_cast<int>(total_of<T>(n)); }
};

#endif

}  // namespace
}  // namespace elc
