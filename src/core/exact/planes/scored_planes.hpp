// The planes scored so far that have more points on them than define them: another selection of those has the same
// plane but for rounding, and is not scored again where no row notices the difference.
//
// A difference counts as it is, in the values of rows, and never by how near the points are to a plane: three points
// within 1e-15 of it, two of them a millionth apart, tilt a plane by more than the tolerance across the table. Only
// where the points on a plane are divided in every linear way do points that are coplanar up to rounding have one
// plane: what a tilt by rounding adds to those ways is no split that any plane makes.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "exact/node/tolerances.hpp"
#include "exact/planes/plane.hpp"

namespace elc {

class ScoredPlanes {
public:
    // Begins a list of points with coordinates up to `largest`.
    void begin(const std::vector<double>& largest) {
        largest_ = &largest;
        planes_.clear();
        tolerance_.clear();
    }

    // No row changes its side on a plane whose values differ from the given one's by less than the tolerance.
    void remember(const Plane& plane, double tolerance) {
        planes_.insert(planes_.end(), plane.w.begin(), plane.w.end());
        planes_.push_back(plane.b);
        tolerance_.push_back(tolerance);
    }

    // Whether the plane, whose values may be off by `error`, divides the rows as a remembered one does.
    bool hold(const Plane& plane, double error = 0) const {
        const size_t r = plane.w.size();
        for (size_t at = 0; at < tolerance_.size(); ++at)
            if (difference(plane, planes_.data() + at * (r + 1)) + error < tolerance_[at]) return true;
        return false;
    }

    // Whether r points, row-major, lie on a remembered plane up to rounding.
    bool pass_through(const double* points, size_t r) const {
        for (size_t at = 0; at < tolerance_.size(); ++at) {
            size_t n_on = 0;
            while (n_on < r && is_on(planes_.data() + at * (r + 1), points + n_on * r, r)) ++n_on;
            if (n_on == r) return true;
        }
        return false;
    }

private:
    static bool is_on(const double* plane, const double* point, size_t r) {
        double value = -plane[r];
        for (size_t j = 0; j < r; ++j) value += plane[j] * point[j];
        return std::abs(value) <= kCoplanarByRounding;
    }

    // The largest difference of the values of a row, with the other plane turned as this one is.
    double difference(const Plane& plane, const double* other) const {
        const size_t r = plane.w.size();
        double product = 0;
        for (size_t j = 0; j < r; ++j) product += plane.w[j] * other[j];
        const double sign = product < 0 ? -1.0 : 1.0;
        double sum = std::abs(plane.b - sign * other[r]);
        for (size_t j = 0; j < r; ++j) sum += std::abs(plane.w[j] - sign * other[j]) * (*largest_)[j];
        return sum;
    }

    const std::vector<double>* largest_ = nullptr;
    std::vector<double> planes_;  // r coefficients and the offset of each
    std::vector<double> tolerance_;
};

}  // namespace elc
