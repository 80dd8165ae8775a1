// The loss of one plane: which side the samples on it and the rows with missing values join, within the limits.
#pragma once

#include <vector>

#include "exact/exact_node.hpp"
#include "exact/points.hpp"

namespace elc {

struct SideChoice {
    double loss = kInfinity;
    bool on_above = true;
    bool missing_above = false;
};

// Class weights (and rows, where they have been counted) strictly above a plane and on it.
struct PlaneTally {
    const double* above;
    const double* on;
    double rows_above = 0, rows_on = 0;
    bool has_rows = false;
};

template <class Criterion>
class SideScorer {
public:
    SideScorer(const ExactNode& node, const Criterion& criterion) : node_(node), criterion_(criterion), side_(node.k) {}

    const Criterion& criterion() const { return criterion_; }

    // The best choice of sides within the limits (that on rows only where they have been counted).
    // `canonical_above`: the canonical sign puts the samples on the plane with those above it.
    SideChoice best_sides(const PlaneTally& tally, const Points& points, bool canonical_above) {
        SideChoice best;
        if (node_.options.both_orientations || canonical_above) consider(tally, points, true, best);
        if (node_.options.both_orientations || !canonical_above) consider(tally, points, false, best);
        return best;
    }

    // Smallest loss of any plane that leaves `above` certain and `uncertain` free, for either side of the missing
    // block.
    double bound(const double* above, const double* uncertain, const Points& points) {
        const double without = criterion_.bound(above, uncertain);
        if (points.missing_rows == 0) return without;
        for (int j = 0; j < node_.k; ++j) side_[j] = above[j] + points.missing[j];
        return std::min(without, criterion_.bound(side_.data(), uncertain));
    }

private:
    static constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();

    void consider(const PlaneTally& tally, const Points& points, bool on_above, SideChoice& best) {
        double weight = 0;
        for (int j = 0; j < node_.k; ++j) {
            side_[j] = tally.above[j] + (on_above ? tally.on[j] : 0.0);
            weight += side_[j];
        }
        const double rows = tally.has_rows ? tally.rows_above + (on_above ? tally.rows_on : 0.0) : kNotCounted;
        if (points.missing_rows == 0) {
            offer(weight, rows, on_above, on_above, best);
            return;
        }
        const bool heavier_above = 2 * weight >= node_.total - points.missing_weight;
        const bool first = node_.options.missing == MissingMode::right ? !on_above : heavier_above;
        offer_with_missing(weight, rows, on_above, first, points, best);
        if (node_.options.missing == MissingMode::learn) {
            if (first)
                for (int j = 0; j < node_.k; ++j) side_[j] -= points.missing[j];
            offer_with_missing(weight, rows, on_above, !first, points, best);
        }
    }

    void offer_with_missing(double weight, double rows, bool on_above, bool missing_above, const Points& points,
                            SideChoice& best) {
        if (missing_above) {
            for (int j = 0; j < node_.k; ++j) side_[j] += points.missing[j];
            weight += points.missing_weight;
            rows += points.missing_rows;
        }
        offer(weight, rows, on_above, missing_above, best);
    }

    void offer(double weight, double rows, bool on_above, bool missing_above, SideChoice& best) {
        const double other = node_.total - weight;
        if (weight <= 0 || other <= 0 || weight < node_.min_weight || other < node_.min_weight) return;
        const bool counted = rows == rows;
        if (counted && (rows < node_.options.min_rows || node_.n - rows < node_.options.min_rows)) return;
        const double loss = criterion_.loss(side_.data());
        if (loss < best.loss) best = {loss, on_above, missing_above};
    }

    const ExactNode& node_;
    const Criterion& criterion_;
    std::vector<double> side_;
};

}  // namespace elc
