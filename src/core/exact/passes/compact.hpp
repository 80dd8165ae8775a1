// Copies what one half of a box is uncertain about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/bits.hpp"
#include "exact/passes/box_values.hpp"

namespace elc {
namespace {

template <class T>
constexpr T kPadding = std::numeric_limits<T>::quiet_NaN();

template <class T>
double absolute_sum(const PointList& list, int array, int k) {
    Vector<T> total = {};
    for (int i = 0; i < list.segment[k]; i += kLanes<T>) {
        const Vector<T> y = absolute<T>(load(list.array<T>(array) + i));
        total = LanesOf<T>::add(total, LanesOf<T>::at_most(y, y), y);
    }
    return LanesOf<T>::total(total);
}

// The sum of what multiplies the offset in local coordinates, in absolute value.
inline double offset_share_sum(const PointList& list, int r, const double* absolute_of, int k) {
    Vector<double> total = {};
    for (int i = 0; i < list.segment[k]; i += kLanes<double>) {
        const Vector<double> first = load(list.array<double>(0) + i);
        const Vector<double> share = absolute<double>(offset_share(list, r, absolute_of, i));
        total = LanesOf<double>::add(total, LanesOf<double>::at_most(first, first), share);
    }
    return LanesOf<double>::total(total);
}

template <class T, int R, bool Cells, bool Local>
ELC_INLINE typename LanesOf<T>::Lanes open_in_half(const PointList& list, const Coefficients<T, R>& box,
                                                   const BoxView& view, const HalfShift<T, Local>& half_shift, int half,
                                                   int i) {
    Vector<T> value, radius;
    value_and_radius<T, R, Cells, Local>(list, box, view, i, value, radius);
    const Vector<T> shift = half_shift.shift(half, i);
    radius -= absolute<T>(shift);
    return LanesOf<T>::at_most(absolute<T>(half ? value + shift : value - shift), radius);
}

template <class T>
ELC_INLINE void store_padding(T* at, T value) {
    for (int i = 0; i < kLane; i += kLanes<T>) store<T>(at + i, Vector<T>{} + value);
}

// Copies what is open of begin .. end to the arrays at `target` and returns its number; adds its |y_j| to `sums`.
template <class T, int R, bool Cells, bool Local>
ELC_INLINE int compact_range(const PointList& list, int n_arrays, const Coefficients<T, R>& box, const BoxView& view,
                             const HalfShift<T, Local>& half_shift, int half, int begin, int end, T* target,
                             size_t stride, Vector<T>* sums) {
    int n = 0;
#if defined(ELC_MASK_REGISTERS)
    for (int i = begin; i < end; i += kLanes<T>) {
        const auto open = open_in_half<T, R, Cells, Local>(list, box, view, half_shift, half, i);
        for (int j = 0; j < (Cells ? 2 * R : R); ++j)
            sums[j] = LanesOf<T>::add(sums[j], open, absolute<T>(load(list.array<T>(j) + i)));
        for (int a = 0; a < n_arrays; ++a)
            LanesOf<T>::compress(target + a * stride + n, open, load(list.array<T>(a) + i));
        n += count_bits(open);
    }
#else
    constexpr int kBlock = 32 * kLanes<T>;
    int32_t kept[kBlock];
    for (int start = begin; start < end; start += kBlock) {
        int n_kept = 0;
        for (int i = start; i < end && i < start + kBlock; i += kLanes<T>) {
            const Mask<T> open = open_in_half<T, R, Cells, Local>(list, box, view, half_shift, half, i);
            for (int j = 0; j < (Cells ? 2 * R : R); ++j)
                sums[j] = LanesOf<T>::add(sums[j], open, absolute<T>(load(list.array<T>(j) + i)));
            for (int lane = 0; lane < kLanes<T>; ++lane) {
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

template <class T, int R, bool Cells, bool Local>
int compact(const PointList& list, int r_any, int k, int n_arrays, const BoxView& view, Split split, int half, void* to,
            size_t stride, int32_t* segment, double* spread) {
    const int r = R ? R : r_any;
    const Coefficients<T, R> box(view, r);
    const HalfShift<T, Local> half_shift(list, r, view, split);
    T* target = static_cast<T*>(to);
    Vector<T> sums[R ? 2 * R : 1] = {};  // read again where R is not known
    int n = 0, at = 0;
    for (int c = 0; c < k; ++c) {
        segment[c] = at;
        const int kept = compact_range<T, R, Cells, Local>(list, n_arrays, box, view, half_shift, half, list.segment[c],
                                                           list.segment[c + 1], target + at, stride, sums);
        n += kept;
        store_padding(target + at + kept, kPadding<T>);
        for (int a = 1; a < n_arrays; ++a) store_padding(target + a * stride + at + kept, T{0});
        at += (kept + kLane - 1) / kLane * kLane;
    }
    segment[k] = at;
    const PointList copied{to, stride, segment, n, 0, false};
    for (int j = 0; j < (Cells ? 2 * r : r); ++j)
        spread[j] = R ? LanesOf<T>::total(sums[R ? j : 0]) : absolute_sum<T>(copied, j, k);
    if constexpr (Local) spread[view.chart] = offset_share_sum(copied, r, view.absolute, k);
    return n;
}

}  // namespace
}  // namespace elc
