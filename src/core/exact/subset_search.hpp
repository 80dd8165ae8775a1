// Branch and bound over the boxes of one feature set: a greedy dive, and the complete depth-first search.
//
// A frame is an open box with its uncertain list. Both halves are tallied in one pass and bounded; the half with the
// smaller bound is visited first (the bound depends on the data alone, so the order of visits does too). A child's list
// is compacted from its parent's only when the child is visited: memory is one list per level of the path.
#pragma once

#include <memory>
#include <vector>

#include "exact/affine_rank.hpp"
#include "exact/box_bound.hpp"
#include "exact/combinations.hpp"
#include "exact/coplanar_set.hpp"
#include "exact/plane_enumeration.hpp"
#include "exact/uncertain_list.hpp"

namespace elc {

// UncertainLists this short are enumerated instead of split further.
inline int enumeration_size(int r) {
    switch (r) {
        case 2: return 11;
        case 3: return 8;
        case 4: return 9;
        default: return r + 6;
    }
}

constexpr int64_t kFewCandidates = 4000000, kVeryFewCandidates = 40000;
constexpr int64_t kStuckCandidates = 10000;
constexpr double kShrink = 0.6;     // a list is copied when at most this share of it is left
constexpr double kSmallBox = 0.02;  // a box so small in which a list does not get shorter has degenerate points
constexpr double kBlurred =
    16;  // boxes smaller than this times the tolerance are tested for points to put planes through
constexpr int kStaleForOrigin = 4;  // levels without progress before a nearer origin is looked for
constexpr double kNearerOrigin = 0.125;

inline bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

struct SubsetPoints {
    int64_t number = 0;  // of the feature set in lexicographic order
    std::vector<int> features;
    Points points;
    bool coplanar = false;
};

// The second half of a frame, to be searched in another thread: the frame itself, so that what lies below is done
// exactly as the giving thread would have done it.
template <int R>
struct DonatedHalf {
    std::shared_ptr<const SubsetPoints> subset;
    Box<R> box;
    std::vector<Box<R>> outer;
    AlignedVector<char> storage;  // its list
    std::vector<int32_t> segment;
    PointList list;  // points into storage and segment
    std::vector<double> certain;
    Spread<R> spread;
    double bound = -kInfinity;  // of the second half
    int n_open = 0, stale = 0;
    std::vector<uint8_t> path;  // of the frame
};

template <int R, class Criterion>
class SubsetSearch {
public:
    // Control: bool stop(), bool stop_now(), bool wants_task(), void give(DonatedHalf<R>&&), void open_bound(double).
    SubsetSearch(const ExactNode& node, const Criterion& criterion)
        : node_(node), scorer_(node, criterion), lists_(arena_, node.options.r, node.k), bounder_(node, scorer_),
          enumeration_(node, scorer_), exact_(node.options.r, node.k), r_(node.options.r), k_(node.k),
          zero_(node.k, 0.0), enumeration_size_(enumeration_size(node.options.r)),
          uncertain_(2 * static_cast<size_t>(node.k)) {}

    int64_t n_boxes() const { return n_boxes_; }

    // The smallest bound of what is still open here: the boxes on the current path, and charts that are not begun.
    double open_bound() const {
        double smallest = pending_bound_;
        for (size_t level = 0; level < depth_; ++level) {
            const Frame& frame = frames_[level];
            for (int visit = frame.visited > 0 ? frame.visited - 1 : 0; visit < 2; ++visit) {
                smallest = std::min(smallest, frame.bound[visit == 0 ? frame.first : 1 - frame.first]);
            }
        }
        return smallest;
    }

    double root_bound(const SubsetPoints& subset) {
        return scorer_.bound(zero_.data(), complete_weights(subset.points).data(), subset.points);
    }

    // Best loss along the greedy path of every chart.
    template <class Control>
    void dive(const SubsetPoints& subset, FoundSplit& best, Control& control) {
        const auto accept = [&](double loss) { return loss < best.loss; };
        const auto report = [&](const FoundSplit& found) { best = found; };
        if (r_ > 4) try_widest_plane(subset, accept, report);
        if (enumerable(subset)) return;
        for (int chart = 0; chart < r_; ++chart) {
            if (chart > 0 && control.stop_now()) return;
            begin(subset, chart);
            for (;;) {
                Frame& frame = top();
                expand(frame);
                const int half = frame.first;
                const bool hopeless = frame.bound[half] >= best.loss;
                if (hopeless || !enter(half, accept, report, [&] { return control.stop_now(); })) break;
            }
            arena_.release(start_);
            depth_ = 0;
        }
    }

