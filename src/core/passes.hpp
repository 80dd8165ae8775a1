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
    // The same for a list of cells.
    void (*tally_cell_halves)(const List& list, int r, int k, const BoxView& box, int split, Halves& out);
    // Copies the points that one half is uncertain about, all arrays of them, to `target` (with kLane entries of slack
    // after each array), adds the sum of |y_j| (and of the cells' half-widths) to `spread` and returns their number.
    // It decides by the very arithmetic of tally_halves: a point is either copied or was tallied as certain.
    int (*compact_half)(const List& list, int r, int n_arrays, const BoxView& box, int split, int half, double* target,
                        size_t stride, double* spread);
    int (*compact_cell_half)(const List& list, int r, int n_arrays, const BoxView& box, int split, int half,
                             double* target, size_t stride, double* spread);
    // Class weights strictly above and on a plane; writes each point's value and returns how many are on it.
    int (*tally_plane)(const List& list, int r, int k, const double* w, double b, double* above, double* on,
                       double* values);
};

// The sum of absolute values.
double absolute_sum(const double* array, int n);

Passes passes_for(int r, int k);

}  // namespace elc
