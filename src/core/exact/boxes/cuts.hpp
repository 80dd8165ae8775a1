// Where a box is best cut.
//
// A few points may be very far from the others, so each point of a sample has a vote on the coordinate. Halving that in
// the middle would ask for as many halves as there are scales between the box and a cluster of points.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

template <int R>
class CutFinder {
public:
    explicit CutFinder(int r) : r_(r), reach_(static_cast<size_t>(kMost) * (r + 1)) {}

    // Of a feature set with this certain/uncertain test.
    void set_certain(double certain) { certain_ = certain; }

    // Looks at a sample of a list's first `end` entries.
    void look_at(const Box<R>& box, const PointList& list, int end) {
        if (list.narrow) take<float, false>(box, list, end);
        else if (!list.local) take<double, false>(box, list, end);
        else take<double, true>(box, list, end);
    }

    // Whether the box moves the values of most points by less.
    bool moves_less(double than) const {
        int n_less = 0;
        for (int q = 0; q < n_; ++q) n_less += radius_[q] < than;
        return 2 * n_less > n_;
    }

    // The share of the points that are uncertain by one coordinate alone.
    double settled() const {
        int n_settled = 0;
        for (int q = 0; q < n_; ++q) {
            double most = 0;
            for (int j = 0; j <= order(); ++j) most = std::max(most, std::abs(reach_[j * kMost + q]));
            n_settled += most >= 0.9 * radius_[q];
        }
        return n_ > 0 ? static_cast<double>(n_settled) / n_ : 0.0;
    }

    // The coordinate (r for the offset) that the points are most uncertain by, if they are by any. With `decided` votes
    // a point that is uncertain by one coordinate alone has more say than one that is by several: that cut decides it.
    int widest(int otherwise, bool decided) {
        double share[kMost], most = kLeast * n_;
        for (int q = 0; q < n_; ++q) share[q] = 1 / radius_[q];
        int widest = otherwise;
        for (int j = 0; j <= order(); ++j) {
            const double* reach = &reach_[j * kMost];
            double votes = 0;
            for (int q = 0; q < n_; ++q) {
                const double vote = std::abs(reach[q]) * share[q];
                votes += decided ? vote * vote : vote;
            }
            if (votes > most) most = votes, widest = j;
        }
        return widest;
    }

    // The share of that coordinate's range (`reach` to either side) below the cut: most points become certain in most
    // of it. What would become as thin as tolerances is halved instead: points that do not become certain before lie in
    // a plane.
    double cut(int coordinate, double reach) {
        thinnest_ = kThinnest * certain_ / reach;
        n_low_ = n_high_ = 0;
        for (int q = 0; q < n_; ++q) add(q, coordinate);
        std::sort(low_, low_ + n_low_);
        std::sort(high_, high_ + n_high_);
        best_ = 0.5;
        gain_ = kLeast * n_;
        // Upwards through the places from which a point is certain above, and those up to which one is below.
        int low = 0;
        for (int high = 0; high < n_high_; ++high) {
            for (; low < n_low_ && low_[low] <= high_[high]; ++low) consider(low_[low], -kNudge, n_low_ - low, high);
            const double cut = nudged(high_[high], kNudge);
            while (low < n_low_ && low_[low] <= cut) ++low;
            consider(high_[high], kNudge, n_low_ - low, high + 1);
        }
        for (; low < n_low_; ++low) consider(low_[low], -kNudge, n_low_ - low, n_high_);
        return best_;
    }

private:
    int order() const { return R ? R : r_; }

    static constexpr int kMost = 16;  // points of a sample
    static constexpr double kThinnest = 256, kNudge = 0.01, kLeast = 0.02;

    // A sample of the list, which may hold points that have become certain: the values at the box's centre, and how far
    // each coordinate moves them.
    template <class T, bool Local>
    void take(const Box<R>& box, const PointList& list, int end) {
        const T* first = list.array<T>(0);
        const double* absolute = Local ? box.local->absolute.data() : nullptr;
        const int step = 1 + (end - 1) / kMost;
        double* reach = reach_.data();
        n_ = 0;
        for (int i = 0; i < end; i += step) {
            double share = 1, value = 0, radius = certain_;
            for (int j = 0; j < order(); ++j) {
                const double y = first[j * list.stride + i], move = box.dw[j] * y;
                if (Local) share -= absolute[j] * y;
                value += box.w[j] * y;
                reach[j * kMost + n_] = move;
                radius += std::abs(move);
            }
            reach[order() * kMost + n_] = -box.db * share;
            value_[n_] = value - box.b * share;
            radius_[n_] = radius + std::abs(box.db * share);
            // No comparison holds for padding.
            n_ += std::abs(value_[n_]) <= radius_[n_];
        }
    }

    // Cut below `low`, the lower part decides the point; cut above `high`, the upper part does.
    void add(int q, int coordinate) {
        const double move = reach_[coordinate * kMost + q], reach = std::abs(move);
        if (reach == 0) return;
        const double middle = 0.5 - 0.5 * value_[q] / move, width = 0.5 * (radius_[q] - reach) / reach;
        if (middle - width > 0) low_[n_low_++] = std::min(middle - width, 1.0);
        if (middle + width < 1) high_[n_high_++] = std::max(middle + width, 0.0);
    }

    static double nudged(double place, double by) { return place + by * std::min(place, 1 - place); }

    // `below` points are decided by the lower part, `above` by the upper one.
    void consider(double place, double by, int below, int above) {
        const double cut = nudged(place, by), gain = cut * below + (1 - cut) * above;
        if (gain > gain_ && std::min(cut, 1 - cut) > thinnest_) gain_ = gain, best_ = cut;
    }

    int r_, n_ = 0, n_low_ = 0, n_high_ = 0;
    double best_ = 0.5, gain_ = 0, thinnest_ = 0, certain_ = kCertain;
    std::vector<double> reach_;  // by coordinate, of each point
    double value_[kMost], radius_[kMost];
    double low_[kMost], high_[kMost];
};

}  // namespace elc
