// CART-LC's search for a linear combination split.
//
// L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, section 5.2: from the best
// split on one feature, each cycle improves one coefficient after the other by the best step along x_m + gamma, gamma
// in
// {-0.25, 0, 0.25} (a step moves the threshold too, by gamma times it), then the threshold. Cycles end when one lowers
// the loss by no more than `tolerance`. Then features are deleted backwards: if taking out the least important one (the
// threshold found anew) costs less than `deletion` times what taking out the most important one costs, it goes. When
// none goes any more, the cycles run again on the features that are left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/keep_going.hpp"
#include "common/numbers.hpp"
#include "scans/climbing_plane.hpp"

namespace elc {

struct CombinationOptions {
    double tolerance = 0.001;
    double deletion = 0.2;
};

template <class Criterion>
class LinearCombination {
public:
    LinearCombination(const Columns& columns, const ScanNode& node, const Criterion& criterion,
                      const CombinationOptions& options, const KeepGoing<>& keep_going)
        : columns_(columns), options_(options), keep_going_(keep_going), plane_(columns, node, criterion),
          features_(columns.moving), slope_(columns.n) {}

    FoundPlane run(const std::vector<double>& first) {
        plane_.set(first);
        cycle_until_converged();
        const size_t n_all = features_.size();
        while (features_.size() > 1 && delete_least_important()) {
        }
        if (features_.size() < n_all) cycle_until_converged();
        return {plane_.loss(), plane_.coefficients(), plane_.value(), plane_.n_cuts(), interrupted_};
    }

private:
    void cycle_until_converged() {
        double before;
        do {
            before = plane_.loss();
            plane_.centre();
            for (int feature : features_) improve(feature);
            const Step step = plane_.best_step(plane_.bias());
            if (step.loss < plane_.loss() - kTie) plane_.move(plane_.bias(), step.size);
            interrupted_ = interrupted_ || !keep_going_();
        } while (!interrupted_ && plane_.loss() < before - std::max(options_.tolerance, kTie));
    }

    void improve(int feature) {
        Step best;
        double best_offset = 0;
        for (double offset : {-0.25, 0.0, 0.25}) {
            const double* x = columns_.column(feature);
            for (int i = 0; i < columns_.n; ++i) slope_[i] = x[i] + offset;
            const Step step = plane_.best_step(slope_.data());
            if (step.loss < best.loss - kTie) best = step, best_offset = offset;
        }
        if (best.loss >= plane_.loss() - kTie) return;
        direction_.assign(columns_.m + 1, 0.0);
        direction_[feature] = 1.0;
        direction_[columns_.m] = best_offset;
        plane_.move(direction_, best.size, false);
    }

    bool delete_least_important() {
        const std::vector<double> whole = plane_.coefficients();
        const double loss = plane_.loss();
        std::vector<double> least;
        size_t place = 0;
        double least_cost = kInfinity, most_cost = -kInfinity;
        for (size_t q = 0; q < features_.size(); ++q) {
            const double cost = without(whole, features_[q]) - loss;
            most_cost = std::max(most_cost, cost);
            if (cost < least_cost) least_cost = cost, place = q, least = plane_.coefficients();
        }
        const bool goes = least_cost < options_.deletion * most_cost;
        plane_.set(goes ? least : whole);
        if (goes) features_.erase(features_.begin() + static_cast<std::ptrdiff_t>(place));
        return goes;
    }

    // The loss of the plane without a feature, with the best threshold.
    double without(std::vector<double> coefficients, int feature) {
        if (coefficients[feature] == 0) {
            plane_.set(coefficients);
            return plane_.loss();
        }
        coefficients[feature] = 0;
        plane_.set(coefficients);
        const Step step = plane_.best_step(plane_.bias());
        if (step.loss == kInfinity) return plane_.unsplit_loss();
        coefficients = plane_.coefficients();
        coefficients[plane_.bias()] += step.size;
        plane_.set(coefficients);
        return plane_.loss();
    }

    const Columns& columns_;
    const CombinationOptions options_;
    const KeepGoing<>& keep_going_;
    ClimbingPlane<Criterion> plane_;
    std::vector<int> features_;
    std::vector<double> slope_, direction_;
    bool interrupted_ = false;
};

}  // namespace elc
