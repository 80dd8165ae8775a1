// Boxes of hyperplanes.
//
// A chart fixes one coefficient at 1 and lets the others range over [-1, 1]; r charts cover all hyperplanes. A box is a
// centre (w, b) with half-widths (dw, db) in one chart (dw = 0 at the fixed coefficient). A point's value w.y - b then
// lies within dw.|y| + db of its value at the centre: the point is above, below or uncertain. The coordinates y of
// points, and with them the coefficients of planes, may be local ones (local_coordinates.hpp).
#pragma once

#include <cmath>
#include <cstddef>
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

constexpr double kHeightRounding = 0x1p-48;  // of the sum of the terms of a value in local coordinates

// Sums up a range, and the terms that its rounding is relative to.
struct RangeSum {
    ValueRange range{0, 0, 0};
    double terms = 0;

    void add(double centre, double reach, double y) {
        range.value += centre * y;
        range.radius += reach * std::abs(y);
        range.size += std::abs(y);
        terms += std::abs(centre * y);
    }

    ValueRange widened(double error) const {
        return {range.value, range.radius + (kHeightRounding * terms + error), range.size};
    }
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

    // The half-width of a coordinate (r for the offset).
    double reach(int coordinate, int r) const { return coordinate == r ? db : dw[coordinate]; }

    // The coordinates of a point x(0) .. x(r - 1) as the box sees it, written `stride` apart.
    template <class Point>
    void see(int r, const Point& x, double* y, size_t stride = 1) const {
        r = order_of<R>(r);
        if (local) return local->see(r, chart, x, y, stride);
        for (int k = 0; k < r; ++k) y[k * stride] = x(k);
    }

    // The range of the values of the box's planes at a point x(0) .. x(r - 1).
    template <class Point>
    ValueRange range_of(int r, const Point& x) const {
        r = order_of<R>(r);
        if (local) return local_range_of(r, x);
        ValueRange range{-b, db, 0};
        for (int k = 0; k < r; ++k) {
            range.value += w[k] * x(k);
            range.radius += dw[k] * std::abs(x(k));
            range.size += std::abs(x(k));
        }
        return range;
    }

    // 1 above the box, -1 below it, 0 uncertain.
    template <class Point>
    int side_of(int r, const Point& x, double certain) const {
        const ValueRange range = range_of(r, x);
        const double radius = range.radius + certain;
        return range.value > radius ? 1 : range.value < -radius ? -1 : 0;
    }

    // Whether the plane lies in the box, give or take `slack`. The chart's coefficient is not small.
    bool holds(const double* plane_w, double plane_b, int r, double slack) const {
        const double scale = plane_w[chart];
        for (int k = 0; k < r; ++k) {
            double seen = local || k == chart ? -plane_b / scale : plane_w[k] / scale, size = 1;
            for (int j = 0; j < r && local; ++j) {
                seen += plane_w[j] / scale * local->corner[k * r + j];
                size += std::abs(local->corner[k * r + j]);
            }
            if (local && k != chart && local->absolute[k] == 0) {
                seen = 0;
                for (int j = 0; j < r; ++j) seen += plane_w[j] / scale * local->edge[k * r + j];
            }
            const double centre = k == chart ? -b : w[k], reach = k == chart ? db : dw[k];
            if (!(std::abs(seen - centre) <= reach + slack * size)) return false;
        }
        return true;
    }