    template <class Control>
    void search(const std::shared_ptr<const SubsetPoints>& subset, IncumbentView& incumbent, Control& control) {
        const double bound = root_bound(*subset);
        pending_bound_ = bound;
        if (enumerable(*subset)) return enumerate_all(subset, bound, incumbent, control);
        for (int chart = 0; chart < r_; ++chart) {
            if (chart == r_ - 1) pending_bound_ = kInfinity;
            visit_.subset = subset->number;
            visit_.path.assign(1, static_cast<uint8_t>(chart));
            if (control.stop()) control.open_bound(bound);
            else if (!incumbent.rules_out(bound, visit_)) {
                begin(*subset, chart);
                run(subset, incumbent, control);
            }
        }
    }

    template <class Control>
    void resume(const DonatedHalf<R>& task, IncumbentView& incumbent, Control& control) {
        visit_.subset = task.subset->number;
        visit_.path = task.path;
        visit_.path.push_back(1);
        if (incumbent.rules_out(task.bound, visit_)) return;
        visit_.path.pop_back();
        if (control.stop()) return control.open_bound(task.bound);
        pending_bound_ = kInfinity;
        look_at(*task.subset);
        start_ = arena_.mark();
        outer_ = task.outer;
        Frame& frame = push(task.box, task.list);
        std::copy(task.certain.begin(), task.certain.end(), frame.certain);
        frame.n_open = task.n_open;
        frame.stale = task.stale;
        frame.spread = task.spread;
        run(task.subset, incumbent, control, 1);
    }

private:
    struct Frame {
        Box<R> box;
        PointList list;
        Arena::Mark mark;
        double* certain;   // class weights certainly above
        double* above[2];  // the same in each half
        double bound[2];
        int n_uncertain[2];
        Spread<R> spread;
        int split = -1;   // -1: not expanded yet
        int first = 0;    // the half visited first
        int visited = 0;  // how many halves have been visited
        int n_open = 0;   // points of the list that the box is uncertain about
        int stale = 0;    // levels since these last became fewer
        int n_outer = 0;  // outer boxes when the frame was pushed
    };

    Frame& top() { return frames_[depth_ - 1]; }

    void look_at(const SubsetPoints& subset) {
        points_ = &subset.points;
        lists_.look_at(subset.points);
        features_ = &subset.features;
    }

    BoxContext<R> context_of(const double* above) const { return {&outer_, points_, features_, above}; }

    // Scores the plane through the points that span the set best: in many dimensions a dive may end without any plane.
    template <class Accept, class Report>
    void try_widest_plane(const SubsetPoints& subset, Accept& accept, Report& report) {
        look_at(subset);
        exact_.gather(*points_, lists_.finest(), [](const HeavyPlace&) { return true; });
        if (rank_.rank_of(exact_.list(), exact_.n_selectable(), r_) == AffineRank::no_candidate) return;
        enumeration_.try_points(exact_, every_plane_, context_of(zero_.data()), rank_.chosen(), accept, report);
    }

    // In many dimensions halving a box separates little: few candidates are better scored one by one.
    bool enumerable(const SubsetPoints& subset) const {
        return r_ > 4 && count_combinations(subset.points.n(), r_) <= (r_ > 6 ? kFewCandidates : kVeryFewCandidates);
    }

    template <class Control>
    void enumerate_all(const std::shared_ptr<const SubsetPoints>& subset, double bound, IncumbentView& incumbent,
                       Control& control) {
        look_at(*subset);
        visit_.subset = subset->number;
        visit_.path.clear();
        if (incumbent.rules_out(bound, visit_)) return;
        const auto accept = [&](double loss) { return incumbent.accepts(loss, visit_); };
        const auto report = [&](const FoundSplit& found) { offer(found, incumbent); };
        const auto stop = [&] { return control.stop_now(); };
        exact_.gather(*points_, lists_.finest(), [](const HeavyPlace&) { return true; });
        ++n_boxes_;
        if (!enumeration_.enumerate(exact_, every_plane_, context_of(zero_.data()), accept, report, stop))
            control.open_bound(bound);
    }

    void offer(const FoundSplit& found, IncumbentView& incumbent) {
        FoundSplit best = found;
        best.visit = visit_;
        incumbent.shared().offer(best);
    }

