// The widest margin between two sets of points: half the distance of their convex hulls.
//
// Wolfe's algorithm ("Finding the nearest point in a polytope", Mathematical Programming 11, 1976, 128-149) finds the
// point of smallest norm in the hull of all differences of a point of one side and one of the other: it holds a corral
// of few differences, steps to the point of smallest norm in their affine hull and lets in the difference that lies
// farthest below the plane of that point. Each direction is judged by the empty band that it really leaves between the
// sides, so the answer is never too wide. A step costs one product of the points with a vector. The number
// of steps is capped, so that the time is bounded on any data; few are needed. Where no band is found, because rounding
// hides a small share of a difference in the corral, it begins anew with such shares taken to be positive.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "common/numbers.hpp"

namespace elc {

// The points of both sides in as many dimensions as the direction has that a search begins with, one after the other.
struct SidePoints {
    std::vector<double> left, right;
};

class MarginFinder {
public:
    // Of the margin found last, the unit vector across it; empty where the sides are not apart.
    const std::vector<double>& normal() const { return normal_; }

    // Neither side is empty.
    double half_margin(const SidePoints& sides, const std::vector<double>& direction) {
        sides_ = &sides;
        d_ = direction.size();
        normal_.clear();
        double best = 0;
        for (double no_share : {0.0, kNoShare})
            if (best == 0) best = widest_band(direction, no_share);
        return best / 2;
    }

private:
    static constexpr size_t kStepsPerDimension = 40;
    static constexpr double kOptimal = 1e-12;
    static constexpr double kNoShare = 1e-14;  // rounding may hide a positive share that is as small

    // Zero where the sides are not apart.
    double widest_band(std::vector<double> direction, double no_share) {
        corral_.clear();
        shares_.clear();
        std::vector<double> difference(d_);
        double best = 0, distance = kInfinity, last = -kInfinity;
        bool is_nearer = true;  // than a step before; where hulls nearly touch, double may not tell
        for (size_t step = 0; step < kStepsPerDimension * (d_ + 1) && normalise(direction); ++step) {
            const double band = nearest_difference(direction, difference), before = distance;
            if (band > best) best = band, normal_ = direction;
            if (band >= (1 - kOptimal) * distance || !(is_nearer || band > last)) break;
            if (!admit(difference, no_share, direction, distance)) break;
            is_nearer = distance < before;
            last = band;
        }
        return best;
    }

    static bool normalise(std::vector<double>& direction) {
        const double norm = norm_of(direction);
        if (!(norm > 0)) return false;
        for (double& x : direction) x /= norm;
        return true;
    }

    // The point of a side that is lowest along `sign` times the direction.
    size_t lowest(const std::vector<double>& points, const std::vector<double>& direction, double sign) const {
        switch (d_) {
            case 2: return lowest_in<2>(points, direction, sign);
            case 3: return lowest_in<3>(points, direction, sign);
            default: return lowest_in<0>(points, direction, sign);
        }
    }

    // D is the number of dimensions, 0 for "any".
    template <size_t D>
    size_t lowest_in(const std::vector<double>& points, const std::vector<double>& direction, double sign) const {
        const size_t d = D ? D : d_;
        const double *point = points.data(), *along = direction.data();
        size_t at = 0;
        double least = kInfinity;
        for (size_t i = 0; i < points.size(); i += d) {
            double value = 0;
            for (size_t j = 0; j < d; ++j) value += point[i + j] * along[j];
            if (sign * value < least) least = sign * value, at = i;
        }
        return at;
    }

    // The smallest difference of a row left and a row right along the direction, and its length along it.
    double nearest_difference(const std::vector<double>& direction, std::vector<double>& difference) const {
        const size_t l = lowest(sides_->left, direction, 1), q = lowest(sides_->right, direction, -1);
        double band = 0;
        for (size_t j = 0; j < d_; ++j) {
            difference[j] = sides_->left[l + j] - sides_->right[q + j];
            band += difference[j] * direction[j];
        }
        return band;
    }

