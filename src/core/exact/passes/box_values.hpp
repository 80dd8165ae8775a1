// The range of a point's value over a box, and how halving the box moves it.
//
// R is the number of features where it is known at compile time, 0 for "any".
#pragma once

#include "exact/passes/lanes.hpp"
#include "exact/passes/passes.hpp"

namespace elc {
namespace {

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

// What multiplies the offset in local coordinates: 1 less all coordinates but the chart's.
ELC_INLINE Vector<double> offset_share(const PointList& list, int r, const double* absolute, int i) {
    Vector<double> share = Vector<double>{} + 1.0;
    for (int j = 0; j < r; ++j) share -= absolute[j] * load(list.array<double>(j) + i);
    return share;
}

// Cells have half-widths in the arrays after their coordinates; they widen the radius by (|w| + dw) times half-width.
template <class T, int R, bool Cells, bool Local>
ELC_INLINE void value_and_radius(const PointList& list, const Coefficients<T, R>& box, const BoxView& view, int i,
                                 Vector<T>& value, Vector<T>& radius) {
    if constexpr (Local) {
        const Vector<double> share = offset_share(list, box.r, view.absolute, i);
        value = Vector<double>{} - box.offset * share;
        radius = Vector<double>{} + view.margin + view.db * absolute<double>(share);
    } else {
        value = Vector<T>{} - box.offset;
        radius = Vector<T>{} + box.reach;
    }
    for (int j = 0; j < box.r; ++j) {
        const Vector<T> y = load(list.array<T>(j) + i);
        value += box.w[j] * y;
        radius += box.dw[j] * absolute<T>(y);
        if (Cells) radius += box.slope[j] * load(list.array<T>(box.r + j) + i);
    }
}

// How far the split moves the value: half 0 is at value - shift, half 1 at value + shift; by so much less is the
// radius.
template <class T, bool Local>
struct HalfShift {
    HalfShift(const PointList& list, int r, const BoxView& box, Split split)
        : list(list), r(r), absolute(box.absolute), on_offset(split.coordinate == r),
          coordinate(list.array<T>(on_offset ? 0 : split.coordinate)) {
        const double reach = on_offset ? -box.db : box.dw[split.coordinate];
        h[0] = static_cast<T>(reach * (1 - split.cut));
        h[1] = static_cast<T>(reach - reach * (1 - split.cut));
    }
    ELC_INLINE Vector<T> shift(int half, int i) const {
        if (!on_offset) return h[half] * load(coordinate + i);
        if constexpr (Local) return h[half] * offset_share(list, r, absolute, i);
        else return Vector<T>{} + h[half];
    }
    const PointList& list;
    int r;
    const double* absolute;
    bool on_offset;
    T h[2];
    const T* coordinate;
};

}  // namespace
}  // namespace elc
