// Where a plane had best stop that turns about all but one of its points.
//
// The planes through r - 1 points are a family of one parameter, and each other point is on one of them. In the order
// of that parameter a scan tells the losses of all these planes, but for the rounding and the tolerances that decide a
// plane's true score: what is found here is to be scored like any other candidate. Points are put into bins of the
// parameter. What the points of a bin weigh together tells whether a stop among them may be better than what is known,
// and only then are they looked at one by one, so that a scan takes O(n).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/numbers_of.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/plane.hpp"
#include "exact/planes/plane_through.hpp"
#include "exact/planes/side_scoring.hpp"
#include "exact/points/points.hpp"

namespace elc {

template <int R, class Criterion>
class PlaneTurning {
public:
    PlaneTurning(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), above_(node.width), on_(node.width) {
        set_size(coordinates_, node.options.r * node.options.r);
        plane_.w.resize(node.options.r);
        other_.w.resize(node.options.r);
    }

    // The point to take the place of selection[leaves]; the one that is there if no other seems to lead to a loss below
    // `known`.
    int best_stop(const ExactPoints& points, const std::vector<int>& selection, int leaves, const SubsetPoints& subset,
                  double known) {
        best_ = selection[leaves];
        least_ = known;
        if (!set_planes(points, selection, leaves)) return best_;
        put_in_bins(points, selection[leaves], subset.points.base);
        for (int bin = 0; bin < n_bins_; ++bin)
            if (n_in_[bin] > 0) pass(points, bin, subset.points.missing);
        return best_;
    }

private:
    static constexpr double kOneStop = 1e-12;
    static constexpr int kPointsPerBin = 8;

    // Where the plane meets a point, and whether that is above it afterwards, and below it before.
    struct Stop {
        double at;
        int point;
        bool above;

        bool operator<(const Stop& other) const { return at != other.at ? at < other.at : point < other.point; }
    };

    int order() const { return R ? R : node_.options.r; }

    // The plane of the selection, and one through those that stay that is orthogonal to it.
    bool set_planes(const ExactPoints& points, const std::vector<int>& selection, int leaves) {
        const int r = order(), stays = leaves == 0 ? 1 : 0;
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < r; ++j) coordinates_[i * r + j] = points.coordinate(selection[i], j);
        if (!maker_.through(coordinates_.data(), r, plane_)) return false;
        for (int j = 0; j < r; ++j) coordinates_[leaves * r + j] = coordinates_[stays * r + j] + plane_.w[j];
        return maker_.through(coordinates_.data(), r, other_);
    }

    void take_values(const Plane& plane, const ExactPoints& points, std::vector<double>& values) const {
        const int n = points.n_selectable();
        values.assign(n, -plane.b);
        for (int j = 0; j < order(); ++j) {
            const double *coordinate = points.list().array(j), w = plane.w[j];
            for (int i = 0; i < n; ++i) values[i] += w * coordinate[i];
        }
    }

    // Puts the points into bins, and those above and on the plane before its first stop to their sides.
    void put_in_bins(const ExactPoints& points, int leaves, const std::vector<double>& base) {
        const int n = points.n_selectable();
        take_values(plane_, points, now_);
        take_values(other_, points, turn_);
        now_[leaves] = 0;
        std::copy(base.begin(), base.end(), above_.begin());
        std::fill(on_.begin(), on_.end(), 0.0);
        n_bins_ = 1 + n / kPointsPerBin;
        n_in_.assign(n_bins_, 0);
        met_.assign(static_cast<size_t>(n_bins_) * node_.width, 0.0);
        sinking_.assign(met_.size(), 0.0);
        bin_.resize(n);
        by_bin_.clear();
        for (int i = 0; i < n; ++i) {
            const double turn = std::abs(turn_[i]);
            if (turn <= kOnPlane) {
                bin_[i] = n_bins_;
                if (now_[i] > kOnPlane) add(points, i, above_.data());
                if (std::abs(now_[i]) <= kOnPlane) add(points, i, on_.data());
                continue;
            }
            const double away = turn_[i] > 0 ? -now_[i] : now_[i];
            const double share = 0.5 + 0.5 * away / (turn + std::abs(now_[i]));
            const int bin = std::min(n_bins_ - 1, static_cast<int>(share * n_bins_));
            bin_[i] = bin;
            ++n_in_[bin];
            add(points, i, met_.data() + static_cast<size_t>(bin) * node_.width);
            if (turn_[i] > 0) continue;
            add(points, i, sinking_.data() + static_cast<size_t>(bin) * node_.width);
            add(points, i, above_.data());
        }
    }

