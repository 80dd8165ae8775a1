// What the exact search tells: its answer, and its progress while it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "common/keep_going.hpp"
#include "common/numbers.hpp"
#include "exact/incumbent.hpp"

namespace elc {

struct Progress {
    int64_t subsets_done, n_subsets, n_boxes;
    double loss, bound, seconds;
    int64_t dives_done;  // feature sets that were dived in, before any is searched
};

using KeepSearching = KeepGoing<const Progress&>;

struct SearchAnswer {
    FoundSplit found;  // loss = +inf: none
    std::vector<int> features;
    double bound = kInfinity;  // no candidate has a smaller loss
    bool proven = true;
    bool interrupted = false;
    int64_t n_boxes = 0;
    std::vector<double> normal;  // across the widest margin, in scaled features; empty where it is not known
    int64_t n_ties = 1;          // partitions of this loss and size that were compared by their margins
    bool all_ties_kept = true;   // otherwise there were more of them

    bool has_split() const { return found.loss < kInfinity; }
};

}  // namespace elc
