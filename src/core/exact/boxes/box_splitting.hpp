// The steps of branch and bound on the boxes of one feature set: open a chart, halve a box, enter a half.
//
// Both halves of a frame are tallied in one pass and bounded; the half with the smaller bound is to be visited first
// (the bound depends on the data alone, so the order of visits does too). A closer look leaves out more of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/inline.hpp"
#include "common/numbers.hpp"
#include "exact/boxes/box_bound.hpp"
#include "exact/boxes/box_closing.hpp"
#include "exact/boxes/donation.hpp"
#include "exact/boxes/frames.hpp"
#include "exact/boxes/known_path.hpp"
#include "exact/boxes/nearer_coordinates.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/boxes/split_choice.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/node/tolerances.hpp"

namespace elc {

constexpr double kShrink = 0.6;      // a list is copied when at most this share of it is left
constexpr double kBlurredShare = 2;  // cells that widen a box by more than this are of no use to it
constexpr double kSlow = 1.75;       // halves that are uncertain about more than this times the list decide few points
constexpr size_t kShallow = 12;      // so many levels end most searches, without a look at groups of points
constexpr int kManyPoints = 128;     // longer lists are looked at in groups again when
constexpr double kFewer = 0.9;       // so much of them is left
constexpr double kShorter = 0.75;    // of a list: better coordinates are then looked for again

template <int R, class Criterion>
class BoxSplitting {
public:
    BoxSplitting(const ExactNode& node, SideScoring<Criterion>& sides)
        : monotone_(node.options.monotone), r_(node.options.r), k_(node.k), width_(node.width),
          open_width_(node.open_width), looks_closer_(kLooksCloser<Criterion> && node.k > kCornerClasses),
          frames_(r_, width_), lists_(frames_.arena, r_, k_), splits_(node, lists_), nearer_(r_, k_, splits_.cuts()),
          bounder_(node, sides), closing_(node, sides), long_list_(4 * enumeration_size(r_)),
          uncertain_(2 * static_cast<size_t>(open_width_)) {}

    FrameStack<R>& frames() { return frames_; }
    const FrameStack<R>& frames() const { return frames_; }
    int64_t n_boxes() const { return n_boxes_; }

    void look_at(const SubsetPoints& subset) {
        subset_ = &subset;
        lists_.look_at(subset.points);
        splits_.look_at(subset);
        closing_.look_at(subset, lists_.finest());
    }

    // Pushes the box of a whole chart. What is seen on the way down goes to `noted`; `known` is what was.
    void begin(int chart, KnownPath* noted = nullptr, const KnownPath* known = nullptr) {
        noted_ = looks_closer_ ? nullptr : noted;
        known_ = known;
        if (noted_) noted_->clear();
        frames_.begin();
        set_chart(child_, r_, chart, points().reach());
        keep_signs(chart);
        Frame<R>& frame = frames_.push(child_, lists_.coarsest());
        std::copy(points().base.begin(), points().base.end(), frame.certain);
        frame.n_open = frame.list.n;
        lists_.measure(frame.box, frame.list, frame.spread);
    }

    // Ends the search of a chart, or of a half that another thread gave away.
    void end() {
        noted_ = nullptr;
        known_ = nullptr;
        frames_.end();
    }

