// Of three features: which points of a list fix a plane of a box together with two others.
//
// Where points lie near a line or in clusters, few selections of pairwise compatible ones have a plane in the box: what
// is certainly outside of it, or dependent, is told without making the plane.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bits.hpp"
#include "exact/boxes/box.hpp"
#include "exact/boxes/box_context.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

class CompatibleTriples {
public:
    CompatibleTriples() : outside_(passes_for(3, 2).third_points_outside) {}

    // Of at most 64 points.
    void look_at(const BoxContext<3>& context, const ExactPoints& points) {
        boxes_.clear();
        boxes_.push_back(planes_of(*context.box, points));
        for (const OuterBox<3>& outer : *context.outer) boxes_.push_back(planes_of(outer.box, points));
    }

    // Those of `candidates`, all after points i and j, that may fix a plane of the box with them.
    uint64_t with(int i, int j, uint64_t candidates) const {
        for (size_t at = 0; at < boxes_.size() && candidates; ++at)
            candidates &= ~outside_(boxes_[at], i, j, lowest_bit(candidates), highest_bit(candidates));
        return candidates;
    }

private:
    static constexpr double kMostTilt = 2.001;          // BoxContext::holds takes no plane above 2
    static constexpr double kSlack = 1.05 * kBoxSlack;  // more than what rounding does to what Box::holds compares

    // What Box::holds compares. Outer boxes are of the same chart.
    static PlanesOfBox planes_of(const Box<3>& box, const ExactPoints& points) {
        PlanesOfBox planes;
        planes.chart = box.chart;
        planes.most_tilt = kMostTilt;
        planes.dependent = kIndependent * kIndependent;
        for (int k = 0; k < 3; ++k) {
            planes.x[k] = points.list().array(k);
            const bool is_offset = k == box.chart, is_height = box.local && box.local->absolute[k] != 0;
            planes.is_from_point[k] = is_offset || is_height;
            planes.centre[k] = is_offset ? -box.b : box.w[k];
            double size = 1;
            for (int j = 0; j < 3; ++j) {
                const double corner = box.local ? box.local->corner[k * 3 + j] : 0.0;
                const double step = box.local ? box.local->edge[k * 3 + j] : j == k ? 1.0 : 0.0;
                planes.step[k][j] = planes.is_from_point[k] ? corner : step;
                size += std::abs(corner);
            }
            planes.reach[k] = box.reach(is_offset ? 3 : k, 3) + kSlack * size;
        }
        return planes;
    }

    Passes::ThirdPoints outside_;
    std::vector<PlanesOfBox> boxes_;  // the box, and those around it
};

}  // namespace elc