    std::vector<double> complete_weights(const Points& points) const {
        std::vector<double> weights(k_);
        for (int j = 0; j < k_; ++j) weights[j] = node_.totals[j] - points.missing[j];
        return weights;
    }

    void begin(const SubsetPoints& subset, int chart) {
        look_at(subset);
        start_ = arena_.mark();
        outer_.clear();
        Box<R>& box = child_;
        box.resize(r_);
        box.chart = chart;
        for (int j = 0; j < r_; ++j) {
            box.w[j] = j == chart ? 1.0 : 0.0;
            box.dw[j] = j == chart ? 0.0 : 1.0;
            box.origin[j] = 0;
        }
        box.b = 0;
        box.db = reach();
        Frame& frame = push(box, lists_.coarsest());
        std::fill(frame.certain, frame.certain + k_, 0.0);
        frame.n_open = frame.list.n;
        lists_.measure(frame.list, frame.spread);
    }

    // No plane of a chart that passes through a point has a larger |b|.
    double reach() const {
        double largest = kCertain;
        for (double value : points_->largest) largest += value;
        return largest;
    }

    Frame& push(const Box<R>& box, const PointList& list) {
        if (depth_ == frames_.size()) frames_.emplace_back();
        Frame& frame = frames_[depth_++];
        frame.box = box;
        frame.list = list;
        frame.mark = arena_.mark();
        frame.split = -1;
        frame.visited = frame.stale = 0;
        frame.n_outer = static_cast<int>(outer_.size());
        set_size(frame.spread, 2 * r_);
        double* counts = arena_.template take<double>(3 * static_cast<size_t>(k_));
        frame.certain = counts;
        frame.above[0] = counts + k_;
        frame.above[1] = counts + 2 * k_;
        return frame;
    }

    // The coordinate that the list is most uncertain about.
    int widest(const Frame& frame) const {
        int best = r_;
        double largest = frame.box.db * frame.list.n;
        for (int j = 0; j < r_; ++j) {
            const double uncertainty = frame.box.dw[j] * frame.spread[j];
            if (uncertainty > largest) largest = uncertainty, best = j;
        }
        return best;
    }

    void expand(Frame& frame) {
        n_boxes_ += 2;
        while (lists_.too_coarse(frame.box, frame.list, frame.spread)) {
            frame.list = lists_.refined(frame.list);
            frame.n_open = frame.list.n;
            lists_.measure(frame.list, frame.spread);
        }
        if (lists_.too_narrow(frame.box, frame.list, frame.spread))
            frame.list = lists_.seen_from(frame.box.origin, frame.list);
        frame.split = widest(frame);
        Halves halves{{frame.above[0], frame.above[1]}, {uncertain_.data(), uncertain_.data() + k_}, {0, 0}};
        lists_.tally(frame.box, frame.list, frame.split, halves);
        const int fewest = lists_.is_cells(frame.list) ? 1 : r_;
        for (int half = 0; half < 2; ++half) {
            for (int j = 0; j < k_; ++j) halves.above[half][j] += frame.certain[j];
            frame.n_uncertain[half] = halves.n_uncertain[half];
            if (!points_->heavy.empty() || !outer_.empty()) halve(frame.box, r_, frame.split, half, child_);
            bounder_.look_at(*points_, child_, halves.above[half]);
            const bool empty = halves.n_uncertain[half] + bounder_.n_open_heavy() < fewest || outside_of_outer();
            frame.bound[half] = empty ? kInfinity : bounder_.smallest_loss(halves.uncertain[half]);
        }
        frame.first = frame.bound[1] < frame.bound[0] ? 1 : 0;
    }

    // Whether no plane of the child box lies in all outer boxes.
    bool outside_of_outer() const {
        for (const Box<R>& outer : outer_)
            if (!may_meet(child_, outer, r_)) return true;
        return false;
    }

