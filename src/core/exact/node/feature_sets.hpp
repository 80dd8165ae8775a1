// The feature sets that a search goes through, each with its number: all sets of r features in lexicographic order,
// those of them that lie in one of the groups of features that may stand together, or those that the options name; or
// of these every so-manieth.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "exact/node/combinations.hpp"
#include "exact/node/exact_node.hpp"

namespace elc {

class FeatureSets {
public:
    explicit FeatureSets(const ExactNode& node)
        : m_(node.m), r_(node.options.r), first_(node.options.share), step_(node.options.n_shares) {
        const Options& options = node.options;
        const bool are_listed = !options.groups.empty() || !options.only.empty();
        if (are_listed) listed_ = options.only.empty() ? sets_in_groups(options) : sets_named(options);
        const int64_t all = are_listed ? static_cast<int64_t>(listed_.size()) : count_combinations(m_, r_);
        count_ = node.n >= r_ && first_ < all ? (all - first_ - 1) / step_ + 1 : 0;
    }

    // None where there are fewer rows than a plane needs.
    int64_t count() const { return count_; }

    std::vector<int> features(int64_t number) const {
        const int64_t place = first_ + number * step_;
        return listed_.empty() ? combination_at(place, m_, r_) : listed_[place];
    }

private:
    using Sets = std::vector<std::vector<int>>;

    static Sets sets_named(const Options& options) {
        std::set<std::vector<int>> sets;
        for (const std::vector<int>& features : options.only)
            if (static_cast<int>(features.size()) == options.r) sets.insert(features);
        return {sets.begin(), sets.end()};
    }

    static Sets sets_in_groups(const Options& options) {
        std::set<std::vector<int>> sets;
        for (const std::vector<int>& group : options.groups) {
            const int size = static_cast<int>(group.size());
            for (int64_t i = 0; size >= options.r && i < count_combinations(size, options.r); ++i) {
                std::vector<int> features = combination_at(i, size, options.r);
                for (int& feature : features) feature = group[feature];
                sets.insert(features);
            }
        }
        return {sets.begin(), sets.end()};
    }

    int m_, r_;
    int64_t first_, step_, count_ = 0;
    Sets listed_;
};

}  // namespace elc