    // Passes a bin's points. No stop among them has a smaller loss than the one where all of them may go either way.
    void pass(const ExactPoints& points, int bin, const MissingBlock& missing) {
        const double* met = met_.data() + static_cast<size_t>(bin) * node_.width;
        const double* sinking = sinking_.data() + static_cast<size_t>(bin) * node_.width;
        for (int j = 0; j < node_.width; ++j) above_[j] -= sinking[j], on_[j] += met[j];
        const bool is_better = sides_.bound_together(above_.data(), on_.data(), missing) < least_;
        for (int j = 0; j < node_.width; ++j)
            above_[j] += is_better ? sinking[j] : met[j] - sinking[j], on_[j] -= met[j];
        if (!is_better) return;
        take_stops(bin);
        const Stop* const last = stops_.data() + stops_.size();
        for (const Stop *stop = stops_.data(), *next = stop; stop != last; stop = next) {
            const double here = stop->at + kOneStop * (1 + std::abs(stop->at));
            for (; next != last && next->at <= here; ++next) reach(points, *next);
            const double loss = loss_of(missing);
            if (loss < least_) least_ = loss, best_ = stop->point;
            for (; stop != next; ++stop) leave(points, *stop);
        }
    }

    // The stops at a bin's points, in order.
    void take_stops(int bin) {
        if (by_bin_.empty()) {
            first_in_.assign(n_bins_ + 2, 0);
            for (const int at : bin_) ++first_in_[at + 1];
            for (int b = 0; b <= n_bins_; ++b) first_in_[b + 1] += first_in_[b];
            by_bin_.resize(bin_.size());
            for (size_t i = bin_.size(); i-- > 0;) by_bin_[--first_in_[bin_[i] + 1]] = static_cast<int>(i);
        }
        stops_.clear();
        for (int q = first_in_[bin + 1]; q < first_in_[bin + 1] + n_in_[bin]; ++q) {
            const int i = by_bin_[q];
            stops_.push_back({-now_[i] / turn_[i], i, turn_[i] > 0});
        }
        std::sort(stops_.begin(), stops_.end());
    }

    void reach(const ExactPoints& points, const Stop& stop) {
        if (!stop.above) add(points, stop.point, above_.data(), -1);
        add(points, stop.point, on_.data());
    }

    void leave(const ExactPoints& points, const Stop& stop) {
        if (stop.above) add(points, stop.point, above_.data());
        add(points, stop.point, on_.data(), -1);
    }

    void add(const ExactPoints& points, int i, double* side, int times = 1) const {
        for (int j = 0; j < node_.width; ++j) side[j] += times * points.list().array(order() + j)[i];
    }

    double loss_of(const MissingBlock& missing) {
        if (node_.options.planes == Candidates::any) return sides_.bound_together(above_.data(), on_.data(), missing);
        return sides_.best_sides({above_.data(), on_.data()}, missing, true).loss;
    }

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    PlaneMaker<R> maker_;
    Numbers<R * R> coordinates_;
    Plane plane_, other_;
    std::vector<double> above_, on_;
    std::vector<double> now_, turn_;     // of each point, the values of both planes
    std::vector<int> bin_;               // of each point, n_bins_ if it is not met
    std::vector<int> n_in_;              // of each bin, how many points
    std::vector<double> met_, sinking_;  // of each bin, what its points weigh; those that are above before they are met
    std::vector<int> first_in_,
        by_bin_;  // the points by bin, those of bin b from first_in_[b + 1] on; made when needed
    std::vector<Stop> stops_;
    int n_bins_ = 0;
    int best_ = 0;
    double least_ = kInfinity;
};

}  // namespace elc
