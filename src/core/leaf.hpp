// Enumeration of the candidates inside one small box.
//
// Every candidate in the box passes through r points of its uncertain list. Two points can share a plane of the box only
// if the range of their values' difference contains zero; r points that are pairwise so compatible are tried. Once a
// plane with more than r points on it (up to rounding) has been scored, other selections among those points are skipped.
#pragma once

#include <cstdint>
#include <vector>

#include "incumbent.hpp"
#include "passes.hpp"
#include "scoring.hpp"

namespace elc {

constexpr int64_t kWorkBetweenStops = 1 << 18;  // in units of r^3 operations: well under a tenth of a second
constexpr double kBoxSlack = 1e-12;  // boxes are closed and overlap by this, so that no plane falls between two

// What a leaf needs to know of the box's surroundings.
struct LeafContext {
    const Points* points;
    const double* certain_above;   // class weights
    double certain_rows_above;
};

template <int R, class Criterion>
class LeafEnumerator {
public:
    LeafEnumerator(const Problem& problem, Scorer<Criterion>& scorer)
        : problem_(problem), scorer_(scorer), passes_(passes_for(problem.options.r, problem.k)), above_(problem.k), on_(problem.k) {}

    // Calls accept(loss) -> bool before report(Found&). Returns false if `stop` asked to end early.
    template <class Accept, class Report, class Stop>
    bool enumerate(const List& list, const Box<R>& box, const LeafContext& context, Accept&& accept, Report&& report,
                   Stop&& stop) {
        list_ = list, box_ = &box, context_ = context;
        values_.resize(padded(list.n) + kLane);
        scored_.clear();
        scored_masks_.clear();
        const int r = order();
        if (list.n < r) return true;
        masked_ = list.n <= 64 && box.chart != kEveryPlane;
        if (masked_) find_compatible(r);
        const uint64_t all = list.n == 64 ? ~uint64_t{0} : (uint64_t{1} << (list.n & 63)) - 1;
        return choose(0, 0, all, accept, report, stop);
    }

    // Scores the plane through the given points of the list, if it lies in the box.
    template <class Accept, class Report>
    void try_points(const List& list, const Box<R>& box, const LeafContext& context, const int* chosen, Accept&& accept,
                    Report&& report) {
        list_ = list, box_ = &box, context_ = context;
        values_.resize(padded(list.n) + kLane);
        scored_.clear();
        scored_masks_.clear();
        masked_ = list.n <= 64;
        std::copy(chosen, chosen + order(), chosen_);
        try_plane(accept, report);
    }

private:
    int order() const { return R ? R : problem_.options.r; }

    void find_compatible(int r) {
        double value[64];
        for (int i = 0; i < list_.n; ++i) {
            value[i] = 0;
            for (int j = 0; j < r; ++j) value[i] += box_->w[j] * list_.array(j)[i];
        }
        for (int i = 0; i < list_.n; ++i) {
            uint64_t mask = 0;
            for (int other = i + 1; other < list_.n; ++other) {
                double radius = kBoxSlack;
                for (int j = 0; j < r; ++j) {
                    radius += box_->dw[j] * std::abs(list_.array(j)[i] - list_.array(j)[other]);
                }
                mask |= static_cast<uint64_t>(std::abs(value[i] - value[other]) <= radius) << other;
            }
            compatible_[i] = mask;
        }
    }

    template <class Accept, class Report, class Stop>
    bool choose(int depth, int from, uint64_t allowed, Accept& accept, Report& report, Stop& stop) {
        if (masked_) {
            for (uint64_t rest = allowed; rest; rest &= rest - 1) {
                const int i = __builtin_ctzll(rest);
                const uint64_t next = (rest & (rest - 1)) & compatible_[i];
                if (!take(depth, i, next, accept, report, stop)) return false;
            }
            return true;
        }
        for (int i = from; i <= list_.n - (order() - depth); ++i) {
            if (!take(depth, i, ~uint64_t{0}, accept, report, stop)) return false;
        }
        return true;
    }

    // Takes point i as the selection's next one: scores a complete selection, completes any other from `allowed`.
    template <class Accept, class Report, class Stop>
    bool take(int depth, int i, uint64_t allowed, Accept& accept, Report& report, Stop& stop) {
        chosen_[depth] = i;
        if (depth + 1 < order()) return !allowed || choose(depth + 1, i + 1, allowed, accept, report, stop);
        try_plane(accept, report);
        work_ += order() * order() * order();
        if (work_ < kWorkBetweenStops) return true;
        work_ = 0;
        return !stop();
    }

