// Squared error of a number: what is left of it when each side predicts its own mean.
//
// A side is two whole numbers: the weight of its rows and their moment, the sum of weight times number. With W, S and E
// the weight, the moment and the squared error of the node, a side (w, s) takes W t^2 / (w (W - w)) off it, where
// t = s - w S / W. That is convex in (w, s).
//
// Bound. Where uncertain rows may go either way, the sides are sums of subsets of them: a convex set whose corners have
// the rows below some number on one side, those above it on the other. Rows come in bins, ranges of numbers of which
// only the sums are known. Along its lower edge the set passes from a bin's lower end to its upper end with slopes
// (moment per weight) from the bin's smallest number to its largest, so the two tangents at the ends, of which one has
// the smallest slope and the other the largest, enclose it. Their corner and the ends are all that is looked at; the
// upper edge is the lower one turned by half a circle.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace elc {

// What a node knows of its numbers.
struct NumberTotals {
    double weight = 0, moment = 0;
    double squares = 0;             // squared deviations from the mean
    std::vector<double> low, high;  // by bin: the smallest and the largest number in it, as moment per weight
    double bits_of = 0;             // weight of the rows whose code is measured in bits; 0: the loss is a share
};

class SquaredError {
public:
    explicit SquaredError(const NumberTotals& totals)
        : weight_(totals.weight), mean_(totals.moment / totals.weight), squares_(totals.squares),
          bits_of_(totals.bits_of), low_(totals.low), high_(totals.high),
          reach_{totals.low.front(), totals.high.back()} {}

    // The same numbers in other bins.
    SquaredError with_bins(const std::vector<double>& low, const std::vector<double>& high) const {
        SquaredError other = *this;
        other.low_ = low;
        other.high_ = high;
        return other;
    }

    // Of the partition whose one side has this weight and moment.
    double loss(const double* side) const { return to_loss(taken_off(side[0], side[1] - mean_ * side[0])); }

    // No loss is lower where the uncertain rows, given by their weight in each bin and then their moment, are free.
    double bound(const double* side, const double* open) const {
        return bound_over(side, open, low_.data(), high_.data(), static_cast<int>(low_.size()));
    }

    // The same for rows of which only weight and moment are known.
    double bound_together(const double* side, const double* open) const {
        return bound_over(side, open, &reach_[0], &reach_[1], 1);
    }

    double perfect() const { return to_loss(squares_); }

private:
    // `t` is the moment less that of as many rows of the node's mean.
    double taken_off(double w, double t) const {
        const double spread = w * (weight_ - w);
        return spread > 0 ? weight_ * t * t / spread : 0.0;
    }

    double bound_over(const double* side, const double* open, const double* low, const double* high, int k) const {
        double w = side[0], t = side[1] - mean_ * side[0];
        double open_w = 0, open_t = 0;
        for (int j = 0; j < k; ++j) {
            open_w += open[j];
            open_t += open[k + j];
        }
        open_t -= mean_ * open_w;
        // The corner opposite to (w, t), from which the upper edge runs back.
        double turned_w = w + open_w, turned_t = t + open_t;
        double best = std::max(taken_off(w, t), taken_off(turned_w, turned_t));
        for (int j = 0; j < k; ++j) {
            const double u = open[j];
            if (u == 0) continue;
            const double v = open[k + j], range = high[j] - low[j];
            if (range > 0) {
                const double x = std::min(u, std::max(0.0, (high[j] * u - v) / range));
                const double step = (low[j] - mean_) * x;
                best = std::max(best, taken_off(w + x, t + step));
                best = std::max(best, taken_off(turned_w - x, turned_t - step));
            }
            const double step = v - mean_ * u;
            w += u;
            t += step;
            turned_w -= u;
            turned_t -= step;
            best = std::max(best, taken_off(w, t));
            best = std::max(best, taken_off(turned_w, turned_t));
        }
        return to_loss(best);
    }

    // From the squared error that is taken off to the share that is left, or to minus the bits that are saved for each
    // of n rows: log2(1 / share) / 2, where no share is taken for less than 1/n^2.
    double to_loss(double off) const {
        const double share = squares_ > 0 ? std::max(0.0, 1 - off / squares_) : 1.0;
        if (bits_of_ == 0) return share;
        return std::log2(std::max(share, 1 / (bits_of_ * bits_of_))) / 2;
    }

    double weight_, mean_, squares_, bits_of_;
    std::vector<double> low_, high_;
    double reach_[2];  // of all bins
};

// Whether a criterion is one of numbers; the others are of classes.
template <class Criterion>
constexpr bool kOfNumbers = false;
template <>
inline constexpr bool kOfNumbers<SquaredError> = true;

}  // namespace elc
