// Feature importances of oblique splits.
//
// The impurity decrease of a split is shared among its features in proportion to |w_j| s_j, where s_j is the standard
// deviation of the feature over the node's rows that have it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/row_view.hpp"
#include "predict.hpp"

namespace elc {

class Importances {
public:
    Importances(const RowView& table, const std::vector<int64_t>& rows, const std::vector<double>& weights)
        : table_(table), rows_(rows), weights_(weights), totals_(table.n_features, 0.0) {}

    // The split of the rows from `begin` to `end`.
    void add(int64_t begin, int64_t end, const SplitView& split, double decrease) {
        moved_.resize(split.size);
        double total = 0;
        for (int64_t j = 0; j < split.size; ++j)
            total += moved_[j] = std::abs(split.weights[j]) * spread(begin, end, split.features[j]);
        const bool known = std::isfinite(total) && total > 0;
        for (int64_t j = 0; j < split.size; ++j)
            totals_[split.features[j]] +=
                decrease * (known ? moved_[j] / total : 1.0 / static_cast<double>(split.size));
    }

    // They sum to 1, or are all zero.
    std::vector<double> shares() const {
        std::vector<double> shares = totals_;
        double total = 0;
        for (double share : shares) total += share;
        for (double& share : shares) share = total > 0 ? share / total : 0.0;
        return shares;
    }

private:
    double spread(int64_t begin, int64_t end, int feature) const {
        double weight = 0, mean = 0, squares = 0;
        for (int64_t q = begin; q < end; ++q) {
            const double x = table_.x[rows_[q] * table_.n_features + feature];
            if (std::isnan(x)) continue;
            weight += weights_[q];
            const double deviation = x - mean;
            mean += deviation * (weights_[q] / weight);
            squares += weights_[q] * deviation * (x - mean);
        }
        return weight > 0 ? std::sqrt(std::max(squares, 0.0) / weight) : 0.0;
    }

    const RowView& table_;
    const std::vector<int64_t>& rows_;
    const std::vector<double>& weights_;
    std::vector<double> totals_, moved_;
};

}  // namespace elc
