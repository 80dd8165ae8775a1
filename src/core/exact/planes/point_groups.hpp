// Groups of points that are nearer to each other than some distance, or connected by such: what stays together in every
// split that keeps that distance between its sides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

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
        points_ = &points;
        near_ = near;
        order_.resize(points.n_selectable());
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(),
                  [&](int a, int b) { return points.coordinate(a, 0) < points.coordinate(b, 0); });
        group_.assign(order_.size(), -1);
        int n_groups = 0;
        for (int q = 0; q < n_points(); ++q)
            if (group_[order_[q]] < 0) fill(q, n_groups++);
        merged_.merge(points, group_, n_groups);
    }

private:
    // All that is connected with the point at place q in the order.
    void fill(int q, int group) {
        group_[order_[q]] = group;
        waiting_.assign(1, q);
        while (!waiting_.empty()) {
            const int from = waiting_.back();
            waiting_.pop_back();
            for (int up = from + 1; up < n_points() && difference(up, from, 0) <= near_; ++up) join(up, from, group);
            for (int down = from - 1; down >= 0 && difference(down, from, 0) <= near_; --down) join(down, from, group);
        }
    }

    void join(int q, int from, int group) {
        bool is_near = group_[order_[q]] < 0;
        for (int j = 1; j < r_ && is_near; ++j) is_near = difference(q, from, j) <= near_;
        if (!is_near) return;
        group_[order_[q]] = group;
        waiting_.push_back(q);
    }

    double difference(int q, int other, int j) const {
        return std::abs(points_->coordinate(order_[q], j) - points_->coordinate(order_[other], j));
    }

    int r_;
    double near_ = 0;
    const ExactPoints* points_ = nullptr;
    std::vector<int> order_, group_, waiting_;  // by the first coordinate; by point; places in the order to look from
    ExactPoints merged_;
};

}  // namespace elc
