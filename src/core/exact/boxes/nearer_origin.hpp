// Moves the origin of a box to the middle of its points.
//
// Points that lie close together far from the origin stay uncertain together in every box whose planes pass them, and
// there are many such boxes. Measured from their own middle, all planes through the cluster, whatever their direction,
// are in a few boxes.
#pragma once

#include <cmath>
#include <vector>

#include "exact/boxes/frames.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

constexpr double kNearerOrigin = 0.125;  // the middle must be so much nearer to the points

// Moves the frame's origin if that is much nearer to its points. The frame's box then becomes an outer box, since the
// list holds what is uncertain in that one alone. `exact` is where the points are gathered.
template <int R>
void move_to_nearer_origin(Frame<R>& frame, const Points& points, ExactPoints& exact, UncertainLists<R>& lists,
                           std::vector<Box<R>>& outer) {
    const int r = points.layout.r;
    exact.gather(points, frame.list, [](const HeavyPlace&) { return false; });
    const ScoringList& from = exact.list();
    Numbers<R> middle;
    set_size(middle, r);
    double now = 0, then = 0;
    for (int j = 0; j < r; ++j) {
        double sum = 0, spread_now = 0, spread_then = 0;
        for (int i = 0; i < from.n; ++i) sum += from.array(j)[i];
        middle[j] = sum / from.n;
        for (int i = 0; i < from.n; ++i) {
            spread_now += std::abs(from.array(j)[i] - frame.box.origin[j]);
            spread_then += std::abs(from.array(j)[i] - middle[j]);
        }
        now += frame.box.dw[j] * spread_now;
        then += frame.box.dw[j] * spread_then;
    }
    if (!(then < kNearerOrigin * now)) return;
    outer.push_back(frame.box);
    move_origin(frame.box, r, middle);
    frame.list = lists.seen_from(middle, frame.list);
    lists.measure(frame.list, frame.spread);
    frame.stale = 0;
}

}  // namespace elc
