// Closes boxes: those that are small enough are enumerated, those that hold one plane or none need not be split.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact/boxes/box_bound.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/node/combinations.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/affine_rank.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/near_plane.hpp"
#include "exact/planes/plane_enumeration.hpp"
#include "exact/planes/plane_through.hpp"
#include "exact/planes/plane_turning.hpp"
#include "exact/planes/point_sample.hpp"

namespace elc {

// Lists this short are enumerated instead of split further.
inline int enumeration_size(int r) {
    switch (r) {
        case 2: return 11;
        case 3: return 8;
        case 4: return 9;
        default: return r + 6;
    }
}

// Lists that halving does not shorten are enumerated if they have no more candidates than this, and twice as many for
// each level without progress: of two features, whose boxes are cheap, fewer than of more, and of three, whose
// selections are told by eights (compatible_triples.hpp), most.
inline int64_t stuck_candidates(int r) { return r == 2 ? 100 : r == 3 ? 4000 : 1000; }

constexpr int64_t kFewCrossings = 16;  // of two features: so few candidates are scored instead of splitting on
constexpr double kSmallBox = 0.02;     // a box so small in which a list does not get shorter has degenerate points
constexpr double kFar = 1e-6;          // points so far from the plane of others that reach as far as 1 are not in it
constexpr int kSeenForRank = 16;       // so many points mostly show that others do not lie in one plane
constexpr double kBlurred = 16;        // in boxes of so many tolerances, which points planes can pass through is tested

inline bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

enum class Closing {
    open,    // it is to be split
    closed,  // nothing is left in it
    stopped  // the sink asked to end
};

template <int R, class Criterion>
class BoxClosing {
public:
    BoxClosing(const ExactNode& node, SideScoring<Criterion>& sides)
        : enumeration_(node, sides), near_plane_(node, sides), turning_(node, sides),
          exact_(node.options.r, node.k, node.width), rank_(node.options.r), r_(node.options.r), k_(node.k),
          enumeration_size_(enumeration_size(node.options.r)) {
        plane_.w.resize(r_);
        set_size(coordinates_, r_ * r_);
    }

    // The list is the whole set's.
    void look_at(const SubsetPoints& subset, const PointList& list) {
        enumeration_.forget();
        near_plane_.forget();
        is_crowded_ = !subset.points.cells_only && list.n > PointSample::kMost;
        if (is_crowded_) sample_.take(subset.points, list, k_);
        is_crowded_ = is_crowded_ && sample_.is_crowded(r_);
    }

    // A child box with its list; `bounder` has looked at it. The longer halving has not helped (`stale` levels), the
    // more is worth trying.
    Closing close(const BoxContext<R>& context, const PointList& list, const Spread<R>& spread, int stale,
                  const BoxBound<R, Criterion>& bounder, Sink& sink) {
        if (list.n + bounder.n_open_heavy() < r_) return Closing::closed;
        if (is_crowded_ && list.n > enumeration_size_ && has_no_selection(context.subset->points, list, bounder))
            return Closing::closed;
        const Tolerance tolerance = context.subset->points.tolerance;
        const double size = size_of(*context.box, list.n, spread);
        const bool blurred = size < kBlurred * tolerance.certain;
        const bool has_stalled = is_power_of_two(stale - r_) || (size < kSmallBox && is_power_of_two(stale));
        if (list.n > enumeration_size_ && !blurred && !stuck(list.n, stale) &&
            (!has_stalled || is_general(context.subset->points, list)))
            return Closing::open;
        exact_.gather(context.subset->points, list, [&](const HeavyPlace& heavy) { return bounder.is_open(heavy); });
        if (blurred) exact_.select(*context.box);
        const int n = exact_.n_selectable();
        if (n < r_) return Closing::closed;
        if (tolerance.is_fine() && blurred && list.n > kFewNearPlane &&
            !near_plane_.may_be_accepted(exact_, context, sink))
            return Closing::closed;
        if (n > enumeration_size_) {
            const AffineRank rank = rank_.rank_of(exact_.list(), n, tolerance.on);
            if (rank == AffineRank::no_candidate) return Closing::closed;
            const bool is_near = rank != AffineRank::one_plane && are_near_plane(n, tolerance);
            if (rank != AffineRank::general || is_near) {
                const FlatResult result =
                    is_near
                        ? near_plane_.divide(exact_, context, rank_.chosen(), rank_.normal(), rank_.half_width(), sink)
                        : enumeration_.enumerate_flat(exact_, context, rank_.chosen(), rank_.distance(), sink);
                if (result == FlatResult::settled) return Closing::closed;
                if (result == FlatResult::stopped) return Closing::stopped;
            }
            if (r_ == 2 && blurred) {
                const FlatResult result = enumeration_.enumerate_crossings(exact_, context, kFewCrossings, sink);
                if (result == FlatResult::settled) return Closing::closed;
                if (result == FlatResult::stopped) return Closing::stopped;
            }
            if (size > kBoxSlack && !tiny(*context.box) && !stuck(n, stale)) return Closing::open;
        }
        return enumeration_.enumerate(exact_, context, sink) ? Closing::closed : Closing::stopped;
    }

