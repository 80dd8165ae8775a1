// Many points of a box that lie near one plane, though not in it: they are divided within that plane.
//
// Rounding noise gives the points of one level of a column as many planes as there are pairs of them, all nearly the
// same, and the tolerance puts most of the points on most of those planes. A split that keeps more than that noise
// between its sides does not notice it: with the points moved into the plane it is the same linear split of them. So
// where the points that a box is uncertain about are many and near one plane, the linear splits within that plane are
// all that the box has to offer. Those that no plane makes with more than the tolerance between the sides are left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "exact/boxes/box_context.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/margin.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/partition.hpp"
#include "exact/planes/affine_rank.hpp"
#include "exact/planes/best_divisions.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/line_slope.hpp"
#include "exact/planes/linear_ways.hpp"
#include "exact/planes/point_groups.hpp"
#include "exact/planes/row_parts.hpp"
#include "exact/planes/side_scoring.hpp"
#include "exact/ties.hpp"
#include "exact/widest_tie.hpp"

namespace elc {

constexpr int kFewNearPlane = 40;        // so many points are enumerated, however near to one plane
constexpr double kNearPlane = kOnPlane;  // points within this of a plane are near it,
constexpr double kThinPlane = 1e-4;      // if they reach so much farther within it
constexpr int kFewTries = 16;            // divisions that are tried where one will do

template <int R, class Criterion>
class NearPlane {
public:
    NearPlane(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), ways_(node, sides), none_(node.width, 0.0),
          groups_(node.options.r, node.k, node.width), rows_(node) {
        found_.plane.w.resize(node.options.r);
        found_.rows.resize(node.options.r);
        found_.divides_on = true;
    }

    // Begins a feature set: no points have been divided yet.
    void forget() {
        dismissed_.clear();
        not_made_.clear();
    }

    // Whether a split whose plane lies in the box may be accepted, if the points that no plane of the box passes
    // through are on the side where they are: the tolerance is not there for them to change sides.
    bool may_be_accepted(const ExactPoints& points, const BoxContext<R>& context, Sink& sink) {
        points_ = &points;
        context_ = context;
        tally();
        free_.assign(node_.width, 0.0);
        for (int i = 0; i < points.n_selectable(); ++i)
            for (int c = 0; c < node_.width; ++c) free_[c] += points.list().array(order() + c)[i];
        return sink.accepts(sides_.bound_together(above_.data(), free_.data(), context.subset->points.missing));
    }

    // Takes every division of the selectable points within the plane of `selection`, from which they are as far as
    // `noise`, that keeps more than that between its sides. Unsettled if there are divisions that cannot be looked at.
    FlatResult divide(const ExactPoints& points, const BoxContext<R>& context, const std::vector<int>& selection,
                      const std::vector<double>& normal, double noise, Sink& sink) {
        points_ = &points;
        context_ = context;
        found_.on = context.subset->points.tolerance.on;
        for (int i = 0; i < order(); ++i) found_.rows[i] = row_at(selection[i]);
        tally();
        const PartitionKey key = key_of_tally();
        if (dismissed_.count(key) > 0) return FlatResult::settled;
        groups_.find(points, 2 * noise);
        rows_.forget();
        on_.resize(groups_.merged().list().n);
        std::iota(on_.begin(), on_.end(), 0);
        BestDivisions best(sink);
        WholeProblem whole;
        whole.rows_above = [&](const std::vector<char>& above) { return count_rows_above(above); };
        bool is_offered = false;
        const LineSlope slope(groups_.merged(), *context.box, order(), context.subset->points.tolerance.certain);
        const auto keep = [&](SideChoice choice, const std::vector<char>& above) {
            is_offered = true;
            if (!slope.admits(above) || (whole.is_linear && !whole.is_linear(above))) return;
            if (node_.counts_rows()) {
                const PlaneTally tally{ways_.above().data(), none_.data(), count_rows_above(above), 0, true};
                choice = sides_.best_missing_side(tally, context_.subset->points.missing);
                if (!(choice.loss < kInfinity) || !best.accepts(choice.loss)) return;
            }
            best.keep(choice, above);
        };
        for (;;) {
            if (!ways_.divide(groups_.merged(), on_, scaled_normal(normal), found_.on, above_.data(),
                              context.subset->points.missing, best, whole, keep))
                return FlatResult::stopped;
            if (best.all().empty()) {
                if (!is_offered) dismissed_.insert(key);
                return FlatResult::settled;
            }
            if (take(best.all(), sink) || !sink.needs_all()) return FlatResult::settled;
            if (best.has_left_out()) return FlatResult::unsettled;
            if (sink.stop()) return FlatResult::stopped;
            // From now on those alone that a plane makes are kept.
            best.drop_all();
            whole.is_linear = [&](const std::vector<char>& above) { return is_linear(above); };
            whole.in_doubt = true;
        }
    }

private:
    int order() const { return R ? R : node_.options.r; }

    // Whether a plane makes the division, which it then is the plane of.
    bool is_linear(const std::vector<char>& above) {
        return set_plane(above) && (!node_.is_linear || node_.is_linear(found_));
    }

