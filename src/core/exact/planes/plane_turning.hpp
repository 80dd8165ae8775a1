// Where a plane had best stop that turns about all but one of its points.
//
// The planes through r - 1 points are a family of one parameter, and each other point is on one of them. In the order
// of that parameter a scan tells the losses of all these planes, but for the rounding and the tolerances that decide a
// plane's true score: what is found here is to be scored like any other candidate. Points are put into bins of the
// parameter, and only bins that may hold something better are sorted, so that a scan takes O(n).
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

    // The point to take the place of selection[leaves]; the one that is there if no other seems better.
    int best_stop(const ExactPoints& points, const std::vector<int>& selection, int leaves,
                  const SubsetPoints& subset) {
        best_ = selection[leaves];
        least_ = kInfinity;
        if (!set_planes(points, selection, leaves)) return best_;
        begin(points, selection[leaves], subset.points.base);
        for (size_t bin = 0; bin + 1 < bins_.size(); ++bin) {
            Stop* const first = stops_.data() + bins_[bin];
            Stop* const last = stops_.data() + bins_[bin + 1];
            if (first != last) pass(points, first, last, subset.points.missing);
        }
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

    double value(const Plane& plane, const ExactPoints& points, int i) const {
        double value = -plane.b;
        for (int j = 0; j < order(); ++j) value += plane.w[j] * points.coordinate(i, j);
        return value;
    }

    // Puts the points into bins, and those above and on the plane before its first stop to their sides.
    void begin(const ExactPoints& points, int leaves, const std::vector<double>& base) {
        std::copy(base.begin(), base.end(), above_.begin());
        std::fill(on_.begin(), on_.end(), 0.0);
        const int n_bins = 1 + points.n_selectable() / kPointsPerBin;
        met_.clear();
        bin_.clear();
        bins_.assign(n_bins + 1, 0);
        for (int i = 0; i < points.n_selectable(); ++i) {
            const double turn = value(other_, points, i), now = i == leaves ? 0.0 : value(plane_, points, i);
            if (std::abs(turn) <= kOnPlane) {
                if (now > kOnPlane) add(points, i, above_);
                if (std::abs(now) <= kOnPlane) add(points, i, on_);
                continue;
            }
            if (turn < 0) add(points, i, above_);
            const double at = -now / turn;
            met_.push_back({at, i, turn > 0});
            bin_.push_back(std::min(n_bins - 1, static_cast<int>((0.5 + 0.5 * at / (1 + std::abs(at))) * n_bins)));
            ++bins_[bin_.back() + 1];
        }
        for (int bin = 0; bin < n_bins; ++bin) bins_[bin + 1] += bins_[bin];
        stops_.resize(met_.size());
        for (size_t q = met_.size(); q-- > 0;) stops_[--bins_[bin_[q] + 1]] = met_[q];
        bins_.erase(bins_.begin());
        bins_.push_back(static_cast<int>(met_.size()));
    }

    // Passes a bin's points. No stop among them has a smaller loss than the one where all of them may go either way.
    void pass(const ExactPoints& points, Stop* first, Stop* last, const MissingBlock& missing) {
        for (const Stop* stop = first; stop != last; ++stop) reach(points, *stop);
        const bool is_better = sides_.bound_together(above_.data(), on_.data(), missing) < least_;
        for (const Stop* stop = first; stop != last; ++stop) leave(points, *stop, stop->above != is_better);
        if (!is_better) return;
        std::sort(first, last);
        for (const Stop *stop = first, *next = first; stop != last; stop = next) {
            const double here = stop->at + kOneStop * (1 + std::abs(stop->at));
            for (; next != last && next->at <= here; ++next) reach(points, *next);
            const double loss = loss_of(missing);
            if (loss < least_) least_ = loss, best_ = stop->point;
            for (const Stop* met = stop; met != next; ++met) leave(points, *met, met->above);
        }
    }

    void reach(const ExactPoints& points, const Stop& stop) {
        if (!stop.above) add(points, stop.point, above_, -1);
        add(points, stop.point, on_);
    }

    void leave(const ExactPoints& points, const Stop& stop, bool above) {
        if (above) add(points, stop.point, above_);
        add(points, stop.point, on_, -1);
    }

    void add(const ExactPoints& points, int i, std::vector<double>& side, int times = 1) const {
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
    std::vector<Stop> met_, stops_;  // in the order of the points; by bin
    std::vector<int> bin_, bins_;    // of each point that is met; where each begins
    int best_ = 0;
    double least_ = kInfinity;
};

}  // namespace elc
