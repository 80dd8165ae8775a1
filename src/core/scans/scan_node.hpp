// The rows of a node as the scans of the rivals' methods see them: class codes and weights, in the caller's order.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/row_view.hpp"
#include "criteria/criterion.hpp"

namespace elc {

struct ScanNode {
    int n = 0, k = 0;
    std::vector<int32_t> y;
    std::vector<double> weight;  // whole numbers
    std::vector<double> totals;  // weight per class
    double total = 0;
    double unit = 1;        // weight in the caller's units of one unit here
    double min_rows = 1;    // rows that each side must have
    double min_weight = 0;  // weight that each side must have

    // A table of x log x up to the total weight pays for itself only where there are about as many rows as that.
    ClassTotals class_totals() const { return {totals, total, total <= 4.0 * n}; }

    bool admits(double side_weight, double side_rows) const {
        const double other = total - side_weight;
        if (side_weight <= 0 || other <= 0 || side_weight < min_weight || other < min_weight) return false;
        return side_rows >= min_rows && n - side_rows >= min_rows;
    }
};

inline ScanNode make_scan_node(const RowView& view, double min_rows, double min_weight) {
    ScanNode node;
    node.n = static_cast<int>(view.n_rows);
    node.k = view.n_classes;
    node.y.resize(node.n);
    node.weight.resize(node.n);
    node.totals.assign(node.k, 0.0);
    const int exponent = weight_exponent(view.weights, view.n_rows);
    for (int i = 0; i < node.n; ++i) {
        node.y[i] = view.label(i);
        node.weight[i] = whole_weight(view.weights[i], exponent);
        node.totals[node.y[i]] += node.weight[i];
        node.total += node.weight[i];
    }
    node.unit = std::ldexp(1.0, -exponent);
    node.min_rows = min_rows;
    node.min_weight = std::ldexp(min_weight, exponent);
    return node;
}

}  // namespace elc