    int32_t row_at(int point) const { return context_.subset->points.representative[points_->entry(point)]; }

    static std::vector<double> scaled_normal(std::vector<double> normal) {
        double longest = 0;
        for (double x : normal) longest = std::max(longest, std::abs(x));
        for (double& x : normal) x /= longest;
        return normal;
    }

    // Takes the divisions that a plane makes, or one of a few; false if there is none.
    bool take(const std::vector<BestDivisions::Division>& divisions, Sink& sink) {
        bool is_taken = false;
        int n_tried = 0;
        for (const BestDivisions::Division& division : divisions) {
            if (!sink.needs_all() && (is_taken || n_tried++ == kFewTries)) break;
            if (!is_linear(division.above)) continue;
            found_.loss = division.choice.loss;
            found_.missing_above = division.choice.missing_above;
            if (sink.accepts(found_.loss)) sink.take(found_);
            is_taken = true;
        }
        return is_taken;
    }

    // What is above the box, with those of the list's points that no plane of the box passes through.
    void tally() {
        above_.assign(context_.certain_above, context_.certain_above + node_.width);
        for (int i = points_->n_selectable(); i < points_->list().n; ++i) {
            if (value_of([&](int j) { return points_->coordinate(i, j); }) < 0) continue;
            for (int c = 0; c < node_.width; ++c) above_[c] += points_->list().array(order() + c)[i];
        }
    }

    // Of a point beside the planes of the box.
    template <class Point>
    double value_of(const Point& x) const {
        for (const OuterBox<R>& outer : *context_.outer) {
            const ValueRange range = outer.box.range_of(order(), x);
            if (std::abs(range.value) > range.radius + context_.subset->points.tolerance.certain) return range.value;
        }
        return context_.box->range_of(order(), x).value;
    }

    // Of the points and the weights above them: what the losses of their divisions depend on.
    PartitionKey key_of_tally() const {
        PartitionKey key;
        for (int i = 0; i < points_->n_selectable(); ++i) key = key + row_key(row_at(i));
        for (double weight : above_) key = key.mixed_with(weight);
        return key;
    }

    double count_rows_above(const std::vector<char>& above) {
        const std::vector<int8_t> side = sides_with(above);
        if (node_.rows_above && find_plane(side)) return node_.rows_above(found_);
        return static_cast<double>(std::count(side.begin(), side.end(), static_cast<int8_t>(Side::left)));
    }

    // Sets the plane with the widest margin between the sides; false if it is not wider than the tolerance.
    bool set_plane(const std::vector<char>& above) {
        look_up_rows();
        const PartitionKey key = rows_.key_with(above);
        if (not_made_.count(key) > 0) return false;
        if (find_plane(sides_with(above))) return true;
        if (not_made_.size() < kMostKnown) not_made_.insert(key);
        return false;
    }

    bool find_plane(const std::vector<int8_t>& side) {
        const std::vector<int>& features = context_.subset->features;
        if (!(half_margin(margin_, points_of(node_, features, side), features.size()) > found_.on)) return false;
        found_.plane.w = scaled_normal(margin_.normal());
        double lowest = kInfinity, highest = -kInfinity;
        for (int i = 0; i < node_.n; ++i) {
            if (side[i] == static_cast<int8_t>(Side::unknown)) continue;
            double value = 0;
            for (int j = 0; j < order(); ++j) value += found_.plane.w[j] * node_.column(features[j])[i];
            if (side[i] == static_cast<int8_t>(Side::left)) lowest = std::min(lowest, value);
            else highest = std::max(highest, value);
        }
        found_.plane.b = lowest - (lowest - highest) / 2;
        return lowest - found_.plane.b > found_.on && found_.plane.b - highest > found_.on;
    }

    void look_up_rows() {
        if (rows_.are_known()) return;
        const std::vector<int>& features = context_.subset->features;
        rows_.look_up(
            features, groups_.n_points(), [&](int i) { return row_at(i); }, [&](int i) { return groups_.of(i); },
            [&](int i) { return value_of([&](int j) { return node_.column(features[j])[i]; }) > 0; });
    }

    // The sides of all rows with those groups above, by sorted row.
    std::vector<int8_t> sides_with(const std::vector<char>& above) {
        look_up_rows();
        found_.above_on.clear();
        for (int i = 0; i < groups_.n_points(); ++i)
            if (above[groups_.of(i)]) found_.above_on.push_back(row_at(i));
        return rows_.sides_with(above);
    }

    static constexpr size_t kMostKnown = 1 << 16;

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    LinearWays<Criterion> ways_;
    MarginFinder margin_;
    const ExactPoints* points_ = nullptr;
    BoxContext<R> context_;
    std::vector<double> above_, free_, none_;
    PointGroups groups_;
    std::vector<int> on_;  // all groups
    RowParts rows_;
    std::set<PartitionKey> dismissed_;  // points none of whose divisions was accepted
    std::set<PartitionKey> not_made_;   // by the rows above: divisions that no plane makes
    FoundSplit found_;
};

}  // namespace elc
