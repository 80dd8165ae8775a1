// The hyperplane through r points of R^r, and whether the points fix one.
//
// The points must lie on the plane up to rounding even where the selection is nearly degenerate: for r = 2 and 3 the
// normal is written down, in products without rounding error; for larger r it comes from Gaussian elimination with
// complete pivoting on the r-1 differences. A selection counts as affinely independent if the smallest of the r-1
// leading singular values of its centred coordinates exceeds 1e-7; bounds decide all but the close cases.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "exact/exact_node.hpp"
#include "exact/jacobi.hpp"
#include "exact/tolerances.hpp"

namespace elc {

struct Plane {
    std::vector<double> w;
    double b = 0;
};

enum PlaneSide { kBelow = -1, kOn = 0, kAbove = 1, kIncomplete = 2 };

// Where sorted row i lies; a row with a missing value in the feature set is incomplete.
inline int plane_side_of(const ExactNode& p, const std::vector<int>& features, const Plane& plane, int r, int i) {
    for (int feature : features)
        if (p.codes(feature)[i] < 0) return kIncomplete;
    double value = 0;
    for (int j = 0; j < r; ++j) {
        const double term = plane.w[j] * p.column(features[j])[i];
        value = j == 0 ? term : value + term;
    }
    value -= plane.b;
    return value > kOnPlane ? kAbove : value < -kOnPlane ? kBelow : kOn;
}

namespace detail {

// Smallest of the r-1 leading singular values of the centred r x r matrix.
inline double smallest_leading_singular_value(const double* points, int r) {
    if (r == 2) return std::hypot(points[0] - points[2], points[1] - points[3]) / std::sqrt(2.0);
    std::vector<std::vector<double>> columns(r, std::vector<double>(r));
    for (int j = 0; j < r; ++j) {
        double mean = 0;
        for (int i = 0; i < r; ++i) mean += points[i * r + j];
        mean /= r;
        for (int i = 0; i < r; ++i) columns[j][i] = points[i * r + j] - mean;
    }
    one_sided_jacobi(columns);
    std::vector<double> norms(r);
    for (int j = 0; j < r; ++j) norms[j] = norm_of(columns[j]);
    std::sort(norms.begin(), norms.end());
    return norms[1];
}

// Squared Frobenius norm of the inverse of an n x n triangle held in an array of `stride` columns: the upper one with
// its diagonal, or the lower one with ones for a diagonal.
inline double inverse_norm_squared(const double* a, int n, int stride, bool upper) {
    std::vector<double> column(n);
    double total = 0;
    for (int c = 0; c < n; ++c) {
        if (upper) {
            column[c] = 1 / a[c * stride + c];
            for (int i = c - 1; i >= 0; --i) {
                double sum = 0;
                for (int j = i + 1; j <= c; ++j) sum += a[i * stride + j] * column[j];
                column[i] = -sum / a[i * stride + i];
            }
            for (int i = 0; i <= c; ++i) total += column[i] * column[i];
        } else {
            column[c] = 1;
            for (int i = c + 1; i < n; ++i) {
                double sum = 0;
                for (int j = c; j < i; ++j) sum += a[i * stride + j] * column[j];
                column[i] = -sum;
            }
            for (int i = c; i < n; ++i) total += column[i] * column[i];
        }
    }
    return total;
}

// Whether the factors of the differences D = L U leave no doubt: the smallest singular value of the centred points is
// at least that of D over sqrt(r), and D's at least 1 / (|L^-1| |U^-1|).
inline bool clearly_independent(const double* factors, int r) {
    const double inverse =
        inverse_norm_squared(factors, r - 1, r, false) * inverse_norm_squared(factors, r - 1, r, true);
    return 1 / std::sqrt(inverse * r) > 1.001 * kIndependent;
}

}  // namespace detail

namespace detail {

// A product without rounding error: high + low.
struct Product {
    double high, low;
};

// A number in two halves of 26 bits, whose products are exact.
struct Halved {
    explicit Halved(double v) : value(v) {
        const double scaled = 134217729.0 * v;  // 2^27 + 1
        high = scaled - (scaled - v);
        low = v - high;
    }
    double value, high, low;
};

inline Product operator*(const Halved& a, const Halved& b) {
    const double product = a.value * b.value;
    return {product, ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low};
}

inline double operator-(const Product& a, const Product& b) { return (a.high - b.high) + (a.low - b.low); }

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

}  // namespace detail

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
    static inline __attribute__((always_inline)) bool find(const double* points, int r, double* a, double* null_vector,
                                                           int* column, Plane& plane) {
        for (int j = 0; j < r; ++j) column[j] = j;
        for (int i = 1; i < r; ++i)
            for (int j = 0; j < r; ++j) a[(i - 1) * r + j] = points[i * r + j] - points[j];
        double last_pivot = 0;
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
        const bool independent = last_pivot >= 1e-7 * 4 * r * std::ldexp(1.0, r) || detail::clearly_independent(a, r) ||
                                 detail::smallest_leading_singular_value(points, r) > kIndependent;
        if (!independent) return false;
        null_vector[r - 1] = 1;
        double largest = 1;
        for (int i = r - 2; i >= 0; --i) {
            double sum = a[i * r + r - 1];
            for (int j = i + 1; j < r - 1; ++j) sum += a[i * r + j] * null_vector[j];
            null_vector[i] = -sum / a[i * r + i];
            largest = std::max(largest, std::abs(null_vector[i]));
        }
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
        detail::set_plane<2>(points, normal, plane);
        return true;
    }
};

template <>
class PlaneMaker<3> {
public:
    bool through(const double* points, int, Plane& plane) {
        using detail::Halved;
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
        detail::set_plane<3>(points, normal, plane);
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
