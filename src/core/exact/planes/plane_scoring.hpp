// The score of one plane in a box: the points of the list are tallied, what is certain is added, sides are chosen.
//
// This is the one place that decides what becomes of the rows on a plane that is put through points.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/box_context.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/partition.hpp"
#include "exact/planes/divided_planes.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/flat_coordinates.hpp"
#include "exact/planes/linear_ways.hpp"
#include "exact/planes/planes_between.hpp"
#include "exact/planes/side_scoring.hpp"

namespace elc {

template <int R, class Criterion>
class PlaneScoring {
public:
    PlaneScoring(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), passes_(passes_for(node.options.r, node.width)), ways_(node, sides),
          planes_(node), above_(node.width), on_(node.width), none_(node.width, 0.0) {}

    void look_at(const ExactPoints& points, const BoxContext<R>& context) {
        points_ = &points;
        context_ = context;
        if (values_.size() < points.list().stride) values_.resize(points.list().stride);
    }

    // The same of a plane that has not been scored.
    double stability_of(const Plane& plane) {
        tally(plane);
        return stability(plane);
    }

    // Begins a feature set, or its search in another way: no plane has been divided yet.
    void forget() { divided_.clear(); }

    // Of the plane tallied last: how many points are on it, and each point's value.
    int n_on() const { return n_on_; }
    const std::vector<double>& values() const { return values_; }

    // How far the values of rows may move without any of them changing its side. What the box is certain about has at
    // least that much to either side; the canonical sign depends on the coefficients, too.
    double stability(const Plane& plane) const {
        double gap = 0.9 * (tolerance().certain - tolerance().on);
        for (int i = 0; i < points_->list().n; ++i)
            gap = std::min(gap, std::abs(std::abs(values_[i]) - tolerance().on));
        for (int j = 0; j < order() && node_.options.planes == Candidates::canonical; ++j)
            gap = std::min(gap, std::abs(std::abs(plane.w[j]) - kOnPlane) * context_.subset->points.largest[j]);
        return 0.99 * gap;
    }

    // Takes every linear way to divide the points on the plane of `found` that the sink accepts. False if the sink
    // asked to end early.
    bool take_ways(FoundSplit& found, Sink& sink) {
        const PlaneDirections directions(node_.options.monotone, context_.subset->features, found.plane.w, kOnPlane);
        if (directions.n == 0) {
            n_on_ = 0;
            return true;
        }
        tally(found.plane);
        const MissingBlock& missing = context_.subset->points.missing;
        if (!sink.accepts(sides_.bound_together(above_.data(), on_.data(), missing))) return true;
        on_points_.clear();
        for (int i = 0; i < points_->list().n; ++i)
            if (std::abs(values_[i]) <= tolerance().on) on_points_.push_back(i);
        const bool has_many = on_points_.size() > kFewOnPlane;
        const PartitionKey tally_key = has_many ? key_of_tally(found.plane, directions) : PartitionKey();
        const auto rows_key = [&] {
            return mixed(key_of_sides(node_, context_.subset->features, found.plane, tolerance().on), found.plane,
                         directions);
        };
        WholeProblem whole;
        whole.rows_above = [&](const std::vector<char>& above) {
            put_above(above, found);
            return count_rows_above(found);
        };
        if (asks_if_linear()) {
            whole.is_linear = [&](const std::vector<char>& above) {
                put_above(above, found);
                return planes_.make(found, context_.subset->features);
            };
            whole.in_doubt = node_.in_doubt || node_.options.linear_only || is_blurred();
        }
        if (has_many && divided_.knows(tally_key, rows_key)) return true;
        found.divides_on = found.on_above = true;
        found.on = tolerance().on;
        bool goes_on = true, is_accepted = false;
        for (int i = 0, direction = directions.first; i < directions.n && goes_on; ++i, direction = -direction) {
            sides_.set_direction(direction);
            const auto take = [&](const SideChoice& choice, const std::vector<char>& above) {
                is_accepted = true;
                put_above(above, found);
                if (asks_if_linear() && ways_.in_doubt() && !planes_.make(found, context_.subset->features)) return;
                if (!set_sides(found, choice, sink)) return;
                const bool in_doubt = directions.in_doubt || (direction != 0 && !missing.empty());
                if (!in_doubt || planes_.keep_signs(found, *context_.subset, direction)) sink.take(found);
            };
            goes_on = ways_.divide(*points_, on_points_, found.plane.w, tolerance().on, above_.data(), missing, sink,
                                   whole, take);
        }
        sides_.set_direction(0);
        if (has_many) divided_.add(tally_key, is_accepted, rows_key);
        return goes_on;
    }

    // Scores the plane of `found` and sets its loss and sides; false if the sink does not accept it.
    bool score(FoundSplit& found, Sink& sink) {
        tally(found.plane);
        SideChoice choice = choose_sides(found.plane, {above_.data(), on_.data()});
        if (!(choice.loss < kInfinity) || !sink.accepts(choice.loss)) return false;
        if (node_.counts_rows()) {
            choice = choose_sides(found.plane, tally_with_rows(found.plane));
            if (!(choice.loss < kInfinity) || !sink.accepts(choice.loss)) return false;
        }
        found.loss = choice.loss;
        found.on_above = choice.on_above;
        found.missing_above = choice.missing_above;
        return true;
    }