    // Visits one half of the top frame: enumerates it if it is small, otherwise pushes it. False if it was closed.
    template <class Accept, class Report, class Stop>
    bool enter(int half, Accept&& accept, Report&& report, Stop&& stop) {
        const size_t parent = depth_ - 1;
        const Frame& from = frames_[parent];  // until the next frame is pushed
        halve(from.box, r_, from.split, half, child_);
        const int n_open = from.n_uncertain[half];
        const int stale = n_open < from.n_open ? 0 : from.stale + 1;
        if (stale == 0 && n_open > kShrink * from.list.n && n_open > 4 * enumeration_size_) {
            share_list(parent, n_open);
            return true;
        }
        const Arena::Mark mark = arena_.mark();
        const PointList list = lists_.uncertain_in(from.box, from.list, from.split, half, n_open, spread_);
        stopped_ = false;
        bounder_.look_at(*points_, child_, from.above[half]);
        if (close(list, stale, accept, report, stop)) {
            arena_.release(mark);
            return false;
        }
        Frame& frame = push(child_, list);
        frame.mark = mark;
        frame.n_open = n_open;
        frame.stale = stale;
        frame.spread = spread_;
        std::copy(frames_[parent].above[half], frames_[parent].above[half] + k_, frame.certain);
        if (stale >= kStaleForOrigin && is_power_of_two(stale) && !lists_.is_cells(list)) try_origin(frame);
        return true;
    }

    // Measures the points of the frame's list from their own middle, if that is much nearer to them than the origin:
    // all planes through a cluster are then in a few boxes, whatever their direction. The frame's box becomes an outer
    // box, since the list holds what is uncertain in that one alone.
    void try_origin(Frame& frame) {
        exact_.gather(*points_, frame.list, [](const HeavyPlace&) { return false; });
        const ScoringList& from = exact_.list();
        set_size(middle_, r_);
        double now = 0, then = 0;
        for (int j = 0; j < r_; ++j) {
            double sum = 0, spread_now = 0, spread_then = 0;
            for (int i = 0; i < from.n; ++i) sum += from.array(j)[i];
            middle_[j] = sum / from.n;
            for (int i = 0; i < from.n; ++i) {
                spread_now += std::abs(from.array(j)[i] - frame.box.origin[j]);
                spread_then += std::abs(from.array(j)[i] - middle_[j]);
            }
            now += frame.box.dw[j] * spread_now;
            then += frame.box.dw[j] * spread_then;
        }
        if (!(then < kNearerOrigin * now)) return;
        outer_.push_back(frame.box);
        move_origin(frame.box, r_, middle_);
        frame.list = lists_.seen_from(middle_, frame.list);
        lists_.measure(frame.list, frame.spread);
        frame.stale = 0;
    }

    // Pushes a child that goes on with its parent's list: copying pays only once the list has become much shorter.
    void share_list(size_t parent, int n_open) {
        const PointList list = frames_[parent].list;
        Frame& frame = push(child_, list);
        frame.n_open = n_open;
        frame.spread = frames_[parent].spread;
        std::copy(frames_[parent].certain, frames_[parent].certain + k_, frame.certain);
    }

    // Enumerates the child box if it is small enough, or if it holds one plane or none.
    template <class Accept, class Report, class Stop>
    bool close(const PointList& list, int stale, Accept& accept, Report& report, Stop& stop) {
        if (lists_.is_cells(list)) return list.n == 0 && bounder_.n_open_heavy() == 0;
        if (list.n + bounder_.n_open_heavy() < r_) return true;
        const double size = size_of_child(list.n);
        const bool blurred = size < kBlurred * kCertain;
        const bool has_stalled = is_power_of_two(stale - r_) || (size < kSmallBox && is_power_of_two(stale));
        if (list.n > enumeration_size_ && !has_stalled && !blurred && !stuck(list.n, stale)) return false;
        exact_.gather(*points_, list, [this](const HeavyPlace& heavy) { return bounder_.is_open(heavy); });
        const BoxContext<R> context = context_of(bounder_.above());
        if (blurred) exact_.select(child_);
        const int n = exact_.n_selectable();
        if (n < r_) return true;
        if (n > enumeration_size_) {
            const AffineRank rank = rank_.rank_of(exact_.list(), n, r_);
            if (rank == AffineRank::no_candidate) return true;
            if (rank == AffineRank::one_plane) {
                enumeration_.try_points(exact_, child_, context, rank_.chosen(), accept, report);
                return true;
            }
            if (!tiny(child_) && !stuck(n, stale)) return false;
        }
        stopped_ = !enumeration_.enumerate(exact_, child_, context, accept, report, stop);
        return true;
    }

    // Nearly degenerate points (columns that differ by 1e-7, say) stay uncertain until a box is as small as they are
    // far apart. The longer halving has not helped, the more selections are worth trying instead.
    bool stuck(int n, int stale) const {
        if (stale <= r_ || n > 64) return false;
        return count_combinations(n, r_) >> std::min(stale - r_, 30) <= kStuckCandidates;
    }

