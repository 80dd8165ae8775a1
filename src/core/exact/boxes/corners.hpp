// Finds the corners of local coordinates (local_coordinates.hpp) among the points of a list.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

constexpr double kRelativeReach = 0.5;  // a height is relative where the box lets it change by so much less

// Seen along the chart's axis, each corner after the first is the point that is farthest from what those before it
// span; where no point is outside of that, it is any step across. Where the box lets the height of a corner above that
// span change by much less than the height itself, as within a cluster, the former is the coordinate: the corner then
// is the step from the first one that leads straight out of the span.
template <int R>
class CornerFinder {
public:
    // Null if values of points of at most `largest` may be off by more than `most_error`.
    std::shared_ptr<const LocalCoordinates<R>> find(const ScoringList& points, const Box<R>& box, int r,
                                                    const std::vector<double>& largest, double most_error) {
        start(points, box.chart, r);
        most_error_ = most_error;
        auto local = std::make_shared<LocalCoordinates<R>>();
        local->resize(r);
        const int first = set_first(points, *local);
        for (int m = 0; m < d_; ++m) add_corner(points, box, first, m, *local);
        invert(*local);
        local->error = error_of(*local, largest);
        return local->error <= most_error ? local : nullptr;
    }

private:
    void start(const ScoringList& points, int chart, int r) {
        r_ = r;
        chart_ = chart;
        d_ = r - 1;
        tilts_.clear();
        for (int j = 0; j < r; ++j)
            if (j != chart) tilts_.push_back(j);
        rest_.resize(static_cast<size_t>(points.n) * d_);
        axes_.resize(static_cast<size_t>(d_) * d_);
        edges_.assign(static_cast<size_t>(d_) * d_, 0.0);
        step_.assign(r, 0.0);
    }

    // The first corner is where most points are: the one nearest to the medians.
    int set_first(const ScoringList& points, LocalCoordinates<R>& local) {
        for (int q = 0; q < d_; ++q) {
            const double* x = points.array(tilts_[q]);
            sorted_.assign(x, x + points.n);
            std::nth_element(sorted_.begin(), sorted_.begin() + points.n / 2, sorted_.end());
            for (int i = 0; i < points.n; ++i) rest_[i * d_ + q] = x[i] - sorted_[points.n / 2];
        }
        int first = 0;
        for (int i = 1; i < points.n; ++i)
            if (size_of(i) < size_of(first)) first = i;
        for (int i = 0; i < points.n; ++i)
            for (int q = 0; q < d_; ++q)
                rest_[i * d_ + q] = points.array(tilts_[q])[i] - points.array(tilts_[q])[first];
        for (int j = 0; j < r_; ++j) local.corner[chart_ * r_ + j] = points.array(j)[first];
        local.absolute[chart_] = 0;
        return first;
    }

    void add_corner(const ScoringList& points, const Box<R>& box, int first, int m, LocalCoordinates<R>& local) {
        const int corner = farthest(points.n), slot = tilts_[m];
        double* axis = &axes_[m * d_];
        std::copy(&rest_[corner * d_], &rest_[corner * d_] + d_, axis);
        for (int earlier = 0; earlier < m; ++earlier) remove(&axes_[earlier * d_], axis);
        double length = std::sqrt(product(axis, axis));
        const bool is_flat = !(length > most_error_);  // in that direction the points do not differ
        if (is_flat) length = set_across(m, axis);
        for (int q = 0; q < d_; ++q) axis[q] /= length;
        for (int i = 0; i < points.n; ++i) remove(axis, &rest_[i * d_]);
        if (is_flat) length = 1;
        for (int q = 0; q < d_; ++q) step_[tilts_[q]] = axis[q] * length;
        const auto place = [&](int j) { return points.array(j)[corner]; };
        const double straight = box.range_of_step(r_, [&](int j) { return step_[j]; }).radius;
        const bool relative = is_flat || straight < kRelativeReach * box.range_of(r_, place).radius;
        local.absolute[slot] = relative ? 0 : 1;
        for (int j = 0; j < r_; ++j) {
            local.edge[slot * r_ + j] = relative ? step_[j] : place(j) - points.array(j)[first];
            local.corner[slot * r_ + j] = relative ? points.array(j)[first] + step_[j] : place(j);
        }
        for (int earlier = 0; earlier < m && !relative; ++earlier)
            for (int q = 0; q < d_; ++q)
                edges_[m * d_ + earlier] += axes_[earlier * d_ + q] * local.edge[slot * r_ + tilts_[q]];
        edges_[m * d_ + m] = length;
    }

    // Sets axis m to the direction across those before it that is nearest to a coordinate's, and returns its length.
    double set_across(int m, double* axis) {
        double most = -1;
        for (int q = 0; q < d_; ++q) {
            across_.assign(d_, 0.0);
            across_[q] = 1;
            for (int earlier = 0; earlier < m; ++earlier) remove(&axes_[earlier * d_], across_.data());
            const double size = product(across_.data(), across_.data());
            if (size > most) most = size, std::copy(across_.begin(), across_.end(), axis);
        }
        return std::sqrt(most);
    }

    // A point's parts along the axes are the sums of its shares of the edges' parts: back substitution.
    void invert(LocalCoordinates<R>& local) const {
        for (int m = d_ - 1; m >= 0; --m)
            for (int q = 0; q < d_; ++q) {
                double value = axes_[m * d_ + q];
                for (int later = m + 1; later < d_; ++later)
                    value -= edges_[later * d_ + m] * local.inverse[tilts_[later] * r_ + tilts_[q]];
                local.inverse[tilts_[m] * r_ + tilts_[q]] = value / edges_[m * d_ + m];
            }
    }

    // How much the value of a plane with tilts of at most 1 may differ from what a point's shares say: what the shares
    // leave of the step from the first corner to the point, and what rounding adds.
    double error_of(const LocalCoordinates<R>& local, const std::vector<double>& largest) const {
        double error = 0;
        for (int j : tilts_)
            for (int m : tilts_) {
                double left = j == m ? 1.0 : 0.0, size = 1;
                for (int k : tilts_) {
                    const double part = local.edge[k * r_ + j] * local.inverse[k * r_ + m];
                    left -= part;
                    size += std::abs(part);
                }
                error += (std::abs(left) + (r_ + 2) * kRounding * size) * 2 * largest[m];
            }
        return error;
    }

    int farthest(int n) const {
        int best = 0;
        double most = -1;
        for (int i = 0; i < n; ++i)
            if (size_of(i) > most) most = size_of(i), best = i;
        return best;
    }

    double size_of(int i) const { return product(&rest_[i * d_], &rest_[i * d_]); }

    double product(const double* a, const double* b) const {
        double sum = 0;
        for (int q = 0; q < d_; ++q) sum += a[q] * b[q];
        return sum;
    }

    // Takes the part along an axis away.
    void remove(const double* axis, double* vector) const {
        const double part = product(axis, vector);
        for (int q = 0; q < d_; ++q) vector[q] -= part * axis[q];
    }

    int r_ = 0, chart_ = 0, d_ = 0;
    double most_error_ = kLocalError;
    std::vector<int> tilts_;     // the coordinates that are not the chart's
    std::vector<double> rest_;   // of each point what lies outside of the span so far
    std::vector<double> axes_;   // orthonormal, row-major
    std::vector<double> edges_;  // the steps to the corners along the axes, row-major
    std::vector<double> step_;
    std::vector<double> sorted_, across_;  // scratch
};

}  // namespace elc
