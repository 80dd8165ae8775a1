// Vector code of the passes: eight doubles at a time, cloned by the compiler for AVX-512, AVX2 and plain x86-64.
// R and K are compile-time numbers of features and classes, 0 for "any". Multiplications and additions are never fused
// (-ffp-contract=off), so every clone decides every side alike.
#include "passes.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define ELC_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
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
ELC_INLINE double sum(Vector v) { return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])); }

template <int R>
ELC_INLINE void value_and_radius(const List& list, int r, const Box& box, int i, Vector& value, Vector& radius) {
    value = Vector{} - box.b;
    radius = Vector{} + (box.db + kCertain);
    for (int j = 0; j < r; ++j) {
        const Vector y = load(list.array(j) + i);
        value += box.w[j] * y;
        radius += box.dw[j] * absolute(y);
    }
}

template <int R, int K>
ELC_INLINE void tally_halves(const List& list, int r_any, int k_any, const Box& box, int split, Halves& out) {
    const int r = R ? R : r_any;
    const int k = K ? K : k_any;
    const bool on_offset = split == r;
    const double h = on_offset ? box.db / 2 : box.dw[split] / 2;
    const double* split_array = list.array(on_offset ? 0 : split);
    constexpr int kChunk = K ? K : kClassChunk;
    for (int first = 0; first < k; first += kChunk) {
        const int chunk = K ? K : (k - first < kChunk ? k - first : kChunk);
        Vector above[2][kChunk] = {}, uncertain[2][kChunk] = {};
        for (int i = 0; i < list.n; i += kLane) {
            Vector value, radius;
            value_and_radius<R>(list, r, box, i, value, radius);
            const Vector shift = on_offset ? Vector{} - h : h * load(split_array + i);
            radius -= absolute(shift);
            const Vector low = value - shift, high = value + shift;
            const Mask low_above = low > radius, high_above = high > radius;
            const Mask low_open = absolute(low) <= radius, high_open = absolute(high) <= radius;
            for (int c = 0; c < chunk; ++c) {
                const Vector weight = load(list.array(r + first + c) + i);
                above[0][c] += only(low_above, weight);
                above[1][c] += only(high_above, weight);
                uncertain[0][c] += only(low_open, weight);
                uncertain[1][c] += only(high_open, weight);
            }
        }
        for (int half = 0; half < 2; ++half)
            for (int c = 0; c < chunk; ++c) {
                out.above[half][first + c] = sum(above[half][c]);
                out.uncertain[half][first + c] = sum(uncertain[half][c]);
            }
    }
}

template <int R>
ELC_INLINE void mark(const List& list, int r_any, const Box& box, int64_t* marks) {
    const int r = R ? R : r_any;
    for (int i = 0; i < list.n; i += kLane) {
        Vector value, radius;
        value_and_radius<R>(list, r, box, i, value, radius);
        const Mask above = value > radius, open = absolute(value) <= radius;
        *reinterpret_cast<Mask*>(marks + i) = open | (above & 1);
    }
}

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
    return static_cast<int>(n_on[0] + n_on[1] + n_on[2] + n_on[3] + n_on[4] + n_on[5] + n_on[6] + n_on[7]);
}

#define ELC_PASSES(R, K)                                                                                             \
    ELC_CLONES void tally_halves_##R##_##K(const List& list, int r, int k, const Box& box, int split, Halves& out) { \
        tally_halves<R, K>(list, r, k, box, split, out);                                                             \
    }                                                                                                                \
    ELC_CLONES int tally_plane_##R##_##K(const List& list, int r, int k, const double* w, double b, double* above,   \
                                         double* on, double* values) {                                               \
        return tally_plane<R, K>(list, r, k, w, b, above, on, values);                                               \
    }
#define ELC_MARK(R)                                                                                                  \
    ELC_CLONES void mark_##R(const List& list, int r, const Box& box, int64_t* marks) { mark<R>(list, r, box, marks); }

ELC_MARK(2) ELC_MARK(3) ELC_MARK(4) ELC_MARK(0)
ELC_PASSES(2, 2) ELC_PASSES(2, 3) ELC_PASSES(2, 0)
ELC_PASSES(3, 2) ELC_PASSES(3, 3) ELC_PASSES(3, 0)
ELC_PASSES(4, 2) ELC_PASSES(4, 3) ELC_PASSES(4, 0)
ELC_PASSES(0, 2) ELC_PASSES(0, 3) ELC_PASSES(0, 0)

#define ELC_CHOICE(R, K) Passes{tally_halves_##R##_##K, mark_##R, tally_plane_##R##_##K}

}  // namespace

Passes passes_for(int r, int k) {
    static const Passes table[4][3] = {
        {ELC_CHOICE(0, 0), ELC_CHOICE(0, 2), ELC_CHOICE(0, 3)},
        {ELC_CHOICE(2, 0), ELC_CHOICE(2, 2), ELC_CHOICE(2, 3)},
        {ELC_CHOICE(3, 0), ELC_CHOICE(3, 2), ELC_CHOICE(3, 3)},
        {ELC_CHOICE(4, 0), ELC_CHOICE(4, 2), ELC_CHOICE(4, 3)},
    };
    return table[r >= 2 && r <= 4 ? r - 1 : 0][k == 2 ? 1 : k == 3 ? 2 : 0];
}

}  // namespace elc
