// What points have outside of a flat, one direction after another (affine_rank.hpp).
#pragma once

#include <cstddef>

#include "exact/passes/lanes.hpp"
#include "exact/passes/passes.hpp"

namespace elc {
namespace {

// The sums of a few products have the order of plain loops, so that all machines see the same numbers.
template <int R, bool First>
ELC_INLINE Vector<double> residuals_of_eight(const double* from, size_t from_stride, int r, const double* direction,
                                             double* rest, size_t stride, int i) {
    using V = Vector<double>;
    V along{}, square{};
    for (int j = 0; j < r && !First; ++j) along += direction[j] * load(from + j * from_stride + i);
    for (int j = 0; j < r; ++j) {
        V x = load(from + j * from_stride + i);
        if (First) x -= from[j * from_stride];
        else x -= direction[j] * along;
        store(rest + j * stride + i, x);
        square += x * x;
    }
    return square;
}

// The first of n numbers that is `largest`, which none exceeds.
inline int place_of(const double* numbers, int n, double largest) {
    using Lanes = LanesOf<double>;
    for (int i = 0; i < n; i += 8) {
        const uint64_t found = Lanes::bits(Lanes::at_most(Vector<double>{} + largest, load(numbers + i)));
        if (found) return i + lowest_bit(found);
    }
    return 0;
}

template <int R, bool First>
int take_direction(const double* from, size_t from_stride, int n, int r_any, const double* direction, double* rest,
                   size_t stride, double* squares) {
    const int r = R ? R : r_any, whole = n / 8 * 8;
    Vector<double> most{};
    for (int i = 0; i < whole; i += 8) {
        const auto square = residuals_of_eight<R, First>(from, from_stride, r, direction, rest, stride, i);
        store(squares + i, square);
        most = larger<double>(most, square);
    }
    if (whole < n) {
        store(squares + whole, residuals_of_eight<R, First>(from, from_stride, r, direction, rest, stride, whole));
        // Other points, or padding, are none of the n.
        for (int i = n; i < whole + 8; ++i) squares[i] = 0;
        most = larger<double>(most, load(static_cast<const double*>(squares) + whole));
    }
    double largest = 0;
    for (int lane = 0; lane < 8; ++lane) largest = most[lane] > largest ? most[lane] : largest;
    return place_of(squares, n, largest);
}

template <int R>
int residuals(const ScoringList& list, int n, int r, const double* direction, double* rest, size_t stride,
              double* squares) {
    if (!direction) return take_direction<R, true>(list.base, list.stride, n, r, direction, rest, stride, squares);
    return take_direction<R, false>(rest, stride, n, r, direction, rest, stride, squares);
}

}  // namespace
}  // namespace elc
