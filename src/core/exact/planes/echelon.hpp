// Planes through selections that share their first points: each further point costs one elimination step.
//
// Rows are reduced in the order in which points are chosen, each with the largest of its own entries for a pivot. That
// is accurate for all but nearly degenerate selections, and how accurate is bounded: where the bound is not good enough
// the caller puts the plane through the points anew, with complete pivoting (plane_through.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "exact/planes/plane.hpp"

namespace elc {

class Echelon {
public:
    explicit Echelon(int r)
        : r_(r), rows_(static_cast<size_t>(r) * r), scale_(r), pivot_(r), origin_(r), error_(r), is_pivot_(r) {}

    void start(const double* point) { std::copy(point, point + r_, origin_.begin()); }

    // Adds a point as the selection's number `depth` >= 1. False if the points so far are affinely dependent for
    // certain.
    bool add(int depth, const double* point) {
        double* row = row_of(depth - 1);
        for (int j = 0; j < r_; ++j) row[j] = point[j] - origin_[j];
        for (int q = 0; q < depth - 1; ++q) {
            const double* other = row_of(q);
            const double factor = row[pivot_[q]];
            if (factor == 0) continue;
            for (int j = 0; j < r_; ++j) row[j] -= factor * other[j];
            row[pivot_[q]] = 0;
        }
        int pivot = 0;
        for (int j = 1; j < r_; ++j)
            if (std::abs(row[j]) > std::abs(row[pivot])) pivot = j;
        const double largest = std::abs(row[pivot]);
        // Some combination of the differences, this one with factor 1, is no longer than the row.
        if (largest * std::sqrt(static_cast<double>(r_)) < 0.99 * kIndependent) return false;
        const double inverse = 1 / row[pivot];
        for (int j = 0; j < r_; ++j) row[j] *= inverse;
        row[pivot] = 1;
        pivot_[depth - 1] = pivot;
        scale_[depth - 1] = std::min(largest, depth > 1 ? scale_[depth - 2] : largest);
        return true;
    }

    // The plane through the r points chosen, max |w_j| = 1; returns a bound on how far values on it may be off.
    double solve(Plane& plane) {
        std::fill(is_pivot_.begin(), is_pivot_.end(), 0);
        for (int q = 0; q < r_ - 1; ++q) is_pivot_[pivot_[q]] = 1;
        int free = 0;
        while (is_pivot_[free]) ++free;
        double* w = plane.w.data();
        std::fill(w, w + r_, 0.0);
        std::fill(error_.begin(), error_.end(), 0.0);
        w[free] = 1;
        double largest = 1, growth = 1;
        for (int q = r_ - 2; q >= 0; --q) {
            const double* row = row_of(q);
            double sum = 0, error = 1;
            for (int j = 0; j < r_; ++j) {
                sum += row[j] * w[j];
                error += std::abs(row[j]) * error_[j];
            }
            w[pivot_[q]] = -sum;
            error_[pivot_[q]] = error;
            largest = std::max(largest, std::abs(sum));
            growth = std::max(growth, error);
        }
        double b = 0;
        for (int j = 0; j < r_; ++j) {
            w[j] /= largest;
            b += w[j] * origin_[j];
        }
        plane.b = b;
        // Each entry of a row is off by some roundings of what was subtracted from it, over the row's own size.
        return 0x1p-49 * r_ * growth / scale_[r_ - 2];
    }

private:
    double* row_of(int q) { return rows_.data() + static_cast<size_t>(q) * r_; }

    int r_;
    std::vector<double> rows_;   // reduced, each with 1 at its pivot
    std::vector<double> scale_;  // the smallest pivot so far
    std::vector<int> pivot_;
    std::vector<double> origin_, error_;
    std::vector<char> is_pivot_;
};

}  // namespace elc
