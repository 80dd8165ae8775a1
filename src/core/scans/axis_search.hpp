// The best cut along a set of directions: the coordinate axes (CART) or any others (HHCART's reflected axes).
//
// Per direction the values are sorted and every cut between two neighbouring distinct values is scored: O(n log n + n
// k). Values nearer to each other than `gap` times the direction's range are one value. Rows with a missing value go to
// the side where they score better; to the heavier side on a tie. Ties between cuts: first direction, then smallest
// value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "common/sorting.hpp"
#include "scans/scan_node.hpp"

namespace elc {

struct Cut {
    double loss = kInfinity;
    int direction = -1;
    double low = 0, high = 0;  // the neighbouring values; the upper side has values >= high
    bool missing_high = false;
    int64_t n_cuts = 0;  // cuts scored in all
};

template <class Criterion>
class AxisSearch {
public:
    AxisSearch(const ScanNode& node, const Criterion& criterion, double gap)
        : node_(node), criterion_(criterion), gap_(gap), below_(node.k), missing_(node.k), side_(node.k) {
        row_values_.reserve(node.n);
    }

    // value(i) is row i's value along the direction; NaN is missing.
    template <class Value>
    void scan(int direction, Value value, Cut& best) {
        collect(value);
        if (row_values_.size() < 2) return;
        sorter_.sort(row_values_);
        const double least_gap = gap_ * (row_values_.back().value - row_values_.front().value);
        std::fill(below_.begin(), below_.end(), 0.0);
        double weight = 0, rows = 0;
        for (size_t q = 0; q + 1 < row_values_.size(); ++q) {
            const int32_t row = row_values_[q].row;
            below_[node_.y[row]] += node_.weight[row];
            weight += node_.weight[row];
            rows += 1;
            const double low = row_values_[q].value, high = row_values_[q + 1].value;
            if (!(high > low) || high - low < least_gap) continue;
            ++best.n_cuts;
            Cut cut;
            cut.direction = direction;
            cut.low = low;
            cut.high = high;
            score(weight, rows, cut);
            if (cut.loss < best.loss - kTie) {
                cut.n_cuts = best.n_cuts;
                best = cut;
            }
        }
    }

private:
    template <class Value>
    void collect(Value value) {
        row_values_.clear();
        std::fill(missing_.begin(), missing_.end(), 0.0);
        missing_weight_ = missing_rows_ = 0;
        for (int i = 0; i < node_.n; ++i) {
            const double v = value(i);
            if (!std::isnan(v)) {
                row_values_.push_back({v, i});
                continue;
            }
            missing_[node_.y[i]] += node_.weight[i];
            missing_weight_ += node_.weight[i];
            missing_rows_ += 1;
        }
    }

    void score(double weight, double rows, Cut& cut) {
        const bool heavier_high = 2 * weight <= node_.total - missing_weight_;
        offer(weight, rows, heavier_high, cut);
        if (missing_rows_ > 0) offer(weight, rows, !heavier_high, cut);
    }

    void offer(double weight, double rows, bool missing_high, Cut& cut) {
        const double* side = below_.data();
        if (!missing_high && missing_rows_ > 0) {
            for (int j = 0; j < node_.k; ++j) side_[j] = below_[j] + missing_[j];
            side = side_.data();
            weight += missing_weight_;
            rows += missing_rows_;
        }
        if (!node_.admits(weight, rows)) return;
        const double loss = criterion_.loss(side);
        if (loss >= cut.loss - kTie) return;
        cut.loss = loss;
        cut.missing_high = missing_high;
    }

    const ScanNode& node_;
    const Criterion& criterion_;
    const double gap_;
    std::vector<RowValue> row_values_;
    RowValueSorter sorter_;
    std::vector<double> below_, missing_, side_;
    double missing_weight_ = 0, missing_rows_ = 0;
};

// The best cut along the coordinate axes.
template <class Criterion>
Cut search_axes(const RowView& view, const ScanNode& node, const Criterion& criterion) {
    AxisSearch<Criterion> search(node, criterion, 0.0);
    Cut best;
    for (int64_t j = 0; j < view.n_features; ++j) {
        search.scan(static_cast<int>(j), [&](int i) { return view.row(i)[j]; }, best);
    }
    return best;
}

// The best cut along the rows of `directions` (n_directions x n_features). A value is the sum of weight times feature
// from left to right, exactly as predict.hpp evaluates the stored rule.
template <class Criterion>
Cut search_directions(const RowView& view, const ScanNode& node, const Criterion& criterion, const double* directions,
                      int64_t n_directions, double gap) {
    AxisSearch<Criterion> search(node, criterion, gap);
    Cut best;
    for (int64_t d = 0; d < n_directions; ++d) {
        const double* w = directions + d * view.n_features;
        search.scan(
            static_cast<int>(d),
            [&](int i) {
                const double* row = view.row(i);
                double sum = 0.0;
                for (int64_t j = 0; j < view.n_features; ++j) sum += w[j] * row[j];
                return sum;
            },
            best);
    }
    return best;
}

}  // namespace elc
