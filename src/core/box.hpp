// Boxes of hyperplanes and the lists of points that a box is uncertain about.
//
// A chart fixes one coefficient at 1 and lets the others range over [-1, 1]; r charts cover all hyperplanes. A box is a
// centre (w, b) with half-widths (dw, db) in one chart (dw = 0 at the fixed coefficient). A point's value w.y - b then
// lies within dw.|y| + db of its value at the centre: the point is above, below or uncertain.
#pragma once

#include <memory>
#include <vector>

#include "points.hpp"

namespace elc {

// What the passes see of a box.
struct BoxView {
    const double* w;
    const double* dw;
    double b, db;
};

constexpr int kEveryPlane = -1;  // as a chart: the box of all hyperplanes

// R is the number of features, 0 for "any".
template <int R>
struct Box {
    double w[R ? R : kMaxR], dw[R ? R : kMaxR];
    double b, db;
    int chart;

    BoxView view() const { return {w, dw, b, db}; }
};

// Half 0 is the lower half of coordinate `split`; split == r stands for the offset b.
template <int R>
Box<R> half_of(const Box<R>& box, int r, int split, int half) {
    Box<R> child = box;
    const double sign = half ? 1.0 : -1.0;
    if (split == r) {
        child.db = box.db / 2;
        child.b = box.b + sign * child.db;
    } else {
        child.dw[split] = box.dw[split] / 2;
        child.w[split] = box.w[split] + sign * child.dw[split];
    }
    return child;
}

// Points as arrays at a common stride (PointLayout). Entries from n up to the next multiple of kLane are padding
// (weight zero, first coordinate kNoPoint).
struct List {
    const double* base = nullptr;
    size_t stride = 0;
    int n = 0;
    int level = 0;        // which of the feature set's levels it is drawn from
    int half_widths = 0;  // first array of the cells' half-widths
    const double* array(int a) const { return base + a * stride; }
};

// Memory for the lists along one path of the search: a stack of blocks whose addresses never move.
class Arena {
public:
    struct Mark { size_t block, used; };

    Mark mark() const { return {block_, used_}; }
    void release(Mark mark) { block_ = mark.block, used_ = mark.used; }

    double* take(size_t n) {
        n = padded(n);
        while (block_ < blocks_.size() && used_ + n > sizes_[block_]) ++block_, used_ = 0;
        if (block_ == blocks_.size()) {
            sizes_.push_back(n > kBlock ? n : kBlock);
            blocks_.emplace_back(new double[sizes_.back() + kLane]);
            used_ = 0;
        }
        double* result = blocks_[block_].get() + used_;
        used_ += n;
        return result;
    }

private:
    static constexpr size_t kBlock = 1 << 16;
    std::vector<std::unique_ptr<double[]>> blocks_;
    std::vector<size_t> sizes_;
    size_t block_ = 0, used_ = 0;
};

}  // namespace elc
