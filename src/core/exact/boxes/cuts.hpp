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
    CutFinder(int r, int k)
        : r_(r), reach_(static_cast<size_t>(kMost) * (r + 1)), votes_(r + 1), passes_(passes_for(r, k)) {
        sample_.reach = reach_.data();
        sample_.votes = votes_.data();
    }
    CutFinder(const CutFinder&) = delete;
    CutFinder& operator=(const CutFinder&) = delete;

    // Of a feature set with this certain/uncertain test.
    void set_certain(double certain) { certain_ = certain; }

    // Looks at a sample of a list's first `end` entries. With `decided` votes a point that is uncertain by one
    // coordinate alone has more say than one that is by several: that cut decides it.
    void look_at(const Box<R>& box, const PointList& list, int end, bool decided) {
        const BoxView view{box.w.data(),
                           box.dw.data(),
                           box.b,
                           box.db,
                           certain_,
                           box.chart,
                           list.local ? box.local->absolute.data() : nullptr};
        passes_.sample[static_cast<int>(seen(list))](list, r_, end, view, decided, sample_);
    }

    // Whether the box moves the values of most points by less.
    bool moves_less(double than) const {
        int n_less = 0;
        for (int q = 0; q < kMost; ++q) n_less += sample_.say[q] * than > 1;
        return 2 * n_less > sample_.n;
    }

    // The share of the points that are uncertain by one coordinate alone.
    double settled() const {
        int n_settled = 0;
        for (int q = 0; q < kMost; ++q) {
            if (!(sample_.say[q] > 0)) continue;
            double most = 0;
            for (int j = 0; j <= order(); ++j) most = std::max(most, std::abs(reach_[j * kMost + q]));
            n_settled += most >= 0.9 * sample_.radius[q];
        }
        return sample_.n > 0 ? static_cast<double>(n_settled) / sample_.n : 0.0;
    }

    // The coordinate (r for the offset) that the points are most uncertain by, if they are by any.
    int widest(int otherwise) const {
        double most = kLeast * sample_.n;
        int widest = otherwise;
        for (int j = 0; j <= order(); ++j)
            if (votes_[j] > most) most = votes_[j], widest = j;
        return widest;
    }

    // The share of that coordinate's range (`reach` to either side) below the cut: most points become certain in most
    // of it. What would become as thin as tolerances is halved instead: points that do not become certain before lie in
    // a plane.
    double cut(int coordinate, double reach) {
        thinnest_ = kThinnest * certain_ / reach;
        n_low_ = n_high_ = 0;
        for (int q = 0; q < kMost; ++q)
            if (sample_.say[q] > 0) add(q, coordinate);
        std::sort(low_, low_ + n_low_);
        std::sort(high_, high_ + n_high_);
        best_ = 0.5;
        gain_ = kLeast * sample_.n;
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

    static constexpr int kMost = BoxSample::kMost;
    static constexpr double kThinnest = 256, kNudge = 0.01, kLeast = 0.02;

    // Cut below `low`, the lower part decides the point; cut above `high`, the upper part does.
    void add(int q, int coordinate) {
        const double move = reach_[coordinate * kMost + q];
        if (move == 0) return;
        const double share = 0.5 / move, middle = 0.5 - sample_.value[q] * share;
        const double width = (sample_.radius[q] - std::abs(move)) * std::abs(share);
        if (middle - width > 0) low_[n_low_++] = std::min(middle - width, 1.0);
        if (middle + width < 1) high_[n_high_++] = std::max(middle + width, 0.0);
    }

    static double nudged(double place, double by) { return place + by * std::min(place, 1 - place); }

    // `below` points are decided by the lower part, `above` by the upper one.
    void consider(double place, double by, int below, int above) {
        const double cut = nudged(place, by), gain = cut * below + (1 - cut) * above;
        if (gain > gain_ && std::min(cut, 1 - cut) > thinnest_) gain_ = gain, best_ = cut;
    }

    int r_, n_low_ = 0, n_high_ = 0;
    double best_ = 0.5, gain_ = 0, thinnest_ = 0, certain_ = kCertain;
    std::vector<double> reach_, votes_;  // of the sample
    BoxSample sample_;
    Passes passes_;
    double low_[kMost], high_[kMost];
};

}  // namespace elc
