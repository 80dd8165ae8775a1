// A split as the search finds it, and when it was found.
//
// A candidate's visit is its feature set's number, then its path in the depth-first box order, which depends on the
// data alone.
#pragma once

#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/plane.hpp"

namespace elc {

struct Visit {
    int64_t subset = INT64_MAX;
    std::vector<uint8_t> path;

    // After all boxes of the feature set.
    void put_last() { path.assign(2, UINT8_MAX); }

    bool before(const Visit& other) const { return subset != other.subset ? subset < other.subset : path < other.path; }
};

struct FoundSplit {
    double loss = kInfinity;
    Visit visit;
    Plane plane;            // in the feature set's centred coordinates
    double on = kOnPlane;   // samples so near to the plane are on it
    std::vector<int> rows;  // sorted rows that define the plane
    bool on_above = true;   // the samples on the plane join those above it
    bool missing_above = false;
    bool divides_on = false;             // the samples on the plane are divided:
    std::vector<int32_t> above_on = {};  // those at the places of these rows are above it, the others below

    bool is_same_rule(const FoundSplit& other) const {
        return visit.subset == other.visit.subset && rows == other.rows && plane.w == other.plane.w &&
               plane.b == other.plane.b && on_above == other.on_above && missing_above == other.missing_above &&
               divides_on == other.divides_on && above_on == other.above_on;
    }
};

}  // namespace elc