    template <class Accept, class Report>
    void try_plane(Accept& accept, Report& report) {
        const int r = order();
        if (already_scored(r)) return;
        double points[kMaxR * kMaxR];
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < r; ++j) points[i * r + j] = list_.array(j)[chosen_[i]];
        Found& found = found_;
        if (!plane_through<R>(points, r, found.plane) || !in_box(r, found.plane)) return;
        const SideChoice sides = score(r, found.plane);
        if (!(sides.loss < kInfinity) || !accept(sides.loss)) return;
        found.loss = sides.loss;
        found.on_above = sides.on_above;
        found.missing_above = sides.missing_above;
        for (int i = 0; i < r; ++i) found.rows[i] = static_cast<int>(list_.array(index_array())[chosen_[i]]);
        report(found);
    }

    int index_array() const { return context_.points->layout.index(); }

    // Turns the plane so that its chart coefficient is positive, and tells whether it lies in the box.
    bool in_box(int r, Plane& plane) const {
        if (box_->chart == kEveryPlane) return true;
        const double scale = plane.w[box_->chart];
        if (std::abs(scale) < 0.5) return false;
        for (int j = 0; j < r; ++j)
            if (!(std::abs(plane.w[j] / scale - box_->w[j]) <= box_->dw[j] + kBoxSlack)) return false;
        if (!(std::abs(plane.b / scale - box_->b) <= box_->db + kBoxSlack)) return false;
        if (scale < 0) {
            for (int j = 0; j < r; ++j) plane.w[j] = -plane.w[j];
            plane.b = -plane.b;
        }
        return true;
    }

    SideChoice score(int r, const Plane& plane) {
        const int n_on = passes_.tally_plane(list_, r, problem_.k, plane.w, plane.b, above_.data(), on_.data(),
                                             values_.data());
        PlaneTally tally{above_.data(), on_.data()};
        for (int j = 0; j < problem_.k; ++j) above_[j] += context_.certain_above[j];
        if (problem_.counts_rows()) count_rows(tally);
        if (n_on > r) remember(r);
        return scorer_.best_sides(tally, *context_.points, canonical_above(r, plane));
    }

    void count_rows(PlaneTally& tally) const {
        const double* rows = list_.array(context_.points->layout.rows());
        tally.rows_above = context_.certain_rows_above;
        for (int i = 0; i < list_.n; ++i) {
            if (values_[i] > kOnPlane) tally.rows_above += rows[i];
            else if (values_[i] >= -kOnPlane) tally.rows_on += rows[i];
        }
    }

    static bool canonical_above(int r, const Plane& plane) {
        for (int j = 0; j < r; ++j)
            if (std::abs(plane.w[j]) > kOnPlane) return plane.w[j] > 0;
        return true;
    }

    // Remembers the points that lie on the scored plane up to rounding, if they are more than r.
    void remember(int r) {
        if (list_.n <= 64) {
            uint64_t mask = 0;
            for (int i = 0; i < list_.n; ++i) mask |= static_cast<uint64_t>(std::abs(values_[i]) <= kCoplanar) << i;
            if (__builtin_popcountll(mask) > r) scored_masks_.push_back(mask);
            return;
        }
        std::vector<bool> on(list_.n);
        int n_on = 0;
        for (int i = 0; i < list_.n; ++i) {
            on[i] = std::abs(values_[i]) <= kCoplanar;
            n_on += on[i];
        }
        if (n_on > r) scored_.push_back(std::move(on));
    }

    bool already_scored(int r) const {
        if (!scored_masks_.empty()) {
            uint64_t selection = 0;
            for (int i = 0; i < r; ++i) selection |= uint64_t{1} << chosen_[i];
            for (uint64_t mask : scored_masks_)
                if ((selection & ~mask) == 0) return true;
        }
        for (const std::vector<bool>& on : scored_) {
            bool inside = true;
            for (int i = 0; i < r && inside; ++i) inside = on[chosen_[i]];
            if (inside) return true;
        }
        return false;
    }

    const Problem& problem_;
    Scorer<Criterion>& scorer_;
    Passes passes_;
    List list_;
    const Box<R>* box_ = nullptr;
    LeafContext context_{};
    bool masked_ = true;
    int64_t work_ = 0;
    uint64_t compatible_[64];
    int chosen_[kMaxR];
    Found found_;
    std::vector<double> above_, on_, values_;
    std::vector<std::vector<bool>> scored_;    // by point, for lists of more than 64
    std::vector<uint64_t> scored_masks_;
};

}  // namespace elc
