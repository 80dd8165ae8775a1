// C4.5's test on each feature: the cut of largest gain, with what the choice between features needs.
//
// J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, sections 2.3-2.4 and 3.2, and "Improved Use of Continuous
// Attributes in C4.5", JAIR 4 (1996). With F the share of the node's weight whose value is known, D its weight and N
// the number of distinct values:
//   gain       = F (entropy(known) - weighted entropy of the two sides)
//   correction = log2(N - 1) / D, subtracted from the gain when features are compared
//   split_info = entropy of the branch, unknown values being a third one
// A cut leaves on each side at least `min_objects` of known weight, and at least a tenth of the mean known weight per
// class but no more than 25 (the rule of the published program). Ties: the smallest value. O(n log n + n k) per
// feature.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "common/sorting.hpp"
#include "criteria/entropy.hpp"
#include "scans/scan_node.hpp"

namespace elc {

constexpr double kLargestMinimum = 25;  // objects per side that the tenth of the mean never exceeds

struct FeatureTest {
    double gain = -kInfinity, correction = 0, split_info = 0;
    double low = 0, high = 0;  // the neighbouring values of the cut
    int64_t n_cuts = 0;
};

class GainRatio {
public:
    GainRatio(const ScanNode& node, double min_objects)
        : node_(node), min_objects_(min_objects / node.unit), known_(node.k), below_(node.k) {
        row_values_.reserve(node.n);
    }

    template <class Value>
    FeatureTest test(Value value) {
        collect(value);
        FeatureTest best;
        if (row_values_.size() < 2) return best;
        sorter_.sort(row_values_);
        std::fill(below_.begin(), below_.end(), 0.0);
        const double needed = least_side(), share = known_weight_ / node_.total;
        const double base = information(known_.data(), known_weight_);
        double weight = 0, rows = 0;
        int64_t n_values = 1;
        for (size_t q = 0; q + 1 < row_values_.size(); ++q) {
            const int32_t row = row_values_[q].row;
            below_[node_.y[row]] += node_.weight[row];
            weight += node_.weight[row];
            rows += 1;
            if (!(row_values_[q + 1].value > row_values_[q].value)) continue;
            ++n_values;
            if (weight < needed || known_weight_ - weight < needed || !admits(weight, rows)) continue;
            ++best.n_cuts;
            const double gain = share * (base - remaining(weight)) / known_weight_;
            if (gain <= best.gain + kTie) continue;
            best.gain = gain;
            best.split_info = split_info(weight);
            best.low = row_values_[q].value;
            best.high = row_values_[q + 1].value;
        }
        if (n_values > 1) best.correction = std::log2(static_cast<double>(n_values - 1)) / (node_.total * node_.unit);
        return best;
    }

private:
    // Weight times entropy in bits.
    double information(const double* counts, double size) const {
        double sum = 0;
        for (int j = 0; j < node_.k; ++j) sum += x_log_x(counts[j]);
        return x_log_x(size) - sum;
    }

    double remaining(double weight) const {
        double below = 0, above = 0;
        for (int j = 0; j < node_.k; ++j) {
            below += x_log_x(below_[j]);
            above += x_log_x(known_[j] - below_[j]);
        }
        return x_log_x(weight) - below + x_log_x(known_weight_ - weight) - above;
    }

    double split_info(double weight) const {
        const double unknown = node_.total - known_weight_;
        const double parts = x_log_x(weight) + x_log_x(known_weight_ - weight) + x_log_x(unknown);
        return std::log2(node_.total) - parts / node_.total;
    }

    double least_side() const {
        const double tenth = 0.1 * known_weight_ / node_.k;
        return std::max(min_objects_, std::min(tenth, kLargestMinimum / node_.unit));
    }

    // The limits of the stopping rules; rows with unknown values go to both sides.
    bool admits(double weight, double rows) const {
        const double unknown = node_.total - known_weight_,
                     unknown_rows = node_.n - static_cast<double>(row_values_.size());
        const double low = weight + unknown * weight / known_weight_;
        const double known_rows = static_cast<double>(row_values_.size());
        return low >= node_.min_weight && node_.total - low >= node_.min_weight &&
               rows + unknown_rows >= node_.min_rows && known_rows - rows + unknown_rows >= node_.min_rows;
    }

    template <class Value>
    void collect(Value value) {
        row_values_.clear();
        std::fill(known_.begin(), known_.end(), 0.0);
        known_weight_ = 0;
        for (int i = 0; i < node_.n; ++i) {
            const double v = value(i);
            if (std::isnan(v)) continue;
            row_values_.push_back({v, i});
            known_[node_.y[i]] += node_.weight[i];
            known_weight_ += node_.weight[i];
        }
    }

    const ScanNode& node_;
    const double min_objects_;
    std::vector<RowValue> row_values_;
    RowValueSorter sorter_;
    std::vector<double> known_, below_;
    double known_weight_ = 0;
};

}  // namespace elc
