// Which points of a list can share a plane of a box, pair by pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/independence.hpp"

namespace elc {

constexpr int kMaskBits = 64;  // selections among so few points are masks of bits

// The values of two points that share a plane of the box differ by no more than the box lets them.
class CompatiblePoints {
public:
    // The later points that point i can share a plane with, those at its own place left out.
    uint64_t with(int i) const { return with_[i]; }

    // Of at most kMaskBits points.
    template <int R>
    void find(const Box<R>& box, const ExactPoints& points, int r) {
        const int n = points.n_selectable();
        double value[kMaskBits], rounding[kMaskBits];
        const int width = r + 1;  // what multiplies the offset is the last
        seen_.resize(static_cast<size_t>(n) * width);
        for (int i = 0; i < n; ++i) {
            double* seen = &seen_[static_cast<size_t>(i) * width];
            box.see(r, [&](int q) { return points.coordinate(i, q); }, seen);
            seen[r] = 1;
            value[i] = rounding[i] = 0;
            for (int j = 0; j < r; ++j) {
                value[i] += box.w[j] * seen[j];
                rounding[i] += kHeightRounding * std::abs(box.w[j] * seen[j]);
                if (!box.local) continue;
                const double share = box.local->absolute[j] * seen[j];
                rounding[i] +=
                    kHeightRounding * (std::abs(box.local->rise(j, r, box.chart) * seen[j]) + std::abs(box.b * share));
                seen[r] -= share;
            }
            value[i] -= box.b * (seen[r] - 1);  // the offset itself is common to all
        }
        const double slack = kBoxSlack + (box.local ? 2 * box.local->error : 0.0);
        for (int i = 0; i < n; ++i) {
            uint64_t mask = 0;
            for (int other = i + 1; other < n; ++other) {
                const double *one = &seen_[static_cast<size_t>(i) * width], *two = one + (other - i) * width;
                double radius = slack + rounding[i] + rounding[other];
                for (int j = 0; j < r; ++j) radius += box.dw[j] * std::abs(one[j] - two[j]);
                if (box.local) radius += box.db * std::abs(one[r] - two[r]);
                const bool meet = std::abs(value[i] - value[other]) <= radius;
                mask |= static_cast<uint64_t>(meet && !are_at_one_place(points.list(), i, other, r)) << other;
            }
            with_[i] = mask;
        }
    }

private:
    uint64_t with_[kMaskBits];
    std::vector<double> seen_;  // the points as the box sees them, row-major
};

// Of two features: the pairs of points whose lines cross within the box's range of tilts.
class Crossings {
public:
    // Two points each, one pair after the other.
    const std::vector<int>& found() const { return found_; }

    // Finds the pairs of points that share a line of the box's range of tilts: the order of their values at its ends
    // differs. False if there are more than `most`. Costs O(n log n), and as much as there are pairs.
    template <int R>
    bool find(const Box<R>& box, const ExactPoints& points, int64_t most) {
        const int n = points.n_selectable(), tilted = 1 - box.chart;
        const ValueRange tilt = range_in<R>(box, 2, nullptr, tilted);
        const auto from = [&](int j) { return box.local ? box.local->corner[box.chart * 2 + j] : 0.0; };
        std::vector<Ends> ends(n), passed;
        for (int i = 0; i < n; ++i) {
            const auto x = [&](int j) { return points.coordinate(i, j) - from(j); };
            const double across = x(tilted);
            const double middle = x(box.chart) + tilt.value * across, radius = (tilt.radius + kBoxSlack) * across;
            ends[i] = {middle - radius, middle + radius, i};
        }
        std::sort(ends.begin(), ends.end(), [](const Ends& a, const Ends& b) {
            return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high > b.high : a.point < b.point;
        });
        found_.clear();
        for (const Ends& next : ends) {
            auto place = passed.end();
            for (; place != passed.begin() && (place - 1)->high >= next.high; --place) {
                if (static_cast<int64_t>(found_.size() / 2) >= most) return false;
                found_.insert(found_.end(), {(place - 1)->point, next.point});
            }
            passed.insert(place, next);
        }
        return true;
    }

private:
    // The values of a point at the ends of a box's range of tilts.
    struct Ends {
        double low, high;
        int point;
    };

    std::vector<int> found_;
};

}  // namespace elc
