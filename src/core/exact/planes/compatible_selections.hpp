// Which points of a list can share a plane of a box: two by two and, of three features and many points, three by three.
#pragma once

#include <cstdint>

#include "exact/boxes/box_context.hpp"
#include "exact/planes/compatible_points.hpp"
#include "exact/planes/compatible_triples.hpp"
#include "exact/planes/exact_points.hpp"

namespace elc {

template <int R>
class CompatibleSelections {
public:
    // Of at most kMaskBits points.
    void find(const BoxContext<R>& context, const ExactPoints& points, int r) {
        pairs_.find(*context.box, points, r);
        by_triples_ = R == 3 && points.n_selectable() > kFew;
        if constexpr (R == 3)
            if (by_triples_) triples_.look_at(context, points);
    }

    // The later points that point i can share a plane with, those at its own place left out.
    uint64_t with(int i) const { return pairs_.with(i); }

    // Those of `candidates`, which can share one with i and with j, that may share one with both.
    uint64_t with(int i, int j, uint64_t candidates) const {
        return by_triples_ && candidates ? triples_.with(i, j, candidates) : candidates;
    }

private:
    static constexpr int kFew = 16;  // of so few points, most selections that are pairwise compatible have a plane

    CompatiblePoints pairs_;
    CompatibleTriples triples_;
    bool by_triples_ = false;
};

}  // namespace elc
