// The passes over a list of points that the search spends its time in; compiled in passes.cpp for several
// instruction sets and chosen at load time.
#pragma once

#include <cstdint>

#include "box.hpp"

namespace elc {

// Class weights above and uncertain, for both halves of a box.
struct Halves {
    double* above[2];
    double* uncertain[2];
};

struct Passes {
    // Splits the box in the middle of coordinate `split` and tallies both halves.
    void (*tally_halves)(const List& list, int r, int k, const Box& box, int split, Halves& out);
    // Marks each point of the box: 1 above, 0 below, -1 uncertain.
    void (*mark)(const List& list, int r, const Box& box, int64_t* marks);
    // Class weights strictly above and on a plane; writes each point's value and returns how many are on it.
    int (*tally_plane)(const List& list, int r, int k, const double* w, double b, double* above, double* on,
                       double* values);
};

Passes passes_for(int r, int k);

}  // namespace elc
