// The smallest loss of any plane in a box, from what is certainly above it and what it is uncertain about.
//
// Uncertain rows may go to either side, each class as it likes; those of a heavy place go to one side together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/inline.hpp"
#include "common/numbers.hpp"
#include "exact/boxes/box.hpp"
#include "exact/boxes/closer_look.hpp"
#include "exact/boxes/threshold_sums.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/side_scoring.hpp"
#include "exact/points/points.hpp"

namespace elc {

template <int R, class Criterion>
class BoxBound {
public:
    BoxBound(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), r_(node.options.r), k_(node.k), width_(node.width), above_(node.width),
          sums_(node.options.r) {}

    // Takes what is certainly above the box, and adds the heavy places there.
    ELC_INLINE void look_at(const Points& points, const Box<R>& box, const double* above) {
        points_ = &points;
        open_.clear();
        is_above_ = above;
        if (points.heavy.empty()) return;
        std::copy(above, above + width_, above_.begin());
        is_above_ = above_.data();
        for (const HeavyPlace& heavy : points.heavy) {
            const int side = box.side_of(r_, [&](int j) { return heavy.x[j]; }, points.tolerance.certain);
            if (side > 0)
                for (int j = 0; j < width_; ++j) above_[j] += heavy.side_sum[j];
            if (side == 0) open_.push_back(&heavy);
        }
    }

    // What is above, heavy places among it.
    const double* above() const { return is_above_; }

    int n_open_heavy() const { return static_cast<int>(open_.size()); }
    bool is_open(const HeavyPlace& heavy) const { return std::find(open_.begin(), open_.end(), &heavy) != open_.end(); }

    // The smallest loss where what is uncertain is free.
    ELC_INLINE double smallest_loss(const double* uncertain) {
        const auto bound = [&] { return sides_.bound(is_above_, uncertain, points_->missing); };
        return open_.empty() ? within_limits(uncertain, bound) : over_heavy(uncertain, 0, bound);
    }

    // Whether a closer look shows that it is not below the ceiling.
    bool exceeds(const double* uncertain, double ceiling) {
        if (!at_corners_.is_worth_while()) return false;
        const auto bound = [&] {
            return sides_.exceeds(is_above_, uncertain, points_->missing, ceiling) ? kInfinity : 0.0;
        };
        return at_corners_.note(over_heavy(uncertain, 0, bound) > 0);
    }

    // Whether every loss is above the ceiling because points in groups are divided by thresholds. The list is the
    // box's, of points; `margin` is what the radius of a value needs on top.
    bool exceeds_in_groups(const Box<R>& box, const PointList& list, double margin, double ceiling) {
        if constexpr (kFallsWithPurity<Criterion>) {
            if (k_ != 2 || node_.total > kExactProducts || !in_groups_.is_worth_while()) return false;
            const PointLayout& layout = points_->layout;
            if (!sums_.look_at(box, list, layout.weighted ? layout.weight(false) : -1, margin))
                return in_groups_.note(false);
            // Where a loss is not above it, one corner mostly tells.
            using Corners = const std::vector<ClassPair>&;
            const auto far = [&](int c) -> Corners {
                return sums_.far_corner(c, node_.totals[1 - c], node_.totals[c]);
            };
            const auto all = [&](int c) -> Corners { return sums_.corners(c); };
            return in_groups_.note(is_above(ceiling, far) && is_above(ceiling, all));
        } else {
            return false;
        }
    }

private:
    static constexpr double kExactProducts = 1 << 26;  // products of whole weights up to this are exact

    // Whether the losses at the corners that `corners(c)` gives for both classes are.
    template <class Corners>
    bool is_above(double ceiling, const Corners& corners) {
        double open[2] = {0, 0};
        for (const HeavyPlace* heavy : open_)
            for (int c = 0; c < 2; ++c) open[c] += heavy->side_sum[c];
        for (int facing = 0; facing < 2; ++facing) {
            for (const ClassPair& corner : corners(facing)) {
                double above[2] = {is_above_[0], is_above_[1]};
                above[facing] += corner.most;
                above[1 - facing] += corner.least;
                if (!(sides_.bound(above, open, points_->missing) > ceiling)) return false;
            }
        }
        return true;
    }

    // The smallest of what `bound` says of each way to give the heavy places from `next` on their sides.
    template <class Bound>
    double over_heavy(const double* uncertain, size_t next, const Bound& bound) {
        if (next < open_.size()) {
            const std::vector<double>& side = open_[next]->side_sum;
            const double below = over_heavy(uncertain, next + 1, bound);
            for (int j = 0; j < width_; ++j) above_[j] += side[j];
            const double above = over_heavy(uncertain, next + 1, bound);
            for (int j = 0; j < width_; ++j) above_[j] -= side[j];
            return std::min(below, above);
        }
        return within_limits(uncertain, bound);
    }

    template <class Bound>
    double within_limits(const double* uncertain, const Bound& bound) {
        if (node_.min_weight <= 1) return bound();  // one row is no limit that a bound would notice
        const double above = node_.weight_of(is_above_);
        double open = points_->missing.weight;
        for (int j = 0; j < k_; ++j) open += uncertain[j];
        const bool too_small = above + open < node_.min_weight || node_.total - above < node_.min_weight;
        return too_small ? kInfinity : bound();
    }

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    int r_, k_, width_;
    const Points* points_ = nullptr;
    std::vector<double> above_;         // what is above, where heavy places are among it
    const double* is_above_ = nullptr;  // that, or what the caller has
    std::vector<const HeavyPlace*> open_;
    ThresholdSums<R> sums_;
    // Looks at thresholds take as long as several boxes, those at corners of many classes as long as one or two.
    CloserLook in_groups_{2}, at_corners_{4};
};

}  // namespace elc
