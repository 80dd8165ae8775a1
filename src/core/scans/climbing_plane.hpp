// A plane on its way: coefficients, the rows' values and the loss, kept consistent with each other.
//
// After every accepted step the coefficients are scaled to a largest one of 1, the values are computed afresh and the
// loss is that of the partition they give. So rounding in a predicted loss never survives, and a run of steps that each
// lower the loss ends: there are finitely many partitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "scans/columns.hpp"
#include "scans/line_search.hpp"

namespace elc {

struct FoundPlane {
    double loss = kInfinity;
    std::vector<double> coefficients;  // of the scaled columns, the bias last
    std::vector<double> value;         // of the rows; those >= 0 are above
    int64_t n_cuts = 0;
    bool interrupted = false;
};

template <class Criterion>
class ClimbingPlane {
public:
    ClimbingPlane(const Columns& columns, const ScanNode& node, const Criterion& criterion)
        : columns_(columns), line_(node, criterion) {}

    const std::vector<double>& coefficients() const { return coefficients_; }
    const std::vector<double>& value() const { return value_; }
    double loss() const { return loss_; }
    int64_t n_cuts() const { return line_.n_cuts(); }
    double unsplit_loss() { return line_.unsplit_loss(); }
    int bias() const { return columns_.m; }

    void set(const std::vector<double>& coefficients) {
        coefficients_ = coefficients;
        refresh();
    }

    Step best_step(const double* slope) { return line_.best(value_, slope); }
    Step best_step(int coefficient) { return best_step(columns_.column(coefficient)); }

    // Moves by `size` along `direction` if the partition that results is better, or equal and `take_equal`.
    bool move(const std::vector<double>& direction, double size, bool take_equal) {
        previous_ = coefficients_;
        const double previous_loss = loss_;
        for (size_t j = 0; j < coefficients_.size(); ++j) coefficients_[j] += size * direction[j];
        refresh();
        if (loss_ < previous_loss - kTie || (take_equal && loss_ <= previous_loss + kTie)) return true;
        coefficients_ = previous_;
        refresh();
        return false;
    }

    bool move(int coefficient, double size, bool take_equal = false) {
        unit_.assign(coefficients_.size(), 0.0);
        unit_[coefficient] = 1.0;
        return move(unit_, size, take_equal);
    }

    // Sets the bias to the middle of the empty band; the partition stays.
    void centre() {
        double lowest_above = kInfinity, highest_below = -kInfinity;
        for (double v : value_) {
            if (v >= 0) lowest_above = std::min(lowest_above, v);
            else highest_below = std::max(highest_below, v);
        }
        if (!std::isfinite(lowest_above) || !std::isfinite(highest_below)) return;
        move(bias(), -(highest_below + (lowest_above - highest_below) / 2), true);
    }

private:
    void refresh() {
        double largest = 0;
        for (int j : columns_.moving) largest = std::max(largest, std::abs(coefficients_[j]));
        if (largest > 0 && std::isfinite(largest))
            for (double& a : coefficients_) a /= largest;
        columns_.evaluate(coefficients_, value_);
        loss_ = line_.loss(value_);
    }

    const Columns& columns_;
    LineSearch<Criterion> line_;
    std::vector<double> coefficients_, value_, previous_, unit_;
    double loss_ = kInfinity;
};

}  // namespace elc
