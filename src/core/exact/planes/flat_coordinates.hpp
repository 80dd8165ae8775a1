// Coordinates of points within the flat that they span: as few of their own coordinates as tell them apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "exact/node/tolerances.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

// The longest coefficient of a plane, the first of equal ones.
inline int longest_of(const std::vector<double>& w) {
    const auto is_shorter = [](double a, double b) { return std::abs(a) < std::abs(b) - kOnPlane; };
    return static_cast<int>(std::max_element(w.begin(), w.end(), is_shorter) - w.begin());
}

// Points on a plane are told apart by their coordinates without the one of its longest coefficient, which the others
// and the plane give: so ways to divide them do not depend on the order of the features.
inline std::vector<int> without_longest(std::vector<int> columns, const std::vector<double>& w) {
    columns.erase(columns.begin() + longest_of(w));
    return columns;
}

// Gaussian elimination with complete pivoting on the differences from the first point; the columns of the pivots are
// coordinates of the flat. What is within the tolerance of the span so far counts as in it.
class FlatCoordinates {
public:
    int dimension() const { return static_cast<int>(columns_.size()); }
    const std::vector<int>& columns() const { return columns_; }
    double distance() const { return distance_; }  // of the points from the flat
    double coordinate(int i, int j) const { return coordinates_[static_cast<size_t>(j) * n_ + i]; }

    // w.y of point i.
    double value(int i, const double* w) const {
        double sum = 0;
        for (int j = 0; j < dimension(); ++j) sum += w[j] * coordinate(i, j);
        return sum;
    }

    // Of the points on[open[i]], which the columns `among` tell apart, up to the tolerance `near`.
    void find(const ExactPoints& points, const std::vector<int>& on, const std::vector<int>& open,
              const std::vector<int>& among, double near) {
        n_ = open.size();
        columns_.clear();
        distance_ = 0;
        const int r = static_cast<int>(among.size());
        std::vector<double> rest(n_ * r);  // row by row: what each point has outside of the span so far
        for (size_t i = 0; i < n_; ++i)
            for (int j = 0; j < r; ++j)
                rest[i * r + j] = points.coordinate(on[open[i]], among[j]) - points.coordinate(on[open[0]], among[j]);
        while (dimension() < r) {
            const size_t largest = std::max_element(rest.begin(), rest.end(),
                                                    [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                                   rest.begin();
            distance_ = std::abs(rest[largest]);
            if (distance_ <= near) break;
            distance_ = 0;
            const int column = static_cast<int>(largest % r);
            columns_.push_back(among[column]);
            const std::vector<double> pivot(rest.begin() + largest - column, rest.begin() + largest - column + r);
            for (size_t i = 0; i < n_; ++i) {
                const double factor = rest[i * r + column] / pivot[column];
                for (int j = 0; j < r; ++j) rest[i * r + j] -= factor * pivot[j];
                rest[i * r + column] = 0;
            }
        }
        std::sort(columns_.begin(), columns_.end());
        coordinates_.resize(n_ * columns_.size());
        for (size_t j = 0; j < columns_.size(); ++j)
            for (size_t i = 0; i < n_; ++i) coordinates_[j * n_ + i] = points.coordinate(on[open[i]], columns_[j]);
    }

private:
    size_t n_ = 0;
    double distance_ = 0;
    std::vector<int> columns_;
    std::vector<double> coordinates_;  // column by column
};

}  // namespace elc
