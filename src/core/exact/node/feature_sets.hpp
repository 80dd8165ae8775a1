// The feature sets that a search goes through, each with its number: all sets of r features in lexicographic order, or
// those of them that lie in one of the groups of features that may stand together.
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
        : m_(node.m), r_(node.options.r), in_groups_(sets_in_groups(node.options)),
          count_(node.n < r_                   ? 0
                 : node.options.groups.empty() ? count_combinations(m_, r_)
                                               : static_cast<int64_t>(in_groups_.size())) {}

    // None where there are fewer rows than a plane needs.
    int64_t count() const { return count_; }

    std::vector<int> features(int64_t number) const {
        return in_groups_.empty() ? combination_at(number, m_, r_) : in_groups_[number];
    }

private:
    static std::vector<std::vector<int>> sets_in_groups(const Options& options) {
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
    std::vector<std::vector<int>> in_groups_;
    int64_t count_;
};

}  // namespace elc
