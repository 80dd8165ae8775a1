// Boxes of hyperplanes.
//
// A chart fixes one coefficient at 1 and lets the others range over [-1, 1]; r charts cover all hyperplanes. A box is a
// centre (w, b) with half-widths (dw, db) in one chart (dw = 0 at the fixed coefficient). A point's value w.y - b then
// lies within dw.|y| + db of its value at the centre: the point is above, below or uncertain. The coordinates y of
// points, and with them the coefficients of planes, may be local ones (local_coordinates.hpp).
#pragma once

#include <cmath>
#include <memory>

#include "exact/boxes/local_coordinates.hpp"
#include "exact/boxes/numbers_of.hpp"
#include "exact/node/tolerances.hpp"

namespace elc {

constexpr int kEveryPlane = -1;  // as a chart: the box of all hyperplanes

// A point's value over a box: within `radius` of `value`; `size` is the sum of its |y_j|.
struct ValueRange {
    double value, radius, size;
};

// R is the number of features, 0 for "any".
template <int R>
struct Box {
    Numbers<R> w, dw;
    double b = 0, db = 0;
    int chart = kEveryPlane;
    const LocalCoordinates<R>* local = nullptr;  // null: the feature set's own coordinates

    void resize(int r) {
        set_size(w, r);
        set_size(dw, r);
    }

    // Coordinate k of a point x(0) .. x(r - 1), as the box sees it.
    template <class Point>
    double coordinate(int k, int r, const Point& x) const {
        return local ? local->of_point(k, r, chart, x) : x(k);
    }

    template <class Point>
    ValueRange range_of(int r, const Point& x) const {
        ValueRange range{-b, db, 0};
        for (int k = 0; k < r; ++k) {
            const double y = coordinate(k, r, x);
            range.value += w[k] * y;
            range.radius += dw[k] * std::abs(y);
            range.size += std::abs(y);
        }
        return range;
    }

    // 1 above the box, -1 below it, 0 uncertain.
    template <class Point>
    int side_of(int r, const Point& x) const {
        const ValueRange range = range_of(r, x);
        const double radius = range.radius + kCertain;
        return range.value > radius ? 1 : range.value < -radius ? -1 : 0;
    }

    // Whether the plane lies in the box, give or take `slack`. The chart's coefficient is not small.
    bool holds(const double* plane_w, double plane_b, int r, double slack) const {
        const double scale = plane_w[chart];
        double offset = plane_b / scale;
        for (int k = 0; k < r; ++k) {
            const auto coefficient = [&](int j) { return plane_w[j] / scale - (local ? local->tilt[j] : 0.0); };
            const double seen = !local ? coefficient(k) : k == chart ? 1.0 : local->turned(k, r, coefficient);
            if (!(std::abs(seen - w[k]) <= dw[k] + slack)) return false;
            if (local) offset -= plane_w[k] / scale * local->origin[k];
        }
        return std::abs(offset - b) <= db + slack;
    }
};

// A box from which a smaller one has gone on in other coordinates, which it keeps.
template <int R>
struct OuterBox {
    Box<R> box;
    std::shared_ptr<const LocalCoordinates<R>> inner;
};

// The box of all planes of a chart whose |b| is at most `reach`.
template <int R>
void set_chart(Box<R>& box, int r, int chart, double reach) {
    box.resize(r);
    box.chart = chart;
    box.local = nullptr;
    for (int j = 0; j < r; ++j) {
        box.w[j] = j == chart ? 1.0 : 0.0;
        box.dw[j] = j == chart ? 0.0 : 1.0;
    }
    box.b = 0;
    box.db = reach;
}

// The tilts t of the box's centre in the feature set's own coordinates, 1 at the chart's coefficient.
template <int R>
Numbers<R> centre_of(const Box<R>& box, int r) {
    Numbers<R> tilt = box.w;
    for (int j = 0; j < r && box.local; ++j) {
        tilt[j] = box.local->tilt[j];
        for (int k = 0; k < r && j != box.chart; ++k)
            if (k != box.chart) tilt[j] += box.local->turn[k * r + j] * box.w[k];
    }
    return tilt;
}

// The same planes, and more, as a box in other coordinates (null: the feature set's own).
template <int R>
void set_in_coordinates(const Box<R>& box, int r, const LocalCoordinates<R>* local, Box<R>& seen) {
    const Numbers<R> tilt = centre_of(box, r);
    const auto origin = [&](const LocalCoordinates<R>* from, int j) { return from ? from->origin[j] : 0.0; };
    const auto step = [&](int j) { return j == box.chart ? 0.0 : origin(local, j) - origin(box.local, j); };
    const auto turn = [&](const LocalCoordinates<R>* by, int k, int j) {
        return by ? by->turn[k * r + j] : double(k == j);
    };
    seen.resize(r);
    seen.chart = box.chart;
    seen.local = local;
    seen.b = box.b;
    seen.db = box.db;
    for (int j = 0; j < r; ++j) seen.b -= tilt[j] * (origin(local, j) - origin(box.local, j));
    for (int m = 0; m < r; ++m) {
        double along = 0;
        for (int j = 0; j < r; ++j) along += turn(box.local, m, j) * step(j);
        seen.db += box.dw[m] * std::abs(along);
    }
    for (int k = 0; k < r; ++k) {
        seen.w[k] = k == box.chart ? 1.0 : 0.0;
        seen.dw[k] = 0;
        for (int j = 0; j < r && k != box.chart; ++j)
            if (j != box.chart) seen.w[k] += turn(local, k, j) * (tilt[j] - (local ? local->tilt[j] : 0.0));
        for (int m = 0; m < r && k != box.chart; ++m) {
            double product = 0;
            for (int j = 0; j < r; ++j) product += turn(local, k, j) * turn(box.local, m, j);
            seen.dw[k] += box.dw[m] * std::abs(product);
        }
    }
}

// Whether some plane may lie in both boxes of one chart.
template <int R>
bool may_meet(const Box<R>& box, const Box<R>& other, int r) {
    Box<R> seen;
    set_in_coordinates(box, r, other.local, seen);
    for (int k = 0; k < r; ++k)
        if (std::abs(seen.w[k] - other.w[k]) > seen.dw[k] + other.dw[k] + 32 * kBoxSlack) return false;
    return std::abs(seen.b - other.b) <= seen.db + other.db + 32 * kBoxSlack;
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
