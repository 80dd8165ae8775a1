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
struct HalfShift {
    HalfShift(const PointList& list, int r, const BoxView& box, int split)
        : on_offset(split == r), h(static_cast<T>(on_offset ? box.db / 2 : box.dw[split] / 2)),
          coordinate(list.array<T>(on_offset ? 0 : split)) {}
    ELC_INLINE Vector<T> shift(int i) const { return on_offset ? Vector<T>{} - h : h * load(coordinate + i); }
    bool on_offset;
    T h;
    const T* coordinate;
};

}  // namespace
}  // namespace elc
