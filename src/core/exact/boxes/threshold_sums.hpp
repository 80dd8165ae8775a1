// What planes of a box can have above them, where points in groups are divided by thresholds.
//
// The planes of a box have nearly the same normal, so that points close to each other are passed in nearly the same
// order by all of them: a group of such points is divided by a threshold along the normal, not one by one. What several
// groups have above is a sum of what each of them has.
//
// For two classes, these sums are points of a plane. A concave loss that falls as a side becomes purer is smallest at a
// corner of their hull that faces one of the classes: the most of that class with the least of the other. Such corners
// of a sum are those of its parts, walked in the order of their slopes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/box.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

// Weights above, of the class that a corner faces and of the other.
struct ClassPair {
    double most, least;
};

template <int R>
class ThresholdSums {
public:
    explicit ThresholdSums(int r) : r_(r) { set_size(at_, r + 1); }

    // Looks at a box and its list of points; `weight` is the array of their weights, negative where all are 1. False if
    // the points are not in a few groups.
    bool look_at(const Box<R>& box, const PointList& list, int weight, double margin) {
        n_groups_ = n_steps_ = 0;
        if (static_cast<int>(steps_.size()) < list.n) steps_.resize(list.n);
        if (!(list.narrow ? add_all<float>(box, list, weight, margin) : add_all<double>(box, list, weight, margin)))
            return false;
        for (int g = 0; g < n_groups_; ++g) groups_[g].open_bins();
        for (int q = 0; q < n_steps_; ++q) groups_[steps_[q].group].add(steps_[q]);
        for (int g = 0; g < n_groups_; ++g) groups_[g].sum_bins();
        return true;
    }

    // One of the corners that face a class: the farthest by a weight of each class.
    const std::vector<ClassPair>& far_corner(int facing, double most, double least) {
        ClassPair sum{0, 0};
        for (int g = 0; g < n_groups_; ++g) {
            const Group& group = groups_[g];
            const auto distance = [&](const ClassPair& at) { return most * at.most - least * at.least; };
            ClassPair farthest = group.above_in(0, facing);
            for (int bin = 1; bin < kBins; ++bin) {
                const ClassPair at = group.above_in(bin, facing);
                if (distance(at) > distance(farthest)) farthest = at;
            }
            sum.most += farthest.most;
            sum.least += farthest.least;
        }
        corners_.assign(1, sum);
        return corners_;
    }

    // The corners that face a class. Products of weights must be exact.
    const std::vector<ClassPair>& corners(int facing) {
        corners_.assign(1, {0, 0});
        edges_.clear();
        for (int g = 0; g < n_groups_; ++g) add_part(groups_[g], facing);
        std::sort(edges_.begin(), edges_.end(),
                  [](const ClassPair& a, const ClassPair& b) { return a.least * b.most < b.least * a.most; });
        for (const ClassPair& edge : edges_)
            corners_.push_back({corners_.back().most + edge.most, corners_.back().least + edge.least});
        return corners_;
    }

private:
    static constexpr int kMostGroups = 16, kBins = 16;
    static constexpr double kOneGroup = 0.25;  // of how far the box moves a group, it may move its points apart
    static constexpr double kRoundingOfSteps = 0x1p-50;  // of the numbers that a step is the sum of

    // Where the value at the group's first point is above `high`, the point is above; where it is below `low`, below.
    struct Step {
        int group, of_class;
        double low, high, weight;
    };

    // Is told by its first point: the values of planes at it are within `radius` of `value`.
    struct Group {
        Numbers<R + (R > 0)> at;
        double value, radius, lowest, highest, scale;
        double above[2][kBins + 1], open[2][kBins + 1];  // by class, what is above or uncertain in a bin of values

        void open_bins() {
            for (int c = 0; c < 2; ++c) {
                std::fill(above[c], above[c] + kBins + 1, 0.0);
                std::fill(open[c], open[c] + kBins + 1, 0.0);
            }
            scale = highest > lowest ? kBins / (highest - lowest) : 0.0;
        }

        int bin_of(double at_value) const {
            return std::max(0, std::min(static_cast<int>((at_value - lowest) * scale), kBins - 1));
        }

        void add(const Step& step) {
            const int low = bin_of(step.low), high = std::max(low, bin_of(step.high));
            open[step.of_class][low] += step.weight;
            open[step.of_class][high + 1] -= step.weight;
            above[step.of_class][high + 1] += step.weight;
        }

        // From what changes in each bin to what is there.
        void sum_bins() {
            for (int c = 0; c < 2; ++c) {
                std::partial_sum(above[c], above[c] + kBins, above[c]);
                std::partial_sum(open[c], open[c] + kBins, open[c]);
            }
        }

