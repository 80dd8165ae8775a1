// The distinct points of a list with their exact coordinates and class weights: what planes are put through and scored
// by.
//
// Those that planes may be put through come first; the others may be on such a plane by the tolerance alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"
#include "exact/points/aligned.hpp"
#include "exact/points/points.hpp"

namespace elc {

class ExactPoints {
public:
    // `width` numbers tell of a side, k are the classes of a list.
    ExactPoints(int r, int k, int width) : r_(r), k_(k), width_(width) {}

    const ScoringList& list() const { return list_; }
    int n_selectable() const { return n_selectable_; }
    double coordinate(int i, int j) const { return list_.array(j)[i]; }
    int entry(int i) const { return entry_[i]; }

    // The list's points and the heavy places for which `with(place)` holds.
    template <class With>
    void gather(const Points& points, const PointList& from, With&& with) {
        const size_t n = from.n + points.heavy.size();
        const size_t stride = (n + 7) / 8 * 8;
        if (storage_.size() < stride * (r_ + width_)) storage_.resize(stride * (r_ + width_));
        entry_.resize(n);
        list_ = {storage_.data(), stride, 0};
        std::fill(storage_.begin(), storage_.begin() + stride * (r_ + width_), 0.0);
        if (!points.place.empty() && at_place_.size() < points.place.size()) at_place_.resize(points.place.size(), -1);
        if (from.narrow) gather_as<float>(points, from);
        else gather_as<double>(points, from);
        for (const HeavyPlace& heavy : points.heavy) {
            if (!with(heavy)) continue;
            for (const auto& [slot, c] : heavy.entries) add(points, slot, c);
        }
        if (!points.place.empty())
            for (int i = 0; i < list_.n; ++i) at_place_[points.place[entry_[i]]] = -1;
        n_selectable_ = list_.n;
        // No comparison holds for the padding.
        for (size_t i = list_.n; i < stride; ++i) storage_[i] = std::numeric_limits<double>::quiet_NaN();
    }

    // Leaves only the points selectable that some plane of the box passes through.
    template <int R>
    void select(const Box<R>& box) {
        n_selectable_ = 0;
        for (int i = 0; i < list_.n; ++i) {
            const ValueRange range = box.range_of(r_, [&](int j) { return coordinate(i, j); });
            if (std::abs(range.value) <= range.radius + kBoxSlack * (1 + range.size)) exchange(i, n_selectable_++);
        }
    }

    // One point for each group of another list's selectable points, where its first one is.
    void merge(const ExactPoints& from, const std::vector<int>& group, int n_groups) {
        const size_t stride = (static_cast<size_t>(n_groups) + 7) / 8 * 8;
        storage_.assign(stride * (r_ + width_), 0.0);
        entry_.assign(n_groups, -1);
        list_ = {storage_.data(), stride, n_groups};
        n_selectable_ = n_groups;
        for (size_t i = 0; i < group.size(); ++i) {
            const int at = group[i];
            for (int j = 0; j < r_ && entry_[at] < 0; ++j) storage_[j * stride + at] = from.coordinate(i, j);
            if (entry_[at] < 0) entry_[at] = from.entry_[i];
            for (int c = 0; c < width_; ++c) storage_[(r_ + c) * stride + at] += from.list_.array(r_ + c)[i];
        }
        for (size_t i = n_groups; i < stride; ++i) storage_[i] = std::numeric_limits<double>::quiet_NaN();
    }

private:
    void exchange(int i, int other) {
        if (i == other) return;
        for (int a = 0; a < r_ + width_; ++a)
            std::swap(storage_[a * list_.stride + i], storage_[a * list_.stride + other]);
        std::swap(entry_[i], entry_[other]);
    }

    template <class T>
    void gather_as(const Points& points, const PointList& from) {
        const IndexIn<T>* index = reinterpret_cast<const IndexIn<T>*>(from.array<T>(points.layout.index(false)));
        const T* first = from.array<T>(0);
        for (int c = 0; c < k_; ++c) {
            for (int q = from.segment[c]; q < from.segment[c + 1] && first[q] == first[q]; ++q) {
                add(points, static_cast<int>(index[q]), c);
            }
        }
    }

    void add(const Points& points, int slot, int c) {
        const double weight = points.weight.empty() ? 1.0 : points.weight[slot];
        int at = list_.n;
        if (!points.place.empty()) {
            int32_t& known = at_place_[points.place[slot]];
            if (known >= 0) at = known;
            else known = at;
        }
        if (at == list_.n) {
            entry_[at] = slot;
            for (int j = 0; j < r_; ++j) storage_[j * list_.stride + at] = points.coordinate(j)[slot];
            ++list_.n;
        }
        if (points.moment.empty()) {
            storage_[(r_ + c) * list_.stride + at] += weight;
        } else {
            storage_[r_ * list_.stride + at] += weight;
            storage_[(r_ + 1) * list_.stride + at] += points.moment[slot];
        }
    }

    int r_, k_, width_, n_selectable_ = 0;
    ScoringList list_;
    AlignedVector<double> storage_;
    std::vector<int32_t> entry_, at_place_;
};

}  // namespace elc
