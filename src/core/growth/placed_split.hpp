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

// Leaves in `split` the better of it and another one that was searched for apart, with the certificate of both; of
// equally good ones that with fewer features. Whether the other was taken. Scores times `sign` are losses, and `scale`
// is the size by which rounding is judged.
inline bool take_better(const PlacedSplit& other, PlacedSplit& split, double sign, double scale) {
    if (!other.found()) return false;
    const double own = sign * split.score, least = std::min(own, sign * other.score);
    const double slack = kTie * std::max(scale, std::abs(least));
    const double bound = sign * (sign > 0 ? std::min(split.bound, other.bound) : std::max(split.bound, other.bound));
    const bool is_smaller = other.features.size() < split.features.size();
    const bool is_other = own > least + slack || (is_smaller && sign * other.score <= least + slack);
    if (is_other) split = other;
    split.proven = bound >= least - slack;
    split.bound = split.proven ? split.score : sign * bound;
    return is_other;
}

}  // namespace elc