        // The most of one class, and the least of the other, that is above in a bin: from bin to bin, both grow.
        ClassPair above_in(int bin, int facing) const {
            return {above[facing][bin] + open[facing][bin], above[1 - facing][bin]};
        }
    };

    int order() const { return R ? R : r_; }

    template <class T>
    bool add_all(const Box<R>& box, const PointList& list, int weight, double margin) {
        last_ = 0;
        for (int c = 0; c < 2; ++c) {
            for (int i = list.segment[c]; i < list.segment[c + 1]; ++i) {
                if (list.array<T>(0)[i] != list.array<T>(0)[i]) break;
                double share = 1, value = 0;
                for (int j = 0; j < order(); ++j) {
                    at_[j] = list.array<T>(j)[i];
                    if (list.local) share -= box.local->absolute[j] * at_[j];
                    value += box.w[j] * at_[j];
                }
                at_[order()] = share;
                if (!add(box, value - box.b * share, c, weight < 0 ? 1.0 : list.array<T>(weight)[i], margin))
                    return false;
            }
        }
        return true;
    }

    bool add(const Box<R>& box, double value, int c, double weight, double margin) {
        double move = last_ < n_groups_ ? move_in(box, groups_[last_]) : kInfinity;
        if (last_ == n_groups_ || move > kOneGroup * groups_[last_].radius) {
            for (last_ = 0; last_ < n_groups_; ++last_)
                if ((move = move_in(box, groups_[last_])) <= kOneGroup * groups_[last_].radius) break;
            if (last_ == n_groups_) {
                if (n_groups_ == kMostGroups) return false;
                begin_group(box, value, margin);
                move = 0;
            }
        }
        Group& group = groups_[last_];
        const double rest = move + margin + kRoundingOfSteps * (group.radius + move + std::abs(value));
        const double low =
            std::min(std::max(group.value - value - rest, group.value - group.radius), group.value + group.radius);
        const double high =
            std::max(std::min(group.value - value + rest, group.value + group.radius), group.value - group.radius);
        group.lowest = std::min(group.lowest, low);
        group.highest = std::max(group.highest, high);
        Step& step = steps_[n_steps_++];  // member by member: a whole one would be copied before it is written
        step.group = last_;
        step.of_class = c;
        step.low = low;
        step.high = high;
        step.weight = weight;
        return true;
    }

    // With the point that is looked at as its first one.
    void begin_group(const Box<R>& box, double value, double margin) {
        if (n_groups_ == static_cast<int>(groups_.size())) groups_.emplace_back();
        Group& group = groups_[n_groups_++];
        group.at = at_;
        group.value = value;
        group.radius = box.db * std::abs(at_[order()]) + margin;
        for (int j = 0; j < order(); ++j) group.radius += box.dw[j] * std::abs(at_[j]);
        group.radius *= 1 + kRoundingOfSteps;
        group.lowest = kInfinity;
        group.highest = -kInfinity;
    }

    // How far the box moves the value at the point from that at the group's first one.
    double move_in(const Box<R>& box, const Group& group) const {
        double move = box.db * std::abs(at_[order()] - group.at[order()]);
        for (int j = 0; j < order(); ++j) move += box.dw[j] * std::abs(at_[j] - group.at[j]);
        return move;
    }

    // Adds the corners of what one group's thresholds put above: the first one, and the edges to the others.
    void add_part(const Group& group, int facing) {
        part_.clear();
        for (int bin = 0; bin < kBins; ++bin) add_corner(group.above_in(bin, facing));
        corners_[0].most += part_[0].most;
        corners_[0].least += part_[0].least;
        for (size_t q = 1; q < part_.size(); ++q)
            edges_.push_back({part_[q].most - part_[q - 1].most, part_[q].least - part_[q - 1].least});
    }

    // Adds a corner with no less of either class than those before it, and drops those that are none any more.
    void add_corner(ClassPair next) {
        if (!part_.empty() && next.most == part_.back().most) return;
        while (!part_.empty() && (next.least == part_.back().least || is_last_within(next))) part_.pop_back();
        part_.push_back(next);
    }

    // Whether the last corner lies on the line from the one before to the next, or on its inner side.
    bool is_last_within(const ClassPair& next) const {
        if (part_.size() < 2) return false;
        const ClassPair &first = part_[part_.size() - 2], &last = part_.back();
        return (last.least - first.least) * (next.most - first.most) >=
               (next.least - first.least) * (last.most - first.most);
    }

    int r_, n_groups_ = 0, n_steps_ = 0, last_ = 0;
    Numbers<R + (R > 0)> at_;    // of the point that is looked at; last, what multiplies the offset
    std::vector<Group> groups_;  // of which the first n_groups_ are in use
    std::vector<Step> steps_;    // of which the first n_steps_ are
    std::vector<ClassPair> part_, edges_, corners_;
};

}  // namespace elc
