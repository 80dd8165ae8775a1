// Whether all points of a feature set lie within 1e-8 of one plane (copied, rescaled or constant columns).
//
// The plane is the least-squares one: the right singular vector of the centred points with the smallest singular value,
// scaled so that max |w_j| = 1. A look at the node's covariance settles every ordinary set; only a nearly singular one pays for
// the accurate decomposition (one-sided Jacobi on the points themselves: a covariance loses half of the digits).
#pragma once

#include <cmath>
#include <vector>

#include "jacobi.hpp"
#include "points.hpp"

namespace elc {

namespace detail {

// Right singular vector of the smallest singular value, for given centred columns.
inline std::vector<double> flattest_direction(std::vector<std::vector<double>> columns) {
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
    const int r = points.layout.r;
    if (points.n() < r) return true;
    if (clearly_not_flat(p, features)) return false;
    std::vector<bool> seen(points.n(), false);  // every place counts once
    detail::Vectors columns(r);
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
    const std::vector<double> w = detail::flattest_direction(columns);
    double largest = 0;
    for (double v : w) largest = std::max(largest, std::abs(v));
    for (int i = 0; i < points.n(); ++i) {
        double value = 0;
        for (int q = 0; q < r; ++q) value += w[q] / largest * columns[q][i];
        if (std::abs(value) > kFlatSet) return false;
    }
    return true;
}

}  // namespace elc
