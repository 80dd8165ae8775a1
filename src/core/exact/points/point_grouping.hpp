// Which rows of a feature set are one entry: those of one class at one place.
#pragma once

#include <algorithm>
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
        group.resize(node.n);
        first.resize(node.n);
        place.resize(node.n);
        latest_.resize(node.n);
        const size_t n_cells = count_cells(node, features, r);
        if (n_cells > 0) group_by_cells(node, features, r, n_cells);
        else group_by_hashes(node, features, r);
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

    // By the columns' ranks alone.
    void group_by_cells(const ExactNode& node, const int* features, int r, size_t n_cells) {
        cell_.assign(node.n, 0);
        for (int q = 0; q < r; ++q) {
            const int32_t* codes = node.codes(features[q]);
            const int32_t n_codes = node.n_distinct[features[q]];
            for (int i = 0; i < node.n; ++i)
                cell_[i] = codes[i] < 0 || cell_[i] < 0 ? -1 : cell_[i] * n_codes + codes[i];
        }
        table_.assign(n_cells, -1);
        group_all(node, [&](int i) { return cell_[i] < 0 ? nullptr : &table_[cell_[i]]; });
    }

    // By hashing the columns' ranks.
    void group_by_hashes(const ExactNode& node, const int* features, int r) {
        hash_.assign(node.n, 0);
        codes_.clear();
        for (int q = 0; q < r; ++q) {
            codes_.push_back(node.codes(features[q]));
            for (int i = 0; i < node.n; ++i)
                hash_[i] = mix(hash_[i] + static_cast<uint64_t>(codes_[q][i]) + 0x9e3779b97f4a7c15ULL);
        }
        size_t capacity = 16;
        while (capacity < 2 * static_cast<size_t>(node.n)) capacity *= 2;
        table_.assign(capacity, -1);
        group_all(node, [&](int i) { return entry_of(i, capacity - 1); });
    }

    // The entry of row i's place in the table of hashes; none if it is incomplete.
    int32_t* entry_of(int i, size_t mask) {
        for (const int32_t* codes : codes_)
            if (codes[i] < 0) return nullptr;
        for (size_t slot = hash_[i] & mask;; slot = (slot + 1) & mask) {
            if (table_[slot] < 0) return &table_[slot];
            const int other = first[latest_[table_[slot]]];
            const auto is_equal = [&](const int32_t* codes) { return codes[i] == codes[other]; };
            if (std::all_of(codes_.begin(), codes_.end(), is_equal)) return &table_[slot];
        }
    }

    // `entry_of(i)` is where the table has row i's place, or -1 where it is the first there; null: it is incomplete.
    // Rows come class after class: the latest group at a place is the row's own if it began in the row's class. No
    // branch depends on what is met, which nobody can predict.
    template <class EntryOf>
    void group_all(const ExactNode& node, const EntryOf& entry_of) {
        int32_t *groups = group.data(), *firsts = first.data(), *places = place.data(), *latest = latest_.data();
        int32_t n_found = 0, n_at = 0;
        for (int c = 0; c < node.k; ++c) {
            const int32_t begin = n_found;
            for (int i = node.class_begin[c]; i < node.class_begin[c + 1]; ++i) {
                int32_t* const entry = entry_of(i);
                if (!entry) {
                    groups[i] = -1;
                    ++n_incomplete;
                    continue;
                }
                const bool is_first = *entry < 0;
                const int32_t at = is_first ? n_at : *entry, known = is_first ? -1 : latest[at];
                const bool is_new = known < begin;
                const int32_t group_number = is_new ? n_found : known;
                *entry = at;
                latest[at] = groups[i] = group_number;
                firsts[n_found] = i;
                places[n_found] = at;
                n_at += is_first;
                n_found += is_new;
            }
        }
        n_places = n_at;
        first.resize(n_found);
        place.resize(n_found);
    }

    std::vector<const int32_t*> codes_;  // of the features
    std::vector<int32_t> cell_;          // of each row
    std::vector<uint64_t> hash_;
    std::vector<int32_t> table_, latest_;  // places by cell or by hash; the latest group at each place
};

}  // namespace elc
