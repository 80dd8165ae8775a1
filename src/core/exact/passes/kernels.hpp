// The passes, as vector code of 64 bytes; included by one source file for each instruction set.
//
// R and K are compile-time numbers of features and classes, 0 for "any".
#pragma once

#include "exact/passes/passes.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#define ELC_INLINE inline __attribute__((always_inline))

namespace elc {
namespace {

template <class T>
struct Simd;

template <>
struct Simd<float> {
    static constexpr int lanes = 16;
    typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int32_t Mask __attribute__((vector_size(64), aligned(4), may_alias));
    static constexpr int32_t magnitude = 0x7fffffff;
};

template <>
struct Simd<double> {
    static constexpr int lanes = 8;
    typedef double Vector __attribute__((vector_size(64), aligned(8), may_alias));
    typedef int64_t Mask __attribute__((vector_size(64), aligned(8), may_alias));
    static constexpr int64_t magnitude = INT64_C(0x7fffffffffffffff);
};

template <class T>
using Vector = typename Simd<T>::Vector;
template <class T>
using Mask = typename Simd<T>::Mask;

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
template <class T>
ELC_INLINE Vector<T> only(Mask<T> mask, Vector<T> v) {
    return (Vector<T>)((Mask<T>)v & mask);
}

template <class T, class V>
ELC_INLINE double total_of(const V& v) {
    double total = 0;
    for (int i = 0; i < Simd<T>::lanes; ++i) total += static_cast<double>(v[i]);
    return total;
}

// The lanes for which a comparison holds, how many they are, and the sum of what they weigh.
#if defined(__AVX512F__)
template <class T>
struct Test;
template <>
struct Test<float> {
    using Lanes = __mmask16;
    static ELC_INLINE Lanes greater(Vector<float> a, Vector<float> b) {
        return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ);
    }
    static ELC_INLINE Lanes at_most(Vector<float> a, Vector<float> b) {
        return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
    }
    static ELC_INLINE Vector<float> masked(Lanes lanes, Vector<float> v) {
        return (Vector<float>)_mm512_maskz_mov_ps(lanes, (__m512)v);
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
struct Test<double> {
    using Lanes = __mmask8;
    static ELC_INLINE Lanes greater(Vector<double> a, Vector<double> b) {
        return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
    }
    static ELC_INLINE Lanes at_most(Vector<double> a, Vector<double> b) {
        return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
    }
    static ELC_INLINE Vector<double> masked(Lanes lanes, Vector<double> v) {
        return (Vector<double>)_mm512_maskz_mov_pd(lanes, (__m512d)v);
    }
    static ELC_INLINE Vector<double> add(Vector<double> sum, Lanes lanes, Vector<double> v) {
        return (Vector<double>)_mm512_mask_add_pd((__m512d)sum, lanes, (__m512d)sum, (__m512d)v);
    }
    static ELC_INLINE double total(Vector<double> v) { return _mm512_reduce_add_pd((__m512d)v); }
    static ELC_INLINE void compress(double* target, Lanes lanes, Vector<double> v) {
        _mm512_storeu_pd(target, _mm512_maskz_compress_pd(lanes, (__m512d)v));
    }
};
template <class T>
struct Count {
    int n = 0;
    ELC_INLINE void add(typename Test<T>::Lanes lanes) { n += __builtin_popcount(lanes); }
    ELC_INLINE int total() const { return n; }
};
#else
template <class T>
struct Test {
    using Lanes = Mask<T>;
    static ELC_INLINE Lanes greater(Vector<T> a, Vector<T> b) { return a > b; }
    static ELC_INLINE Lanes at_most(Vector<T> a, Vector<T> b) { return a <= b; }
    static ELC_INLINE Vector<T> masked(Lanes lanes, Vector<T> v) { return only<T>(lanes, v); }
    static ELC_INLINE Vector<T> add(Vector<T> sum, Lanes lanes, Vector<T> v) { return sum + only<T>(lanes, v); }
    static ELC_INLINE double total(Vector<T> v) { return total_of<T>(v); }
};
template <class T>
struct Count {
    Mask<T> n = {};
    ELC_INLINE void add(Mask<T> lanes) { n -= lanes; }
    ELC_INLINE int total() const { return static_cast<int>(total_of<T>(n)); }
};
#endif

// The box in the list's own precision.
template <class T, int R>
struct Coefficients {
    explicit Coefficients(const BoxView& box, int)
        : offset(static_cast<T>(box.b)), reach(static_cast<T>(box.db + box.margin)) {
        for (int j = 0; j < R; ++j) {
            w[j] = static_cast<T>(box.w[j]);
            dw[j] = static_cast<T>(box.dw[j]);
            slope[j] = static_cast<T>((box.w[j] < 0 ? -box.w[j] : box.w[j]) + box.dw[j]);
        }
    }
    static constexpr int r = R;
    T w[R], dw[R], slope[R], offset, reach;
};

template <class T>
struct Coefficients<T, 0> {
    struct Array {
        const double* values;
        ELC_INLINE T operator[](int j) const { return static_cast<T>(values[j]); }
    };
    struct Slope {
        Array w, dw;
        ELC_INLINE T operator[](int j) const { return (w[j] < 0 ? -w[j] : w[j]) + dw[j]; }
    };
    Coefficients(const BoxView& box, int order)
        : r(order), w{box.w}, dw{box.dw}, slope{w, dw}, offset(static_cast<T>(box.b)),
          reach(static_cast<T>(box.db + box.margin)) {}
    int r;
    Array w, dw;
    Slope slope;
    T offset, reach;
};

// Cells have half-widths in the arrays after their coordinates; they widen the radius by (|w| + dw) times half-width.
template <class T, int R, bool Cells>
ELC_INLINE void value_and_radius(const PointList& list, const Coefficients<T, R>& box, int i, Vector<T>& value,
                                 Vector<T>& radius) {
    value = Vector<T>{} - box.offset;
    radius = Vector<T>{} + box.reach;
    for (int j = 0; j < box.r; ++j) {
        const Vector<T> y = load(list.array<T>(j) + i);
        value += box.w[j] * y;
        radius += box.dw[j] * absolute<T>(y);
        if (Cells) radius += box.slope[j] * load(list.array<T>(box.r + j) + i);
    }
}

// How far the split moves the value: half 0 is at value - shift, half 1 at value + shift.
template <class T>
struct Cut {
    Cut(const PointList& list, int r, const BoxView& box, int split)
        : on_offset(split == r), h(static_cast<T>(on_offset ? box.db / 2 : box.dw[split] / 2)),
          coordinate(list.array<T>(on_offset ? 0 : split)) {}
    ELC_INLINE Vector<T> shift(int i) const { return on_offset ? Vector<T>{} - h : h * load(coordinate + i); }
    bool on_offset;
    T h;
    const T* coordinate;
};

template <class T, int R, EntryKind kind>
void tally(const PointList& list, int r_any, int k, const BoxView& view, int split, Halves& out) {
    constexpr bool kCells = kind == EntryKind::cells, kWeighted = kind != EntryKind::unit;
    const int r = R ? R : r_any;
    const Coefficients<T, R> box(view, r);
    const Cut<T> cut(list, r, view, split);
    const T* weights = list.array<T>(kCells ? 2 * r : r);
    out.n_uncertain[0] = out.n_uncertain[1] = 0;
    for (int c = 0; c < k; ++c) {
        Count<T> n_above[2], n_open[2];
        Vector<T> above[2] = {}, open[2] = {};
        for (int i = list.segment[c]; i < list.segment[c + 1]; i += Simd<T>::lanes) {
            Vector<T> value, radius;
            value_and_radius<T, R, kCells>(list, box, i, value, radius);
            const Vector<T> shift = cut.shift(i);
            radius -= absolute<T>(shift);
            const Vector<T> low = value - shift, high = value + shift;
            const auto low_above = Test<T>::greater(low, radius), high_above = Test<T>::greater(high, radius);
            const auto low_open = Test<T>::at_most(absolute<T>(low), radius);
            const auto high_open = Test<T>::at_most(absolute<T>(high), radius);
            n_open[0].add(low_open);
            n_open[1].add(high_open);
            if (kWeighted) {
                const Vector<T> weight = load(weights + i);
                above[0] = Test<T>::add(above[0], low_above, weight);
                above[1] = Test<T>::add(above[1], high_above, weight);
                open[0] = Test<T>::add(open[0], low_open, weight);
                open[1] = Test<T>::add(open[1], high_open, weight);
            } else {
                n_above[0].add(low_above);
                n_above[1].add(high_above);
            }
        }
        for (int half = 0; half < 2; ++half) {
            const int n = n_open[half].total();
            out.n_uncertain[half] += n;
            out.above[half][c] = kWeighted ? Test<T>::total(above[half]) : n_above[half].total();
            out.uncertain[half][c] = kWeighted ? Test<T>::total(open[half]) : n;
        }
    }
}

template <class T>
constexpr T kPadding = static_cast<T>(__builtin_nan(""));

template <class T>
double absolute_sum(const PointList& list, int array, int k) {
    Vector<T> total = {};
    for (int i = 0; i < list.segment[k]; i += Simd<T>::lanes) {
        const Vector<T> y = absolute<T>(load(list.array<T>(array) + i));
        total = Test<T>::add(total, Test<T>::at_most(y, y), y);
    }
    return Test<T>::total(total);
}

template <class T, int R, bool Cells>
ELC_INLINE typename Test<T>::Lanes open_in_half(const PointList& list, const Coefficients<T, R>& box, const Cut<T>& cut,
                                                int half, int i) {
    Vector<T> value, radius;
    value_and_radius<T, R, Cells>(list, box, i, value, radius);
    const Vector<T> shift = cut.shift(i);
    radius -= absolute<T>(shift);
    return Test<T>::at_most(absolute<T>(half ? value + shift : value - shift), radius);
}

template <class T>
ELC_INLINE void store_padding(T* at, T value) {
    for (int i = 0; i < kLane; i += Simd<T>::lanes) store<T>(at + i, Vector<T>{} + value);
}

// Copies what is open of begin .. end to the arrays at `target` and returns its number.
template <class T, int R, bool Cells>
ELC_INLINE int compact_range(const PointList& list, int n_arrays, const Coefficients<T, R>& box, const Cut<T>& cut,
                             int half, int begin, int end, T* target, size_t stride) {
    int n = 0;
#if defined(__AVX512F__)
    for (int i = begin; i < end; i += Simd<T>::lanes) {
        const auto open = open_in_half<T, R, Cells>(list, box, cut, half, i);
        for (int a = 0; a < n_arrays; ++a) Test<T>::compress(target + a * stride + n, open, load(list.array<T>(a) + i));
        n += __builtin_popcount(open);
    }
#else
    constexpr int kBlock = 32 * Simd<T>::lanes;
    int32_t kept[kBlock];
    for (int start = begin; start < end; start += kBlock) {
        int n_kept = 0;
        for (int i = start; i < end && i < start + kBlock; i += Simd<T>::lanes) {
            const Mask<T> open = open_in_half<T, R, Cells>(list, box, cut, half, i);
            for (int lane = 0; lane < Simd<T>::lanes; ++lane) {
                kept[n_kept] = i + lane;
                n_kept -= static_cast<int>(open[lane]);
            }
        }
        for (int a = 0; a < n_arrays; ++a) {
            for (int q = 0; q < n_kept; ++q) target[a * stride + n + q] = list.array<T>(a)[kept[q]];
        }
        n += n_kept;
    }
#endif
    return n;
}

template <class T, int R, bool Cells>
int compact(const PointList& list, int r_any, int k, int n_arrays, const BoxView& view, int split, int half, void* to,
            size_t stride, int32_t* segment, double* spread) {
    const int r = R ? R : r_any;
    const Coefficients<T, R> box(view, r);
    const Cut<T> cut(list, r, view, split);
    T* target = static_cast<T*>(to);
    int n = 0, at = 0;
    for (int c = 0; c < k; ++c) {
        segment[c] = at;
        const int kept = compact_range<T, R, Cells>(list, n_arrays, box, cut, half, list.segment[c],
                                                    list.segment[c + 1], target + at, stride);
        n += kept;
        store_padding(target + at + kept, kPadding<T>);
        for (int a = 1; a < n_arrays; ++a) store_padding(target + a * stride + at + kept, T{0});
        at += (kept + kLane - 1) / kLane * kLane;
    }
    segment[k] = at;
    const PointList copied{to, stride, segment, n, 0, false};
    for (int j = 0; j < (Cells ? 2 * r : r); ++j) spread[j] = absolute_sum<T>(copied, j, k);
    return n;
}

template <int R, int K>
int tally_plane(const ScoringList& list, int r_any, int k_any, const double* w, double b, double tolerance,
                double* above_out, double* on_out, double* values) {
    constexpr int kClassChunk = 8;  // classes tallied together where their number is not known at compile time
    const int r = R ? R : r_any;
    const int k = K ? K : k_any;
    constexpr int kChunk = K ? K : kClassChunk;
    const Vector<double> limit = Vector<double>{} + tolerance;
    Count<double> n_on;
    for (int i = 0; i < list.n; i += 8) {
        Vector<double> value = w[0] * load(list.array(0) + i);
        for (int j = 1; j < r; ++j) value += w[j] * load(list.array(j) + i);
        value -= b;
        store<double>(values + i, value);
        n_on.add(Test<double>::at_most(absolute<double>(value), limit));
    }
    for (int first = 0; first < k; first += kChunk) {
        const int chunk = K ? K : (k - first < kChunk ? k - first : kChunk);
        Vector<double> above[kChunk] = {}, on[kChunk] = {};
        for (int i = 0; i < list.n; i += 8) {
            const Vector<double> value = load(static_cast<const double*>(values) + i);
            const auto is_above = Test<double>::greater(value, limit);
            const auto is_on = Test<double>::at_most(absolute<double>(value), limit);
            for (int c = 0; c < chunk; ++c) {
                const Vector<double> weight = load(list.array(r + first + c) + i);
                above[c] = Test<double>::add(above[c], is_above, weight);
                on[c] = Test<double>::add(on[c], is_on, weight);
            }
        }
        for (int c = 0; c < chunk; ++c) {
            above_out[first + c] = Test<double>::total(above[c]);
            on_out[first + c] = Test<double>::total(on[c]);
        }
    }
    return n_on.total();
}

template <class T, int R>
void fill_tallies(Passes::Tally* of) {
    of[static_cast<int>(EntryKind::unit)] = tally<T, R, EntryKind::unit>;
    of[static_cast<int>(EntryKind::weighted)] = tally<T, R, EntryKind::weighted>;
    of[static_cast<int>(EntryKind::cells)] = tally<T, R, EntryKind::cells>;
}

template <int R>
Passes make_passes(int k) {
    Passes passes;
    fill_tallies<double, R>(passes.tally[0]);
    fill_tallies<float, R>(passes.tally[1]);
    passes.compact[0][0] = compact<double, R, false>;
    passes.compact[0][1] = compact<double, R, true>;
    passes.compact[1][0] = compact<float, R, false>;
    passes.compact[1][1] = compact<float, R, true>;
    passes.tally_plane = k == 2 ? tally_plane<R, 2> : k == 3 ? tally_plane<R, 3> : tally_plane<R, 0>;
    passes.absolute_sum[0] = absolute_sum<double>;
    passes.absolute_sum[1] = absolute_sum<float>;
    return passes;
}

Passes make_passes(int r, int k) {
    switch (r) {
        case 2: return make_passes<2>(k);
        case 3: return make_passes<3>(k);
        case 4: return make_passes<4>(k);
        default: return make_passes<0>(k);
    }
}

}  // namespace
}  // namespace elc
