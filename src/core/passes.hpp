// The passes over a list of points that the search spends its time in; compiled in passes.cpp for several
// instruction sets and chosen at load time.
#pragma once

#include <cstdint>

#include "box.hpp"

namespace elc {

// Class weights above and uncertain and the number of uncertain points, for both halves of a box.
struct Halves {
    double* above[2];
    double* uncertain[2];
    int n_uncertain[2];
};

struct Passes {
    // Splits the box in the middle of coordinate `split` and tallies both halves.
    void (*tally_halves)(const List& list, int r, int k, const BoxView& box, int split, Halves& out);
    // Copies the points that the box is uncertain about, all arrays of them, to `target` (with kLane entries of slack
    // after each array), adds each coordinate's sum of |y| to `spread` and returns their number.
    int (*compact)(const List& list, int r, int n_arrays, const BoxView& box, double* target, size_t stride,
                   double* spread);
    // Class weights strictly above and on a plane; writes each point's value and returns how many are on it.
    int (*tally_plane)(const List& list, int r, int k, const double* w, double b, double* above, double* on,
                       double* values);
};

Passes passes_for(int r, int k);

}  // namespace elc
