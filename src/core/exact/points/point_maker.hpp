// Makes the points of a feature set, with their heavy places and the levels of cells above them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exact/node/exact_node.hpp"
#include "exact/points/cells.hpp"
#include "exact/points/heavy_places.hpp"
#include "exact/points/point_grouping.hpp"
#include "exact/points/points.hpp"

namespace elc {

class PointMaker {
public:
    void make(const ExactNode& node, const std::vector<int>& features, Points& points) {
        points.narrow = node.narrow();
        if (points.narrow) make_as<float>(node, features.data(), static_cast<int>(features.size()), points);
        else make_as<double>(node, features.data(), static_cast<int>(features.size()), points);
    }

private:
    template <class T>
    void make_as(const ExactNode& node, const int* features, int r, Points& points) {
        groups_.find(node, features, r);
        const int n_groups = groups_.n_groups();
        points.layout = {r, !node.unit_weights || n_groups + groups_.n_incomplete < node.n, node.has_numbers};
        points.n_places = groups_.n_places;
        points.tolerance = tolerance_of(node, features, r, groups_.n_places);
        heavy_.choose(node, groups_);
        cells_.set_levels(heavy_.n_light(), r);
        points.levels.resize(cells_.n_levels() + 1);
        count_classes(node);
        Level& entries = points.levels.back();
        entries.prepare<T>(points.layout.n_arrays(false), counts_, false);
        place_groups(node, features, r, entries);
        fill_exact(node, features, points);
        fill_weights(node, points);
        heavy_.fill(node, features, groups_, slot_, points);
        sum_up(node, points);
        fill_entries<T>(points);
        cells_.make<T>(points, counts_);
    }

    // Of so many places as here, many lie within the tolerance of each plane of a table with noise or heavy tails, and
    // of the ways to divide them hardly any is a linear split of the table. A finer one tells them apart, where planes
    // and values are known so well; linear splits with more than the usual one between their sides do not depend on it.
    static Tolerance tolerance_of(const ExactNode& node, const int* features, int r, int n_places) {
        if (node.options.planes != Candidates::any || r > kMostFeatures || n_places <= kFewPlaces) return {};
        if (node.options.monotone.is_set()) return {};  // near_plane.hpp does not look at directions
        return fine_tolerance(node.rounding_in({features, features + r}));
    }

    static constexpr int kMostFeatures = 3, kFewPlaces = 40;

    // Whether the entries are the rows in their own order, apart from padding.
    bool are_rows() const { return groups_.trivial && cells_.n_levels() == 0; }

    int row_of_light(int q) const { return groups_.row_of(heavy_.light(q)); }

    void count_classes(const ExactNode& node) {
        counts_.assign(node.k, 0);
        if (groups_.trivial) {
            for (int c = 0; c < node.k; ++c) counts_[c] = node.class_begin[c + 1] - node.class_begin[c];
        } else {
            for (int q = 0; q < heavy_.n_light(); ++q) ++counts_[node.y[row_of_light(q)]];
        }
    }

    // Each group's slot: class after class, within a class in the order of cells; heavy ones at the end.
    void place_groups(const ExactNode& node, const int* features, int r, const Level& entries) {
        n_slots_ = entries.segment.back();
        if (are_rows()) return;
        slot_.assign(groups_.n_groups(), -1);
        const bool has_cells = cells_.n_levels() > 0;
        if (has_cells) {
            const auto row_of = [this](int q) { return row_of_light(q); };
            cells_.find_codes(node, features, r, heavy_.n_light(), n_slots_, row_of);
        }
        int q = 0;
        for (int c = 0; c < node.k; ++c) {
            const int begin = q, first_slot = entries.segment[c];
            q += counts_[c];
            const auto place = [this](int i, int slot) { slot_[heavy_.light(i)] = slot; };
            if (has_cells) cells_.sort(begin, q, first_slot, place);
            else
                for (int i = begin; i < q; ++i) place(i, first_slot + i - begin);
        }
        for (size_t g = 0; g < slot_.size() && !heavy_.empty(); ++g)
            if (slot_[g] < 0) slot_[g] = n_slots_++;
    }