    // Halves the box of the top frame and bounds both halves; what is not below the ceiling is left out.
    void expand(double ceiling) {
        Frame<R>& frame = frames_.top();
        n_boxes_ += 2;
        lists_.sharpen(frame.box, frame.list, frame.spread, frame.n_open);
        if (frame.split.coordinate < 0) frame.split = splits_.split_of(frame);
        if (known_ && known_->tell(frames_.depth() - 1, width_, frame)) {
            frame.first = better_half(frame);
            return;
        }
        Halves halves{{frame.above[0], frame.above[1]}, {uncertain_.data(), uncertain_.data() + open_width_}, {0, 0}};
        lists_.tally(frame.box, frame.list, frame.split, halves);
        bool is_beyond[2];
        const int fewest = lists_.is_cells(frame.list) ? 1 : r_;
        for (int half = 0; half < 2; ++half) {
            for (int j = 0; j < width_; ++j) halves.above[half][j] += frame.certain[j];
            frame.n_uncertain[half] = halves.n_uncertain[half];
            if (!points().heavy.empty() || !frames_.outer.empty())
                halve(frame.box, r_, frame.split.coordinate, frame.split.cut, half, child_);
            bounder_.look_at(points(), child_, halves.above[half]);
            const bool empty = halves.n_uncertain[half] + bounder_.n_open_heavy() < fewest || frames_.excludes(child_);
            frame.bound[half] = empty ? kInfinity : bounder_.smallest_loss(halves.uncertain[half]);
            is_beyond[half] =
                looks_closer_ && frame.bound[half] <= ceiling && bounder_.exceeds(halves.uncertain[half], ceiling);
        }
        frame.first = better_half(frame);
        for (int half = 0; half < 2; ++half)
            if (is_beyond[half]) frame.bound[half] = kInfinity;
        if (noted_) noted_->add(frame, width_);
    }

    // Visits one half of the top frame: closes it if it can be, otherwise pushes it.
    Closing enter(int half, Sink& sink) {
        const size_t parent = frames_.depth() - 1;
        const Frame<R>& from = frames_.at(parent);  // until the next frame is pushed
        if (from.visited > 1) known_ = nullptr;
        halve(from.box, r_, from.split.coordinate, from.split.cut, half, child_);
        const int n_open = from.n_uncertain[half];
        const int stale = n_open < from.n_open ? 0 : from.stale + 1;
        if (stale == 0 && n_open > kShrink * from.list.n && n_open > long_list_) return share_list(parent, n_open);
        const Arena::Mark mark = frames_.arena.mark();
        const PointList list = lists_.uncertain_in(from.box, from.list, from.split, half, n_open, spread_);
        bounder_.look_at(points(), child_, from.above[half]);
        int grouped = from.grouped;
        const Closing closing = close(from, list, stale, grouped, sink);
        if (closing != Closing::open) {
            frames_.arena.release(mark);
            return closing;
        }
        Frame<R>& frame = frames_.push(child_, list);
        frame.mark = mark;
        frame.n_open = n_open;
        frame.stale = stale;
        frame.spread = spread_;
        inherit(frames_.at(parent), frame);
        frame.grouped = grouped;
        std::copy(frames_.at(parent).above[half], frames_.at(parent).above[half] + width_, frame.certain);
        if (may_be_better_seen(frame)) {
            frame.looked = list.n;
            nearer_.look_for(frame, points(), lists_, frames_.outer);
        }
        return Closing::open;
    }

    // Whether the cells of the top frame are so wide that halving its box tells little more.
    bool is_blurred() {
        const Frame<R>& frame = frames_.top();
        return frame.list.n <= kFewCells || lists_.cell_share(frame.box, frame.list, frame.spread) > kBlurredShare;
    }

    // The second half of the frame at `level` for another thread to search, if its list is long enough to be worth it.
    bool split_off(size_t level, DonatedHalf<R>& half) {
        Frame<R>& frame = frames_.at(level);
        if (!lists_.is_cells(frame.list) && frame.list.n < long_list_) return false;
        frame.visited = 2;
        half = donated_half(frames_, level, lists_, k_, width_);
        return true;
    }

    // Scores the plane through the points that span the set best.
    void try_widest_plane(Sink& sink) { closing_.try_widest_plane(*subset_, lists_.finest(), sink); }

    // Improves a split of the set by exchanging its points.
    void improve(const FoundSplit& best, Sink& sink) { closing_.improve(*subset_, lists_.finest(), best, sink); }

    // Scores every candidate of the set; false if the sink asked to end early.
    bool enumerate_all(Sink& sink) {
        ++n_boxes_;
        return closing_.enumerate_all(*subset_, lists_.finest(), sink);
    }

private:
    const Points& points() const { return subset_->points; }

