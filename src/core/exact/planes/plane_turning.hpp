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
        for (int bin = 0; bin < n_bins_; ++bin) pass(points, bin, subset.points.missing);
        return best_;
    }

private:
    static constexpr double kOneStop = 1e-12;
    static constexpr double kLeastTurn = 1e-300;
    static constexpr int kPointsPerBin = 8;
    enum { kSinking, kRising };    // of a bin's two slots
    enum { kBelow, kAbove, kOn };  // of the slots of those that are not met

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
        const int n = points.n_selectable(), width = node_.width;
        take_values(plane_, points, now_);
        take_values(other_, points, turn_);
        now_[leaves] = 0;
        n_bins_ = 1 + n / kPointsPerBin;
        find_slots(n);
        weights_.assign((2 * static_cast<size_t>(n_bins_) + 3) * width, 0.0);
        for (int j = 0; j < width; ++j) {
            const double* weight = points.list().array(order() + j);
            for (int i = 0; i < n; ++i) weights_[static_cast<size_t>(slot_[i]) * width + j] += weight[i];
        }
        for (int j = 0; j < width; ++j) {
            above_[j] = base[j] + weights_at(2 * n_bins_ + kAbove)[j];
            on_[j] = weights_at(2 * n_bins_ + kOn)[j];
            for (int bin = 0; bin < n_bins_; ++bin) above_[j] += weights_at(2 * bin + kSinking)[j];
        }
        by_bin_.clear();
    }

    // Bins have equal shares of the half turn; of each point its bin and whether it sinks below the plane or rises
    // above it, or on which side it stays. Without branches, which would often be guessed wrong.
    void find_slots(int n) {
        slot_.resize(n);
        for (int i = 0; i < n; ++i) {
            const double now = now_[i], turn = turn_[i], size = std::abs(turn), away = turn > 0 ? -now : now;
            const double share = 0.5 + 0.5 * away / (size + std::abs(now) + kLeastTurn);
            const int bin = std::min(n_bins_ - 1, static_cast<int>(share * n_bins_));
            const int stays = now > kOnPlane ? kAbove : now < -kOnPlane ? kBelow : kOn;
            slot_[i] = size > kOnPlane ? 2 * bin + (turn > 0 ? kRising : kSinking) : 2 * n_bins_ + stays;
        }
    }

    const double* weights_at(int slot) const { return weights_.data() + static_cast<size_t>(slot) * node_.width; }

    // Passes a bin's points. No stop among them has a smaller loss than the one where all of them may go either way.
    void pass(const ExactPoints& points, int bin, const MissingBlock& missing) {
        const double *sinking = weights_at(2 * bin + kSinking), *rising = weights_at(2 * bin + kRising);
        for (int j = 0; j < node_.width; ++j) above_[j] -= sinking[j], on_[j] += sinking[j] + rising[j];
        const bool is_better = sides_.bound_together(above_.data(), on_.data(), missing) < least_;
        for (int j = 0; j < node_.width; ++j)
            above_[j] += is_better ? sinking[j] : rising[j], on_[j] -= sinking[j] + rising[j];
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
        if (by_bin_.empty()) put_in_order();
        stops_.clear();
        for (int q = first_in_[bin]; q < first_in_[bin + 1]; ++q) {
            const int i = by_bin_[q];
            stops_.push_back({-now_[i] / turn_[i], i, turn_[i] > 0});
        }
        std::sort(stops_.begin(), stops_.end());
    }

    // Those that are not met are at the bin after the last one.
    void put_in_order() {
        first_in_.assign(n_bins_ + 3, 0);
        for (const int slot : slot_) ++first_in_[bin_of(slot) + 2];
        for (int bin = 0; bin < n_bins_; ++bin) first_in_[bin + 2] += first_in_[bin + 1];
        by_bin_.resize(slot_.size());
        for (size_t i = 0; i < slot_.size(); ++i) by_bin_[first_in_[bin_of(slot_[i]) + 1]++] = static_cast<int>(i);
    }

    int bin_of(int slot) const { return std::min(slot / 2, n_bins_); }

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
    std::vector<double> now_, turn_;  // of each point, the values of both planes
    std::vector<int> slot_;
    std::vector<double> weights_;         // of the points of each slot
    std::vector<int> first_in_, by_bin_;  // the points by bin, those of bin b from first_in_[b] on; made when needed
    std::vector<Stop> stops_;
    int n_bins_ = 0;
    int best_ = 0;
    double least_ = kInfinity;
};

}  // namespace elc
