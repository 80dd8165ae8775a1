// Enumeration of the candidates inside one small box.
//
// Every candidate in the box passes through r points of its uncertain list. Two points can share a plane of the box
// only if the range of their values' difference contains zero; r points that are pairwise so compatible are tried (of
// three features, those whose plane is not beside the box for certain). Once a plane with more than r points on it has
// been scored, other selections with the same plane are skipped.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bits.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/affine_rank.hpp"
#include "exact/planes/compatible_selections.hpp"
#include "exact/planes/echelon.hpp"
#include "exact/planes/independence.hpp"
#include "exact/planes/narrow_selections.hpp"
#include "exact/planes/plane_scoring.hpp"
#include "exact/planes/plane_through.hpp"
#include "exact/planes/scored_planes.hpp"
#include "exact/planes/wide_selections.hpp"

namespace elc {

constexpr int64_t kWorkBetweenStops = 1 << 18;  // in units of r^3 operations: well under a tenth of a second
constexpr double kSettled = 0.4 * kOnPlane;     // a first look at a plane that is this accurate settles most sides

template <int R, class Criterion>
class PlaneEnumeration {
public:
    PlaneEnumeration(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), scoring_(node, sides), wide_(node), selection_(node.options.r),
          echelon_(R ? 0 : node.options.r) {
        found_.plane.w.resize(node.options.r);
        found_.rows.resize(node.options.r);
        set_size(coordinates_, node.options.r * node.options.r);
    }

    void forget() { scoring_.forget(); }

    // Scores every candidate in the box. False if the sink asked to end early.
    bool enumerate(const ExactPoints& points, const BoxContext<R>& context, Sink& sink) {
        begin(points, context, sink);
        const int n = points.n_selectable();
        if (n < order()) return true;
        if (order() == 2 && n > kMaskBits && context.box->chart != kEveryPlane) {
            compares_ = true;
            crossings_.find(*context.box, points, INT64_MAX);
            return score_selections(crossings_.found());
        }
        by_masks_ = n <= kMaskBits && context.box->chart != kEveryPlane;
        if (by_masks_) compatible_.find(context_, points, order());
        return choose(0, 0, n == kMaskBits ? ~uint64_t{0} : (uint64_t{1} << (n & (kMaskBits - 1))) - 1);
    }

    // The same for two features, if there are no more than `most` candidates.
    FlatResult enumerate_crossings(const ExactPoints& points, const BoxContext<R>& context, int64_t most, Sink& sink) {
        begin(points, context, sink);
        compares_ = true;
        if (!crossings_.find(*context.box, points, most)) return FlatResult::unsettled;
        return score_selections(crossings_.found()) ? FlatResult::settled : FlatResult::stopped;
    }

    // Scores the candidates among points that all lie within `distance` of the plane of `selection`: that one, and
    // those of selections that may have another one. They are unsettled if those are too many.
    FlatResult enumerate_flat(const ExactPoints& points, const BoxContext<R>& context,
                              const std::vector<int>& selection, double distance, Sink& sink) {
        begin(points, context, sink);
        selection_ = selection;
        if (distance <= kCoplanarByRounding && (divides_on() || wide_.have_one_plane(distance))) {
            score_exactly();
            return stopped_ ? FlatResult::stopped : FlatResult::settled;
        }
        compares_ = true;
        take_coordinates();
        if (!make_plane()) return FlatResult::unsettled;
        const double stability = scoring_.stability_of(found_.plane);
        const double wide = wide_.from(found_.plane, scoring_.values(), stability, kInfinity);
        if (!(wide < kInfinity)) return FlatResult::unsettled;
        // A plane of the box may be this one to all rows though this one lies beside the box. So near to it, what the
        // box is certain about is certain still; a little farther away it may not be.
        const Tolerance tolerance = context_.subset->points.tolerance;
        double sum = 0;
        for (double largest : context_.subset->points.largest) sum += largest;
        const bool is_near =
            context_.holds(order(), found_.plane, (tolerance.certain - tolerance.on) / (4 * (1 + 2 * sum)));
        if (!is_near && context_.holds(order(), found_.plane, 4 * stability)) return FlatResult::unsettled;
        const double widest = wide_.volume_from(found_.plane, wide) > 0 ? wide : 0.0;
        if (!narrow_.find(points.list(), points.n_selectable(), order(), widest, longest_coefficient(found_.plane)))
            return FlatResult::unsettled;
        if (is_near) score();
        return score_selections(narrow_.found()) ? FlatResult::settled : FlatResult::stopped;
    }

    // Scores the plane through the given points, if it lies in the box.
    // False if the sink asked to end early.
    bool try_points(const ExactPoints& points, const BoxContext<R>& context, const std::vector<int>& selection,
                    Sink& sink) {
        begin(points, context, sink);
        selection_ = selection;
        score_exactly();
        return !stopped_;
    }

private:
    int order() const { return R ? R : node_.options.r; }

    // Whether the points on a plane are divided in every linear way.
    bool divides_on() const { return node_.options.planes == Candidates::any; }

    void begin(const ExactPoints& points, const BoxContext<R>& context, Sink& sink) {
        points_ = &points;
        context_ = context;
        sink_ = &sink;
        stopped_ = false;
        compares_ = R == 0 && !divides_on();
        scoring_.look_at(points, context);
        scored_.begin(context.subset->points.largest);
        wide_.look_at(points, *context.subset);
        coplanar_.begin(points.list(), points.n_selectable());
    }

