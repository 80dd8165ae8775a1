// Which rows of a feature set are one entry: those of one class at one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exact/node/exact_node.hpp"
#include "exact/ties.hpp"

namespace elc {

// Groups rows of one class at one place: `group[i]` is the group of sorted row i or -1 where it is incomplete. Groups
// are numbered as they appear, so class after class.
class PointGrouping {
public:
    std::vector<int32_t> group;  // by row
    std::vector<int32_t> first;  // by group: its first row
    std::vector<int32_t> place;  // by group: its place
    int n_places = 0, n_incomplete = 0;
    bool trivial = false;  // every row is a group and a place of its own

    int n_groups() const { return trivial ? n_places : static_cast<int>(first.size()); }
    int row_of(int group_number) const { return trivial ? group_number : first[group_number]; }

    void find(const ExactNode& node, const int* features, int r) {
        bool incomplete = false, distinct = false;
        for (int q = 0; q < r; ++q) {
            incomplete = incomplete || node.has_missing[features[q]];
            distinct = distinct || node.n_distinct[features[q]] == node.n;
        }
        trivial = distinct && !incomplete;
        n_incomplete = 0;
        if (trivial) {
            n_places = node.n;
            return;
        }
        const size_t n_cells = count_cells(node, features, r);
        size_t capacity = 16;
        while (capacity < 2 * static_cast<size_t>(node.n)) capacity *= 2;
        table_.assign(n_cells > 0 ? n_cells : capacity, -1);
        group.resize(node.n);
        first.clear();
        place.clear();
        latest_.clear();
        for (int i = 0; i < node.n; ++i) {
            const int32_t at =
                n_cells > 0 ? place_in_grid(node, features, r, i) : place_of(node, features, r, i, capacity - 1);
            group[i] = at < 0 ? -1 : group_at(node, at, i);
            n_incomplete += at < 0;
        }
        n_places = static_cast<int>(latest_.size());
    }

private:
    // How many places the columns' distinct values allow, if a table of them is small; else 0.
    static size_t count_cells(const ExactNode& node, const int* features, int r) {
        size_t n_cells = 1;
        for (int q = 0; q < r; ++q) {
            n_cells *= node.n_distinct[features[q]];
            if (n_cells > 8 * static_cast<size_t>(node.n)) return 0;
        }
        return n_cells;
    }

    // The place of row i by its ranks alone.
    int32_t place_in_grid(const ExactNode& node, const int* features, int r, int i) {
        size_t cell = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = node.codes(features[q])[i];
            if (code < 0) return -1;
            cell = cell * node.n_distinct[features[q]] + code;
        }
        if (table_[cell] < 0) {
            table_[cell] = static_cast<int32_t>(latest_.size());
            latest_.push_back(-1);
        }
        return table_[cell];
    }

    // The place of row i by hashing its ranks; a new one gets row i's group.
    int32_t place_of(const ExactNode& node, const int* features, int r, int i, size_t mask) {
        uint64_t hash = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = node.codes(features[q])[i];
            if (code < 0) return -1;
            hash = mix(hash + static_cast<uint64_t>(code) + 0x9e3779b97f4a7c15ULL);
        }
        for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            const int32_t known = table_[slot];
            if (known < 0) {
                table_[slot] = static_cast<int32_t>(latest_.size());
                latest_.push_back(-1);
                return table_[slot];
            }
            const int other = first[latest_[known]];
            bool equal = true;
            for (int q = 0; q < r && equal; ++q) equal = node.codes(features[q])[i] == node.codes(features[q])[other];
            if (equal) return known;
        }
    }

    // Rows come class after class: the latest group at a place is the row's own if it has the row's class.
    int32_t group_at(const ExactNode& node, int32_t at, int i) {
        const int32_t latest = latest_[at];
        if (latest >= 0 && node.y[first[latest]] == node.y[i]) return latest;
        latest_[at] = static_cast<int32_t>(first.size());
        first.push_back(i);
        place.push_back(at);
        return latest_[at];
    }

    std::vector<int32_t> table_, latest_;
};

}  // namespace elc
