// Vector code of the passes: eight doubles at a time, cloned by the compiler for AVX-512, AVX2 and plain x86-64.
// R and K are compile-time numbers of features and classes, 0 for "any". Multiplications and additions are never fused
// (-ffp-contract=off), so every clone decides every side alike.
#include "passes.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#include <immintrin.h>
#define ELC_X86 1
#define ELC_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ELC_X86 0
#define ELC_CLONES
#endif
#define ELC_INLINE inline __attribute__((always_inline))

namespace elc {
namespace {

typedef double Vector __attribute__((vector_size(8 * kLane), aligned(8), may_alias));
typedef int64_t Mask __attribute__((vector_size(8 * kLane), aligned(8), may_alias));

constexpr int kClassChunk = 8;  // classes tallied together where their number is not known at compile time

ELC_INLINE Vector load(const double* p) { return *reinterpret_cast<const Vector*>(p); }
ELC_INLINE Vector absolute(Vector v) { return (Vector)((Mask)v & (Mask{} + INT64_C(0x7fffffffffffffff))); }
ELC_INLINE Vector only(Mask mask, Vector v) { return (Vector)((Mask)v & mask); }
ELC_INLINE double slope(const BoxView& box, int j) { return (box.w[j] < 0 ? -box.w[j] : box.w[j]) + box.dw[j]; }
ELC_INLINE int count(Mask m) { return static_cast<int>(m[0] + m[1] + m[2] + m[3] + m[4] + m[5] + m[6] + m[7]); }
ELC_INLINE double sum(Vector v) { return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])); }

// Cells have their half-widths in the last r arrays; they widen the radius by (|w| + dw) times half-width.
template <int R, bool Cells>
ELC_INLINE void value_and_radius(const List& list, int r, const BoxView& box, int i, Vector& value, Vector& radius) {
    value = Vector{} - box.b;
    radius = Vector{} + (box.db + kCertain);
    for (int j = 0; j < r; ++j) {
        const Vector y = load(list.array(j) + i);
        value += box.w[j] * y;
        radius += box.dw[j] * absolute(y);
        if (Cells) radius += slope(box, j) * load(list.array(list.half_widths + j) + i);
    }
}

// How far the split moves the value: half 0 is at value - shift, half 1 at value + shift.
struct Cut {
    Cut(const List& list, int r, const BoxView& box, int split)
        : on_offset(split == r), h(on_offset ? box.db / 2 : box.dw[split] / 2), coordinate(list.array(on_offset ? 0 : split)) {}
    ELC_INLINE Vector shift(int i) const { return on_offset ? Vector{} - h : h * load(coordinate + i); }
    bool on_offset;
    double h;
    const double* coordinate;
};

template <int R, int K, bool Cells>
ELC_INLINE void tally_halves(const List& list, int r_any, int k_any, const BoxView& box, int split, Halves& out) {
    const int r = R ? R : r_any;
    const int k = K ? K : k_any;
    const Cut cut(list, r, box, split);
    constexpr int kChunk = K ? K : kClassChunk;
    for (int first = 0; first < k; first += kChunk) {
        const int chunk = K ? K : (k - first < kChunk ? k - first : kChunk);
        Vector above[2][kChunk] = {}, uncertain[2][kChunk] = {};
        Mask n_open[2] = {};
        for (int i = 0; i < list.n; i += kLane) {
            Vector value, radius;
            value_and_radius<R, Cells>(list, r, box, i, value, radius);
            const Vector shift = cut.shift(i);
            radius -= absolute(shift);
            const Vector low = value - shift, high = value + shift;
            const Mask low_above = low > radius, high_above = high > radius;
            const Mask low_open = absolute(low) <= radius, high_open = absolute(high) <= radius;
            n_open[0] -= low_open;
            n_open[1] -= high_open;
            for (int c = 0; c < chunk; ++c) {
                const Vector weight = load(list.array(r + first + c) + i);
                above[0][c] += only(low_above, weight);
                above[1][c] += only(high_above, weight);
                uncertain[0][c] += only(low_open, weight);
                uncertain[1][c] += only(high_open, weight);
            }
        }
        for (int half = 0; half < 2; ++half) {
            out.n_uncertain[half] = count(n_open[half]);
            for (int c = 0; c < chunk; ++c) {
                out.above[half][first + c] = sum(above[half][c]);
                out.uncertain[half][first + c] = sum(uncertain[half][c]);
            }
        }
    }
}

template <int R, bool Cells>
ELC_INLINE Mask open_in_half(const List& list, int r, const BoxView& box, const Cut& cut, int half, int i) {
    Vector value, radius;
    value_and_radius<R, Cells>(list, r, box, i, value, radius);
    const Vector shift = cut.shift(i);
    radius -= absolute(shift);
    return absolute(half ? value + shift : value - shift) <= radius;
}

