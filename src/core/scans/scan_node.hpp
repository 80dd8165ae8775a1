// The rows of a node as the scans of the rivals' methods see them: class codes and weights, in the caller's order.
//
// Weights are integers held in doubles, as in exact_node.hpp: their sums are exact in every order, so that equal
// partitions have equal losses to the last bit and a repeated row is the same as a row of twice the weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "exact/exact_node.hpp"

namespace elc {

struct Sample {
    int n = 0, k = 0;
    std::vector<int32_t> y;
    std::vector<double> weight;  // integer-valued
    std::vector<double> totals;  // weight per class
    double total = 0;
    double unit = 1;        // weight in the caller's units of one unit here
    double min_rows = 1;    // rows that each side must have
    double min_weight = 0;  // weight that each side must have

    // A table of x log x up to the total weight pays for itself only where there are about as many rows as that.
    bool tabulated() const { return total <= 4.0 * n; }

    bool admits(double side_weight, double side_rows) const {
        const double other = total - side_weight;
        if (side_weight <= 0 || other <= 0 || side_weight < min_weight || other < min_weight) return false;
        return side_rows >= min_rows && n - side_rows >= min_rows;
    }
};

inline Sample make_sample(const RowView& view, double min_rows, double min_weight) {
    Sample s;
    s.n = static_cast<int>(view.n_rows);
    s.k = view.n_classes;
    s.y.resize(s.n);
    s.weight.resize(s.n);
    s.totals.assign(s.k, 0.0);
    const int exponent = detail::weight_exponent(view.weights, view.n_rows);
    for (int i = 0; i < s.n; ++i) {
        s.y[i] = static_cast<int32_t>(view.y[view.rows[i]]);
        s.weight[i] = std::max(1.0, std::nearbyint(std::ldexp(view.weights[i], exponent)));
        s.totals[s.y[i]] += s.weight[i];
        s.total += s.weight[i];
    }
    s.unit = std::ldexp(1.0, -exponent);
    s.min_rows = min_rows;
    s.min_weight = std::ldexp(min_weight, exponent);
    return s;
}

}  // namespace elc
