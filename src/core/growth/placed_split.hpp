// What the search of a node is given while a tree is grown, and what it gives.
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace elc
