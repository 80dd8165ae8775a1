// Boxes of hyperplanes.
//
// A chart fixes one coefficient at 1 and lets the others range over [-1, 1]; r charts cover all hyperplanes. A box is a
// centre (w, b) with half-widths (dw, db) in one chart (dw = 0 at the fixed coefficient). A point's value w.y - b then
// lies within dw.|y| + db of its value at the centre: the point is above, below or uncertain. Points are measured from
// an origin o, y = x - o, so that a box around a cluster far from zero can hold all planes through it: its b is that of
// y.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "exact/node/tolerances.hpp"

namespace elc {

// As many numbers as are known at compile time, or any (N = 0).
template <int N>
using Numbers = std::conditional_t<N == 0, std::vector<double>, std::array<double, N ? N : 1>>;

inline void set_size(std::vector<double>& numbers, int n) { numbers.resize(n); }
template <size_t N>
void set_size(std::array<double, N>&, int) {}

constexpr int kEveryPlane = -1;  // as a chart: the box of all hyperplanes

// R is the number of features, 0 for "any".
template <int R>
struct Box {
    Numbers<R> w, dw, origin;
    double b = 0, db = 0;
    int chart = kEveryPlane;

    void resize(int r) {
        set_size(w, r);
        set_size(dw, r);
        set_size(origin, r);
    }

    // Whether the plane lies in the box, give or take `slack`. The chart's coefficient is not small.
    bool holds(const double* plane_w, double plane_b, int r, double slack) const {
        const double scale = plane_w[chart];
        double offset = plane_b / scale;
        for (int j = 0; j < r; ++j) {
            const double coefficient = plane_w[j] / scale;
            if (!(std::abs(coefficient - w[j]) <= dw[j] + slack)) return false;
            offset -= coefficient * origin[j];
        }
        return std::abs(offset - b) <= db + slack;
    }
};

// The box of all planes of a chart whose |b| is at most `reach`.
template <int R>
void set_chart(Box<R>& box, int r, int chart, double reach) {
    box.resize(r);
    box.chart = chart;
    for (int j = 0; j < r; ++j) {
        box.w[j] = j == chart ? 1.0 : 0.0;
        box.dw[j] = j == chart ? 0.0 : 1.0;
        box.origin[j] = 0;
    }
    box.b = 0;
    box.db = reach;
}

// The same planes, and more, as a box of points that are measured from another origin.
template <int R>
void move_origin(Box<R>& box, int r, const Numbers<R>& origin) {
    for (int j = 0; j < r; ++j) {
        const double step = origin[j] - box.origin[j];
        box.b -= box.w[j] * step;
        box.db += box.dw[j] * std::abs(step);
        box.origin[j] = origin[j];
    }
}

// Whether some plane may lie in both boxes of one chart.
template <int R>
bool may_meet(const Box<R>& box, const Box<R>& other, int r) {
    double middle = box.b - other.b, reach = box.db + other.db + kBoxSlack;
    for (int j = 0; j < r; ++j) {
        if (std::abs(box.w[j] - other.w[j]) > box.dw[j] + other.dw[j] + kBoxSlack) return false;
        const double step = box.origin[j] - other.origin[j];  // what b grows by, per unit of w, between the origins
        middle += box.w[j] * step;
        reach += (box.dw[j] + kBoxSlack) * std::abs(step);
    }
    return std::abs(middle) <= reach;
}

// Half 0 is the lower half of coordinate `split`; split == r stands for the offset b.
template <int R>
void halve(const Box<R>& box, int r, int split, int half, Box<R>& child) {
    child = box;
    const double sign = half ? 1.0 : -1.0;
    if (split == r) {
        child.db = box.db / 2;
        child.b = box.b + sign * child.db;
    } else {
        child.dw[split] = box.dw[split] / 2;
        child.w[split] = box.w[split] + sign * child.dw[split];
    }
}

}  // namespace elc
