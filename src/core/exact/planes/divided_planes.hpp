// The planes with many points on them whose divisions have been scored: a plane is in several boxes.
//
// The points on a plane do not tell the plane: where they lie within a few tolerances of each other, planes with the
// same points on them differ by much elsewhere. What their divisions can score depends on the weights above the plane,
// too, and which splits they are on all rows.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "exact/planes/plane.hpp"
#include "exact/ties.hpp"

namespace elc {

// The key of the rows above a plane and of those on it.
inline PartitionKey key_of_sides(const ExactNode& node, const std::vector<int>& features, const Plane& plane,
                                 double on) {
    PartitionKey key;
    for (int i = 0; i < node.n; ++i) {
        const int side = plane_side_of(node, features, plane, static_cast<int>(features.size()), i, on);
        if (side == kAbove || side == kOn) key = key + row_key(2 * i + (side == kOn));
    }
    return key;
}

class DividedPlanes {
public:
    void clear() {
        tallies_.clear();
        planes_.clear();
    }

    // Whether a plane need not be divided: no division was accepted of one with the same tally, and later on less is;
    // or it was the same plane to all rows. `key_of_rows` is asked where the tally alone does not tell.
    template <class KeyOfRows>
    bool knows(const PartitionKey& tally, const KeyOfRows& key_of_rows) const {
        const auto known = tallies_.find(tally);
        if (known == tallies_.end()) return false;
        return !known->second || planes_.count(key_of_rows()) > 0;
    }

    // Remembers a plane that has been divided, and whether a division of it was accepted.
    template <class KeyOfRows>
    void add(const PartitionKey& tally, bool is_accepted, const KeyOfRows& key_of_rows) {
        bool& was_accepted = tallies_.insert({tally, false}).first->second;
        was_accepted = was_accepted || is_accepted;
        if (was_accepted) planes_.insert(key_of_rows());
    }

private:
    std::map<PartitionKey, bool> tallies_;  // by their keys; whether a division was accepted
    std::set<PartitionKey> planes_;
};

}  // namespace elc
