// The rows that are incomplete in a feature set: they go to one side as one block.
#pragma once

#include <vector>

#include "exact/node/exact_node.hpp"

namespace elc {

struct MissingBlock {
    std::vector<double> side;  // what they are as a side, see exact_node.hpp
    double rows = 0, weight = 0;

    bool empty() const { return rows == 0; }

    void clear(const ExactNode& node) {
        side.assign(node.width, 0.0);
        rows = weight = 0;
    }

    void add(const ExactNode& node, int row) {
        node.add_to_side(side.data(), row);
        weight += node.weight[row];
        rows += 1;
    }
};

}  // namespace elc