    // Leaves out the planes of a chart whose coefficients contradict each other in the direction that they must have.
    void keep_signs(int chart) {
        for (int j = 0; j < r_; ++j) {
            const int sign = monotone_.sign(subset_->features[j]) * monotone_.sign(subset_->features[chart]);
            if (j == chart || sign == 0) continue;
            child_.w[j] = 0.5 * sign;
            child_.dw[j] = 0.5 + kCertain;
        }
    }

    static int better_half(const Frame<R>& frame) { return frame.bound[1] < frame.bound[0] ? 1 : 0; }

    // Whether the halves of a frame decide few points.
    static bool is_slow(const Frame<R>& frame) {
        return frame.n_uncertain[0] + frame.n_uncertain[1] > kSlow * frame.n_open;
    }

    static void inherit(const Frame<R>& parent, Frame<R>& frame) {
        frame.slow = is_slow(parent);
        frame.looked = parent.looked;
        frame.grouped = parent.grouped;
    }

    // Whether other coordinates may suit the points of a frame that was just pushed: they stay uncertain, or have
    // become far fewer and lie in clusters.
    bool may_be_better_seen(const Frame<R>& frame) const {
        if (lists_.is_cells(frame.list) || frame.list.n <= kFewPoints) return false;
        const bool is_shorter = frame.list.n <= kShorter * frame.looked;
        if (frame.stale > 0) return is_shorter || is_power_of_two(frame.stale);
        return is_shorter && frame.list.n > long_list_ && is_clustered<R>(frame.list, frame.spread, r_, k_);
    }

    // Pushes a child that goes on with its parent's list: copying pays only once the list has become much shorter.
    Closing share_list(size_t parent, int n_open) {
        const PointList list = frames_.at(parent).list;
        Frame<R>& frame = frames_.push(child_, list);
        frame.n_open = n_open;
        frame.spread = frames_.at(parent).spread;
        inherit(frames_.at(parent), frame);
        std::copy(frames_.at(parent).certain, frames_.at(parent).certain + width_, frame.certain);
        return Closing::open;
    }

    // `grouped` becomes the length of a list that is looked at in groups, for which boxes of two features are too
    // cheap.
    ELC_INLINE Closing close(const Frame<R>& from, const PointList& list, int stale, int& grouped, Sink& sink) {
        // Where no candidate is wanted, there are cells alone: the sink then has no ceiling to ask for.
        if (lists_.is_cells(list)) return list.n == 0 && bounder_.n_open_heavy() == 0 ? Closing::closed : Closing::open;
        const BoxContext<R> context{&child_, &frames_.outer, subset_, bounder_.above()};
        const Closing closing = closing_.close(context, list, spread_, stale, bounder_, sink);
        const bool has_stalled = list.local || (stale > 0 && is_slow(from) && frames_.depth() > kShallow);
        if (closing != Closing::open || r_ == 2 || list.n <= kFewPoints || !has_stalled || !sink.needs_all())
            return closing;
        if (list.n > kManyPoints && list.n > kFewer * from.grouped) return closing;
        grouped = list.n;
        const double ceiling = sink.ceiling() + 2 * kTie;
        const bool exceeds = bounder_.exceeds_in_groups(child_, list, lists_.margin(child_, list), ceiling);
        return exceeds ? Closing::closed : Closing::open;
    }

    const Monotone& monotone_;
    int r_, k_, width_, open_width_;
    bool looks_closer_;  // there can be too many uncertain classes for an exact bound
    FrameStack<R> frames_;
    UncertainLists<R> lists_;
    SplitChoice<R> splits_;
    NearerCoordinates<R> nearer_;
    BoxBound<R, Criterion> bounder_;
    BoxClosing<R, Criterion> closing_;
    const SubsetPoints* subset_ = nullptr;
    KnownPath* noted_ = nullptr;
    const KnownPath* known_ = nullptr;
    int long_list_;  // lists longer than this may be shared with a child, or given away
    int64_t n_boxes_ = 0;
    Box<R> child_;
    Spread<R> spread_;  // of the child's list
    std::vector<double> uncertain_;
};

}  // namespace elc
