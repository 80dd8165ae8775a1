// Enumeration of the candidates inside one small box.
//
// Every candidate in the box passes through r points of its uncertain list. Two points can share a plane of the box
// only if the range of their values' difference contains zero; r points that are pairwise so compatible are tried. Once
// a plane with more than r points on it (up to rounding) has been scored, other selections among those points are
// skipped.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/box.hpp"
#include "exact/echelon.hpp"
#include "exact/incumbent.hpp"
#include "exact/plane.hpp"
#include "exact/side_scoring.hpp"

namespace elc {

constexpr int64_t kWorkBetweenStops = 1 << 18;  // in units of r^3 operations: well under a tenth of a second
constexpr double kSettled = 0.4 * kOnPlane;     // a first look at a plane that is this accurate settles most sides

// The distinct points of a list with their exact coordinates and class weights. Those that planes may be put through
// come first; the others may be on such a plane by the tolerance alone.
class ExactPoints {
public:
    ExactPoints(int r, int k) : r_(r), k_(k) {}

    const ScoringList& list() const { return list_; }
    int n_selectable() const { return n_selectable_; }
    double coordinate(int i, int j) const { return list_.array(j)[i]; }
    int entry(int i) const { return entry_[i]; }

    // The list's points and the heavy places for which `with(place)` holds.
    template <class With>
    void gather(const Points& points, const PointList& from, With&& with) {
        const size_t n = from.n + points.heavy.size();
        const size_t stride = (n + 7) / 8 * 8;
        if (storage_.size() < stride * (r_ + k_)) storage_.resize(stride * (r_ + k_));
        entry_.resize(n);
        list_ = {storage_.data(), stride, 0};
        std::fill(storage_.begin(), storage_.begin() + stride * (r_ + k_), 0.0);
        if (!points.place.empty() && at_place_.size() < points.place.size()) at_place_.resize(points.place.size(), -1);
        if (from.narrow) gather_as<float>(points, from);
        else gather_as<double>(points, from);
        for (const HeavyPlace& heavy : points.heavy) {
            if (!with(heavy)) continue;
            for (const auto& [slot, c] : heavy.entries) add(points, slot, c);
        }
        if (!points.place.empty())
            for (int i = 0; i < list_.n; ++i) at_place_[points.place[entry_[i]]] = -1;
        n_selectable_ = list_.n;
        // No comparison holds for the padding.
        for (size_t i = list_.n; i < stride; ++i) storage_[i] = std::numeric_limits<double>::quiet_NaN();
    }

    // Leaves only the points selectable that some plane of the box passes through.
    template <int R>
    void select(const Box<R>& box) {
        n_selectable_ = 0;
        for (int i = 0; i < list_.n; ++i) {
            double value = -box.b, radius = box.db + kBoxSlack;
            for (int j = 0; j < r_; ++j) {
                const double y = coordinate(i, j) - box.origin[j];
                value += box.w[j] * y;
                radius += (box.dw[j] + kBoxSlack) * std::abs(y);
            }
            if (std::abs(value) <= radius) exchange(i, n_selectable_++);
        }
    }

private:
    void exchange(int i, int other) {
        if (i == other) return;
        for (int a = 0; a < r_ + k_; ++a) std::swap(storage_[a * list_.stride + i], storage_[a * list_.stride + other]);
        std::swap(entry_[i], entry_[other]);
    }

    template <class T>
    void gather_as(const Points& points, const PointList& from) {
        const IndexIn<T>* index = reinterpret_cast<const IndexIn<T>*>(from.array<T>(points.layout.index(false)));
        const T* first = from.array<T>(0);
        for (int c = 0; c < k_; ++c) {
            for (int q = from.segment[c]; q < from.segment[c + 1] && first[q] == first[q]; ++q) {
                add(points, static_cast<int>(index[q]), c);
            }
        }
    }

    void add(const Points& points, int slot, int c) {
        const double weight = points.weight.empty() ? 1.0 : points.weight[slot];
        int at = list_.n;
        if (!points.place.empty()) {
            int32_t& known = at_place_[points.place[slot]];
            if (known >= 0) at = known;
            else known = at;
        }
        if (at == list_.n) {
            entry_[at] = slot;
            for (int j = 0; j < r_; ++j) storage_[j * list_.stride + at] = points.coordinate(j)[slot];
            ++list_.n;
        }
        storage_[(r_ + c) * list_.stride + at] += weight;
    }

