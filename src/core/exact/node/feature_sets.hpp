// The feature sets that a search goes through, each with its number: all sets of r features in lexicographic order,
// every so-manieth of them, or those that the options name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact/node/combinations.hpp"
#include "exact/node/exact_node.hpp"

namespace elc {

class FeatureSets {
public:
    explicit FeatureSets(const ExactNode& node)
        : m_(node.m), r_(node.options.r), first_(node.options.share), step_(node.options.n_shares) {
        for (const std::vector<int>& features : node.options.only)
            if (static_cast<int>(features.size()) == r_) named_.push_back(features);
        std::sort(named_.begin(), named_.end());
        const int64_t all = count_combinations(m_, r_);
        if (!node.options.only.empty()) count_ = static_cast<int64_t>(named_.size());
        else count_ = first_ < all ? (all - first_ - 1) / step_ + 1 : 0;
        if (node.n < r_) count_ = 0;
    }

    // None where there are fewer rows than a plane needs.
    int64_t count() const { return count_; }

    std::vector<int> features(int64_t number) const {
        return named_.empty() ? combination_at(first_ + number * step_, m_, r_) : named_[number];
    }

private:
    int m_, r_;
    int64_t first_, step_, count_ = 0;
    std::vector<std::vector<int>> named_;
};

}  // namespace elc