    // The range of how much the value changes by a step x(0) .. x(r - 1).
    template <class Step>
    ValueRange range_of_step(int r, const Step& x) const {
        r = order_of<R>(r);
        RangeSum sum;
        if (!local) {
            for (int k = 0; k < r; ++k) sum.add(w[k], dw[k], x(k));
            return sum.widened(0);
        }
        double of_offset = 0;
        sum.add(1, 0, x(chart));
        for (int k = 0; k < r; ++k) {
            if (k == chart) continue;
            double y = 0;
            for (int j = 0; j < r; ++j) y += local->inverse[k * r + j] * x(j);
            sum.add(w[k], dw[k], y);
            sum.add(-local->rise(k, r, chart), 0, y);
            of_offset -= local->absolute[k] * y;
        }
        sum.add(-b, db, of_offset);
        return sum.widened(local->error);
    }

private:
    template <class Point>
    ValueRange local_range_of(int r, const Point& x) const {
        r = order_of<R>(r);
        RangeSum sum;
        double offset_share = 1;
        double above = x(chart) - local->corner[chart * r + chart];
        for (int k = 0; k < r; ++k) {
            if (k == chart) continue;
            const double y = local->share(k, r, chart, x), rise = y * local->rise(k, r, chart);
            sum.add(w[k], dw[k], y);
            offset_share -= local->absolute[k] * y;
            above -= rise;
            sum.terms += std::abs(rise);
        }
        sum.add(1, 0, above);
        sum.add(-b, db, offset_share);
        return sum.widened(local->error);
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

// The range of coordinate k of the box's planes (-b for the chart's) in other coordinates (null: the set's own).
template <int R>
ValueRange range_in(const Box<R>& box, int r, const LocalCoordinates<R>* local, int k) {
    const auto corner = [&](int j) { return local->corner[k * r + j]; };
    if (local && (k == box.chart || local->absolute[k] != 0)) return box.range_of(r, corner);
    if (local) return box.range_of_step(r, [&](int j) { return local->edge[k * r + j]; });
    if (k == box.chart) return box.range_of(r, [](int) { return 0.0; });
    return box.range_of_step(r, [&](int j) { return double(j == k); });
}

// A bound of the sum of the terms of a value in local coordinates: what rounding is relative to.
template <int R, class Largest>
double largest_terms(const Box<R>& box, int r, const Largest& largest) {
    double terms = 0, offset = 1;
    for (int k = 0; k < r; ++k) {
        if (k == box.chart) continue;
        const double share = box.local->largest_share(k, r, largest);
        terms += (std::abs(box.w[k]) + box.dw[k] + std::abs(box.local->rise(k, r, box.chart))) * share;
        offset += box.local->absolute[k] * share;
    }
    return terms + (std::abs(box.b) + box.db) * offset;
}

// The same planes, and more, as a box in other coordinates.
template <int R>
void set_in_coordinates(const Box<R>& box, int r, const LocalCoordinates<R>* local, Box<R>& seen) {
    seen.resize(r);
    seen.chart = box.chart;
    seen.local = local;
    for (int k = 0; k < r; ++k) {
        const ValueRange range = range_in(box, r, local, k);
        if (k == box.chart) seen.w[k] = 1, seen.dw[k] = 0, seen.b = -range.value, seen.db = range.radius;
        else seen.w[k] = range.value, seen.dw[k] = range.radius;
    }
}

// Whether some plane may lie in both boxes of one chart.
template <int R>
bool may_meet(const Box<R>& box, const Box<R>& other, int r) {
    for (int k = 0; k < r; ++k) {
        const ValueRange range = range_in(box, r, other.local, k);
        const double centre = k == box.chart ? -other.b : other.w[k], reach = k == box.chart ? other.db : other.dw[k];
        if (!(std::abs(range.value - centre) <= range.radius + reach + 32 * kBoxSlack)) return false;
    }
    return true;
}

// Half 0 is the lower half of coordinate `split`; split == r stands for the offset b. It has the share `cut` of it.
template <int R>
void halve(const Box<R>& box, int r, int split, double cut, int half, Box<R>& child) {
    child = box;
    double& reach = split == r ? child.db : child.dw[split];
    double& centre = split == r ? child.b : child.w[split];
    const double whole = reach;
    reach *= half ? 1 - cut : cut;
    centre += half ? whole - reach : reach - whole;
}

}  // namespace elc
