// Moves a box to coordinates that suit its points: measured from their middle, along their own axes.
//
// Points that lie close together far from the origin stay uncertain together in every box whose planes pass them, and
// there are many such boxes. Measured from their own middle, all planes through the cluster, whatever their direction,
// are in a few boxes. So are, along their own axes, the planes through points that lie near a line: a tilt about it
// moves none of them, but a box that is to be small along it would have to be small in every coordinate of the chart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "exact/boxes/frames.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/jacobi.hpp"

namespace elc {

constexpr int kStaleForAxes = 8;    // levels without progress before these are looked for: they cost more
constexpr double kSmaller = 0.125;  // of a box about the points: its volume must be so much smaller

// What a box in chart c makes of a list: the coordinates that suit it, and how much they gain.
template <int R>
class ListCoordinates {
public:
    ListCoordinates(const ScoringList& points, const Box<R>& box, int r, bool with_axes)
        : points_(points), box_(box), r_(r) {
        find_middle();
        if (r_ > 2 && with_axes && !suit()) find_axes();
    }

    // Whether the points fill far less in these coordinates: the product, over the tilts, of how far they reach.
    bool suit() const { return smaller_ < kSmaller; }

    std::shared_ptr<const LocalCoordinates<R>> make() const {
        auto local = std::make_shared<LocalCoordinates<R>>();
        local->resize(r_);
        local->origin = middle_;
        local->tilt = centre_of(box_, r_);
        if (axes_.empty() && box_.local) local->turn = box_.local->turn;
        else
            for (int j = 0; j < r_ * r_; ++j) local->turn[j] = j % (r_ + 1) == 0 ? 1.0 : 0.0;
        for (size_t k = 0; k < axes_.size(); ++k)
            for (size_t j = 0; j < axes_.size(); ++j) local->turn[tilts_[k] * r_ + tilts_[j]] = axes_[k][j];
        return local;
    }

private:
    // The middle of the points, and how much less far they are from it than from the origin.
    void find_middle() {
        set_size(middle_, r_);
        for (int j = 0; j < r_; ++j) {
            double sum = 0;
            for (int i = 0; i < points_.n; ++i) sum += points_.array(j)[i];
            middle_[j] = sum / points_.n;
        }
        for (int k = 0; k < r_; ++k) {
            if (k == box_.chart) continue;
            const double from = box_.coordinate(k, r_, [&](int j) { return middle_[j]; });
            double now = 0, then = 0;
            for (int i = 0; i < points_.n; ++i) {
                const double y = box_.coordinate(k, r_, [&](int j) { return points_.array(j)[i]; });
                now += std::abs(y);
                then += std::abs(y - from);
            }
            if (now > 0) smaller_ *= then / now;
        }
    }

    // The points' own axes among the tilts, and how much less they fill along these.
    void find_axes() {
        for (int j = 0; j < r_; ++j)
            if (j != box_.chart) tilts_.push_back(j);
        for (size_t k = 0; k < tilts_.size(); ++k) {
            axes_.emplace_back(tilts_.size(), 0.0);
            axes_.back()[k] = 1;
        }
        Vectors columns;
        double now = 1, then = 1;
        for (int k : tilts_) {
            columns.emplace_back();
            double size = 0;
            for (int i = 0; i < points_.n; ++i) {
                columns.back().push_back(points_.array(k)[i] - middle_[k]);
                const auto step = [&](int j) { return points_.array(j)[i] - middle_[j]; };
                size += std::abs(box_.local ? box_.local->turned(k, r_, step) : step(k));
            }
            now *= size / points_.n;
        }
        one_sided_jacobi(columns, &axes_);
        for (const std::vector<double>& column : columns) {
            double size = 0;
            for (double y : column) size += std::abs(y);
            then *= size / points_.n;
        }
        if (now > 0) smaller_ *= then / now;
    }

    const ScoringList& points_;
    const Box<R>& box_;
    int r_;
    Numbers<R> middle_;
    std::vector<int> tilts_;  // the coefficients that are not the chart's
    Vectors axes_;            // empty: as before
    double smaller_ = 1;
};

// Moves the frame to coordinates that suit its points, if there is much to gain. The frame's box then becomes an outer
// box, since the list holds what is uncertain in that one alone. `exact` is where the points are gathered.
template <int R>
void move_to_nearer_coordinates(Frame<R>& frame, const Points& points, ExactPoints& exact, UncertainLists<R>& lists,
                                std::vector<OuterBox<R>>& outer) {
    const int r = points.layout.r;
    exact.gather(points, frame.list, [](const HeavyPlace&) { return false; });
    if (exact.list().n == 0) return;
    const ListCoordinates<R> coordinates(exact.list(), frame.box, r, frame.stale >= kStaleForAxes);
    if (!coordinates.suit()) return;
    outer.push_back({frame.box, coordinates.make()});
    set_in_coordinates(outer.back().box, r, outer.back().inner.get(), frame.box);
    frame.list = lists.seen_from(frame.box, frame.list);
    lists.measure(frame.list, frame.spread);
    frame.stale = 0;
}

}  // namespace elc
