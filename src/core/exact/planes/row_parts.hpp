// Where the rows of a node are while some of its points are divided, group by group: in a group, or beside all of them.
//
// Of many divisions of the same points the rows are looked up once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "exact/node/exact_node.hpp"
#include "exact/partition.hpp"
#include "exact/ties.hpp"

namespace elc {

class RowParts {
public:
    explicit RowParts(const ExactNode& node) : node_(node) {}

    // Begins with other points.
    void forget() { part_.clear(); }
    bool are_known() const { return !part_.empty(); }

    // Point i, at the place of row_at(i), is in group group_of(i); a row beside all points is above if is_above(row).
    template <class RowAt, class GroupOf, class IsAbove>
    void look_up(const std::vector<int>& features, int n_points, const RowAt& row_at, const GroupOf& group_of,
                 const IsAbove& is_above) {
        std::vector<int32_t> rows;
        std::vector<int> group_of_row(node_.n);
        key_above_ = PartitionKey();
        key_of_group_.clear();
        for (int i = 0; i < n_points; ++i) {
            rows.push_back(row_at(i));
            group_of_row[rows.back()] = group_of(i);
        }
        const Places places(node_, features, std::move(rows));
        part_.assign(node_.n, kIncompleteRow);
        for (int i = 0; i < node_.n; ++i) {
            if (std::any_of(features.begin(), features.end(), [&](int f) { return node_.codes(f)[i] < 0; })) continue;
            const int32_t row = places.row_at_place_of(i);
            part_[i] = row >= 0 ? group_of_row[row] : is_above(i) ? kRowAbove : kRowBelow;
            if (part_[i] == kRowAbove) key_above_ = key_above_ + row_key(i);
            if (part_[i] < 0) continue;
            if (key_of_group_.size() <= static_cast<size_t>(part_[i])) key_of_group_.resize(part_[i] + 1);
            key_of_group_[part_[i]] = key_of_group_[part_[i]] + row_key(i);
        }
    }

    // Of the rows that are above with those groups.
    PartitionKey key_with(const std::vector<char>& above) const {
        PartitionKey key = key_above_;
        for (size_t group = 0; group < key_of_group_.size(); ++group)
            if (above[group]) key = key + key_of_group_[group];
        return key;
    }

    // The sides of all rows with those groups above, by sorted row.
    std::vector<int8_t> sides_with(const std::vector<char>& above) const {
        std::vector<int8_t> side(node_.n);
        for (size_t i = 0; i < side.size(); ++i) {
            const bool left = part_[i] >= 0 ? above[part_[i]] != 0 : part_[i] == kRowAbove;
            const Side of_row = part_[i] == kIncompleteRow ? Side::unknown : left ? Side::left : Side::right;
            side[i] = static_cast<int8_t>(of_row);
        }
        return side;
    }

private:
    static constexpr int kRowAbove = -1, kRowBelow = -2, kIncompleteRow = -3;

    const ExactNode& node_;
    std::vector<int> part_;  // of each row its group, or one of these
    PartitionKey key_above_;
    std::vector<PartitionKey> key_of_group_;
};

}  // namespace elc