template <int R, bool Cells>
ELC_INLINE int compact_half(const List& list, int r_any, int n_arrays, const BoxView& box, int split, int half,
                            double* target, size_t stride, double* spread) {
    const int r = R ? R : r_any;
    const Cut cut(list, r, box, split);
    constexpr int kBlock = 64 * kLane;
    int64_t open[kBlock];
    int32_t kept[kBlock];
    int n = 0;
    for (int start = 0; start < list.n; start += kBlock) {
        const int end = list.n - start < kBlock ? list.n - start : kBlock;
        for (int i = 0; i < end; i += kLane) {
            *reinterpret_cast<Mask*>(open + i) = open_in_half<R, Cells>(list, r, box, cut, half, start + i);
        }
        int n_kept = 0;
        for (int i = 0; i < end; ++i) {
            kept[n_kept] = start + i;
            n_kept -= static_cast<int>(open[i]);
        }
        for (int a = 0; a < n_arrays; ++a) {
            const double* source = list.array(a);
            double* array = target + a * stride + n;
            for (int i = 0; i < n_kept; ++i) array[i] = source[kept[i]];
        }
        n += n_kept;
    }
    for (int j = 0; j < (Cells ? 2 * r : r); ++j) {
        const double* array = target + (j < r ? j : list.half_widths + j - r) * stride;
        for (int i = 0; i < n; ++i) spread[j] += array[i] < 0 ? -array[i] : array[i];
    }
    return n;
}

#if ELC_X86
// The same with AVX-512's compress instruction.
template <int R, bool Cells>
__attribute__((target("avx512f"))) ELC_INLINE int compact_half_avx512(const List& list, int r_any, int n_arrays,
                                                                      const BoxView& box, int split, int half,
                                                                      double* target, size_t stride, double* spread) {
    const int r = R ? R : r_any;
    const Cut cut(list, r, box, split);
    const int n_sums = Cells ? 2 * r : r;
    Vector sums[2 * (R ? R : kMaxR)];
    for (int j = 0; j < n_sums; ++j) sums[j] = Vector{};
    int n = 0;
    for (int i = 0; i < list.n; i += kLane) {
        const Mask is_open = open_in_half<R, Cells>(list, r, box, cut, half, i);
        const __mmask8 valid = list.n - i >= kLane ? 0xff : static_cast<__mmask8>((1u << (list.n - i)) - 1);
        const __mmask8 open = _mm512_mask_test_epi64_mask(valid, (__m512i)is_open, (__m512i)is_open);
        for (int a = 0; a < n_arrays; ++a) {
            const Vector v = load(list.array(a) + i);
            _mm512_storeu_pd(target + a * stride + n, _mm512_maskz_compress_pd(open, (__m512d)v));
            const int s = a < r ? a : Cells && a >= list.half_widths ? a - list.half_widths + r : -1;
            if (s >= 0) sums[s] += (Vector)_mm512_maskz_mov_pd(open, (__m512d)absolute(v));
        }
        n += __builtin_popcount(open);
    }
    for (int j = 0; j < n_sums; ++j) spread[j] += sum(sums[j]);
    return n;
}
#endif

template <int R, int K>
ELC_INLINE int tally_plane(const List& list, int r_any, int k_any, const double* w, double b, double* above_out,
                           double* on_out, double* values) {
    const int r = R ? R : r_any;
    const int k = K ? K : k_any;
    constexpr int kChunk = K ? K : kClassChunk;
    Mask n_on = {};
    for (int i = 0; i < list.n; i += kLane) {
        Vector value = w[0] * load(list.array(0) + i);
        for (int j = 1; j < r; ++j) value += w[j] * load(list.array(j) + i);
        value -= b;
        *reinterpret_cast<Vector*>(values + i) = value;
        n_on -= absolute(value) <= kOnPlane;
    }
    for (int first = 0; first < k; first += kChunk) {
        const int chunk = K ? K : (k - first < kChunk ? k - first : kChunk);
        Vector above[kChunk] = {}, on[kChunk] = {};
        for (int i = 0; i < list.n; i += kLane) {
            const Vector value = load(values + i);
            const Mask is_above = value > kOnPlane, is_on = absolute(value) <= kOnPlane;
            for (int c = 0; c < chunk; ++c) {
                const Vector weight = load(list.array(r + first + c) + i);
                above[c] += only(is_above, weight);
                on[c] += only(is_on, weight);
            }
        }
        for (int c = 0; c < chunk; ++c) {
            above_out[first + c] = sum(above[c]);
            on_out[first + c] = sum(on[c]);
        }
    }
    return count(n_on);
}

