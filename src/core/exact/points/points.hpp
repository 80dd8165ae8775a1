// The points of one feature set: rows of the same class at the same place are one entry, with their weight.
//
// Entries are sorted by class, and within a class by cell: above them stand levels of cells (see cells.hpp). They are
// held twice, exactly (in double, for scoring planes) and as the search sees them. Rows with a missing value in the set
// form one block that goes to one side whole. So do the rows at a heavy place (see heavy_places.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "exact/node/missing_block.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/points/aligned.hpp"
#include "exact/points/point_levels.hpp"

namespace elc {

// A place with much weight of several classes; its entries are in no list.
struct HeavyPlace {
    std::vector<double> x;
    std::vector<double> side_sum;                      // of its rows
    std::vector<std::pair<int32_t, int32_t>> entries;  // slot and class
};

struct Points {
    PointLayout layout;
    bool narrow = false;        // the levels are in single precision
    bool cells_only = false;    // there are no entries below the cells (see coarse_cells.hpp)
    std::vector<Level> levels;  // from the coarsest cells to the entries
    size_t stride = 0;
    AlignedVector<double> exact;          // r coordinates of the entries
    std::vector<double> weight;           // of the entries; empty where all are 1
    std::vector<double> moment;           // of the entries, where labels are numbers
    std::vector<int32_t> representative;  // a sorted row that sits at the entry; -1 in the padding
    std::vector<int32_t> place;           // entries of several classes at one place share its number; empty: none do
    int n_places = 0;
    Tolerance tolerance;  // how near to a plane points are on it
    std::vector<HeavyPlace> heavy;
    std::vector<double> largest;  // of each |coordinate|
    MissingBlock missing;
    std::vector<double> base;  // what is above every plane: rows that are not among the entries
    std::vector<double> free;  // the entries, as uncertain rows

    const double* coordinate(int j) const { return exact.data() + j * stride; }

    // No plane of a chart that passes through a point has a larger |b|.
    double reach() const {
        double reach = kCertain;
        for (double value : largest) reach += value;
        return reach;
    }
};

struct SubsetPoints {
    int64_t number = 0;  // of the feature set, see feature_sets.hpp
    std::vector<int> features;
    Points points;
    bool coplanar = false;
};

}  // namespace elc
