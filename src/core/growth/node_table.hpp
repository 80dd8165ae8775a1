// A node as a table of its own that has only some of the features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/row_view.hpp"
#include "growth/placed_split.hpp"

namespace elc {

class NodeTable {
public:
    const RowView& view() const { return view_; }

    // Takes the node's rows from the whole matrix.
    void gather(const RowView& table, const NodeRows& node, const std::vector<int32_t>& features) {
        const size_t n = static_cast<size_t>(node.n), m = features.size();
        x_.resize(n * m);
        if (place_.size() < n) {
            place_.resize(n);
            std::iota(place_.begin(), place_.end(), int64_t{0});
        }
        y_.resize(table.numbers ? 0 : n);
        numbers_.resize(table.numbers ? n : 0);
        for (size_t i = 0; i < n; ++i) {
            const double* from = table.x + node.rows[i] * table.n_features;
            for (size_t j = 0; j < m; ++j) x_[i * m + j] = from[features[j]];
            if (table.numbers) numbers_[i] = table.numbers[node.rows[i]];
            else y_[i] = table.y[node.rows[i]];
        }
        view_ = {x_.data(),       y_.data(),
                 place_.data(),   node.weights,
                 node.n,          static_cast<int64_t>(m),
                 table.n_classes, table.numbers ? numbers_.data() : nullptr};
    }

private:
    RowView view_{};
    std::vector<double> x_, numbers_;
    std::vector<int64_t> place_, y_;
};

}  // namespace elc
