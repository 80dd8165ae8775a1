// The feature sets that a search goes through, each with its number: all sets of r features in lexicographic order, or
// those of them that lie in one of the groups of features that may stand together; every so-manieth of them; or those
// that the options name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "exact/node/combinations.hpp"
#include "exact/node/exact_node.hpp"

namespace elc {

class FeatureSets {
public:
    explicit FeatureSets(const ExactNode& node)
        : m_(node.m), r_(node.options.r), first_(node.options.share), step_(node.options.n_shares),
          is_listed_(!node.options.only.empty() || !node.options.groups.empty()) {
        for (const std::vector<int>& features : node.options.only)
            if (static_cast<int>(features.size()) == r_) named_.push_back(features);
        std::sort(named_.begin(), named_.end());
        if (node.options.only.empty()) list_groups(node.options.groups);
        const int64_t all = count_combinations(m_, r_);
        if (is_listed_) count_ = static_cast<int64_t>(named_.size());
        else count_ = first_ < all ? (all - first_ - 1) / step_ + 1 : 0;
        if (node.n < r_) count_ = 0;
    }

    // None where there are fewer rows than a plane needs.
    int64_t count() const { return count_; }

    std::vector<int> features(int64_t number) const {
        return is_listed_ ? named_[number] : combination_at(first_ + number * step_, m_, r_);
    }

private:
    // The sets of the groups, each once, of which every so-manieth is taken.
    void list_groups(const std::vector<std::vector<int>>& groups) {
        std::set<std::vector<int>> sets;
        for (const std::vector<int>& group : groups) {
            const int size = static_cast<int>(group.size());
            for (int64_t i = 0; size >= r_ && i < count_combinations(size, r_); ++i) {
                std::vector<int> features = combination_at(i, size, r_);
                for (int& feature : features) feature = group[feature];
                sets.insert(features);
            }
        }
        int64_t number = 0;
        for (const std::vector<int>& features : sets) {
            if (number >= first_ && (number - first_) % step_ == 0) named_.push_back(features);
            ++number;
        }
    }

    int m_, r_;
    int64_t first_, step_, count_ = 0;
    bool is_listed_;
    std::vector<std::vector<int>> named_;
};

}  // namespace elc
