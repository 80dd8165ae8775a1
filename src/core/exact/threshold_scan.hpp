// r = 1: one sorted scan per feature scores every threshold.
//
// A candidate is a sample's value v: left is x >= v, or x <= v with the other sign. Both signs cut between neighbouring
// distinct values, so each cut is scored once (and for each side of the missing block that the sign allows).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "exact/answer.hpp"
#include "exact/incumbent.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/side_scoring.hpp"

namespace elc {

template <class Criterion>
class ThresholdScan {
public:
    ThresholdScan(const ExactNode& node, const Criterion& criterion)
        : node_(node), scorer_(node, criterion), above_(node.width), none_(node.width, 0.0) {}

    void scan(int feature, FoundSplit& best) {
        collect(feature);
        scorer_.set_direction(node_.options.monotone.sign(feature));
        if (values_.size() == 1 && splits_off_missing()) return offer_present(feature, best);
        if (values_.size() < 2) return;
        // From the largest value down: everything larger than values_[v] is above, values_[v] itself is on.
        std::fill(above_.begin(), above_.end(), 0.0);
        double rows_above = 0;
        FoundSplit found;
        found.visit.subset = feature;
        found.plane.w.assign(1, 1.0);
        found.rows.resize(1);
        for (size_t v = values_.size(); v-- > 0;) {
            PlaneTally tally{above_.data(), weights_.data() + v * node_.width, rows_above, rows_[v],
                             node_.counts_rows()};
            const SideChoice sides = scorer_.best_sides(tally, missing_, true);
            const bool tie = sides.loss <= lowest_ + kTie && feature == best.visit.subset;
            lowest_ = std::min(lowest_, sides.loss);
            if (sides.loss < best.loss - kTie || (tie && sides.loss <= lowest_ + kTie)) {
                found.loss = sides.loss;
                found.on_above = sides.on_above;
                found.missing_above = sides.missing_above;
                found.plane.b = values_[v];
                found.rows[0] = first_[v];
                best = found;
            }
            for (int j = 0; j < node_.width; ++j) above_[j] += weights_[v * node_.width + j];
            rows_above += rows_[v];
        }
    }

    // Every linear split on the feature: a cut between neighbouring values, each scored once, and the rows that have a
    // value against those that have none. Among equal losses the widest gap wins, then the first feature.
    void scan_cuts(int feature, FoundSplit& best, double& best_gap) {
        collect(feature);
        const int direction = node_.options.monotone.sign(feature);
        scorer_.set_direction(direction);
        std::fill(above_.begin(), above_.end(), 0.0);
        double rows_above = 0;
        for (size_t v = values_.size(); v-- > 0;) {
            for (int j = 0; j < node_.width; ++j) above_[j] += weights_[v * node_.width + j];
            rows_above += rows_[v];
            // All that have a value against all that have none.
            const bool keeps_them_together = missing_.empty() || (values_.size() == 1 && !splits_off_missing());
            if (v == 0 && (keeps_them_together || direction != 0)) break;
            const PlaneTally tally{above_.data(), none_.data(), rows_above, 0, node_.counts_rows()};
            const SideChoice sides = scorer_.best_missing_side(tally, missing_);
            const double gap = v > 0 ? values_[v] - values_[v - 1] : 0;
            if (sides.loss >= node_.options.must_beat - kTie || sides.loss > lowest_ + kTie) continue;
            const bool wider = sides.loss < lowest_ - kTie || gap > best_gap + 2 * kSameMargin;
            lowest_ = std::min(lowest_, sides.loss);
            if (!wider && best.loss < kInfinity) continue;
            best.visit.subset = feature;
            best.plane = {{1.0}, values_[v]};
            best.rows = {first_[v]};
            best.loss = sides.loss;
            best.on_above = true;
            best.missing_above = sides.missing_above;
            best_gap = gap;
        }
    }

private:
    // A column that is constant apart from missing values still splits those that have it from those that do not.
    bool splits_off_missing() const {
        return values_.size() == 1 && !missing_.empty() && node_.options.missing == MissingMode::learn;
    }

    void offer_present(int feature, FoundSplit& best) {
        const PlaneTally tally{weights_.data(), none_.data(), rows_[0], 0, node_.counts_rows()};
        const SideChoice sides = scorer_.best_missing_side(tally, missing_);
        lowest_ = std::min(lowest_, sides.loss);
        if (!(sides.loss < best.loss - kTie)) return;
        best.loss = sides.loss;
        best.visit.subset = feature;
        best.plane = {{1.0}, values_[0]};
        best.rows = {first_[0]};
        best.on_above = true;
        best.missing_above = sides.missing_above;
    }

    // A side for each distinct value, by the values' ranks.
    void collect(int feature) {
        const size_t n_values = node_.n_distinct[feature];
        values_.assign(n_values, 0.0);
        rows_.assign(n_values, 0.0);
        first_.assign(n_values, -1);
        weights_.assign(n_values * node_.width, 0.0);
        missing_.clear(node_);
        for (int i = 0; i < node_.n; ++i) {
            const int32_t code = node_.codes(feature)[i];
            if (code < 0) {
                missing_.add(node_, i);
                continue;
            }
            values_[code] = node_.column(feature)[i];
            rows_[code] += 1;
            node_.add_to_side(weights_.data() + static_cast<size_t>(code) * node_.width, i);
            if (first_[code] < 0) first_[code] = i;
        }
    }

    const ExactNode& node_;
    SideScoring<Criterion> scorer_;
    MissingBlock missing_;
    double lowest_ = kInfinity;  // of all scans: decides what is a tie, so that a chain of ties cannot drift
    std::vector<double> above_, none_, values_, rows_, weights_;
    std::vector<int32_t> first_;
};

constexpr int kLongScan = 10000;  // rows, from which on a scan asks after every feature whether to go on

// The best split on one feature; ties go to the first feature.
template <class Criterion>
SearchAnswer scan_thresholds(const ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching) {
    ThresholdScan<Criterion> scan(node, criterion);
    SearchAnswer answer;
    double gap = 0;
    const bool asks = node.n >= kLongScan && keep_searching;
    for (int feature = 0; feature < node.m && !answer.interrupted; ++feature) {
        if (node.options.planes == Candidates::any) scan.scan_cuts(feature, answer.found, gap);
        else scan.scan(feature, answer.found);
        const Progress progress{feature, node.m, 0, answer.found.loss, criterion.perfect(), 0, 0};
        answer.interrupted = asks && !keep_searching(progress);
    }
    if (answer.found.loss >= node.options.must_beat - kTie) answer.found = FoundSplit();
    if (answer.has_split()) answer.features = {static_cast<int>(answer.found.visit.subset)};
    answer.bound = answer.found.loss;
    return answer;
}

}  // namespace elc
