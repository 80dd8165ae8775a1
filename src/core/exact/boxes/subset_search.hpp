// Branch and bound over the boxes of one feature set: a greedy dive, and the complete depth-first search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/box_splitting.hpp"
#include "exact/boxes/donation.hpp"
#include "exact/boxes/greedy_dive.hpp"
#include "exact/boxes/known_ties.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/node/combinations.hpp"

namespace elc {

constexpr int64_t kFewOfFour = 2000, kFewUpToSix = 40000, kFewOfMore = 4000000;  // candidates, by features
constexpr double kDiveSlack = 0.1;  // of what the best split gains: dives worse by less tell the order of sets

template <int R, class Criterion>
class SubsetSearch {
public:
    using Subset = std::shared_ptr<const SubsetPoints>;

    SubsetSearch(const ExactNode& node, const Criterion& criterion)
        : node_(node), r_(node.options.r), sides_(node, criterion), boxes_(node, sides_), known_ties_(node, sides_) {
        std::vector<double> half = node.totals;
        for (double& number : half) number /= 2;
        loss_without_split_ = sides_.loss(half.data());
    }

    int64_t n_boxes() const { return boxes_.n_boxes(); }

    // The smallest bound of what is still open here: the boxes on the current path, and charts that are not begun.
    double open_bound() const { return std::min(pending_bound_, boxes_.frames().open_bound()); }

    // Best loss along the greedy path of every chart, each followed as long as it may lead to a loss like `known`, the
    // best one of other sets; notes what is seen on these paths, if asked to. Returns about the loss to be expected.
    double dive(const SubsetPoints& subset, double known, FoundSplit& best, std::vector<KnownPath>* paths,
                StopSignal& signal) {
        const double hopeless = known + kDiveSlack * std::max(0.0, loss_without_split_ - known);
        DiveSink sink(best, node_.options.must_beat, signal);
        GreedyDive<R, Criterion> dive(boxes_, best, hopeless, sink);
        boxes_.look_at(subset);
        const bool is_few = is_enumerable(subset);
        if (r_ > 4 || is_few) boxes_.try_widest_plane(sink);  // in many dimensions a dive may end without any plane
        if (is_few) return best.loss;
        if (paths) paths->resize(r_);
        for (int chart = 0; chart < r_ && (chart == 0 || !signal.stop_now()); ++chart)
            dive.follow(chart, 1, paths ? &(*paths)[chart] : nullptr);
        // Where no path led to a candidate, those beside them may. What they lead to hangs on other threads' losses,
        // like what is improved: it is visited last.
        for (int chart = 0; chart < r_ && dive.expected() == kInfinity && !signal.stop_now(); ++chart) {
            dive.follow(chart, kMostPaths);
            best.visit.put_last();
        }
        return dive.expected();
    }

    // Improves what a dive found.
    void improve(const SubsetPoints& subset, FoundSplit& best, StopSignal& signal) {
        DiveSink sink(best, node_.options.must_beat, signal);
        boxes_.look_at(subset);
        boxes_.improve(best, sink);
        best.visit.put_last();
    }

    // Where a greedy path through coarse cells leads: about the best loss of the set.
    double estimate(const SubsetPoints& coarse) {
        NoSink sink;
        double best = kInfinity;
        boxes_.look_at(coarse);
        for (int chart = 0; chart < r_; ++chart) {
            boxes_.begin(chart);
            for (;;) {
                boxes_.expand(best);
                const int half = boxes_.frames().top().first;
                const double bound = boxes_.frames().top().bound[half];
                if (bound >= best || boxes_.enter(half, sink) != Closing::open) break;
                if (!boxes_.is_blurred()) continue;
                best = bound;
                break;
            }
            boxes_.end();
        }
        return best;
    }

    // Whether coarse cells show that no candidate of the set can become the answer.
    bool is_beyond(const SubsetPoints& coarse, const Incumbent& incumbent) {
        boxes_.look_at(coarse);
        bool beyond = true;
        for (int chart = 0; chart < r_ && beyond; ++chart) {
            boxes_.begin(chart);
            beyond = is_chart_beyond(incumbent);
            boxes_.end();
        }
        return beyond;
    }

    // `paths` is what a dive has noted of the charts, if anything.
    void search(const Subset& subset, const std::vector<KnownPath>& paths, IncumbentView& incumbent,
                SearchControl<R>& control) {
        boxes_.look_at(*subset);
        const Points& points = subset->points;
        const double bound = sides_.bound(points.base.data(), points.free.data(), points.missing);
        pending_bound_ = bound;
        visit_.subset = subset->number;
        visit_.path.clear();
        if (incumbent.is_tie(bound) && known_ties_.are_all_of(*subset, nullptr, visit_, incumbent.shared())) {
            pending_bound_ = kInfinity;
            return;
        }
        if (is_enumerable(*subset)) return enumerate_all(bound, incumbent, control);
        for (int chart = 0; chart < r_; ++chart) {
            if (chart == r_ - 1) pending_bound_ = kInfinity;
            visit_.path.assign(1, static_cast<uint8_t>(chart));
            if (control.stop()) {
                control.leave_open(bound);
            } else if (!incumbent.rules_out(bound, visit_)) {
                boxes_.begin(chart, nullptr, paths.empty() ? nullptr : &paths[chart]);
                run(subset, incumbent, control, 0);
            }
        }
    }

