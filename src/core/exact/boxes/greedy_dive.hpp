// Greedy paths through the boxes of one feature set: the better half of each box, down to candidates.
#pragma once

#include <algorithm>

#include "common/numbers.hpp"
#include "exact/boxes/box_splitting.hpp"
#include "exact/boxes/sink.hpp"

namespace elc {

constexpr int kMostPaths = 16;  // beside each other, where a dive meets no candidate

template <int R, class Criterion>
class GreedyDive {
public:
    // `best` is what the sink has found. Losses from `hopeless` on are not worth following.
    GreedyDive(BoxSplitting<R, Criterion>& boxes, const FoundSplit& best, double hopeless, Sink& sink)
        : boxes_(boxes), best_(best), hopeless_(hopeless), sink_(sink) {}

    // About the loss that is to be expected of the set.
    double expected() const { return std::min(expected_, best_.loss); }

    // Follows a chart's greedy path, and those beside it where it ends without a candidate, `n_paths` in all. What is
    // seen on the first one goes to `noted`.
    void follow(int chart, int n_paths, KnownPath* noted = nullptr) {
        FrameStack<R>& frames = boxes_.frames();
        boxes_.begin(chart, noted);
        boxes_.expand(best_.loss);
        while (n_paths > 0 && !frames.empty()) {
            Frame<R>& frame = frames.top();
            if (frame.visited == 2) {
                frames.pop();
                continue;
            }
            const int half = frame.half_at(frame.visited++);
            const double bound = frame.bound[half];
            if (bound >= std::min(best_.loss, hopeless_)) {
                expected_ = std::min(expected_, bound);
                --n_paths;
                continue;
            }
            const Closing closing = boxes_.enter(half, sink_);
            if (closing == Closing::open) boxes_.expand(best_.loss);
            else n_paths = closing == Closing::stopped || best_.loss < kInfinity ? 0 : n_paths - 1;
        }
        boxes_.end();
    }

private:
    BoxSplitting<R, Criterion>& boxes_;
    const FoundSplit& best_;
    const double hopeless_;
    Sink& sink_;
    double expected_ = kInfinity;
};

}  // namespace elc