    // How far the child box lets the value of a point of its list move, on average.
    double size_of_child(int n) const {
        double size = 0;
        for (int j = 0; j < r_; ++j) size += child_.dw[j] * spread_[j];
        return child_.db + size / n;
    }

    // Splitting a box that is as small as the slack of boxes separates no more points.
    bool tiny(const Box<R>& box) const {
        double size = box.db;
        for (int j = 0; j < r_; ++j) size += 2 * box.dw[j];
        return size <= kBoxSlack;
    }

    template <class Control>
    void run(const std::shared_ptr<const SubsetPoints>& subset, IncumbentView& incumbent, Control& control,
             int visited = 0) {
        const size_t depth0 = visit_.path.size();
        const auto accept = [&](double loss) { return incumbent.accepts(loss, visit_); };
        const auto report = [&](const FoundSplit& found) { offer(found, incumbent); };
        const auto stop = [&] { return control.stop_now(); };
        expand(top());
        top().visited = visited;
        while (depth_ > 0) {
            Frame& frame = top();
            if (frame.visited == 2) {
                arena_.release(frame.mark);
                outer_.resize(frame.n_outer);
                --depth_;
                continue;
            }
            const int visit = frame.visited++;
            const int half = visit == 0 ? frame.first : 1 - frame.first;
            const double bound = frame.bound[half];
            if (bound == kInfinity) continue;
            visit_.path.resize(depth0 + depth_ - 1);
            visit_.path.push_back(static_cast<uint8_t>(visit));
            if (incumbent.rules_out(bound, visit_)) continue;
            if (control.stop()) {
                control.open_bound(bound);
                continue;
            }
            if (control.wants_task()) donate(subset, depth0, control);
            if (enter(half, accept, report, stop)) expand(top());
            else if (stopped_) control.open_bound(bound);
        }
        arena_.release(start_);
        visit_.path.resize(depth0);
    }

    // How many outer boxes the frame at `level` has: those that its child found when it was pushed.
    size_t n_outer_at(size_t level) const { return level + 1 < depth_ ? frames_[level + 1].n_outer : outer_.size(); }

    // Gives the second half of the shallowest frame that still has it to another thread.
    template <class Control>
    void donate(const std::shared_ptr<const SubsetPoints>& subset, size_t depth0, Control& control) {
        for (size_t level = 0; level + 1 < depth_; ++level) {
            Frame& frame = frames_[level];
            const int half = 1 - frame.first;
            if (frame.visited != 1 || frame.bound[half] == kInfinity) continue;
            if (!lists_.is_cells(frame.list) && frame.list.n < 4 * enumeration_size_) return;
            frame.visited = 2;
            DonatedHalf<R> task;
            task.subset = subset;
            task.box = frame.box;
            task.outer.assign(outer_.begin(), outer_.begin() + n_outer_at(level));
            task.bound = frame.bound[half];
            task.certain.assign(frame.certain, frame.certain + k_);
            task.spread = frame.spread;
            task.n_open = frame.n_open;
            task.stale = frame.stale;
            const PointList& list = frame.list;
            const char* first = static_cast<const char*>(list.base);
            task.storage.assign(first, first + lists_.bytes(list));
            task.segment.assign(list.segment, list.segment + k_ + 1);
            task.list = list;
            task.list.base = task.storage.data();
            task.list.segment = task.segment.data();
            task.path.assign(visit_.path.begin(), visit_.path.begin() + depth0 + level);
            control.give(std::move(task));
            return;
        }
    }

    const ExactNode& node_;
    SideScorer<Criterion> scorer_;
    Arena arena_;
    UncertainLists<R> lists_;
    BoxBound<R, Criterion> bounder_;
    PlaneEnumeration<R, Criterion> enumeration_;
    ExactPoints exact_;
    AffineRankFinder rank_;
    const Points* points_ = nullptr;
    const std::vector<int>* features_ = nullptr;
    int r_ = 0, k_ = 0;
    std::vector<double> zero_;
    int enumeration_size_;
    bool stopped_ = false;
    double pending_bound_ = kInfinity;
    int64_t n_boxes_ = 0;
    Arena::Mark start_{0, 0};
    std::vector<Frame> frames_;  // of which the first depth_ are in use
    size_t depth_ = 0;
    Box<R> child_, every_plane_;
    std::vector<Box<R>> outer_;  // of the frames in use whose origin was moved
    Numbers<R> middle_;
    Spread<R> spread_;
    std::vector<double> uncertain_;
    Visit visit_;
};

}  // namespace elc
