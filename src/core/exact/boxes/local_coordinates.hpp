// Coordinates of planes and points that suit a few points far from the origin, or near a line.
//
// A plane of chart c is x_c + sum t_j x_j = b. Let t = t0 + U' e with an orthogonal U, and let points be measured from
// an origin o: y_k = sum U_kj (x_j - o_j), y_c = x_c - o_c + sum t0_j (x_j - o_j). Then the value of the plane at x is
// y_c + sum e_k y_k - b', with b' = b - o_c - sum t_j o_j: of the same form. So boxes in (e, b') are halved as those in
// (t, b) are. Where the points lie near a line, say, only the tilt along it moves them far; in (t, b) every tilt would.
#pragma once

#include <cmath>

#include "exact/boxes/numbers_of.hpp"

namespace elc {

template <int R>
struct LocalCoordinates {
    Numbers<R> origin, tilt;  // o; t0, with 1 at the chart's coefficient
    Numbers<R * R> turn;      // U, row-major; the identity at the chart's row and column

    void resize(int r) {
        set_size(origin, r);
        set_size(tilt, r);
        set_size(turn, r * r);
    }

    // Row `row` of the turn times a vector.
    template <class Vector>
    double turned(int row, int r, const Vector& vector) const {
        double sum = 0;
        for (int j = 0; j < r; ++j) sum += turn[row * r + j] * vector(j);
        return sum;
    }

    // Coordinate k of a point x(0) .. x(r - 1).
    template <class Point>
    double of_point(int k, int r, int chart, const Point& x) const {
        const auto step = [&](int j) { return x(j) - origin[j]; };
        if (k != chart) return turned(k, r, step);
        double sum = 0;
        for (int j = 0; j < r; ++j) sum += tilt[j] * step(j);
        return sum;
    }
};

}  // namespace elc
