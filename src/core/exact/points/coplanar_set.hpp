// Whether all points of a feature set lie within 1e-8 of one plane (copied, rescaled or constant columns).
//
// The plane is the least-squares one: the right singular vector of the centred points with the smallest singular value,
// scaled so that max |w_j| = 1. A look at the node's covariance settles every ordinary set; only a nearly singular one
// pays for the accurate decomposition (one-sided Jacobi on the points themselves: a covariance loses half of the
// digits).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/jacobi.hpp"
#include "exact/planes/triangles.hpp"
#include "exact/points/points.hpp"

namespace elc {

// Right singular vector of the smallest singular value, for given centred columns.
inline std::vector<double> thinnest_direction(std::vector<std::vector<double>> columns) {
    const size_t r = columns.size();
    std::vector<std::vector<double>> basis(r, std::vector<double>(r, 0.0));
    for (size_t j = 0; j < r; ++j) basis[j][j] = 1;
    one_sided_jacobi(columns, &basis);
    size_t smallest = 0;
    double smallest_norm = kInfinity;
    for (size_t j = 0; j < r; ++j) {
        const double norm = norm_of(columns[j]);
        if (norm < smallest_norm) smallest_norm = norm, smallest = j;
    }
    return basis[smallest];
}

// A look at the covariance of the rows: a variance above 1e-10 in every direction leaves some row 1e-5 off any plane.
// By Cholesky's factor U: no variance is smaller than 1 / |U^-1|^2.
inline bool clearly_not_coplanar(const ExactNode& node, const std::vector<int>& features) {
    constexpr double kSmallest = 1e-10;
    const int r = static_cast<int>(features.size());
    std::vector<double> u(static_cast<size_t>(r) * r, 0.0);
    for (int i = 0; i < r; ++i) {
        if (node.has_missing[features[i]]) return false;
        for (int j = i; j < r; ++j)
            u[i * r + j] = node.covariance[static_cast<size_t>(features[i]) * node.m + features[j]];
    }
    for (int i = 0; i < r; ++i) {
        if (!(u[i * r + i] > kSmallest)) return false;
        const double root = std::sqrt(u[i * r + i]);
        for (int j = i; j < r; ++j) u[i * r + j] /= root;
        for (int q = i + 1; q < r; ++q)
            for (int j = q; j < r; ++j) u[q * r + j] -= u[i * r + q] * u[i * r + j];
    }
    return inverse_norm_squared(u.data(), r, r, true) * kSmallest < 1;
}

inline bool is_coplanar_set(const ExactNode& node, const std::vector<int>& features, const Points& points) {
    const int r = points.layout.r;
    if (points.n_places < r) return true;
    if (clearly_not_coplanar(node, features)) return false;
    std::vector<bool> seen(points.n_places, false);  // every place counts once
    Vectors columns(r);
    for (size_t slot = 0, next = 0; slot < points.representative.size(); ++slot) {
        if (points.representative[slot] < 0) continue;
        const size_t place = points.place.empty() ? next++ : points.place[slot];
        if (seen[place]) continue;
        seen[place] = true;
        for (int q = 0; q < r; ++q) columns[q].push_back(points.coordinate(q)[slot]);
    }
    for (std::vector<double>& column : columns) {
        double mean = 0;
        for (double value : column) mean += value;
        mean /= static_cast<double>(column.size());
        for (double& value : column) value -= mean;
    }
    const std::vector<double> w = thinnest_direction(columns);
    double largest = 0;
    for (double v : w) largest = std::max(largest, std::abs(v));
    for (int i = 0; i < points.n_places; ++i) {
        double value = 0;
        for (int q = 0; q < r; ++q) value += w[q] / largest * columns[q][i];
        if (std::abs(value) > kCoplanarSet) return false;
    }
    return true;
}

}  // namespace elc
