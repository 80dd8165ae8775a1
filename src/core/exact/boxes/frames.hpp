// The path of open boxes from a chart's root down: a frame is an open box with its uncertain list.
//
// A child's list is made in the arena when the child is visited, so that memory is one list per level of the path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/inline.hpp"
#include "common/numbers.hpp"
#include "exact/boxes/arena.hpp"
#include "exact/boxes/box.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

template <int R>
struct Frame {
    Box<R> box;
    PointList list;
    Arena::Mark mark;
    double* certain;   // what is certainly above
    double* above[2];  // the same in each half
    double bound[2];
    int n_uncertain[2];
    Spread<R> spread;
    Split split;        // coordinate -1: it is to be chosen
    int first = 0;      // the half visited first
    int visited = 0;    // how many halves have been visited
    int n_open = 0;     // points of the list that the box is uncertain about
    int stale = 0;      // levels since these last became fewer
    bool slow = false;  // whether the last level decided few points
    int looked = 0;     // how many there were when better coordinates were last looked for
    int grouped = 0;    // how many there were when they were last looked at in groups
    int n_outer = 0;    // outer boxes when the frame was pushed

    int half_at(int visit) const { return visit == 0 ? first : 1 - first; }
};

template <int R>
class FrameStack {
public:
    // `width` numbers tell of a side.
    FrameStack(int r, int width) : r_(r), width_(width) {}

    Arena arena;
    std::vector<OuterBox<R>> outer;  // of the frames in use whose coordinates were changed: they hold their planes, too

    // Whether no plane of the box lies in all outer boxes.
    bool excludes(const Box<R>& box) const {
        for (const OuterBox<R>& of_all : outer)
            if (!may_meet(box, of_all.box, r_)) return true;
        return false;
    }

    bool empty() const { return depth_ == 0; }
    size_t depth() const { return depth_; }
    Frame<R>& top() { return frames_[depth_ - 1]; }
    Frame<R>& at(size_t level) { return frames_[level]; }

    void begin() {
        start_ = arena.mark();
        outer.clear();
    }

    // The frames end as they began; what is left of them is forgotten.
    void end() {
        arena.release(start_);
        depth_ = 0;
    }

    // Pushes a box; references to frames become invalid.
    ELC_INLINE Frame<R>& push(const Box<R>& box, const PointList& list) {
        if (depth_ == frames_.size()) frames_.emplace_back();
        Frame<R>& frame = frames_[depth_++];
        frame.box = box;
        frame.list = list;
        frame.mark = arena.mark();
        frame.split = {-1, 0.5};
        frame.visited = frame.stale = 0;
        frame.slow = false;
        frame.looked = frame.grouped = 1 << 30;
        frame.n_outer = static_cast<int>(outer.size());
        set_size(frame.spread, 2 * r_);
        double* counts = arena.template take<double>(3 * static_cast<size_t>(width_));
        frame.certain = counts;
        frame.above[0] = counts + width_;
        frame.above[1] = counts + 2 * width_;
        return frame;
    }

    ELC_INLINE void pop() {
        arena.release(top().mark);
        outer.resize(top().n_outer);
        --depth_;
    }

    // The smallest bound of the halves that are not searched to the end.
    double open_bound() const {
        double smallest = kInfinity;
        for (size_t level = 0; level < depth_; ++level) {
            const Frame<R>& frame = frames_[level];
            for (int visit = frame.visited > 0 ? frame.visited - 1 : 0; visit < 2; ++visit) {
                smallest = std::min(smallest, frame.bound[frame.half_at(visit)]);
            }
        }
        return smallest;
    }

    // How many outer boxes the frame at `level` has: those that its child found when it was pushed.
    size_t n_outer_at(size_t level) const { return level + 1 < depth_ ? frames_[level + 1].n_outer : outer.size(); }

private:
    int r_, width_;
    std::vector<Frame<R>> frames_;  // of which the first depth_ are in use
    size_t depth_ = 0;
    Arena::Mark start_{0, 0};
};

}  // namespace elc
