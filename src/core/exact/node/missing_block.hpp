// The rows that are incomplete in a feature set: they go to one side as one block.
#pragma once

#include <vector>

namespace elc {

struct MissingBlock {
    std::vector<double> weights;  // by class
    double rows = 0, weight = 0;

    bool empty() const { return rows == 0; }

    void clear(int k) {
        weights.assign(k, 0.0);
        rows = weight = 0;
    }

    void add(int row_class, double row_weight) {
        weights[row_class] += row_weight;
        weight += row_weight;
        rows += 1;
    }
};

}  // namespace elc
