// Coordinates of planes that suit a few points, however close together or far apart: heights above corners.
//
// A plane of chart c is x_c + sum t_j x_j = b. Take r corners p_k whose projections along x_c are independent: a point
// then is, but for x_c, a sum of l_k p_k with sum l_k = 1, and the value of the plane at it is the sum of l_k h_k, with
// h_k the value at p_k, and of what x_c exceeds the sum of l_k p_kc by. Written as y_c + sum e_k y_k - b' y_0, with
// e_k = h_k, y_k = l_k, b' = -h_c and y_0 = l_c = 1 - sum y_k, this is of the form that boxes have, but for y_0, which
// is 1 in (t, b). Points near corner k depend on its height alone: a box that is wide in the other heights tells their
// sides as well as a small one.
#pragma once

#include <cmath>
#include <cstddef>

#include "exact/boxes/numbers_of.hpp"

namespace elc {

template <int R>
struct LocalCoordinates {
    Numbers<R * R> corner;   // p, row-major; that of the chart is the one that others are measured from
    Numbers<R * R> edge;     // the step from the chart's corner to corner k, row-major
    Numbers<R * R> inverse;  // l_k = inverse_k . (x - p_c), row-major; zero at the chart's row and column

    Numbers<R> absolute;  // 1 where a coordinate is a height, 0 where it is one relative to the chart's (and there)
    double error = 0;     // by which a value may differ from that in the set's own coordinates, but for its rounding

    void resize(int r) {
        set_size(absolute, r);
        set_size(corner, r * r);
        set_size(edge, r * r);
        set_size(inverse, r * r);
        for (int q = 0; q < r * r; ++q) edge[q] = inverse[q] = 0;
    }

    // Share k of a point x(0) .. x(r - 1).
    template <class Point>
    double share(int k, int r, int chart, const Point& x) const {
        double sum = 0;
        r = order_of<R>(r);
        for (int j = 0; j < r; ++j) sum += inverse[k * r + j] * (x(j) - corner[chart * r + j]);
        return sum;
    }

    // All coordinates of a point x(0) .. x(r - 1), written `stride` apart.
    template <class Point>
    void see(int r, int chart, const Point& x, double* y, size_t stride) const {
        r = order_of<R>(r);
        double above = x(chart) - corner[chart * r + chart];
        for (int k = 0; k < r; ++k) {
            if (k == chart) continue;
            y[k * stride] = share(k, r, chart, x);
            above -= y[k * stride] * rise(k, r, chart);
        }
        y[chart * stride] = above;
    }

    // A bound of the absolute coordinate k of points whose own are at most `largest`.
    template <class Largest>
    double largest_share(int k, int r, const Largest& largest) const {
        double sum = 0;
        for (int j = 0; j < r; ++j) sum += std::abs(inverse[k * r + j]) * 2 * largest[j];
        return sum;
    }

    // How much higher corner k is than the chart's, along x_c.
    double rise(int k, int r, int chart) const { return edge[k * r + chart]; }
};

}  // namespace elc
