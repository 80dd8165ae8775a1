// A half of a box that one thread gives to another.
//
// It is given as its parent's frame, so that what lies below is done exactly as the giving thread would have done it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/frames.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/points/aligned.hpp"
#include "exact/points/points.hpp"

namespace elc {

// The second half of a frame.
template <int R>
struct DonatedHalf {
    std::shared_ptr<const SubsetPoints> subset;
    Box<R> box;
    std::vector<OuterBox<R>> outer;
    AlignedVector<char> storage;  // its list
    std::vector<int32_t> segment;
    PointList list;  // points into storage and segment
    std::vector<double> certain;
    Spread<R> spread;
    Split split;                // of the frame: chosen again from a list that was sharpened, it might be another
    double bound = -kInfinity;  // of the second half
    int n_open = 0, stale = 0, looked = 0;
    std::vector<uint8_t> path;  // of the frame
};

// What a search of one feature set asks of the search of all.
template <int R>
class SearchControl : public StopSignal {
public:
    virtual bool wants_half() = 0;                 // whether a thread is idle
    virtual void give(DonatedHalf<R>&& half) = 0;  // to an idle thread
    virtual void leave_open(double bound) = 0;     // a box with this bound is not searched
};

// The frame at `level` with its list, for another thread to search its second half.
template <int R>
DonatedHalf<R> donated_half(FrameStack<R>& frames, size_t level, const UncertainLists<R>& lists, int k, int width) {
    const Frame<R>& frame = frames.at(level);
    const PointList& list = frame.list;
    DonatedHalf<R> half;
    half.box = frame.box;
    half.outer.assign(frames.outer.begin(), frames.outer.begin() + frames.n_outer_at(level));
    half.bound = frame.bound[frame.half_at(1)];
    half.certain.assign(frame.certain, frame.certain + width);
    half.spread = frame.spread;
    half.split = frame.split;
    half.n_open = frame.n_open;
    half.stale = frame.stale;
    half.looked = frame.looked;
    const char* first = static_cast<const char*>(list.base);
    half.storage.assign(first, first + lists.bytes(list));
    half.segment.assign(list.segment, list.segment + k + 1);
    half.list = list;
    half.list.base = half.storage.data();
    half.list.segment = half.segment.data();
    return half;
}

// Takes up the frame of a half that was given; its second half is the one to visit.
template <int R>
void take_up(const DonatedHalf<R>& half, FrameStack<R>& frames) {
    frames.begin();
    frames.outer = half.outer;
    Frame<R>& frame = frames.push(half.box, half.list);
    std::copy(half.certain.begin(), half.certain.end(), frame.certain);
    frame.n_open = half.n_open;
    frame.stale = half.stale;
    frame.looked = half.looked;
    frame.spread = half.spread;
    frame.split = half.split;
}

}  // namespace elc