    // A first look at a plane whose values may be off by `error`: false where it is not accepted, for certain.
    bool may_be_accepted(const Plane& plane, double error, Sink& sink) {
        tally(plane);
        if (n_on_ > order() || is_near_a_limit(plane, error)) return true;
        const SideChoice choice = choose_sides(plane, {above_.data(), on_.data()});
        return choice.loss < kInfinity && sink.accepts(choice.loss);
    }

private:
    int order() const { return R ? R : node_.options.r; }
    const Tolerance& tolerance() const { return context_.subset->points.tolerance; }

    // Of the points on the plane and the weights above it: what the losses of their divisions depend on.
    PartitionKey key_of_tally(const Plane& plane, const PlaneDirections& directions) const {
        PartitionKey key;
        for (int point : on_points_) key = key + row_key(row_at(point));
        for (double weight : above_) key = key.mixed_with(weight);
        return mixed(key, plane, directions);
    }

    // What else decides which divisions there are.
    static PartitionKey mixed(const PartitionKey& key, const Plane& plane, const PlaneDirections& directions) {
        return key.mixed_with(directions.first).mixed_with(directions.n).mixed_with(longest_of(plane.w));
    }

    int32_t row_at(int point) const { return context_.subset->points.representative[points_->entry(point)]; }

    // Puts those points on the plane above it.
    void put_above(const std::vector<char>& above, FoundSplit& found) const {
        found.above_on.clear();
        for (size_t q = 0; q < above.size(); ++q)
            if (above[q]) found.above_on.push_back(row_at(on_points_[q]));
    }

    // Sets the loss and the side of missing values as chosen or, where there is a limit on rows, within that: it is
    // looked at for the few divisions that are good enough without it. False if none is left.
    bool set_sides(FoundSplit& found, SideChoice choice, Sink& sink) {
        if (node_.counts_rows()) {
            const PlaneTally tally{ways_.above().data(), none_.data(), count_rows_above(found), 0, true};
            choice = sides_.best_missing_side(tally, context_.subset->points.missing);
            if (!(choice.loss < kInfinity) || !sink.accepts(choice.loss)) return false;
        }
        found.loss = choice.loss;
        found.missing_above = choice.missing_above;
        return true;
    }

    // The tolerance puts rows on a plane that are not in it, and of the ways to divide them some are no linear splits
    // of all rows. Where a finer tolerance is asked for, such splits are not.
    bool asks_if_linear() const { return node_.is_linear || node_.options.linear_only || tolerance().is_fine(); }

    // Whether some of the points are on the plane by the tolerance alone.
    bool is_blurred() const {
        if (static_cast<int>(on_points_.size()) <= order()) return false;
        const double known = kCoplanarByRounding + node_.rounding_in(context_.subset->features);
        return std::any_of(on_points_.begin(), on_points_.end(), [&](int i) { return std::abs(values_[i]) > known; });
    }

    // The complete rows above a split that divides those on its plane.
    double count_rows_above(const FoundSplit& found) const {
        if (node_.rows_above) return node_.rows_above(found);
        const std::vector<int8_t> side = partition(node_, context_.subset->features, found);
        return static_cast<double>(std::count(side.begin(), side.end(), static_cast<int8_t>(Side::left)));
    }

    void tally(const Plane& plane) {
        n_on_ = passes_.tally_plane(points_->list(), order(), node_.width, plane.w.data(), plane.b, tolerance().on,
                                    above_.data(), on_.data(), values_.data());
        for (int j = 0; j < node_.width; ++j) above_[j] += context_.certain_above[j];
    }

    // With the rows on either side; for the few planes that are good enough without the limit on them.
    PlaneTally tally_with_rows(const Plane& plane) {
        PlaneTally tally{above_.data(), on_.data(), 0, 0, true};
        for (int i = 0; i < node_.n; ++i) {
            const int side = plane_side_of(node_, context_.subset->features, plane, order(), i, tolerance().on);
            tally.rows_above += side == kAbove;
            tally.rows_on += side == kOn;
        }
        return tally;
    }

    SideChoice choose_sides(const Plane& plane, const PlaneTally& tally) {
        return sides_.best_sides(tally, context_.subset->points.missing, canonical_above(plane));
    }

    // Whether an error so small could move a point on or off the plane, or turn its canonical sign.
    bool is_near_a_limit(const Plane& plane, double error) const {
        for (int i = 0; i < points_->list().n; ++i) {
            if (std::abs(std::abs(values_[i]) - tolerance().on) < error) return true;
        }
        for (int j = 0; j < order(); ++j) {
            if (std::abs(std::abs(plane.w[j]) - kOnPlane) < error) return true;
        }
        return false;
    }

    // Whether the canonical sign puts the samples on the plane with those above it.
    bool canonical_above(const Plane& plane) const {
        for (int j = 0; j < order(); ++j)
            if (std::abs(plane.w[j]) > kOnPlane) return plane.w[j] > 0;
        return true;
    }

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    Passes passes_;
    LinearWays<Criterion> ways_;
    PlanesBetween planes_;
    const ExactPoints* points_ = nullptr;
    BoxContext<R> context_;
    int n_on_ = 0;
    std::vector<double> above_, on_, none_, values_;
    std::vector<int> on_points_;
    DividedPlanes divided_;
};

}  // namespace elc