    int r_, k_, n_selectable_ = 0;
    ScoringList list_;
    AlignedVector<double> storage_;
    std::vector<int32_t> entry_, at_place_;
};

// What a leaf needs to know of the box's surroundings.
template <int R>
struct BoxContext {
    const std::vector<Box<R>>* outer;  // boxes that hold the box's planes, too
    const Points* points;
    const std::vector<int>* features;
    const double* certain_above;  // class weights
};

template <int R, class Criterion>
class PlaneEnumeration {
public:
    PlaneEnumeration(const ExactNode& node, SideScorer<Criterion>& scorer)
        : node_(node), scorer_(scorer), passes_(passes_for(node.options.r, node.k)), chosen_(node.options.r),
          above_(node.k), on_(node.k), echelon_(R ? 0 : node.options.r) {
        found_.plane.w.resize(node.options.r);
        found_.rows.resize(node.options.r);
        set_size(selection_, node.options.r * node.options.r);
    }

    // Calls accept(loss) -> bool before report(FoundSplit&). Returns false if `stop` asked to end early.
    template <class Accept, class Report, class Stop>
    bool enumerate(const ExactPoints& points, const Box<R>& box, const BoxContext<R>& context, Accept&& accept,
                   Report&& report, Stop&& stop) {
        const int r = order();
        begin(points, box, context);
        if (points.n_selectable() < r) return true;
        masked_ = points.n_selectable() <= 64 && box.chart != kEveryPlane;
        if (masked_) find_compatible(r);
        const uint64_t all =
            points.n_selectable() == 64 ? ~uint64_t{0} : (uint64_t{1} << (points.n_selectable() & 63)) - 1;
        return choose(0, 0, all, accept, report, stop);
    }

    // Scores the plane through the given points, if it lies in the box.
    template <class Accept, class Report>
    void try_points(const ExactPoints& points, const Box<R>& box, const BoxContext<R>& context,
                    const std::vector<int>& chosen, Accept&& accept, Report&& report) {
        begin(points, box, context);
        masked_ = points.n_selectable() <= 64;
        chosen_ = chosen;
        score_exactly(accept, report);
    }

private:
    int order() const { return R ? R : node_.options.r; }

    void begin(const ExactPoints& points, const Box<R>& box, const BoxContext<R>& context) {
        points_ = &points, box_ = &box, context_ = context;
        if (values_.size() < points.list().stride) values_.resize(points.list().stride);
        scored_.clear();
        scored_masks_.clear();
    }

