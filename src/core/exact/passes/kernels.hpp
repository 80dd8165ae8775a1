// The table of passes for one instruction set; included by one source file for each.
#pragma once

#include "exact/passes/compact.hpp"
#include "exact/passes/corners.hpp"
#include "exact/passes/tally.hpp"
#include "exact/passes/tally_plane.hpp"

namespace elc {
namespace {

template <class T, int R, bool Moments>
void fill_tallies(Passes::Tally* of) {
    of[static_cast<int>(EntryKind::unit)] = tally<T, R, EntryKind::unit, Moments>;
    of[static_cast<int>(EntryKind::weighted)] = tally<T, R, EntryKind::weighted, Moments>;
    of[static_cast<int>(EntryKind::cells)] = tally<T, R, EntryKind::cells, Moments>;
}

template <int R>
Passes make_passes(int k) {
    Passes passes;
    fill_tallies<double, R, false>(passes.tally[0][0]);
    fill_tallies<double, R, true>(passes.tally[0][1]);
    fill_tallies<float, R, false>(passes.tally[1][0]);
    fill_tallies<float, R, true>(passes.tally[1][1]);
    passes.compact[0][0] = compact<double, R, false>;
    passes.compact[0][1] = compact<double, R, true>;
    passes.compact[1][0] = compact<float, R, false>;
    passes.compact[1][1] = compact<float, R, true>;
    passes.tally_plane = k == 2 ? tally_plane<R, 2> : k == 3 ? tally_plane<R, 3> : tally_plane<R, 0>;
    passes.absolute_sum[0] = absolute_sum<double>;
    passes.absolute_sum[1] = absolute_sum<float>;
    return passes;
}

Passes make_passes(int r, int k) {
    switch (r) {
        case 2: return make_passes<2>(k);
        case 3: return make_passes<3>(k);
        case 4: return make_passes<4>(k);
        default: return make_passes<0>(k);
    }
}

}  // namespace
}  // namespace elc
