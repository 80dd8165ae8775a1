// The hyperplane through r points of R^r, and whether the points fix one.
//
// Gaussian elimination with complete pivoting on the r-1 differences: backward stable, so the points lie on the plane up
// to rounding even where the selection is nearly degenerate. A selection counts as affinely independent if the smallest
// of the r-1 leading singular values of its centred coordinates exceeds 1e-7; the last pivot decides the clear cases.
#pragma once

#include <algorithm>
#include <cmath>

#include "problem.hpp"

namespace elc {

constexpr int kMaxR = 256;

struct Plane {
    double w[kMaxR];
    double b;
};

// Smallest of the r-1 leading singular values of the centred r x r matrix, by one-sided Jacobi (accurate to rounding).
inline double smallest_leading_singular_value(const double* points, int r) {
    if (r == 2) return std::hypot(points[0] - points[2], points[1] - points[3]) / std::sqrt(2.0);
    double a[kMaxR][kMaxR];
    for (int j = 0; j < r; ++j) {
        double mean = 0;
        for (int i = 0; i < r; ++i) mean += points[i * r + j];
        mean /= r;
        for (int i = 0; i < r; ++i) a[j][i] = points[i * r + j] - mean;
    }
    for (int sweep = 0; sweep < 60; ++sweep) {
        bool rotated = false;
        for (int p = 0; p < r; ++p) {
            for (int q = p + 1; q < r; ++q) {
                double alpha = 0, beta = 0, gamma = 0;
                for (int i = 0; i < r; ++i) {
                    alpha += a[p][i] * a[p][i];
                    beta += a[q][i] * a[q][i];
                    gamma += a[p][i] * a[q][i];
                }
                if (std::abs(gamma) <= 4e-16 * std::sqrt(alpha * beta) || gamma == 0) continue;
                rotated = true;
                const double zeta = (beta - alpha) / (2 * gamma);
                const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
                const double c = 1 / std::sqrt(1 + t * t), s = c * t;
                for (int i = 0; i < r; ++i) {
                    const double u = a[p][i], v = a[q][i];
                    a[p][i] = c * u - s * v;
                    a[q][i] = s * u + c * v;
                }
            }
        }
        if (!rotated) break;
    }
    double norms[kMaxR];
    for (int p = 0; p < r; ++p) {
        double sum = 0;
        for (int i = 0; i < r; ++i) sum += a[p][i] * a[p][i];
        norms[p] = std::sqrt(sum);
    }
    std::sort(norms, norms + r);
    return norms[1];
}

// Plane through r points (row-major r x r). False if they are affinely dependent. The result has max |w_j| = 1.
template <int R>
bool plane_through(const double* points, int r_runtime, Plane& plane) {
    const int r = R ? R : r_runtime;
    double a[R ? R : kMaxR][R ? R : kMaxR];
    int column[R ? R : kMaxR];
    for (int j = 0; j < r; ++j) column[j] = j;
    for (int i = 1; i < r; ++i)
        for (int j = 0; j < r; ++j) a[i - 1][j] = points[i * r + j] - points[j];
    double last_pivot = 0;
    for (int step = 0; step < r - 1; ++step) {
        int pivot_row = step, pivot_column = step;
        double largest = -1;
        for (int i = step; i < r - 1; ++i)
            for (int j = step; j < r; ++j)
                if (std::abs(a[i][j]) > largest) largest = std::abs(a[i][j]), pivot_row = i, pivot_column = j;
        last_pivot = largest;
        if (largest * 1.4142135623730951 <= kIndependent * (1 - 1e-6)) return false;
        if (pivot_row != step)
            for (int j = 0; j < r; ++j) std::swap(a[step][j], a[pivot_row][j]);
        if (pivot_column != step) {
            for (int i = 0; i < r - 1; ++i) std::swap(a[i][step], a[i][pivot_column]);
            std::swap(column[step], column[pivot_column]);
        }
        for (int i = step + 1; i < r - 1; ++i) {
            const double factor = a[i][step] / a[step][step];
            for (int j = step + 1; j < r; ++j) a[i][j] -= factor * a[step][j];
        }
    }
    const double clearly_independent = 1e-7 * 4 * r * std::ldexp(1.0, r);
    if (last_pivot < clearly_independent && !(smallest_leading_singular_value(points, r) > kIndependent)) return false;

    double null_vector[R ? R : kMaxR];
    null_vector[r - 1] = 1;
    double largest = 1;
    for (int i = r - 2; i >= 0; --i) {
        double sum = a[i][r - 1];
        for (int j = i + 1; j < r - 1; ++j) sum += a[i][j] * null_vector[j];
        null_vector[i] = -sum / a[i][i];
        largest = std::max(largest, std::abs(null_vector[i]));
    }
    for (int j = 0; j < r; ++j) plane.w[column[j]] = null_vector[j] / largest;
    double sum = 0;
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < r; ++j) sum += plane.w[j] * points[i * r + j];
    plane.b = sum / r;
    return true;
}

}  // namespace elc
