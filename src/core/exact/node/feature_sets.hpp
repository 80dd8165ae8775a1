// The feature sets that a search goes through, each with its number: all sets of r features in lexicographic order.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/node/combinations.hpp"
#include "exact/node/exact_node.hpp"

namespace elc {

class FeatureSets {
public:
    explicit FeatureSets(const ExactNode& node)
        : m_(node.m), r_(node.options.r), count_(node.n < r_ ? 0 : count_combinations(m_, r_)) {}

    // None where there are fewer rows than a plane needs.
    int64_t count() const { return count_; }

    std::vector<int> features(int64_t number) const { return combination_at(number, m_, r_); }

private:
    int m_, r_;
    int64_t count_;
};

}  // namespace elc
