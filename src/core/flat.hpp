// Whether all points of a feature set lie within 1e-8 of one plane (copied, rescaled or constant columns).
//
// The plane is the least-squares one: the right singular vector of the centred points with the smallest singular value,
// scaled so that max |w_j| = 1. A look at the node's covariance settles every ordinary set; only a nearly singular one pays for
// the accurate decomposition (one-sided Jacobi on the points themselves: a covariance loses half of the digits).
#pragma once

#include <cmath>
#include <vector>

#include "points.hpp"

namespace elc {

namespace detail {

// Orthogonalises the columns by Jacobi rotations, applied to `basis` too; returns the squared norms.
inline void one_sided_jacobi(std::vector<std::vector<double>>& columns, std::vector<std::vector<double>>& basis) {
    const size_t r = columns.size();
    for (int sweep = 0; sweep < 60; ++sweep) {
        bool rotated = false;
        for (size_t p = 0; p < r; ++p) {
            for (size_t q = p + 1; q < r; ++q) {
                double alpha = 0, beta = 0, gamma = 0;
                for (size_t i = 0; i < columns[p].size(); ++i) {
                    alpha += columns[p][i] * columns[p][i];
                    beta += columns[q][i] * columns[q][i];
                    gamma += columns[p][i] * columns[q][i];
                }
                if (gamma == 0 || std::abs(gamma) <= 1e-16 * std::sqrt(alpha * beta)) continue;
                rotated = true;
                const double zeta = (beta - alpha) / (2 * gamma);
                const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
                const double c = 1 / std::sqrt(1 + t * t), s = c * t;
                const auto rotate = [&](std::vector<double>& u, std::vector<double>& v) {
                    for (size_t i = 0; i < u.size(); ++i) {
                        const double a = u[i], b = v[i];
                        u[i] = c * a - s * b;
                        v[i] = s * a + c * b;
                    }
                };
                rotate(columns[p], columns[q]);
                rotate(basis[p], basis[q]);
            }
        }
        if (!rotated) return;
    }
}

// Right singular vector of the smallest singular value, for given centred columns.
inline std::vector<double> flattest_direction(std::vector<std::vector<double>> columns) {
    const size_t r = columns.size();
    std::vector<std::vector<double>> basis(r, std::vector<double>(r, 0.0));
    for (size_t j = 0; j < r; ++j) basis[j][j] = 1;
    one_sided_jacobi(columns, basis);
    size_t smallest = 0;
    double smallest_norm = kInfinity;
    for (size_t j = 0; j < r; ++j) {
        double norm = 0;
        for (double v : columns[j]) norm += v * v;
        if (norm < smallest_norm) smallest_norm = norm, smallest = j;
    }
    return basis[smallest];
}

}  // namespace detail

// A look at the covariance of the rows: a variance above 1e-10 in every direction leaves some row 1e-5 off any plane.
inline bool clearly_not_flat(const Problem& p, const std::vector<int>& features) {
    const size_t r = features.size();
    std::vector<std::vector<double>> covariance(r, std::vector<double>(r));
    for (size_t a = 0; a < r; ++a)
        for (size_t b = 0; b < r; ++b) {
            if (p.has_missing[features[a]]) return false;
            covariance[a][b] = p.covariance[static_cast<size_t>(features[a]) * p.m + features[b]];
        }
    const std::vector<double> w = detail::flattest_direction(covariance);
    double variance = 0;
    for (size_t a = 0; a < r; ++a)
        for (size_t b = 0; b < r; ++b) variance += w[a] * covariance[a][b] * w[b];
    return variance > 1e-10;
}

inline bool lies_flat(const Problem& p, const std::vector<int>& features, const Points& points) {
    const int r = points.layout.r, n = points.n();
    if (n < r) return true;
    if (clearly_not_flat(p, features)) return false;
    std::vector<double> mean(r, 0.0);
    for (int q = 0; q < r; ++q) {
        for (int i = 0; i < n; ++i) mean[q] += points.array(q)[i];
        mean[q] /= n;
    }
    std::vector<std::vector<double>> columns(r, std::vector<double>(n));
    for (int q = 0; q < r; ++q)
        for (int i = 0; i < n; ++i) columns[q][i] = points.array(q)[i] - mean[q];
    const std::vector<double> w = detail::flattest_direction(columns);
    double largest = 0;
    for (double v : w) largest = std::max(largest, std::abs(v));
    for (int i = 0; i < n; ++i) {
        double value = 0;
        for (int q = 0; q < r; ++q) value += w[q] / largest * columns[q][i];
        if (std::abs(value) > kFlatSet) return false;
    }
    return true;
}

}  // namespace elc
