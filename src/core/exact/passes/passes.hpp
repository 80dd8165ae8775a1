// The passes over a list of points that the search spends its time in.
//
// They are compiled three times, for plain x86-64 (or any other machine), AVX2 and AVX-512, and chosen at run time. All
// three decide every side alike: the same operations in the same order, none of them fused.
#pragma once

#include <cstddef>
#include <cstdint>

namespace elc {

constexpr int kLane = 16;  // every array is padded to a multiple of this, within each class

// Points (or cells of points) sorted by class: arrays at a common stride (see PointLayout), of float where `narrow`,
// else of double. Class c occupies segment[c] .. segment[c + 1]; the padding at its end has NaN as first coordinate, so
// that no comparison holds for it.
struct PointList {
    const void* base = nullptr;
    size_t stride = 0;  // elements
    const int32_t* segment = nullptr;
    int n = 0;      // entries without padding
    int level = 0;  // which of the feature set's levels it is drawn from
    bool narrow = false;
    bool local = false;  // in local coordinates (local_coordinates.hpp), where the offset has one, too

    template <class T>
    const T* array(int a) const {
        return static_cast<const T*>(base) + a * stride;
    }
};

// A box of hyperplanes: centre, half-widths, and what the radius needs on top so that rounding decides no side.
struct BoxView {
    const double* w;
    const double* dw;
    double b, db;
    double margin;
    int chart;
    const double* absolute;  // 1 for coordinates that are heights, 0 for those that are relative
};

// Where a box is split: coordinate `coordinate` (r for the offset); half 0 has the share `cut` of it, which is a half
// for lists of cells.
struct Split {
    int coordinate;
    double cut;
};

// How a pass sees points: in single or double precision in the set's own coordinates, or in local ones.
enum class Seen { wide, narrow, local };

inline Seen seen(const PointList& list) { return list.local ? Seen::local : list.narrow ? Seen::narrow : Seen::wide; }

// What is above (the weights by class or, with moments, weight and moment), what is uncertain (weights by class, then
// moments by class) and the number of uncertain entries, for both halves of a box.
struct Halves {
    double* above[2];
    double* uncertain[2];
    int n_uncertain[2];
};

// A few points in double, for scoring single planes: r coordinates and the k numbers that tell of a side, padded to a
// multiple of 8.
struct ScoringList {
    const double* base = nullptr;
    size_t stride = 0;
    int n = 0;
    const double* array(int a) const { return base + a * stride; }
};

// A few points of a list as a box sees them: their values at its centre, how far it moves these in all, and how far by
// each coordinate (the offset is the last). Points that it is uncertain about have as much say as one over their
// radius, others none; a point's votes are the shares that each coordinate has in its radius.
struct BoxSample {
    static constexpr int kMost = 16;

    double value[kMost], radius[kMost], say[kMost];
    double* reach;  // by coordinate, of each point
    double* votes;  // by coordinate, of all
    int n;          // points with a say
};

// The planes of a box of three features, and a few points in double, padded to a multiple of 8. The box compares three
// numbers with its centre: the steps of a plane's value (the normal's chart coefficient is 1) along given vectors, or
// from a point of the plane to given ones.
struct PlanesOfBox {
    const double* x[3];
    int chart;
    bool is_from_point[3];
    double step[3][3], centre[3], reach[3];
    double most_tilt;  // the largest coefficient, of those with larger ones another chart has the plane
    double dependent;  // points are if the square of the smaller singular value, centred, is at most this
};

enum class EntryKind { unit, weighted, cells };  // points of weight 1, points with weights, cells with weights

struct Passes {
    // Splits the box and tallies both halves.
    using Tally = void (*)(const PointList& list, int r, int k, const BoxView& box, Split split, Halves& out);
    // Copies the entries that one half is uncertain about, all arrays of them, to `target` (with kLane elements of
    // slack after each array), writes their segments, writes the sums of |y_j| (and of the cells' half-widths, or
    // in place of the chart's of the offset's coordinate) to `spread` and returns their number. It decides by the very
    // arithmetic of the tally: an entry is either copied or was tallied as certain.
    using Compact = int (*)(const PointList& list, int r, int k, int n_arrays, const BoxView& box, Split split,
                            int half, void* target, size_t stride, int32_t* segment, double* spread);
    // Looks at a sample of a list's first `end` entries; the votes are squared if asked for.
    using Sample = void (*)(const PointList& list, int r, int end, const BoxView& box, bool squared, BoxSample& out);
    // The sides strictly above and on a plane; writes each point's value and returns how many are on it.
    using TallyPlane = int (*)(const ScoringList& list, int r, int k, const double* w, double b, double tolerance,
                               double* above, double* on, double* values);
    // What the list's first n points have outside of a direction: it is taken out of `rest`, r arrays, or where it is
    // null, these become the steps from the first point. Writes the squares of what is left by point (all arrays
    // are padded to a multiple of 8) and returns the first of the farthest points.
    using Residuals = int (*)(const ScoringList& list, int n, int r, const double* direction, double* rest,
                              size_t stride, double* squares);
    // A bit for each point from `first` to `last`: whether it certainly fixes no plane of the box with points i and j.
    using ThirdPoints = uint64_t (*)(const PlanesOfBox& box, int i, int j, int first, int last);
    // The sum of an array's absolute values, padding left out.
    using AbsoluteSum = double (*)(const PointList& list, int array, int k);

    Tally tally[3][2][3];   // by Seen, whether entries have moments, and EntryKind
    Compact compact[3][2];  // by Seen and whether the entries are cells
    Sample sample[3];       // by Seen
    TallyPlane tally_plane;
    Residuals residuals;
    ThirdPoints third_points_outside;
    AbsoluteSum absolute_sum[2];
};

// The passes for r features and sides of k numbers on this machine.
Passes passes_for(int r, int k);

}  // namespace elc