#define ELC_PASSES(R, K)                                                                                             \
    ELC_CLONES void tally_halves_##R##_##K(const List& list, int r, int k, const BoxView& box, int split, Halves& out) { \
        tally_halves<R, K, false>(list, r, k, box, split, out);                                                      \
    }                                                                                                                \
    ELC_CLONES void tally_cell_halves_##R##_##K(const List& list, int r, int k, const BoxView& box, int split,       \
                                                Halves& out) {                                                       \
        tally_halves<R, K, true>(list, r, k, box, split, out);                                                       \
    }                                                                                                                \
    ELC_CLONES int tally_plane_##R##_##K(const List& list, int r, int k, const double* w, double b, double* above,   \
                                         double* on, double* values) {                                               \
        return tally_plane<R, K>(list, r, k, w, b, above, on, values);                                               \
    }
#define ELC_COMPACT(NAME, R, CELLS)                                                                                  \
    ELC_CLONES int NAME##_##R(const List& list, int r, int n_arrays, const BoxView& box, int split, int half,        \
                              double* target, size_t stride, double* spread) {                                       \
        return compact_half<R, CELLS>(list, r, n_arrays, box, split, half, target, stride, spread);                  \
    }
#define ELC_COMPACT_AVX512(NAME, R, CELLS)                                                                           \
    __attribute__((target("avx512f"))) int NAME##_avx512_##R(const List& list, int r, int n_arrays,                  \
                                                             const BoxView& box, int split, int half,                \
                                                             double* target, size_t stride, double* spread) {        \
        return compact_half_avx512<R, CELLS>(list, r, n_arrays, box, split, half, target, stride, spread);           \
    }
#define ELC_EACH_R(MACRO, NAME, CELLS) MACRO(NAME, 2, CELLS) MACRO(NAME, 3, CELLS) MACRO(NAME, 4, CELLS) MACRO(NAME, 0, CELLS)

ELC_EACH_R(ELC_COMPACT, compact_half, false)
ELC_EACH_R(ELC_COMPACT, compact_cell_half, true)
#if ELC_X86
ELC_EACH_R(ELC_COMPACT_AVX512, compact_half, false)
ELC_EACH_R(ELC_COMPACT_AVX512, compact_cell_half, true)
#endif
ELC_PASSES(2, 2) ELC_PASSES(2, 3) ELC_PASSES(2, 0)
ELC_PASSES(3, 2) ELC_PASSES(3, 3) ELC_PASSES(3, 0)
ELC_PASSES(4, 2) ELC_PASSES(4, 3) ELC_PASSES(4, 0)
ELC_PASSES(0, 2) ELC_PASSES(0, 3) ELC_PASSES(0, 0)

#define ELC_CHOICE(R, K) Passes{tally_halves_##R##_##K, tally_cell_halves_##R##_##K, compact_half_##R, compact_cell_half_##R, tally_plane_##R##_##K}

ELC_CLONES double absolute_sum_of(const double* array, int n) {
    Vector total = {};
    const int whole = n / kLane * kLane;
    for (int i = 0; i < whole; i += kLane) total += absolute(load(array + i));
    double result = sum(total);
    for (int i = whole; i < n; ++i) result += array[i] < 0 ? -array[i] : array[i];
    return result;
}

}  // namespace

double absolute_sum(const double* array, int n) { return absolute_sum_of(array, n); }

Passes passes_for(int r, int k) {
    static const Passes table[4][3] = {
        {ELC_CHOICE(0, 0), ELC_CHOICE(0, 2), ELC_CHOICE(0, 3)},
        {ELC_CHOICE(2, 0), ELC_CHOICE(2, 2), ELC_CHOICE(2, 3)},
        {ELC_CHOICE(3, 0), ELC_CHOICE(3, 2), ELC_CHOICE(3, 3)},
        {ELC_CHOICE(4, 0), ELC_CHOICE(4, 2), ELC_CHOICE(4, 3)},
    };
    const int row = r >= 2 && r <= 4 ? r - 1 : 0;
    Passes passes = table[row][k == 2 ? 1 : k == 3 ? 2 : 0];
#if ELC_X86
    using Compact = decltype(Passes::compact_half);
    static const Compact points[4] = {compact_half_avx512_0, compact_half_avx512_2, compact_half_avx512_3,
                                      compact_half_avx512_4};
    static const Compact cells[4] = {compact_cell_half_avx512_0, compact_cell_half_avx512_2,
                                     compact_cell_half_avx512_3, compact_cell_half_avx512_4};
    if (__builtin_cpu_supports("avx512f")) {
        passes.compact_half = points[row];
        passes.compact_cell_half = cells[row];
    }
#endif
    return passes;
}

}  // namespace elc
