// The hyperplane through r points of R^r.
//
// The points must lie on the plane up to rounding even where the selection is nearly degenerate: for r = 2 and 3 the
// normal is written down, in products without rounding error; for larger r it comes from Gaussian elimination with
// complete pivoting on the r-1 differences. Bounds decide all but the close cases of independence.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "common/inline.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/exact_products.hpp"
#include "exact/planes/independence.hpp"
#include "exact/planes/plane.hpp"

namespace elc {

// Scales the normal to max |w_j| = 1 and puts the plane through the points' middle.
template <int R>
void set_plane(const double* points, const double* normal, Plane& plane) {
    double largest = 0, sum = 0;
    double* w = plane.w.data();
    for (int j = 0; j < R; ++j) largest = std::max(largest, std::abs(normal[j]));
    for (int j = 0; j < R; ++j) w[j] = normal[j] / largest;
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum += w[j] * points[i * R + j];
    plane.b = sum / R;
}

// Makes planes; keeps the memory that it needs where r is not known at compile time.
template <int R>
class PlaneMaker {
public:
    // Plane through r points (row-major r x r). False if they are affinely dependent. The result has max |w_j| = 1.
    bool through(const double* points, int r, Plane& plane) {
        if constexpr (R > 0) {
            double factors[R * R], null_vector[R];
            int column[R];
            return find(points, R, factors, null_vector, column, plane);
        } else {
            factors_.resize(static_cast<size_t>(r) * r);
            null_vector_.resize(r);
            column_.resize(r);
            return find(points, r, factors_.data(), null_vector_.data(), column_.data(), plane);
        }
    }

private:
    // Eliminates the differences a with complete pivoting; false if the points are dependent for certain.
    static ELC_INLINE bool eliminate(double* a, int r, int* column, double& last_pivot) {
        for (int step = 0; step < r - 1; ++step) {
            int pivot_row = step, pivot_column = step;
            double largest = -1;
            for (int i = step; i < r - 1; ++i)
                for (int j = step; j < r; ++j)
                    if (std::abs(a[i * r + j]) > largest)
                        largest = std::abs(a[i * r + j]), pivot_row = i, pivot_column = j;
            last_pivot = largest;
            if (largest * 1.4142135623730951 <= kIndependent * (1 - 1e-6)) return false;
            if (pivot_row != step)
                for (int j = 0; j < r; ++j) std::swap(a[step * r + j], a[pivot_row * r + j]);
            if (pivot_column != step) {
                for (int i = 0; i < r - 1; ++i) std::swap(a[i * r + step], a[i * r + pivot_column]);
                std::swap(column[step], column[pivot_column]);
            }
            for (int i = step + 1; i < r - 1; ++i) {
                const double factor = a[i * r + step] /= a[step * r + step];
                for (int j = step + 1; j < r; ++j) a[i * r + j] -= factor * a[step * r + j];
            }
        }
        return true;
    }

    // What is orthogonal to the eliminated differences; returns its largest entry.
    static ELC_INLINE double find_null_vector(const double* a, int r, double* null_vector) {
        null_vector[r - 1] = 1;
        double largest = 1;
        for (int i = r - 2; i >= 0; --i) {
            double sum = a[i * r + r - 1];
            for (int j = i + 1; j < r - 1; ++j) sum += a[i * r + j] * null_vector[j];
            null_vector[i] = -sum / a[i * r + i];
            largest = std::max(largest, std::abs(null_vector[i]));
        }
        return largest;
    }

    static ELC_INLINE bool find(const double* points, int r, double* a, double* null_vector, int* column,
                                Plane& plane) {
        for (int j = 0; j < r; ++j) column[j] = j;
        for (int i = 1; i < r; ++i)
            for (int j = 0; j < r; ++j) a[(i - 1) * r + j] = points[i * r + j] - points[j];
        double last_pivot = 0;
        if (!eliminate(a, r, column, last_pivot)) return false;
        const bool independent = last_pivot >= 1e-7 * 4 * r * std::ldexp(1.0, r) || clearly_independent(a, r) ||
                                 smallest_leading_singular_value(points, r) > kIndependent;
        if (!independent) return false;
        const double largest = find_null_vector(a, r, null_vector);
        double* w = plane.w.data();
        for (int j = 0; j < r; ++j) w[column[j]] = null_vector[j] / largest;
        double sum = 0;
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < r; ++j) sum += w[j] * points[i * r + j];
        plane.b = sum / r;
        return true;
    }

    std::vector<double> factors_, null_vector_;
    std::vector<int> column_;
};

template <>
class PlaneMaker<2> {
public:
    bool through(const double* points, int, Plane& plane) {
        const double normal[2] = {points[3] - points[1], points[0] - points[2]};
        if (!(std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]) > kIndependent * std::sqrt(2.0))) return false;
        set_plane<2>(points, normal, plane);
        return true;
    }
};

template <>
class PlaneMaker<3> {
public:
    bool through(const double* points, int, Plane& plane) {
        double d[2][3], centred = 0;
        for (int j = 0; j < 3; ++j) {
            d[0][j] = points[3 + j] - points[j];
            d[1][j] = points[6 + j] - points[j];
            // The centred points' squares: (|p1 - p0|^2 + |p2 - p0|^2 + |p2 - p1|^2) / 3.
            const double side = d[1][j] - d[0][j];
            centred += d[0][j] * d[0][j] + d[1][j] * d[1][j] + side * side;
        }
        const Halved a0(d[0][0]), a1(d[0][1]), a2(d[0][2]), b0(d[1][0]), b1(d[1][1]), b2(d[1][2]);
        const double normal[3] = {a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0};
        const double area = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
        if (!independent(centred / 3, area / 3)) return false;
        set_plane<3>(points, normal, plane);
        return true;
    }

private:
    // From the sum and the product of the two squared singular values.
    static bool independent(double sum, double product) {
        constexpr double kSquare = kIndependent * kIndependent;
        if (product > 1.001 * kSquare * sum) return true;  // the smaller one is at least product / sum
        const double larger = (sum + std::sqrt(std::max(0.0, sum * sum - 4 * product))) / 2;
        return product > kSquare * larger;
    }
};

}  // namespace elc
