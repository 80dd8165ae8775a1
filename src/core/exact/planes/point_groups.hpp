// Groups of points that are nearer to each other than some distance, or connected by such: what stays together in every
// split that keeps twice that distance between its sides.
//
// Points are put in cells as large as the distance; cells that touch are connected.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exact/node/tolerances.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

class PointGroups {
public:
    PointGroups(int r, int k, int width) : r_(r), merged_(r, k, width) {}

    const ExactPoints& merged() const { return merged_; }  // a point for each group
    int n_points() const { return static_cast<int>(group_.size()); }
    int of(int point) const { return group_[point]; }

    // Of a list's selectable points.
    void find(const ExactPoints& points, double near) {
        const double size = std::max(near, kCoplanarByRounding);
        const int n = points.n_selectable();
        cell_.resize(static_cast<size_t>(n) * r_);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < r_; ++j)
                cell_[i * r_ + j] = static_cast<int64_t>(std::floor(points.coordinate(i, j) / size));
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&](int a, int b) { return compare(a, b, nullptr) < 0; });
        joined_.resize(n);
        std::iota(joined_.begin(), joined_.end(), 0);
        shift_.assign(r_, 0);
        connect(0, false);
        number_groups();
        merged_.merge(points, group_, n_groups_);
    }

private:
    // Connects each point with those of the cells that are farther by a shift of -1, 0 or 1 in every coordinate from j
    // on; of a shift and its opposite, one will do.
    void connect(int j, bool is_shifted) {
        if (j == r_) return connect_shifted();
        for (int by = is_shifted ? -1 : 0; by <= 1; ++by) {
            shift_[j] = by;
            connect(j + 1, is_shifted || by != 0);
        }
    }

    // Both sequences are in order: one walk through them.
    void connect_shifted() {
        size_t other = 0;
        for (int i : order_) {
            while (other < order_.size() && compare(order_[other], i, shift_.data()) < 0) ++other;
            if (other < order_.size() && compare(order_[other], i, shift_.data()) == 0)
                joined_[root(i)] = root(order_[other]);
        }
    }

    // The order of a point's cell and another's, which is shifted.
    int compare(int point, int other, const int* shift) const {
        for (int j = 0; j < r_; ++j) {
            const int64_t one = cell_[point * r_ + j], two = cell_[other * r_ + j] + (shift ? shift[j] : 0);
            if (one != two) return one < two ? -1 : 1;
        }
        return 0;
    }

    int root(int point) {
        while (joined_[point] != point) point = joined_[point] = joined_[joined_[point]];
        return point;
    }

    void number_groups() {
        n_groups_ = 0;
        group_.assign(order_.size(), -1);
        for (size_t i = 0; i < group_.size(); ++i) {
            int& of_root = group_[root(static_cast<int>(i))];
            if (of_root < 0) of_root = n_groups_++;
            group_[i] = of_root;
        }
    }

    int r_, n_groups_ = 0;
    std::vector<int64_t> cell_;                // r by point
    std::vector<int> order_, joined_, group_;  // by cell; another point of the same group; its number
    std::vector<int> shift_;
    ExactPoints merged_;
};

}  // namespace elc