    // Takes a difference into the corral and steps to the new point of smallest norm; false without progress.
    bool admit(const std::vector<double>& difference, double no_share, std::vector<double>& point, double& distance) {
        corral_.push_back(difference);
        shares_.push_back(corral_.size() == 1 ? 1.0 : 0.0);
        std::vector<double> shares, nearest;
        for (size_t round = corral_.size(); round > 0; --round) {
            if (!affine_minimum(shares, nearest)) return false;
            bool inside = true;
            for (double& share : shares) {
                if (share > 0) continue;
                if (share > -no_share) share = std::numeric_limits<double>::min();
                else inside = false;
            }
            if (inside) {
                shares_ = shares;
                point = nearest;
                distance = norm_of(point);
                return true;
            }
            retreat(shares);
        }
        return false;
    }

    // The point of smallest norm in the corral's affine hull and its shares: the nearest difference, less what of it
    // lies along the others' directions from it. Twice orthogonalised, so that hulls that nearly touch keep their
    // direction.
    bool affine_minimum(std::vector<double>& shares, std::vector<double>& point) const {
        const size_t n = corral_.size(), origin = shortest();
        point = corral_[origin];
        shares.assign(n, 0.0);
        std::vector<std::vector<double>> axes;
        std::vector<std::vector<double>> mixing;  // of each direction, its lengths along the axes so far
        std::vector<size_t> others;
        std::vector<double> along;
        for (size_t i = 0; i < n; ++i) {
            if (i == origin) continue;
            std::vector<double> direction(d_), lengths(axes.size(), 0.0);
            for (size_t j = 0; j < d_; ++j) direction[j] = corral_[i][j] - corral_[origin][j];
            const double whole = norm_of(direction);
            for (int pass = 0; pass < 2; ++pass)
                for (size_t q = 0; q < axes.size(); ++q) lengths[q] += take_away(axes[q], direction);
            const double length = norm_of(direction);
            if (!(length > 1e-14 * whole)) return false;
            for (double& x : direction) x /= length;
            lengths.push_back(length);
            axes.push_back(direction);
            mixing.push_back(lengths);
            others.push_back(i);
            along.push_back(0.0);
        }
        for (int pass = 0; pass < 2; ++pass)
            for (size_t q = 0; q < axes.size(); ++q) along[q] -= take_away(axes[q], point);
        shares[origin] = 1;
        for (size_t i = axes.size(); i-- > 0;) {
            double share = along[i];
            for (size_t q = i + 1; q < axes.size(); ++q) share -= mixing[q][i] * shares[others[q]];
            shares[others[i]] = share / mixing[i][i];
            shares[origin] -= shares[others[i]];
        }
        return true;
    }

    size_t shortest() const {
        size_t at = 0;
        for (size_t i = 1; i < corral_.size(); ++i)
            if (norm_of(corral_[i]) < norm_of(corral_[at])) at = i;
        return at;
    }

    static double norm_of(const std::vector<double>& x) {
        double sum = 0;
        for (double value : x) sum += value * value;
        return std::sqrt(sum);
    }

    // Takes what lies along the axis away from x; returns how much that was.
    static double take_away(const std::vector<double>& axis, std::vector<double>& x) {
        double length = 0;
        for (size_t j = 0; j < x.size(); ++j) length += axis[j] * x[j];
        for (size_t j = 0; j < x.size(); ++j) x[j] -= length * axis[j];
        return length;
    }

    // Moves from the current shares towards `shares` until one vanishes, and drops the differences without a share.
    void retreat(const std::vector<double>& shares) {
        double step = 1;
        size_t first = 0;
        for (size_t i = 0; i < shares.size(); ++i) {
            if (shares[i] > 0) continue;
            const double until = shares_[i] / std::max(shares_[i] - shares[i], 1e-300);
            if (until <= step) step = until, first = i;
        }
        size_t kept = 0;
        for (size_t i = 0; i < shares.size(); ++i) {
            const double moved = i == first ? 0.0 : shares_[i] + step * (shares[i] - shares_[i]);
            if (!(moved > 0)) continue;
            corral_[kept] = corral_[i];
            shares_[kept++] = moved;
        }
        corral_.resize(kept);
        shares_.resize(kept);
    }

    const SidePoints* sides_ = nullptr;
    size_t d_ = 0;
    std::vector<std::vector<double>> corral_;
    std::vector<double> shares_, normal_;
};

}  // namespace elc