    // Scores the plane through the points of the list that span the set best.
    void try_widest_plane(const SubsetPoints& subset, const PointList& list, Sink& sink) {
        gather_all(subset, list);
        if (rank_.rank_of(exact_.list(), exact_.n_selectable(), kOnPlane) == AffineRank::no_candidate) return;
        enumeration_.try_points(exact_, whole(subset), rank_.chosen(), sink);
    }

    // Takes another point for one of a split's own as long as that makes it better. The sink takes what is better, and
    // `best` is what it has.
    void improve(const SubsetPoints& subset, const PointList& list, const FoundSplit& best, Sink& sink) {
        gather_all(subset, list);
        std::vector<int> selection;
        if (!find_selection(subset.points, best.rows, selection)) return;
        for (int leaves = 0, n_vain = 0; n_vain < r_ && !sink.stop(); leaves = (leaves + 1) % r_) {
            const int there = selection[leaves];
            const double loss = best.loss;
            selection[leaves] = turning_.best_stop(exact_, selection, leaves, subset, loss);
            if (selection[leaves] != there && !enumeration_.try_points(exact_, whole(subset), selection, sink)) return;
            const bool is_better = best.loss < loss;
            n_vain = is_better ? 1 : n_vain + 1;
            if (!is_better) selection[leaves] = there;
        }
    }

    // Scores every candidate of the feature set; false if the sink asked to end early.
    bool enumerate_all(const SubsetPoints& subset, const PointList& list, Sink& sink) {
        gather_all(subset, list);
        return enumeration_.enumerate(exact_, whole(subset), sink);
    }

private:
    BoxContext<R> whole(const SubsetPoints& subset) const {
        return {&every_plane_, &no_boxes_, &subset, subset.points.base.data()};
    }

    void gather_all(const SubsetPoints& subset, const PointList& list) {
        exact_.gather(subset.points, list, [](const HeavyPlace&) { return true; });
    }

    // Whether all points of the list are so near to each other, or to a flat, that no plane is fixed by them.
    bool has_no_selection(const Points& points, const PointList& list, const BoxBound<R, Criterion>& bounder) {
        exact_.gather(points, list, [&](const HeavyPlace& heavy) { return bounder.is_open(heavy); });
        const int n = exact_.n_selectable();
        return rank_.rank_of(exact_.list(), n, points.tolerance.on) == AffineRank::no_candidate;
    }

    // Where rows are among the gathered points; false if one of them stands for no point.
    bool find_selection(const Points& points, const std::vector<int>& rows, std::vector<int>& selection) const {
        selection.assign(rows.size(), -1);
        for (int i = 0; i < exact_.n_selectable(); ++i) {
            const auto at = std::find(rows.begin(), rows.end(), points.representative[exact_.entry(i)]);
            if (at != rows.end()) selection[at - rows.begin()] = i;
        }
        return std::find(selection.begin(), selection.end(), -1) == selection.end();
    }

