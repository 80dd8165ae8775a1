// How a tree is grown: the search of its nodes, when to stop, and which features a node may use.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "growth/statistics.hpp"

namespace elc {

struct GrowthOptions {
    Options search;  // r, criterion, missing, rows of a side; prices and least weight are each node's own
    Impurity impurity = Impurity::gini;
    bool is_gain = false;    // the criterion's score is minus the loss
    bool has_price = false;  // of a split, in bits
    double price = 1;        // its factor
    double min_saving = 0;   // bits that a split must save beyond its price for each number that a leaf fits
    int64_t max_depth = INT64_MAX;
    int64_t min_rows_split = 2;
    double min_weight_fraction = 0;
    double min_impurity_decrease = 0;
    int64_t max_leaves = INT64_MAX;  // the tree is grown best-first where there is such a limit
    int max_features = 0;            // features drawn at a time
    uint64_t seed = 0;

    bool best_first() const { return max_leaves < INT64_MAX; }
};

// log2 of the binomial coefficient, continued to any n >= k.
inline double log2_binomial(double n, int k) {
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += std::log2((n - i) / (k - i));
    return sum;
}

// Bits that name a split on `size` of m features in a node of weight n.
inline double bits_to_name(double n, int m, int size) {
    return log2_binomial(std::max(n, static_cast<double>(size)), size) + log2_binomial(m, size);
}

// The number of planes through samples that a proof covers.
inline double count_candidates(int64_t n, int m, int r) {
    double count = 0;
    for (int size = 1; size <= r; ++size) {
        double rows = 1, sets = 1;
        for (int i = 0; i < size; ++i) {
            rows = rows * static_cast<double>(n - i) / (i + 1);
            sets = sets * (m - i) / (i + 1);
        }
        count += std::max(rows, 0.0) * std::max(sets, 0.0);
    }
    return count;
}

}  // namespace elc
