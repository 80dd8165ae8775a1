// Whether all that a box could still give is ties that are known already.
//
// A box whose bound equals the lowest loss need not be searched if every partition in it that reaches the bound is
// known. The criteria are concave in the class weights of a side: what reaches the bound is a corner (each class's
// uncertain rows all above or all below), unless one next to a corner, with one row of a class on its other side, does
// too. So the corners are looked up, and where a neighbour of one is as good, the box is left open.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/boxes/box.hpp"
#include "exact/incumbent.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/planes/side_scoring.hpp"
#include "exact/points/points.hpp"

namespace elc {

template <int R, class Criterion>
class KnownTies {
public:
    KnownTies(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), r_(node.options.r), k_(node.k), side_(node.k) {}

    // `box` is null for the box of all planes; known is what was found at the box's visit or before it. Costs O(n).
    bool are_all_of(const SubsetPoints& subset, const Box<R>* box, const Visit& visit, Incumbent& incumbent) {
        if (kOfNumbers<Criterion>) return false;  // corners are of classes
        count(subset, box);
        std::vector<int> open;
        for (int c = 0; c < k_; ++c)
            if (uncertain_[c] > 0) open.push_back(c);
        if (open.size() > kCornerClasses) return false;
        const MissingBlock& missing = subset.points.missing;
        for (int with_missing = 0; with_missing <= (missing.empty() ? 0 : 1); ++with_missing)
            for (unsigned corner = 0; corner < (1u << open.size()); ++corner)
                if (!is_known(open, corner, with_missing ? &missing : nullptr, visit, incumbent)) return false;
        return true;
    }

private:
    // Class weights and keys of the rows that are above the box for certain, and of those that may be on either side.
    void count(const SubsetPoints& subset, const Box<R>* box) {
        above_ = subset.points.base;
        uncertain_.assign(k_, 0.0);
        uncertain_keys_.assign(k_, PartitionKey());
        above_key_ = all_key_ = PartitionKey();
        for (int i = 0; i < node_.n; ++i) {
            const int side = box ? side_of(subset, *box, i) : is_complete(subset.features, i) ? 0 : kIncomplete;
            if (side == kIncomplete) continue;
            const PartitionKey key = row_key(i);
            all_key_ = all_key_ + key;
            if (side == 0) {
                uncertain_[node_.y[i]] += node_.weight[i];
                uncertain_keys_[node_.y[i]] = uncertain_keys_[node_.y[i]] + key;
            }
            if (side > 0) {
                above_[node_.y[i]] += node_.weight[i];
                above_key_ = above_key_ + key;
            }
        }
    }

    bool is_complete(const std::vector<int>& features, int i) const {
        for (int feature : features)
            if (node_.codes(feature)[i] < 0) return false;
        return true;
    }

    // 1 above the box, -1 below it, 0 uncertain.
    int side_of(const SubsetPoints& subset, const Box<R>& box, int i) const {
        if (!is_complete(subset.features, i)) return kIncomplete;
        const auto x = [&](int j) { return node_.column(subset.features[j])[i]; };
        return box.side_of(r_, x, subset.points.tolerance.certain);
    }

    // Whether the corner, and what is next to it, is worse than the lowest loss, no candidate, or known.
    bool is_known(const std::vector<int>& open, unsigned corner, const MissingBlock* missing, const Visit& visit,
                  Incumbent& incumbent) {
        PartitionKey key = above_key_;
        for (int c = 0; c < k_; ++c) side_[c] = above_[c] + (missing ? missing->side[c] : 0.0);
        for (size_t q = 0; q < open.size(); ++q) {
            if (!(corner >> q & 1u)) continue;
            side_[open[q]] += uncertain_[open[q]];
            key = key + uncertain_keys_[open[q]];
        }
        const double worse = incumbent.loss() + kTie;
        for (size_t q = 0; q < open.size(); ++q) {
            if (uncertain_[open[q]] <= 1) continue;
            const double step = corner >> q & 1u ? -1.0 : 1.0;
            side_[open[q]] += step;
            const bool as_good = sides_.loss(side_.data()) <= worse;
            side_[open[q]] -= step;
            if (as_good) return false;
        }
        if (!is_admissible() || sides_.loss(side_.data()) > worse) return true;
        return incumbent.knows(visit, partition_key(key, all_key_));
    }

    bool is_admissible() const {
        double weight = 0;
        for (double w : side_) weight += w;
        const double other = node_.total - weight;
        return weight > 0 && other > 0 && weight >= node_.min_weight && other >= node_.min_weight;
    }

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    int r_, k_;
    std::vector<double> side_, above_, uncertain_;
    std::vector<PartitionKey> uncertain_keys_;  // by class
    PartitionKey above_key_, all_key_;
};

}  // namespace elc
