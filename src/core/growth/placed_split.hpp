// What the search of a node is given while a tree is grown, and what it gives.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "predict.hpp"

namespace elc {

// The rows that a node is made of.
struct NodeRows {
    const int64_t* rows;
    const double* weights;
    int64_t n;
    const double* value;  // their statistics
    double weight;        // the sum of their weights
};

// A rule with its certificate; without features there is none.
struct PlacedSplit {
    std::vector<int32_t> features;
    std::vector<double> weights;
    double threshold = 0, score = 0, bound = 0, n_candidates = 0, margin = 0;
    bool missing_left = false, proven = true;

    bool found() const { return !features.empty(); }
    SplitView view() const {
        return {features.data(), weights.data(), static_cast<int64_t>(features.size()), threshold};
    }
};

// Leaves in `split` the better of it and a smaller one that was searched for apart, with the certificate of both;
// whether that is the smaller. Scores times `sign` are losses, and `scale` is the size by which rounding is judged.
inline bool keep_better(const PlacedSplit& smaller, PlacedSplit& split, double sign, double scale) {
    const double of_smaller = smaller.found() ? sign * smaller.score : kInfinity;
    const double of_larger = split.found() ? sign * split.score : kInfinity;
    const double least = std::min(of_smaller, of_larger);
    if (least == kInfinity) return false;
    const double slack = kTie * std::max(scale, std::abs(least));
    const double open = sign * smaller.bound, bound = split.found() ? std::min(open, sign * split.bound) : open;
    const bool proven = bound >= least - slack, is_smaller = of_smaller <= least + slack;
    if (is_smaller) split = smaller;
    split.proven = proven;
    split.bound = proven ? split.score : sign * bound;
    return is_smaller;
}

}  // namespace elc
