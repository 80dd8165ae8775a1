// Places that hold many rows of several classes: zero in columns that are mostly zero, say.
//
// A bound that let each class there choose its side would be far too good, and every plane through the place would have
// to be scored. The rows at such a place go to one side whole, in the bound too; they are in no list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exact/node/exact_node.hpp"
#include "exact/points/point_grouping.hpp"
#include "exact/points/points.hpp"

namespace elc {

class HeavyPlaces {
public:
    bool empty() const { return places_.empty(); }

    // Groups that are not at heavy places: all of them, or those listed.
    int n_light() const { return empty() ? n_groups_ : static_cast<int>(light_.size()); }
    int light(int q) const { return empty() ? q : light_[q]; }

    // The places with most weight outside of their largest class, if that is much.
    void choose(const ExactNode& node, const PointGrouping& groups) {
        places_.clear();
        n_groups_ = groups.n_groups();
        if (groups.trivial || groups.n_places == n_groups_) return;
        weigh(node, groups);
        const auto mixed = [&](int place) { return place_weight_[place] - place_largest_[place]; };
        for (int place = 0; place < groups.n_places; ++place)
            if (mixed(place) >= kHeavy * node.total) places_.push_back(place);
        std::stable_sort(places_.begin(), places_.end(), [&](int a, int b) { return mixed(a) > mixed(b); });
        if (places_.size() > kMostHeavy) places_.resize(kMostHeavy);
        light_.clear();
        for (int g = 0; g < n_groups_; ++g)
            if (heavy_of(groups, g) < 0) light_.push_back(g);
    }

    void fill(const ExactNode& node, const int* features, const PointGrouping& groups,
              const std::vector<int32_t>& slot_of_group, Points& points) const {
        points.heavy.clear();
        if (empty()) return;
        const int r = points.layout.r;
        points.heavy.assign(places_.size(), {std::vector<double>(r), std::vector<double>(node.width, 0.0), {}});
        for (int g = 0; g < n_groups_; ++g) {
            const int h = heavy_of(groups, g);
            if (h < 0) continue;
            HeavyPlace& heavy = points.heavy[h];
            const int row = groups.row_of(g);
            for (int q = 0; q < r; ++q) heavy.x[q] = node.column(features[q])[row];
            heavy.entries.emplace_back(slot_of_group[g], node.y[row]);
        }
        for (int i = 0; i < node.n; ++i) {
            const int h = groups.group[i] < 0 ? -1 : heavy_of(groups, groups.group[i]);
            if (h >= 0) node.add_to_side(points.heavy[h].side_sum.data(), i);
        }
    }

private:
    static constexpr int kMostHeavy = 3;    // heavy places in a set
    static constexpr double kHeavy = 0.02;  // share of the weight that a heavy place has outside of its largest class

    void weigh(const ExactNode& node, const PointGrouping& groups) {
        group_weight_.assign(n_groups_, 0.0);
        for (int i = 0; i < node.n; ++i)
            if (groups.group[i] >= 0) group_weight_[groups.group[i]] += node.weight[i];
        place_weight_.assign(groups.n_places, 0.0);
        place_largest_.assign(groups.n_places, 0.0);
        for (int g = 0; g < n_groups_; ++g) {
            place_weight_[groups.place[g]] += group_weight_[g];
            double& largest = place_largest_[groups.place[g]];
            largest = std::max(largest, group_weight_[g]);
        }
    }

    // Which heavy place the group is at; -1: none.
    int heavy_of(const PointGrouping& groups, int group) const {
        for (size_t h = 0; h < places_.size(); ++h)
            if (places_[h] == groups.place[group]) return static_cast<int>(h);
        return -1;
    }

    int n_groups_ = 0;
    std::vector<int32_t> places_, light_;
    std::vector<double> group_weight_, place_weight_, place_largest_;
};

}  // namespace elc