    // Whether a sample of the list shows that its points are many and do not lie in one plane.
    bool is_general(const Points& points, const PointList& list) {
        if (list.n <= PointSample::kMost) return false;
        sample_.take(points, list, k_, kSeenForRank);
        const int n = sample_.list().n;
        if (n <= enumeration_size_) return false;
        const AffineRank rank = rank_.rank_of(sample_.list(), n, points.tolerance.on);
        if (rank == AffineRank::general) return !are_near_plane(list.n, points.tolerance);
        return rank == AffineRank::one_plane && some_are_far_from_plane(points, list);
    }

    // Whether points of the list are far from the plane of the sample whose rank was found last. That costs a tenth of
    // what it takes to find the rank of all.
    bool some_are_far_from_plane(const Points& points, const PointList& list) {
        for (int i = 0; i < r_; ++i)
            for (int j = 0; j < r_; ++j) coordinates_[i * r_ + j] = sample_.list().array(j)[rank_.chosen()[i]];
        if (!maker_.through(coordinates_.data(), r_, plane_)) return false;
        const double far = kFar / rank_.reach();
        return list.narrow ? some_are_farther<float>(points, list, far) : some_are_farther<double>(points, list, far);
    }

    template <class T>
    bool some_are_farther(const Points& points, const PointList& list, double than) const {
        const IndexIn<T>* index = reinterpret_cast<const IndexIn<T>*>(list.array<T>(points.layout.index(false)));
        const T* first = list.array<T>(0);
        for (int i = 0; i < list.segment[k_]; ++i) {
            if (first[i] != first[i]) continue;
            double value = -plane_.b;
            for (int j = 0; j < r_; ++j) value += plane_.w[j] * points.coordinate(j)[index[i]];
            if (std::abs(value) > than) return true;
        }
        return false;
    }

    // Whether the n points whose rank was found last are to be divided within the plane that they are near to.
    bool are_near_plane(int n, const Tolerance& tolerance) {
        if (!tolerance.is_fine() || n <= kFewNearPlane) return false;
        const double near = std::min(kNearPlane, kThinPlane * rank_.reach());
        const double most = std::max(tolerance.certain, near);
        return rank_.distance() <= 2 * most && rank_.half_width() <= most;
    }

    // Nearly degenerate points (columns that differ by 1e-7, say) stay uncertain until a box is as small as they are
    // far apart. The longer halving has not helped, the more selections are worth trying instead.
    bool stuck(int n, int stale) const {
        if (stale <= r_ || n > 64) return false;
        return count_combinations(n, r_) >> std::min(stale - r_, 30) <= stuck_candidates(r_);
    }

    // How far the box lets the value of a point of its list move, on average.
    double size_of(const Box<R>& box, int n, const Spread<R>& spread) const {
        double size = 0;
        for (int j = 0; j < order_of<R>(r_); ++j) size += box.dw[j] * spread[j];
        return box.db + size / n;
    }

    // Splitting a box that is as small as the slack of boxes separates no more points.
    bool tiny(const Box<R>& box) const {
        double size = box.db;
        for (int j = 0; j < r_; ++j) size += 2 * box.dw[j];
        return size <= kBoxSlack;
    }

    PlaneEnumeration<R, Criterion> enumeration_;
    NearPlane<R, Criterion> near_plane_;
    PlaneTurning<R, Criterion> turning_;
    ExactPoints exact_;
    AffineRankFinder rank_;
    PointSample sample_;
    bool is_crowded_ = false;
    PlaneMaker<R> maker_;
    Plane plane_;
    Numbers<R * R> coordinates_;
    int r_, k_;
    int enumeration_size_;
    Box<R> every_plane_;
    std::vector<OuterBox<R>> no_boxes_;
};

}  // namespace elc