    // Scores r points after r points; false if the sink asked to end early.
    bool score_selections(const std::vector<int>& selections) {
        for (size_t at = 0; at < selections.size() && !stopped_; at += order()) {
            std::copy_n(selections.begin() + at, order(), selection_.begin());
            if (!is_known()) score_exactly();
            if (count_work()) stopped_ = true;
        }
        return !stopped_;
    }

    // Completes the selection from `depth` points on: from those allowed, or from all from point `from` on.
    bool choose(int depth, int from, uint64_t allowed) {
        if (by_masks_) {
            for (uint64_t rest = allowed; rest; rest &= rest - 1) {
                const int i = lowest_bit(rest);
                if (!take(depth, i, (rest & (rest - 1)) & compatible_.with(i))) return false;
            }
            return true;
        }
        for (int i = from; i <= points_->n_selectable() - (order() - depth); ++i) {
            if (!take(depth, i, ~uint64_t{0})) return false;
        }
        return true;
    }

    // Takes point i as the selection's next one: scores a complete selection, completes any other from `allowed`.
    bool take(int depth, int i, uint64_t allowed) {
        selection_[depth] = i;
        for (int other = 0; other < depth && !by_masks_; ++other)
            if (are_at_one_place(points_->list(), i, selection_[other], order())) return true;
        if (R == 0 && !extend_echelon(depth, i)) return true;
        if (R == 3 && depth == 1 && by_masks_) allowed = compatible_.with(selection_[0], i, allowed);
        if (depth + 1 < order()) return !allowed || choose(depth + 1, i + 1, allowed);
        if (!is_known() && (R > 0 || is_worth_scoring())) score_exactly();
        return !stopped_ && !count_work();
    }

    // Counts a selection; true if the sink asks to end.
    bool count_work() {
        work_ += static_cast<int64_t>(order()) * order() * order();
        if (work_ < kWorkBetweenStops) return false;
        work_ = 0;
        return sink_->stop();
    }

    // Whether the points of the selection are on a plane that has been scored, and fix no other.
    bool is_known() { return coplanar_.hold(selection_); }

    void take_coordinates() {
        const int r = order();
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < r; ++j) coordinates_[i * r + j] = points_->coordinate(selection_[i], j);
    }

    // Puts the plane through the selection whose coordinates were taken; false if it is dependent.
    bool make_plane() { return maker_.through(coordinates_.data(), order(), found_.plane); }

    void score_exactly() {
        take_coordinates();
        if (make_plane() && context_.holds(order(), found_.plane) && !scored_.hold(found_.plane)) score();
    }

    void score() {
        const int r = order();
        const std::vector<int32_t>& representative = context_.subset->points.representative;
        for (int i = 0; i < r; ++i) found_.rows[i] = representative[points_->entry(selection_[i])];
        if (divides_on()) stopped_ = !scoring_.take_ways(found_, *sink_);
        else if (scoring_.score(found_, *sink_)) sink_->take(found_);
        if (scoring_.n_on() > r) remember();
    }

    // Remembers the plane tallied last.
    void remember() {
        const int n = points_->n_selectable();
        if (compares_) scored_.remember(found_.plane, scoring_.stability(found_.plane));
        if (R == 0 && !divides_on()) return;
        if (!coplanar_.remember(scoring_.values(), n, order()) || divides_on()) return;
        const double tolerance = scoring_.stability(found_.plane);
        const double wide = wide_.from(found_.plane, scoring_.values(), tolerance, kCoplanarByRounding);
        coplanar_.require(longest_coefficient(found_.plane), wide_.volume_from(found_.plane, wide));
    }

    // Tells the echelon of the selection's next point; false if no selection that begins so fixes a plane.
    bool extend_echelon(int depth, int i) {
        for (int j = 0; j < order(); ++j) coordinates_[j] = points_->coordinate(i, j);
        if (depth > 0) return echelon_.add(depth, coordinates_.data());
        echelon_.start(coordinates_.data());
        return true;
    }

    // A first look at the plane of the echelon: false where it lies outside of the box or is not accepted, for certain.
    bool is_worth_scoring() {
        const double error = echelon_.solve(found_.plane);
        if (!(error < kSettled)) return true;
        if (scored_.hold(found_.plane, error)) return false;
        if (!context_.holds(order(), found_.plane, 8 * error + kBoxSlack)) return false;
        return divides_on() || scoring_.may_be_accepted(found_.plane, error, *sink_);
    }

    const ExactNode& node_;
    PlaneScoring<R, Criterion> scoring_;
    PlaneMaker<R> maker_;
    ScoredPlanes scored_;
    CoplanarPoints<R> coplanar_;
    WideSelections wide_;
    NarrowSelections narrow_;
    Crossings crossings_;
    CompatibleSelections<R> compatible_;
    const ExactPoints* points_ = nullptr;
    BoxContext<R> context_;
    Sink* sink_ = nullptr;
    bool by_masks_ = true;
    bool stopped_ = false;   // the sink asked to end in the middle of a plane
    bool compares_ = false;  // planes with those scored before: many are nearly the same
    int64_t work_ = 0;
    std::vector<int> selection_;  // points chosen
    Numbers<R * R> coordinates_;  // of the points chosen, row-major
    FoundSplit found_;
    Echelon echelon_;
};

}  // namespace elc