    void fill_exact(const ExactNode& node, const int* features, Points& points) {
        const int n = groups_.n_groups(), r = points.layout.r;
        const size_t size = n_slots_;
        points.stride = size + kLane;
        points.exact.resize(points.stride * r);
        points.representative.assign(size, -1);
        points.largest.assign(r, 0.0);
        if (are_rows()) fill_rows(node, points);
        for (int g = 0; g < n && !are_rows(); ++g) points.representative[slot_[g]] = groups_.row_of(g);
        for (int q = 0; q < r; ++q) {
            const double* column = node.column(features[q]);
            double* exact = points.exact.data() + q * points.stride;
            if (are_rows()) copy_column(node, column, points.levels.back(), exact);
            for (int g = 0; g < n && !are_rows(); ++g) exact[slot_[g]] = column[groups_.row_of(g)];
            points.largest[q] = groups_.n_incomplete == 0 ? node.largest[features[q]] : largest_of_groups(column);
        }
        points.place.clear();
        if (points.n_places == n) return;
        points.place.assign(size, -1);
        for (int g = 0; g < n; ++g) points.place[slot_[g]] = groups_.place[g];
    }

    static void fill_rows(const ExactNode& node, Points& points) {
        for (int c = 0; c < node.k; ++c) {
            const auto first = points.representative.begin() + points.levels.back().segment[c];
            std::iota(first, first + (node.class_begin[c + 1] - node.class_begin[c]), node.class_begin[c]);
        }
    }

    static void copy_column(const ExactNode& node, const double* column, const Level& entries, double* target) {
        for (int c = 0; c < node.k; ++c)
            std::copy(column + node.class_begin[c], column + node.class_begin[c + 1], target + entries.segment[c]);
    }

    double largest_of_groups(const double* column) const {
        double largest = 0;
        for (int g = 0; g < groups_.n_groups(); ++g) largest = std::max(largest, std::abs(column[groups_.row_of(g)]));
        return largest;
    }

    void fill_weights(const ExactNode& node, Points& points) {
        points.missing.clear(node);
        points.weight.assign(points.layout.weighted ? n_slots_ : 0, 0.0);
        points.moment.assign(points.layout.moments ? n_slots_ : 0, 0.0);
        if (!points.layout.weighted && !points.layout.moments && groups_.n_incomplete == 0) return;
        for (int i = 0; i < node.n; ++i) {
            const int group = groups_.trivial ? i : groups_.group[i];
            if (group < 0) {
                points.missing.add(node, i);
                continue;
            }
            const int slot =
                are_rows() ? points.levels.back().segment[node.y[i]] + i - node.class_begin[node.y[i]] : slot_[group];
            if (points.layout.weighted) points.weight[slot] += node.weight[i];
            if (points.layout.moments) points.moment[slot] += node.moment[i];
        }
    }

    // What the entries are as uncertain rows.
    void sum_up(const ExactNode& node, Points& points) const {
        points.free.assign(node.open_width, 0.0);
        const auto add = [&](int label, int slot) {
            points.free[label] += points.layout.weighted ? points.weight[slot] : 1.0;
            if (points.layout.moments) points.free[node.k + label] += points.moment[slot];
        };
        for (int c = 0; c < node.k; ++c) {
            const int begin = points.levels.back().segment[c];
            if (!points.layout.weighted && !points.layout.moments) points.free[c] = counts_[c];
            else
                for (int slot = begin; slot < begin + counts_[c]; ++slot) add(c, slot);
        }
        for (const HeavyPlace& heavy : points.heavy)
            for (const auto& [slot, label] : heavy.entries) add(label, slot);
    }

    // The entries as the search sees them.
    template <class T>
    void fill_entries(Points& points) {
        Level& level = points.levels.back();
        const PointLayout& layout = points.layout;
        IndexIn<T>* index = reinterpret_cast<IndexIn<T>*>(level.array<T>(layout.index(false)));
        for (size_t c = 0; c < counts_.size(); ++c) {
            const int begin = level.segment[c], end = begin + counts_[c];
            for (int q = 0; q < layout.r; ++q) {
                const double* exact = points.coordinate(q);
                T* target = level.array<T>(q);
                for (int slot = begin; slot < end; ++slot) target[slot] = static_cast<T>(exact[slot]);
            }
            if (layout.weighted) {
                T* target = level.array<T>(layout.weight(false));
                for (int slot = begin; slot < end; ++slot) target[slot] = static_cast<T>(points.weight[slot]);
            }
            if (layout.moments) {
                T* target = level.array<T>(layout.moment(false));
                for (int slot = begin; slot < end; ++slot) target[slot] = static_cast<T>(points.moment[slot]);
            }
            for (int slot = begin; slot < end; ++slot) index[slot] = slot;
        }
    }

    PointGrouping groups_;
    HeavyPlaces heavy_;
    CellMaker cells_;
    int n_slots_ = 0;
    std::vector<int32_t> slot_;    // by group
    std::vector<int32_t> counts_;  // light groups by class
};

}  // namespace elc