    void find_compatible(int r) {
        double value[64];
        const int n = points_->n_selectable();
        for (int i = 0; i < n; ++i) {
            value[i] = 0;
            for (int j = 0; j < r; ++j) value[i] += box_->w[j] * points_->coordinate(i, j);
        }
        for (int i = 0; i < n; ++i) {
            uint64_t mask = 0;
            for (int other = i + 1; other < n; ++other) {
                double radius = kBoxSlack;
                for (int j = 0; j < r; ++j) {
                    radius += box_->dw[j] * std::abs(points_->coordinate(i, j) - points_->coordinate(other, j));
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
        for (int i = from; i <= points_->n_selectable() - (order() - depth); ++i) {
            if (!take(depth, i, ~uint64_t{0}, accept, report, stop)) return false;
        }
        return true;
    }

    // Takes point i as the selection's next one: scores a complete selection, completes any other from `allowed`.
    template <class Accept, class Report, class Stop>
    bool take(int depth, int i, uint64_t allowed, Accept& accept, Report& report, Stop& stop) {
        chosen_[depth] = i;
        if (R == 0 && !extend(depth, i)) return true;
        if (depth + 1 < order()) return !allowed || choose(depth + 1, i + 1, allowed, accept, report, stop);
        try_plane(accept, report);
        work_ += static_cast<int64_t>(order()) * order() * order();
        if (work_ < kWorkBetweenStops) return true;
        work_ = 0;
        return !stop();
    }

    template <class Accept, class Report>
    void try_plane(Accept& accept, Report& report) {
        const int r = order();
        if (already_scored(r) || (R == 0 && !worth_a_look(r, accept))) return;
        score_exactly(accept, report);
    }

    template <class Accept, class Report>
    void score_exactly(Accept& accept, Report& report) {
        const int r = order();
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < r; ++j) selection_[i * r + j] = points_->coordinate(chosen_[i], j);
        FoundSplit& found = found_;
        if (!maker_.through(selection_.data(), r, found.plane) || !in_box(r, found.plane)) return;
        SideChoice sides = score(r, found.plane);
        if (!(sides.loss < kInfinity) || !accept(sides.loss)) return;
        if (node_.counts_rows()) {
            sides = score_with_rows(r, found.plane);
            if (!(sides.loss < kInfinity) || !accept(sides.loss)) return;
        }
        found.loss = sides.loss;
        found.on_above = sides.on_above;
        found.missing_above = sides.missing_above;
        for (int i = 0; i < r; ++i) found.rows[i] = context_.points->representative[points_->entry(chosen_[i])];
        report(found);
    }

    // Tells the echelon of the selection's next point; false if no selection that begins so fixes a plane.
    bool extend(int depth, int i) {
        for (int j = 0; j < order(); ++j) selection_[j] = points_->coordinate(i, j);
        if (depth > 0) return echelon_.add(depth, selection_.data());
        echelon_.start(selection_.data());
        return true;
    }

    // A first look at the plane of the echelon: false where it lies outside of the box or scores too badly, for
    // certain.
    template <class Accept>
    bool worth_a_look(int r, Accept& accept) {
        Plane& plane = found_.plane;
        const double error = echelon_.solve(plane);
        if (!(error < kSettled)) return true;
        if (!in_box(r, plane, 8 * error + kBoxSlack)) return false;
        const int n_on = passes_.tally_plane(points_->list(), r, node_.k, plane.w.data(), plane.b, kOnPlane,
                                             above_.data(), on_.data(), values_.data());
        if (n_on > r) return true;
        for (int i = 0; i < points_->list().n; ++i) {
            if (std::abs(std::abs(values_[i]) - kOnPlane) < error) return true;
        }
        for (int j = 0; j < r; ++j) {
            if (std::abs(std::abs(plane.w[j]) - kOnPlane) < error) return true;  // its sign may decide the orientation
        }
        for (int j = 0; j < node_.k; ++j) above_[j] += context_.certain_above[j];
        const SideChoice sides =
            scorer_.best_sides({above_.data(), on_.data()}, *context_.points, canonical_above(r, plane));
        return sides.loss < kInfinity && accept(sides.loss);
    }

    // Turns the plane so that its chart coefficient is positive, and tells whether it lies in the box.
    bool in_box(int r, Plane& plane, double slack = kBoxSlack) const {
        if (box_->chart == kEveryPlane) return true;
        const double scale = plane.w[box_->chart];
        if (std::abs(scale) < 0.5) return false;  // another chart's
        if (!box_->holds(plane.w.data(), plane.b, r, slack)) return false;
        for (const Box<R>& outer : *context_.outer) {
            if (!outer.holds(plane.w.data(), plane.b, r, slack)) return false;
        }
        if (scale < 0) {
            for (int j = 0; j < r; ++j) plane.w[j] = -plane.w[j];
            plane.b = -plane.b;
        }
        return true;
    }

    SideChoice score(int r, const Plane& plane) {
        const int n_on = passes_.tally_plane(points_->list(), r, node_.k, plane.w.data(), plane.b, kOnPlane,
                                             above_.data(), on_.data(), values_.data());
        for (int j = 0; j < node_.k; ++j) above_[j] += context_.certain_above[j];
        if (n_on > r) remember(r);
        return scorer_.best_sides({above_.data(), on_.data()}, *context_.points, canonical_above(r, plane));
    }

    // The plane's score within the limit on rows; called for the few planes that are good enough without it.
    SideChoice score_with_rows(int r, const Plane& plane) {
        PlaneTally tally{above_.data(), on_.data(), 0, 0, true};
        for (int i = 0; i < node_.n; ++i) {
            const int position = plane_side_of(node_, *context_.features, plane, r, i);
            tally.rows_above += position == kAbove;
            tally.rows_on += position == kOn;
        }
        return scorer_.best_sides(tally, *context_.points, canonical_above(r, plane));
    }

    static bool canonical_above(int r, const Plane& plane) {
        for (int j = 0; j < r; ++j)
            if (std::abs(plane.w[j]) > kOnPlane) return plane.w[j] > 0;
        return true;
    }

    // Remembers the points that lie on the scored plane up to rounding, if they are more than r.
    void remember(int r) {
        const int n = points_->n_selectable();
        if (n <= 64) {
            uint64_t mask = 0;
            for (int i = 0; i < n; ++i) mask |= static_cast<uint64_t>(std::abs(values_[i]) <= kCoplanarByRounding) << i;
            if (__builtin_popcountll(mask) > r) scored_masks_.push_back(mask);
            return;
        }
        std::vector<bool> on(n);
        int n_on = 0;
        for (int i = 0; i < n; ++i) {
            on[i] = std::abs(values_[i]) <= kCoplanarByRounding;
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

    const ExactNode& node_;
    SideScorer<Criterion>& scorer_;
    Passes passes_;
    PlaneMaker<R> maker_;
    const ExactPoints* points_ = nullptr;
    const Box<R>* box_ = nullptr;
    BoxContext<R> context_{};
    bool masked_ = true;
    int64_t work_ = 0;
    uint64_t compatible_[64];
    std::vector<int> chosen_;
    Numbers<R * R> selection_;  // the chosen points, row-major
    FoundSplit found_;
    std::vector<double> above_, on_, values_;
    std::vector<std::vector<bool>> scored_;  // by point, for lists of more than 64
    std::vector<uint64_t> scored_masks_;
    Echelon echelon_;
};

}  // namespace elc
