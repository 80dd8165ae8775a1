// A sample of a list's points as a box sees them, and the votes of those that it is uncertain about.
#pragma once

#include <algorithm>
#include <limits>

#include "exact/passes/box_values.hpp"

namespace elc {
namespace {

// Every so many entries of an array; what the sample falls short of is filled with `rest`.
template <class T>
ELC_INLINE void pick(const T* from, int n, int step, double rest, double* picked) {
    for (int q = 0; q < n; ++q) picked[q] = from[q * step];
    std::fill(picked + n, picked + BoxSample::kMost, rest);
}

// The sum of lanes in an order that is the same on all machines.
ELC_INLINE double sum_of_lanes(Vector<double> v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

template <class T, int R, bool Local>
void sample(const PointList& list, int r_any, int end, const BoxView& box, bool squared, BoxSample& out) {
    using V = Vector<double>;
    using Lanes = LanesOf<double>;
    constexpr int kMost = BoxSample::kMost, kParts = kMost / kLanes<double>;
    const int r = R ? R : r_any, step = 1 + (end - 1) / kMost, n = 1 + (end - 1) / step;
    double* const offset = out.reach + r * kMost;
    V value[kParts], radius[kParts], share[kParts];
    for (int p = 0; p < kParts; ++p) value[p] = V{}, radius[p] = V{} + box.margin, share[p] = V{} + 1.0;
    for (int j = 0; j < r; ++j) {
        double y_of[kMost];
        // No comparison holds for padding.
        pick(list.array<T>(j), n, step, j == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.0, y_of);
        for (int p = 0; p < kParts; ++p) {
            const V y = load(y_of + p * kLanes<double>), move = box.dw[j] * y;
            if (Local) share[p] -= box.absolute[j] * y;
            value[p] += box.w[j] * y;
            radius[p] += absolute<double>(move);
            store(out.reach + j * kMost + p * kLanes<double>, move);
        }
    }
    LaneCount<double> n_open;
    typename Lanes::Lanes open[kParts];
    V say[kParts];
    for (int p = 0; p < kParts; ++p) {
        const V move = (-box.db) * share[p];
        value[p] -= box.b * share[p];
        radius[p] += absolute<double>(move);
        open[p] = Lanes::at_most(absolute<double>(value[p]), radius[p]);
        n_open.add(open[p]);
        say[p] = Lanes::add(V{}, open[p], 1.0 / radius[p]);
        store(offset + p * kLanes<double>, move);
        store(out.value + p * kLanes<double>, value[p]);
        store(out.radius + p * kLanes<double>, radius[p]);
        store(out.say + p * kLanes<double>, say[p]);
    }
    for (int j = 0; j <= r; ++j) {
        V votes{};
        for (int p = 0; p < kParts; ++p) {
            const V move = load(static_cast<const double*>(out.reach) + j * kMost + p * kLanes<double>);
            const V vote = absolute<double>(move) * say[p];
            votes = Lanes::add(votes, open[p], squared ? vote * vote : vote);
        }
        out.votes[j] = sum_of_lanes(votes);
    }
    out.n = n_open.total();
}

}  // namespace
}  // namespace elc
