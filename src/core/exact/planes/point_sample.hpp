// A few distinct points of a list, with their exact coordinates: enough to see how the list lies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact/passes/passes.hpp"
#include "exact/planes/independence.hpp"
#include "exact/points/points.hpp"

namespace elc {

class PointSample {
public:
    static constexpr int kMost = 32;

    ScoringList list() const { return {x_.data(), kMost, n_}; }

    // Whether most points are so near to others that no selection has two of them: a few far ones can bring that about.
    bool is_crowded(int r) const {
        int n_close = 0;
        for (int i = 1; i < n_; ++i) n_close += are_at_one_place(list(), i - 1, i, r);
        return 2 * n_close > n_;
    }

    // Every so many entries of a list of points (not of cells) of k classes, evenly: `most` of them at the most.
    void take(const Points& points, const PointList& from, int k, int most = kMost) {
        x_.resize(static_cast<size_t>(points.layout.r) * kMost);
        n_ = 0;
        if (from.narrow) take_as<float>(points, from, k, most);
        else take_as<double>(points, from, k, most);
    }

private:
    template <class T>
    void take_as(const Points& points, const PointList& from, int k, int most) {
        const IndexIn<T>* index = reinterpret_cast<const IndexIn<T>*>(from.array<T>(points.layout.index(false)));
        const T* first = from.array<T>(0);
        const int end = from.segment[k], step = 1 + (end - 1) / most;
        for (int i = 0; i < end; i += step)
            if (first[i] == first[i]) add(points, static_cast<int>(index[i]));
    }

    void add(const Points& points, int slot) {
        if (!points.place.empty()) {
            const int32_t place = points.place[slot];
            if (std::find(place_, place_ + n_, place) != place_ + n_) return;
            place_[n_] = place;
        }
        for (int j = 0; j < points.layout.r; ++j) x_[j * kMost + n_] = points.coordinate(j)[slot];
        ++n_;
    }

    std::vector<double> x_;
    int32_t place_[kMost];
    int n_ = 0;
};

}  // namespace elc
