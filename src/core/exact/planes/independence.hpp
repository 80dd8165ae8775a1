// Whether points fix a plane: an affinely independent selection has leading singular values above 1e-7.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"
#include "exact/planes/jacobi.hpp"
#include "exact/planes/triangles.hpp"

namespace elc {

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

// Whether the factors of the differences D = L U leave no doubt: the smallest singular value of the centred points is
// at least that of D over sqrt(r), and D's at least 1 / (|L^-1| |U^-1|).
inline bool clearly_independent(const double* factors, int r) {
    const double inverse =
        inverse_norm_squared(factors, r - 1, r, false) * inverse_norm_squared(factors, r - 1, r, true);
    return 1 / std::sqrt(inverse * r) > 1.001 * kIndependent;
}

// Whether two points are so near to each other that no selection with both is independent: the smallest singular value
// of a selection is at most the distance of two of its points over the root of two.
inline bool are_at_one_place(const ScoringList& list, int i, int other, int r) {
    double distance = 0;
    for (int j = 0; j < r; ++j) {
        const double step = list.array(j)[i] - list.array(j)[other];
        distance += step * step;
    }
    return distance < 1.99 * kIndependent * kIndependent;
}

}  // namespace elc
