// A box with its surroundings: what is needed to tell whether a plane lies in it and to score that plane.
#pragma once

#include <cmath>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/plane.hpp"
#include "exact/points/points.hpp"

namespace elc {

template <int R>
struct BoxContext {
    const Box<R>* box = nullptr;
    const std::vector<OuterBox<R>>* outer = nullptr;  // boxes that hold the box's planes, too
    const SubsetPoints* subset = nullptr;
    const double* certain_above = nullptr;  // class weights

    // Turns the plane so that its chart coefficient is positive, and tells whether it lies in the box.
    bool holds(int r, Plane& plane, double slack = kBoxSlack) const {
        if (box->chart == kEveryPlane) return true;
        const double scale = plane.w[box->chart];
        if (std::abs(scale) < 0.5) return false;  // another chart's
        if (!box->holds(plane.w.data(), plane.b, r, slack)) return false;
        for (const OuterBox<R>& other : *outer) {
            if (!other.box.holds(plane.w.data(), plane.b, r, slack)) return false;
        }
        if (scale < 0) {
            for (int j = 0; j < r; ++j) plane.w[j] = -plane.w[j];
            plane.b = -plane.b;
        }
        return true;
    }
};

}  // namespace elc
