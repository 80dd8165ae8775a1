// Of two features, points near one plane are a line: which end of it the planes of a box can have above.
//
// A split is found at a plane through points, and is made by planes as near to that one as one likes. In a box that all
// rise along the line, or all fall, half of the ways to divide its points are no splits of the box.
#pragma once

#include <algorithm>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

class LineSlope {
public:
    // Boxes let values move by `slack` more than they say. With more than two features everything is admitted.
    template <int R>
    LineSlope(const ExactPoints& points, const Box<R>& box, int r, double slack) {
        if (r != 2) return;
        double longest = 0;
        for (int j = 0; j < 2; ++j) {
            const double* x = points.list().array(j);
            const auto [low, high] = std::minmax_element(x, x + points.list().n);
            if (*high - *low <= longest) continue;
            longest = *high - *low;
            first_ = static_cast<int>(low - x);
            last_ = static_cast<int>(high - x);
        }
        const auto step = [&](int j) { return points.coordinate(last_, j) - points.coordinate(first_, j); };
        const ValueRange range = box.range_of_step(2, step);
        rises_ = range.value >= -(range.radius + slack);
        falls_ = range.value <= range.radius + slack;
    }

    bool admits(const std::vector<char>& above) const {
        return above[first_] == above[last_] || (above[last_] ? rises_ : falls_);
    }

private:
    int first_ = 0, last_ = 0;  // points, along the line
    bool rises_ = true, falls_ = true;
};

}  // namespace elc
