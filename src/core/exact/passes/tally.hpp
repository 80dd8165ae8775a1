// Tallies what is above and what is uncertain in both halves of a box.
#pragma once

#include "exact/passes/box_values.hpp"

namespace elc {
namespace {

// Boxes are mostly cut in the middle, where both halves are equally far from it.
template <class T, int R, EntryKind kind, bool Moments, bool Local, bool InMiddle>
void tally_parts(const PointList& list, int r_any, int k, const BoxView& view, Split split, Halves& out) {
    constexpr bool kCells = kind == EntryKind::cells, kWeighted = kind != EntryKind::unit;
    const int r = R ? R : r_any;
    const Coefficients<T, R> box(view, r);
    const HalfShift<T, Local> half_shift(list, r, view, split);
    const T* weights = list.array<T>(kCells ? 2 * r : r);
    const T* moments = weights + (kWeighted ? list.stride : 0);
    out.n_uncertain[0] = out.n_uncertain[1] = 0;
    for (int half = 0; half < 2 && Moments; ++half) out.above[half][0] = out.above[half][1] = 0;
    for (int c = 0; c < k; ++c) {
        LaneCount<T> n_above[2], n_open[2];
        Vector<T> above[2] = {}, open[2] = {}, above_moment[2] = {}, open_moment[2] = {};
        for (int i = list.segment[c]; i < list.segment[c + 1]; i += kLanes<T>) {
            Vector<T> value, radius;
            value_and_radius<T, R, kCells, Local>(list, box, view, i, value, radius);
            const Vector<T> down = half_shift.shift(0, i), up = InMiddle ? down : half_shift.shift(1, i);
            const Vector<T> low = value - down, high = value + up;
            const Vector<T> low_radius = radius - absolute<T>(down);
            const Vector<T> high_radius = InMiddle ? low_radius : radius - absolute<T>(up);
            const auto low_above = LanesOf<T>::greater(low, low_radius);
            const auto high_above = LanesOf<T>::greater(high, high_radius);
            const auto low_open = LanesOf<T>::at_most(absolute<T>(low), low_radius);
            const auto high_open = LanesOf<T>::at_most(absolute<T>(high), high_radius);
            n_open[0].add(low_open);
            n_open[1].add(high_open);
            if (kWeighted) {
                const Vector<T> weight = load(weights + i);
                above[0] = LanesOf<T>::add(above[0], low_above, weight);
                above[1] = LanesOf<T>::add(above[1], high_above, weight);
                open[0] = LanesOf<T>::add(open[0], low_open, weight);
                open[1] = LanesOf<T>::add(open[1], high_open, weight);
            } else {
                n_above[0].add(low_above);
                n_above[1].add(high_above);
            }
            if (Moments) {
                const Vector<T> moment = load(moments + i);
                above_moment[0] = LanesOf<T>::add(above_moment[0], low_above, moment);
                above_moment[1] = LanesOf<T>::add(above_moment[1], high_above, moment);
                open_moment[0] = LanesOf<T>::add(open_moment[0], low_open, moment);
                open_moment[1] = LanesOf<T>::add(open_moment[1], high_open, moment);
            }
        }
        for (int half = 0; half < 2; ++half) {
            const int n = n_open[half].total();
            out.n_uncertain[half] += n;
            const double weight_above = kWeighted ? LanesOf<T>::total(above[half]) : n_above[half].total();
            out.uncertain[half][c] = kWeighted ? LanesOf<T>::total(open[half]) : n;
            if (Moments) {
                out.above[half][0] += weight_above;
                out.above[half][1] += LanesOf<T>::total(above_moment[half]);
                out.uncertain[half][k + c] = LanesOf<T>::total(open_moment[half]);
            } else {
                out.above[half][c] = weight_above;
            }
        }
    }
}

template <class T, int R, EntryKind kind, bool Moments, bool Local>
void tally(const PointList& list, int r, int k, const BoxView& view, Split split, Halves& out) {
    constexpr bool kAlwaysInMiddle = kind == EntryKind::cells;
    if (kAlwaysInMiddle || (!Local && split.cut == 0.5))
        tally_parts<T, R, kind, Moments, Local, !Local>(list, r, k, view, split, out);
    else tally_parts<T, R, kind, Moments, Local, kAlwaysInMiddle>(list, r, k, view, split, out);
}

}  // namespace
}  // namespace elc
