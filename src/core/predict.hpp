// Descent of rows through a fitted tree.
//
// A tree is a structure of arrays (see cart_elc/tree/structure.py); a split is a sparse row of weights and a threshold.
// A row goes left iff sum_j weights[j] * x[features[j]] >= threshold, summed left to right from 0.0 in double
// precision. A split on a category has the side of each of its levels instead. The module is compiled with
// -ffp-contract=off, so that this sum is the same one everywhere. The growth loop partitions its training rows by
// `side`, the very function that prediction uses.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace elc {

enum class Side : std::int8_t { right = 0, left = 1, unknown = 2 };  // unknown: a value is missing

constexpr std::int8_t kNoLevel = -1;  // in place of a level's side where a split is a plane; tree.rule.NO_LEVEL

// What a split does with a row that it cannot place; the values are those of tree.MissingPolicy.
enum class Missing : std::int8_t { right = 0, left = 1, both = 2 };

struct SplitView {
    const std::int32_t* features;
    const double* weights;
    std::int64_t size;
    double threshold;
    const std::int8_t* levels = nullptr;  // the side of each level of the one feature
    std::int64_t n_levels = 0;            // 0 where the split is a plane
};

// The side of a level; that of a value which is none is as unknown as that of a missing one.
inline Side level_side(const SplitView& split, double value) {
    if (!(value >= 0.0 && value < static_cast<double>(split.n_levels))) return Side::unknown;
    return static_cast<Side>(split.levels[static_cast<std::int64_t>(value)]);
}

inline bool has_missing(const SplitView& split, const double* row) {
    for (std::int64_t j = 0; j < split.size; ++j)
        if (std::isnan(row[split.features[j]])) return true;
    return false;
}

// The sum is NaN whenever a value is, so complete rows pay for one comparison only. Overflow (inf - inf) makes a NaN
// without a missing value; such a row is not on or above the plane.
inline Side side(const SplitView& split, const double* row) {
    if (split.n_levels > 0) return level_side(split, row[split.features[0]]);
    double sum = 0.0;
    for (std::int64_t j = 0; j < split.size; ++j) sum += split.weights[j] * row[split.features[j]];
    if (std::isnan(sum) && has_missing(split, row)) return Side::unknown;
    return sum >= split.threshold ? Side::left : Side::right;
}

struct TreeView {
    const std::int32_t* children_left;
    const std::int32_t* children_right;
    const std::int64_t* indptr;
    const std::int32_t* features;
    const double* weights;
    const double* thresholds;
    const std::int8_t* missing;
    const double* node_weights;
    const std::int8_t* levels;
    std::int64_t n_levels;  // of the feature that has most

    bool is_leaf(std::int32_t node) const { return children_left[node] < 0; }

    SplitView split(std::int32_t node) const {
        const std::int64_t begin = indptr[node];
        const std::int8_t* sides = levels + node * n_levels;
        const std::int64_t size = n_levels > 0 && sides[0] != kNoLevel ? n_levels : 0;
        return {features + begin, weights + begin, indptr[node + 1] - begin, thresholds[node], sides, size};
    }

    // Share of the rows with a missing value that the left child takes under Missing::both.
    double left_share(std::int32_t node) const {
        const double left = node_weights[children_left[node]];
        return left / (left + node_weights[children_right[node]]);
    }
};

constexpr std::int32_t kDivided = -1;

// Follows one row to its leaf. Where the policy is `both` and a value is missing, divide(node) names the node to go on
// with, or kDivided to give up.
template <class Divide>
std::int32_t descend(const TreeView& tree, const double* row, Divide divide) {
    std::int32_t node = 0;
    while (node != kDivided && !tree.is_leaf(node)) {
        const Side towards = side(tree.split(node), row);
        const Missing policy = static_cast<Missing>(tree.missing[node]);
        if (towards == Side::unknown && policy == Missing::both) {
            node = divide(node);
            continue;
        }
        const bool left = towards == Side::left || (towards == Side::unknown && policy == Missing::left);
        node = left ? tree.children_left[node] : tree.children_right[node];
    }
    return node;
}

// The leaf of one row. Where it would be divided, the heavier child is followed (the left one if they weigh the same).
inline std::int32_t leaf_of(const TreeView& tree, const double* row) {
    return descend(tree, row, [&](std::int32_t node) {
        return tree.left_share(node) >= 0.5 ? tree.children_left[node] : tree.children_right[node];
    });
}

// The leaf of one row, or kDivided if it reaches several.
inline std::int32_t only_leaf_of(const TreeView& tree, const double* row) {
    return descend(tree, row, [](std::int32_t) { return kDivided; });
}

// Calls visit(node, share) in preorder for every node that the row reaches with a share of its weight.
// `pending` is scratch space, reused between rows. Six times slower than `descend`, so it is left to rows that need it.
template <class Visit>
void walk(const TreeView& tree, const double* row, std::vector<std::pair<std::int32_t, double>>& pending, Visit visit) {
    pending.assign(1, {0, 1.0});
    while (!pending.empty()) {
        const auto [node, share] = pending.back();
        pending.pop_back();
        visit(node, share);
        if (tree.is_leaf(node)) continue;
        const Side towards = side(tree.split(node), row);
        const Missing policy = static_cast<Missing>(tree.missing[node]);
        if (towards == Side::unknown && policy == Missing::both) {
            const double left = tree.left_share(node);
            if (left < 1.0) pending.push_back({tree.children_right[node], share * (1.0 - left)});
            if (left > 0.0) pending.push_back({tree.children_left[node], share * left});
            continue;
        }
        const bool left = towards == Side::left || (towards == Side::unknown && policy == Missing::left);
        pending.push_back({left ? tree.children_left[node] : tree.children_right[node], share});
    }
}

}  // namespace elc
