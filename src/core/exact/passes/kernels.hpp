// The table of passes for one instruction set; included by one source file for each.
#pragma once

#include "exact/passes/compact.hpp"
#include "exact/passes/corners.hpp"
#include "exact/passes/residuals.hpp"
#include "exact/passes/sample.hpp"
#include "exact/passes/tally.hpp"
#include "exact/passes/tally_plane.hpp"
#include "exact/passes/third_points.hpp"

namespace elc {
namespace {

template <class T, int R, bool Moments, bool Local>
void fill_tallies(Passes::Tally* of) {
    of[static_cast<int>(EntryKind::unit)] = tally<T, R, EntryKind::unit, Moments, Local>;
    of[static_cast<int>(EntryKind::weighted)] = tally<T, R, EntryKind::weighted, Moments, Local>;
    of[static_cast<int>(EntryKind::cells)] = Local ? nullptr : tally<T, R, EntryKind::cells, Moments, false>;
}

template <class T, int R, bool Local>
void fill_seen(Passes& passes, Seen seen) {
    const int as = static_cast<int>(seen);
    fill_tallies<T, R, false, Local>(passes.tally[as][0]);
    fill_tallies<T, R, true, Local>(passes.tally[as][1]);
    passes.compact[as][0] = compact<T, R, false, Local>;
    passes.compact[as][1] = Local ? nullptr : compact<T, R, true, false>;
    passes.sample[as] = sample<T, R, Local>;
}

template <int R>
Passes make_passes(int k) {
    Passes passes;
    fill_seen<double, R, false>(passes, Seen::wide);
    fill_seen<float, R, false>(passes, Seen::narrow);
    fill_seen<double, R, true>(passes, Seen::local);
    passes.tally_plane = k == 2 ? tally_plane<R, 2> : k == 3 ? tally_plane<R, 3> : tally_plane<R, 0>;
    passes.residuals = residuals<R>;
    passes.third_points_outside = third_points_outside;
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