    // Searches a half that another thread gave away.
    void resume(const DonatedHalf<R>& half, IncumbentView& incumbent, SearchControl<R>& control) {
        visit_.subset = half.subset->number;
        visit_.path = half.path;
        visit_.path.push_back(1);
        if (incumbent.rules_out(half.bound, visit_)) return;
        visit_.path.pop_back();
        if (control.stop()) return control.leave_open(half.bound);
        pending_bound_ = kInfinity;
        boxes_.look_at(*half.subset);
        take_up(half, boxes_.frames());
        run(half.subset, incumbent, control, 1);
    }

private:
    bool is_chart_beyond(const Incumbent& incumbent) {
        NoSink sink;
        FrameStack<R>& frames = boxes_.frames();
        boxes_.expand(incumbent.highest());
        while (!frames.empty()) {
            Frame<R>& frame = frames.top();
            if (frame.visited == 2) {
                frames.pop();
                continue;
            }
            const int half = frame.half_at(frame.visited++);
            if (incumbent.is_beyond(frame.bound[half]) || boxes_.enter(half, sink) != Closing::open) continue;
            if (boxes_.is_blurred()) return false;
            boxes_.expand(incumbent.highest());
        }
        return true;
    }

    // In many dimensions halving a box separates little: few candidates are better scored one by one.
    bool is_enumerable(const SubsetPoints& subset) const {
        const int64_t few = r_ > 6 ? kFewOfMore : r_ > 4 ? kFewUpToSix : kFewOfFour;
        return r_ > 3 && count_combinations(subset.points.n_places, r_) <= few;
    }

    void enumerate_all(double bound, IncumbentView& incumbent, SearchControl<R>& control) {
        visit_.path.clear();
        if (incumbent.rules_out(bound, visit_)) return;
        IncumbentSink sink(incumbent, visit_, control);
        if (!boxes_.enumerate_all(sink)) control.leave_open(bound);
    }

    // Depth first from the one frame that is there, of which `visited` halves are done.
    void run(const Subset& subset, IncumbentView& incumbent, SearchControl<R>& control, int visited) {
        const size_t path_above = visit_.path.size();
        IncumbentSink sink(incumbent, visit_, control);
        FrameStack<R>& frames = boxes_.frames();
        boxes_.expand(incumbent.shared().highest());
        frames.top().visited = visited;
        while (!frames.empty()) {
            Frame<R>& frame = frames.top();
            if (frame.visited == 2) {
                frames.pop();
                continue;
            }
            const int visit = frame.visited++, half = frame.half_at(visit);
            const double bound = frame.bound[half];
            if (bound == kInfinity) continue;
            visit_.path.resize(path_above + frames.depth() - 1);
            visit_.path.push_back(static_cast<uint8_t>(visit));
            if (incumbent.rules_out(bound, visit_)) continue;
            if (incumbent.is_tie(bound) && may_look_up(frame.n_uncertain[half]) &&
                holds_known_ties(*subset, frame, half, incumbent))
                continue;
            if (control.stop()) {
                control.leave_open(bound);
                continue;
            }
            if (control.wants_half()) donate(subset, path_above, control);
            const Closing closing = boxes_.enter(half, sink);
            if (closing == Closing::open) boxes_.expand(incumbent.shared().highest());
            else if (closing == Closing::stopped) control.leave_open(bound);
        }
        boxes_.end();
        visit_.path.resize(path_above);
    }

    // A look-up of ties goes through all rows: one for as many rows as boxes of ties have had on their lists.
    bool may_look_up(int n_uncertain) {
        rows_of_tie_boxes_ += n_uncertain;
        if (rows_of_tie_boxes_ < node_.n) return false;
        rows_of_tie_boxes_ = 0;
        return true;
    }

    bool holds_known_ties(const SubsetPoints& subset, const Frame<R>& frame, int half, IncumbentView& incumbent) {
        Box<R> box;
        halve(frame.box, r_, frame.split.coordinate, frame.split.cut, half, box);
        return known_ties_.are_all_of(subset, &box, visit_, incumbent.shared());
    }

    // Gives the second half of the shallowest frame that still has it to another thread, unless its list is short.
    void donate(const Subset& subset, size_t path_above, SearchControl<R>& control) {
        for (size_t level = 0; level + 1 < boxes_.frames().depth(); ++level) {
            const Frame<R>& frame = boxes_.frames().at(level);
            if (frame.visited != 1 || frame.bound[frame.half_at(1)] == kInfinity) continue;
            DonatedHalf<R> half;
            if (!boxes_.split_off(level, half)) return;
            half.subset = subset;
            half.path.assign(visit_.path.begin(), visit_.path.begin() + path_above + level);
            return control.give(std::move(half));
        }
    }

    const ExactNode& node_;
    int r_;
    SideScoring<Criterion> sides_;
    BoxSplitting<R, Criterion> boxes_;
    KnownTies<R, Criterion> known_ties_;
    double loss_without_split_;  // of two sides that are alike
    double pending_bound_ = kInfinity;
    int64_t rows_of_tie_boxes_ = 0;
    Visit visit_;
};

}  // namespace elc
