// By which coordinate a box is split, and where.
#pragma once

#include <algorithm>

#include "common/inline.hpp"
#include "exact/boxes/cuts.hpp"
#include "exact/boxes/frames.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/points/points.hpp"

namespace elc {

constexpr int kFewPoints = 24;  // for shorter lists, halving is as good as anything
constexpr int kLongList = 64;   // with the finer tolerance, such lists are cut elsewhere as soon as halving decides few
constexpr int kStaleForCuts = 2;  // with the usual tolerance, levels without progress before a box is cut elsewhere
constexpr int kStaleForAll = 4;   // of so many levels without progress, one is for all points, not for a sample

template <int R>
class SplitChoice {
public:
    SplitChoice(const ExactNode& node, UncertainLists<R>& lists)
        : node_(node), lists_(lists), cuts_(node.options.r, node.k), r_(node.options.r), k_(node.k) {}

    CutFinder<R>& cuts() { return cuts_; }

    void look_at(const SubsetPoints& subset) {
        cuts_.set_certain(subset.points.tolerance.certain);
        // Boxes of two features are so many and so cheap that halving them is faster than choosing.
        is_fine_ = r_ > 2 && subset.points.tolerance.is_fine();
        spans_scales_ = r_ > 2 && std::any_of(subset.features.begin(), subset.features.end(),
                                              [&](int feature) { return node_.spans_scales[feature] != 0; });
    }

    // The coordinate that points are most uncertain by. Where a few points are very far from the others they would
    // drown them, so that a sample of points tells, each with one vote; and where halving has decided few points, the
    // box is cut where they become certain, not in the middle.
    ELC_INLINE Split split_of(Frame<R>& frame) {
        const bool decides_few = frame.stale > 0 || frame.slow;
        const bool asks = ((decides_few || spans_scales_) && frame.list.n > kFewPoints) || frame.list.local;
        if (!asks || lists_.is_cells(frame.list) || frame.stale % kStaleForAll == kStaleForAll - 1)
            return {widest(frame), 0.5};
        return voted_split_of(frame, decides_few);
    }

private:
    Split voted_split_of(Frame<R>& frame, bool decides_few) {
        cuts_.look_at(frame.box, frame.list, frame.list.segment[k_], spans_scales_);
        if (frame.list.narrow && cuts_.moves_less(lists_.narrowest(frame.box))) {
            lists_.see_in_double(frame.box, frame.list, frame.spread);
            cuts_.look_at(frame.box, frame.list, frame.list.segment[k_], spans_scales_);
        }
        const int coordinate = cuts_.widest(widest(frame));
        if (!frame.list.local && !(is_fine_ && frame.list.n > kLongList ? decides_few : frame.stale >= kStaleForCuts))
            return {coordinate, 0.5};
        const double reach = frame.box.reach(coordinate, r_), cut = cuts_.cut(coordinate, reach);
        if (frame.list.narrow && std::min(cut, 1 - cut) * reach < lists_.narrowest(frame.box))
            lists_.see_in_double(frame.box, frame.list, frame.spread);
        return {coordinate, cut};
    }

    // The coordinate that the list is most uncertain about.
    int widest(const Frame<R>& frame) const {
        int best = r_;
        double largest = frame.box.db * (frame.list.local ? frame.spread[frame.box.chart] : frame.list.n);
        for (int j = 0; j < order_of<R>(r_); ++j) {
            const double uncertainty = frame.box.dw[j] * frame.spread[j];
            if (uncertainty > largest) largest = uncertainty, best = j;
        }
        return best;
    }

    const ExactNode& node_;
    UncertainLists<R>& lists_;
    CutFinder<R> cuts_;
    int r_, k_;
    bool is_fine_ = false;       // of more than two features: the tolerance is,
    bool spans_scales_ = false;  // some column does
};

}  // namespace elc
