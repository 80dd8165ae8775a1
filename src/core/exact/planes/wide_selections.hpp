// From which width on the selections of points near a plane all have that plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/box_context.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/plane.hpp"
#include "exact/planes/wideness.hpp"

namespace elc {

inline int longest_coefficient(const Plane& plane) {
    const auto is_shorter = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(plane.w.begin(), plane.w.end(), is_shorter) - plane.w.begin());
}

// Columns have a range of 2.
class WideSelections {
public:
    explicit WideSelections(const ExactNode& node)
        : node_(node), wideness_(2 * std::sqrt(static_cast<double>(node.options.r)), node.options.r) {}

    void look_at(const ExactPoints& points, const SubsetPoints& subset) {
        points_ = &points;
        subset_ = &subset;
    }

    // Whether all selections of points within `distance` of a plane have that plane, seen without looking at it.
    bool have_one_plane(double distance) const {
        if (points_->n_selectable() < points_->list().n) return false;  // the others may be near the tolerance
        if (distance <= kRounding) return true;
        double cell = 0.9, largest = 0;
        for (int feature : subset_->features) {
            cell *= node_.step[feature];
            largest = std::max(largest, node_.step[feature]);
        }
        const double value =
            wideness_.least_value(distance, 0.9 * (subset_->points.tolerance.certain - subset_->points.tolerance.on));
        return wideness_.least_volume(value) * largest < cell;
    }

    // From which singular value on those selections of the points within `near` of the plane have that plane, to all
    // rows of the list; the values are those of the points on the plane.
    double from(const Plane& plane, const std::vector<double>& values, double tolerance, double near) const {
        double low = kInfinity, high = -kInfinity;
        for (int i = 0; i < points_->n_selectable(); ++i) {
            if (std::abs(values[i]) <= near) low = std::min(low, values[i]), high = std::max(high, values[i]);
        }
        const double distance = (high - low) / 2, middle = (low + high) / 2;
        if (distance <= kRounding) return 0;
        return wideness_.least_value(distance + rounding_of_values(plane), tolerance - std::abs(middle));
    }

    // The volume of edges seen along the plane's longest coefficient from which on selections have a singular value of
    // at least `wide`; 0 if the points lie on a grid whose cells have as much.
    double volume_from(const Plane& plane, double wide) const {
        const double volume = wideness_.least_volume(wide);
        double cell = 0.9;
        for (int j = 0; j < node_.options.r; ++j)
            if (j != longest_coefficient(plane)) cell *= node_.step[subset_->features[j]];
        return volume < cell ? 0.0 : volume;
    }

private:
    // How much rounding may add to the distance of points from the plane: nothing if it is that of one coordinate.
    double rounding_of_values(const Plane& plane) const {
        double sum = 0;
        int n_tilted = 0;
        for (int j = 0; j < node_.options.r; ++j) {
            sum += std::abs(plane.w[j]) * subset_->points.largest[j];
            n_tilted += plane.w[j] != 0;
        }
        return n_tilted > 1 ? (node_.options.r + 1) * 0.5 * kRounding * sum : 0.0;
    }

    const ExactNode& node_;
    Wideness wideness_;
    const ExactPoints* points_ = nullptr;
    const SubsetPoints* subset_ = nullptr;
};

}  // namespace elc
