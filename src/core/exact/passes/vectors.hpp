// Vectors of 64 bytes: the compiler's own where it has them, arrays of plain C++ elsewhere (or with ELC_PLAIN_VECTORS).
//
// This header and those that build on it are compiled once for each instruction set: everything in them is in an
// unnamed namespace, so that the linker never takes one set's code for another's.
#pragma once

#include <cstdint>

#include "common/inline.hpp"

#if defined(__GNUC__) && !defined(ELC_PLAIN_VECTORS)
#define ELC_GNU_VECTORS
#else
#include "exact/passes/plain_vectors.hpp"
#endif

namespace elc {
namespace {

#if defined(ELC_GNU_VECTORS)

template <class T>
struct Simd;

template <>
struct Simd<float> {
    typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int32_t Mask __attribute__((vector_size(64), aligned(4), may_alias));
    static constexpr int32_t magnitude = 0x7fffffff;
};

template <>
struct Simd<double> {
    typedef double Vector __attribute__((vector_size(64), aligned(8), may_alias));
    typedef int64_t Mask __attribute__((vector_size(64), aligned(8), may_alias));
    static constexpr int64_t magnitude = INT64_C(0x7fffffffffffffff);
};

template <class T>
using Vector = typename Simd<T>::Vector;
template <class T>
using Mask = typename Simd<T>::Mask;  // -1 where something holds, 0 elsewhere

template <class T>
ELC_INLINE Vector<T> load(const T* p) {
    return *reinterpret_cast<const Vector<T>*>(p);
}

template <class T>
ELC_INLINE void store(T* p, Vector<T> v) {
    *reinterpret_cast<Vector<T>*>(p) = v;
}

template <class T>
ELC_INLINE Vector<T> absolute(Vector<T> v) {
    return (Vector<T>)((Mask<T>)v & (Mask<T>{} + Simd<T>::magnitude));
}

// The vector where the mask holds, zero elsewhere.
template <class T>
ELC_INLINE Vector<T> only(Mask<T> mask, Vector<T> v) {
    return (Vector<T>)((Mask<T>)v & mask);
}

template <class T>
ELC_INLINE Vector<T> larger(Vector<T> a, Vector<T> b) {
    return a > b ? a : b;
}

#endif

template <class T>
constexpr int kLanes = 64 / sizeof(T);

template <class T, class V>
ELC_INLINE double total_of(V v) {
    double total = 0;
    for (int i = 0; i < kLanes<T>; ++i) total += static_cast<double>(v[i]);
    return total;
}

}  // namespace
}  // namespace elc
