// The loss of one plane: which side the samples on it and the rows with missing values join, within the limits.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/missing_block.hpp"

namespace elc {

struct SideChoice {
    double loss = kInfinity;
    bool on_above = true;
    bool missing_above = false;
};

// The sides (and rows, where they have been counted) strictly above a plane and on it.
struct PlaneTally {
    const double* above;
    const double* on;
    double rows_above = 0, rows_on = 0;
    bool has_rows = false;
};

template <class Criterion>
class SideScoring {
public:
    SideScoring(const ExactNode& node, const Criterion& criterion)
        : node_(node), criterion_(criterion), side_(node.width), none_(node.width, 0.0) {}

    // The best choice of sides within the limits (that on rows only where they have been counted).
    // `canonical_above`: the canonical sign puts the samples on the plane with those above it.
    SideChoice best_sides(const PlaneTally& tally, const MissingBlock& missing, bool canonical_above) {
        SideChoice best;
        const bool both = node_.options.planes != Candidates::canonical;
        if (both || canonical_above) consider(tally, missing, true, best);
        if (both || !canonical_above) consider(tally, missing, false, best);
        return best;
    }

    // The better side for the rows with missing values where those above are known, within the limits on weight.
    SideChoice best_missing_side(const double* above, const MissingBlock& missing) {
        return best_missing_side(PlaneTally{above, none_.data()}, missing);
    }
    SideChoice best_missing_side(const PlaneTally& tally, const MissingBlock& missing) {
        SideChoice best;
        consider(tally, missing, true, best);
        return best;
    }

    // From now on those above must have the larger value (1), the smaller one (-1), or either.
    void set_direction(int direction) { direction_ = direction; }

    double loss(const double* above) const { return criterion_.loss(above); }
    const Criterion& criterion() const { return criterion_; }

    // Smallest loss of any plane that leaves `above` certain and `uncertain` free, for either side of the missing
    // block.
    double bound(const double* above, const double* uncertain, const MissingBlock& missing) {
        return for_either_side(above, missing, [&](const double* side) { return criterion_.bound(side, uncertain); });
    }

    // The same where of the uncertain rows it is known only what they are as a side.
    double bound_together(const double* above, const double* on, const MissingBlock& missing) {
        if constexpr (kOfNumbers<Criterion>) {
            return for_either_side(above, missing,
                                   [&](const double* side) { return criterion_.bound_together(side, on); });
        } else {
            return bound(above, on, missing);
        }
    }

    // Whether a closer look, where the criterion has one, shows that none of these losses is below the ceiling.
    bool exceeds(const double* above, const double* uncertain, const MissingBlock& missing, double ceiling) {
        if constexpr (kLooksCloser<Criterion>) {
            return for_either_side(above, missing, [&](const double* side) {
                       return criterion_.exceeds(side, uncertain, ceiling) ? kInfinity : 0.0;
                   }) > 0;
        } else {
            return false;
        }
    }

private:
    static constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();

    // The smaller bound of those above without the missing block and with it.
    template <class Bound>
    double for_either_side(const double* above, const MissingBlock& missing, const Bound& bound) {
        const double without = bound(above);
        if (missing.empty()) return without;
        for (int j = 0; j < node_.width; ++j) side_[j] = above[j] + missing.side[j];
        return std::min(without, bound(side_.data()));
    }

    void consider(const PlaneTally& tally, const MissingBlock& missing, bool on_above, SideChoice& best) {
        for (int j = 0; j < node_.width; ++j) side_[j] = tally.above[j] + (on_above ? tally.on[j] : 0.0);
        const double weight = node_.weight_of(side_.data());
        const double rows = tally.has_rows ? tally.rows_above + (on_above ? tally.rows_on : 0.0) : kNotCounted;
        if (missing.empty()) {
            offer(weight, rows, on_above, on_above, best);
            return;
        }
        const bool heavier_above = 2 * weight >= node_.total - missing.weight;
        const bool learns = node_.options.missing == MissingMode::learn || node_.options.planes == Candidates::any;
        const bool first = learns ? heavier_above : !on_above;
        offer_with_missing(weight, rows, on_above, first, missing, best);
        if (learns) {
            if (first)
                for (int j = 0; j < node_.width; ++j) side_[j] -= missing.side[j];
            offer_with_missing(weight, rows, on_above, !first, missing, best);
        }
    }

    void offer_with_missing(double weight, double rows, bool on_above, bool missing_above, const MissingBlock& missing,
                            SideChoice& best) {
        if (missing_above) {
            for (int j = 0; j < node_.width; ++j) side_[j] += missing.side[j];
            weight += missing.weight;
            rows += missing.rows;
        }
        offer(weight, rows, on_above, missing_above, best);
    }

    void offer(double weight, double rows, bool on_above, bool missing_above, SideChoice& best) {
        const double other = node_.total - weight;
        if (weight <= 0 || other <= 0 || weight < node_.min_weight || other < node_.min_weight) return;
        const bool counted = rows == rows;
        if (counted && (rows < node_.options.min_rows || node_.n_of_whole - rows < node_.options.min_rows)) return;
        if (node_.options.monotone.is_set() && !keeps_order(weight)) return;
        const double loss = criterion_.loss(side_.data());
        if (loss < best.loss) best = {loss, on_above, missing_above};
    }

    bool keeps_order(double weight) const {
        const double above = side_[1] / weight, below = (node_.totals[1] - side_[1]) / (node_.total - weight);
        return node_.options.monotone.admits(above, below, direction_, node_.value_range());
    }

    const ExactNode& node_;
    const Criterion& criterion_;
    std::vector<double> side_, none_;
    int direction_ = 0;
};

}  // namespace elc
