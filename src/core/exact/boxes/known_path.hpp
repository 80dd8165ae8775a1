// What a greedy dive has seen on its way down a chart: the search of the chart begins with the same boxes.
//
// They are the largest ones, whose lists are the longest to tally.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "exact/boxes/frames.hpp"

namespace elc {

class KnownPath {
public:
    static constexpr int kMostLevels = 24;  // those below are of shorter lists

    // Begins a path.
    void clear() {
        halves_.clear();
        above_.clear();
    }

    // Notes both halves of the next box.
    template <int R>
    void add(const Frame<R>& frame, int width) {
        if (halves_.size() == 2 * kMostLevels) return;
        for (int half = 0; half < 2; ++half) {
            halves_.push_back({frame.bound[half], frame.n_uncertain[half]});
            above_.insert(above_.end(), frame.above[half], frame.above[half] + width);
        }
    }

    // Tells the halves of the box at a level; false if they were not noted.
    template <int R>
    bool tell(size_t level, int width, Frame<R>& frame) const {
        if (2 * level >= halves_.size()) return false;
        for (int half = 0; half < 2; ++half) {
            const size_t at = 2 * level + half;
            frame.bound[half] = halves_[at].bound;
            frame.n_uncertain[half] = halves_[at].n_uncertain;
            std::copy_n(above_.begin() + at * width, width, frame.above[half]);
        }
        return true;
    }

private:
    struct Half {
        double bound;
        int n_uncertain;
    };

    std::vector<Half> halves_;
    std::vector<double> above_;
};

}  // namespace elc
