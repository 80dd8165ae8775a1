// OC1's search for an oblique split: perturb one coefficient at a time, jump when stuck, start again.
//
// S. Murthy, S. Kasif, S. Salzberg, "A System for Induction of Oblique Decision Trees", JAIR 2 (1994), section 2. The
// first start is the best axis-parallel split, the others are random planes. A perturbation that leaves the loss equal
// is taken with a probability that falls by a tenth of `stagnation` each time and is restored by every improvement.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "common/keep_going.hpp"
#include "common/numbers.hpp"
#include "scans/climbing_plane.hpp"
#include "scans/random.hpp"

namespace elc {

enum class Order { sequential, best, random };
constexpr int kRandomPerturbations = 50;  // OC1's R-50

struct ClimbOptions {
    int restarts = 20;
    int jumps = 5;
    Order order = Order::sequential;
    double stagnation = 1.0;
    uint64_t seed = 0;
    double seconds = kInfinity;
};

// The loss of separating two classes; with more classes no loss is known to be the least.
template <class Criterion>
double least_loss(const ScanNode& node, const Criterion& criterion) {
    std::vector<double> one_class(node.k, 0.0);
    int n_present = 0;
    for (int j = 0; j < node.k; ++j) {
        if (node.totals[j] > 0 && ++n_present == 1) one_class[j] = node.totals[j];
    }
    return n_present == 2 ? criterion.loss(one_class.data()) : -kInfinity;
}

template <class Criterion>
class HillClimbing {
public:
    HillClimbing(const Columns& columns, const ScanNode& node, const Criterion& criterion, const ClimbOptions& options,
                 const KeepGoing<>& keep_going)
        : columns_(columns), options_(options), keep_going_(keep_going), plane_(columns, node, criterion),
          random_(options.seed), least_(least_loss(node, criterion)), start_(std::chrono::steady_clock::now()) {
        coefficients_ = columns.moving;
        coefficients_.push_back(columns.m);
    }

    FoundPlane run(const std::vector<double>& first) {
        for (int restart = 0; restart < options_.restarts && going_on() && best_.loss > least_ + kTie; ++restart) {
            plane_.set(restart == 0 ? first : random_direction());
            climb();
            settle();
            if (plane_.loss() < best_.loss - kTie) keep();
        }
        best_.n_cuts = plane_.n_cuts();
        return best_;
    }

private:
    bool going_on() {
        if (best_.interrupted) return false;
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        best_.interrupted = !keep_going_();
        return !best_.interrupted && elapsed.count() < options_.seconds;
    }

    std::vector<double> random_direction() {
        std::vector<double> direction(columns_.m + 1, 0.0);
        for (int j : coefficients_) direction[j] = random_.symmetric();
        return direction;
    }

    void climb() {
        do perturb();
        while (going_on() && jump());
    }

    // Up to `jumps` steps of the best size along random directions; the first that lowers the loss ends them.
    bool jump() {
        for (int attempt = 0; attempt < options_.jumps; ++attempt) {
            const std::vector<double> direction = random_direction();
            columns_.evaluate(direction, slope_);
            const Step step = plane_.best_step(slope_.data());
            if (step.loss < plane_.loss() - kTie && plane_.move(direction, step.size, false)) return true;
        }
        return false;
    }

    void perturb() {
        move_probability_ = options_.stagnation;
        if (options_.order == Order::sequential)
            while (going_on() && sweep()) {
            }
        if (options_.order == Order::best)
            while (going_on() && perturb_best()) {
            }
        if (options_.order == Order::random)
            for (int t = 0; t < kRandomPerturbations && going_on(); ++t) try_step(pick(), false);
    }

    bool sweep() {
        bool modified = false;
        for (int j : coefficients_) modified = try_step(j, false) || modified;
        return modified;
    }

    bool perturb_best() {
        int best = coefficients_.back();
        double loss = kInfinity;
        for (int j : coefficients_) {
            const Step step = plane_.best_step(j);
            if (step.loss < loss - kTie) best = j, loss = step.loss;
        }
        return try_step(best, false);
    }

    int pick() { return coefficients_[random_.below(static_cast<int>(coefficients_.size()))]; }

    // One perturbation; true if the coefficient was modified.
    bool try_step(int coefficient, bool only_better) {
        const Step step = plane_.best_step(coefficient);
        if (step.loss < plane_.loss() - kTie) {
            if (!plane_.move(coefficient, step.size)) return false;
            move_probability_ = options_.stagnation;
            return true;
        }
        if (only_better || step.loss > plane_.loss() + kTie || step.loss == kInfinity) return false;
        const bool take = random_.unit() < move_probability_;
        move_probability_ -= 0.1 * options_.stagnation;
        return take && plane_.move(coefficient, step.size, true);
    }

    // Centres the plane in its empty band and climbs on until no coefficient alone can lower the loss.
    void settle() {
        bool modified = true;
        while (modified && going_on()) {
            plane_.centre();
            modified = false;
            for (int j : coefficients_) modified = try_step(j, true) || modified;
        }
    }

    void keep() {
        best_.loss = plane_.loss();
        best_.coefficients = plane_.coefficients();
        best_.value = plane_.value();
    }

    const Columns& columns_;
    const ClimbOptions options_;
    const KeepGoing<>& keep_going_;
    ClimbingPlane<Criterion> plane_;
    Random random_;
    const double least_;
    std::chrono::steady_clock::time_point start_;
    std::vector<int> coefficients_;
    std::vector<double> slope_;
    double move_probability_ = 0;
    FoundPlane best_;
};

}  // namespace elc
