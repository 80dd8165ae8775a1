// Branch and bound over the boxes of one feature set: a greedy dive, and the complete depth-first search.
//
// A frame is an open box with its uncertain list. Both halves are tallied in one pass and bounded; the half with the
// smaller bound is visited first (the bound depends on the data alone, so the order of visits does too). A child's list
// is compacted from its parent's only when the child is visited: memory is one list per level of the path.
#pragma once

#include <memory>
#include <vector>

#include "combinations.hpp"
#include "flat.hpp"
#include "leaf.hpp"
#include "rank.hpp"

namespace elc {

// Lists this short are enumerated instead of split further.
inline int leaf_size(int r) {
    switch (r) {
        case 2: return 24;
        case 3: return 14;
        case 4: return 12;
        default: return r + 6;
    }
}

constexpr int64_t kFewCandidates = 4000000;
constexpr int64_t kStuckCandidates = 10000;
constexpr double kShrink = 0.6;      // a list is copied when at most this share of it is left
constexpr int kFewCells = 16;        // so few cells are replaced by what they hold
constexpr double kCellShare = 0.5;   // cells are replaced when their widths add more than this share of the box's

struct SubsetPoints {
    int64_t rank = 0;             // place of the feature set in lexicographic order
    std::vector<int> features;
    Points points;
    bool flat = false;
};

// The second half of a frame, to be searched in another thread: the frame itself, so that what lies below is done exactly
// as the giving thread would have done it.
template <int R>
struct Task {
    std::shared_ptr<const SubsetPoints> subset;
    Box<R> box;
    std::vector<double> storage;   // its list
    List list;                     // points into storage
    std::vector<double> certain, spread;
    double bound = -kInfinity;     // of the second half
    int n_open = 0, stale = 0;
    std::vector<uint8_t> path;     // of the frame
};

template <int R, class Criterion>
class SubsetSearch {
public:
    // Control: bool stop(), bool stop_now(), bool wants_task(), void give(Task<R>&&), void open_bound(double).
    SubsetSearch(const Problem& problem, const Criterion& criterion)
        : problem_(problem), scorer_(problem, criterion),
          n_tallied_(problem.k + problem.counts_rows()), passes_(passes_for(problem.options.r, n_tallied_)),
          leaf_(problem, scorer_), k_(problem.k), zero_(problem.k, 0.0), leaf_size_(leaf_size(problem.options.r)) {
        r_ = problem.options.r;
        least_side_ = problem.min_weight;
        if (problem.unit_weights && problem.n) {
            least_side_ = std::max(least_side_, problem.options.min_rows * problem.weight[0]);
        }
    }

    int64_t n_boxes() const { return n_boxes_; }

    // The smallest bound of what is still open here: the boxes on the current path, and charts that are not begun.
    double open_bound() const {
        double smallest = pending_bound_;
        for (const Frame& frame : frames_) {
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
    void dive(const SubsetPoints& subset, Found& best, Control& control) {
        const auto accept = [&](double loss) { return loss < best.loss; };
        const auto report = [&](const Found& found) { keep(found, subset, best); };
        if (r_ > 4) try_widest_plane(subset, accept, report);
        if (enumerable(subset)) return;
        for (int chart = 0; chart < r_; ++chart) {
            begin(subset, chart);
            while (!frames_.empty()) {
                Frame& frame = frames_.back();
                expand(frame);
                const int half = frame.first;
                const bool hopeless = frame.bound[half] >= best.loss;
                if (hopeless || !enter(half, accept, report, [&] { return control.stop_now(); })) break;
            }
            arena_.release(start_);
            frames_.clear();
        }
    }

    template <class Control>
    void search(const std::shared_ptr<const SubsetPoints>& subset, IncumbentView& incumbent, Control& control) {
        const double bound = root_bound(*subset);
        pending_bound_ = bound;
        if (enumerable(*subset)) return enumerate_all(subset, bound, incumbent, control);
        for (int chart = 0; chart < r_; ++chart) {
            if (chart == r_ - 1) pending_bound_ = kInfinity;
            place_.subset = subset->rank;
            place_.path.assign(1, static_cast<uint8_t>(chart));
            if (control.stop()) control.open_bound(bound);
            else if (!incumbent.rules_out(bound, place_)) {
                begin(*subset, chart);
                run(subset, incumbent, control);
            }
        }
    }

    template <class Control>
    void resume(const Task<R>& task, IncumbentView& incumbent, Control& control) {
        place_.subset = task.subset->rank;
        place_.path = task.path;
        place_.path.push_back(1);
        if (incumbent.rules_out(task.bound, place_)) return;
        place_.path.pop_back();
        if (control.stop()) return control.open_bound(task.bound);
        pending_bound_ = kInfinity;
        points_ = &task.subset->points;
        start_ = arena_.mark();
        Frame& frame = push(task.box, task.list);
        std::copy(task.certain.begin(), task.certain.end(), frame.certain);
        frame.n_open = task.n_open;
        frame.stale = task.stale;
        std::copy(task.spread.begin(), task.spread.end(), frame.spread);
        run(task.subset, incumbent, control, 1);
    }

private:
    struct Frame {
        Box<R> box;
        List list;
        Arena::Mark mark;
        double* certain;           // class weights (and rows, where a limit counts them) certainly above
        double* above[2];          // the same in each half
        double bound[2];
        int n_uncertain[2];
        double spread[2 * (R ? R : kMaxR)];  // sums over the list: |y_j|, then the cells' half-widths
        int split = -1;            // -1: not expanded yet
        int first = 0;             // the half visited first
        int visited = 0;           // how many halves have been visited
        int n_open = 0;            // points of the list that the box is uncertain about
        int stale = 0;             // levels since these last became fewer
    };

    // Scores the plane through the points that span the set best: in many dimensions a dive may end without any plane.
    template <class Accept, class Report>
    void try_widest_plane(const SubsetPoints& subset, Accept& accept, Report& report) {
        points_ = &subset.points;
        const List list = whole(static_cast<int>(points_->levels.size()) - 1);
        int chosen[kMaxR];
        residuals_.resize(static_cast<size_t>(list.n) * r_);
        if (rank_of(list, r_, chosen, residuals_.data()) == ListRank::no_candidate) return;
        Box<R> box;
        box.chart = kEveryPlane;
        leaf_.try_points(list, box, {points_, zero_.data(), 0.0}, chosen, accept, report);
    }

    // In many dimensions halving a box separates little: few candidates are better scored one by one.
    bool enumerable(const SubsetPoints& subset) const {
        return r_ > 6 && count_combinations(subset.points.n(), r_) <= kFewCandidates;
    }

    template <class Control>
    void enumerate_all(const std::shared_ptr<const SubsetPoints>& subset, double bound, IncumbentView& incumbent,
                       Control& control) {
        points_ = &subset->points;
        place_.subset = subset->rank;
        place_.path.clear();
        if (incumbent.rules_out(bound, place_)) return;
        Box<R> box;
        box.chart = kEveryPlane;
        const LeafContext context{points_, zero_.data(), 0.0};
        const auto accept = [&](double loss) { return incumbent.accepts(loss, place_); };
        const auto report = [&](const Found& found) { offer(found, *subset, incumbent); };
        const List list = whole(static_cast<int>(points_->levels.size()) - 1);
        ++n_boxes_;
        if (!leaf_.enumerate(list, box, context, accept, report, [&] { return control.stop_now(); })) {
            control.open_bound(bound);
        }
    }

    void offer(const Found& found, const SubsetPoints& subset, IncumbentView& incumbent) {
        Found best;
        keep(found, subset, best);
        best.place = place_;
        incumbent.shared().offer(best);
    }

    std::vector<double> complete_weights(const Points& points) const {
        std::vector<double> weights(k_);
        for (int j = 0; j < k_; ++j) weights[j] = problem_.totals[j] - points.missing[j];
        return weights;
    }

    void keep(const Found& found, const SubsetPoints& subset, Found& best) {
        best = found;
        for (int i = 0; i < r_; ++i) best.rows[i] = subset.points.representative[found.rows[i]];
    }

    void begin(const SubsetPoints& subset, int chart) {
        points_ = &subset.points;
        start_ = arena_.mark();
        Box<R> box;
        box.chart = chart;
        for (int j = 0; j < r_; ++j) {
            box.w[j] = j == chart ? 1.0 : 0.0;
            box.dw[j] = j == chart ? 0.0 : 1.0;
        }
        box.b = 0;
        box.db = reach();
        Frame& frame = push(box, whole(0));
        std::fill(frame.certain, frame.certain + n_tallied_, 0.0);
        frame.n_open = frame.list.n;
        measure_spread(frame);
    }

    // All of a level.
    List whole(int level) const {
        const Level& from = points_->levels[level];
        return {from.storage.data(), from.stride, from.n, level, points_->layout.half_width(0)};
    }

    bool is_cells(const List& list) const { return list.level + 1 < static_cast<int>(points_->levels.size()); }

    // No plane of a chart that passes through a point has a larger |b|.
    double reach() const {
        double largest = 0;
        for (int i = 0; i < points_->n(); ++i) {
            double sum = 0;
            for (int j = 0; j < r_; ++j) sum += std::abs(points_->array(j)[i]);
            largest = std::max(largest, sum);
        }
        return largest + kCertain;
    }

    Frame& push(const Box<R>& box, const List& list) {
        frames_.emplace_back();
        Frame& frame = frames_.back();
        frame.box = box;
        frame.list = list;
        frame.mark = arena_.mark();
        double* counts = arena_.take(3 * static_cast<size_t>(n_tallied_));
        frame.certain = counts;
        frame.above[0] = counts + n_tallied_;
        frame.above[1] = counts + 2 * n_tallied_;
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

    void measure_spread(Frame& frame) const {
        const bool cells = is_cells(frame.list);
        for (int j = 0; j < (cells ? 2 * r_ : r_); ++j) {
            const double* array = frame.list.array(j < r_ ? j : frame.list.half_widths + j - r_);
            frame.spread[j] = absolute_sum(array, frame.list.n);
        }
    }

    // Whether the cells, rather than the box, are what makes the list uncertain.
    bool too_coarse(const Frame& frame) const {
        if (!is_cells(frame.list)) return false;
        if (frame.list.n <= kFewCells) return true;
        double box = frame.box.db * frame.list.n, cells = 0;
        for (int j = 0; j < r_; ++j) {
            box += frame.box.dw[j] * frame.spread[j];
            cells += (std::abs(frame.box.w[j]) + frame.box.dw[j]) * frame.spread[r_ + j];
        }
        return cells > kCellShare * box;
    }

    // Replaces the cells of the list by the cells or points in them.
    void refine(Frame& frame) {
        const Level& level = points_->levels[frame.list.level];
        const Level& finer = points_->levels[frame.list.level + 1];
        const double* index = frame.list.array(points_->layout.index());
        size_t n = 0;
        for (int i = 0; i < frame.list.n; ++i) {
            const int cell = static_cast<int>(index[i]);
            n += level.first[cell + 1] - level.first[cell];
        }
        const int n_arrays = points_->layout.n_arrays(finer.cells);
        const size_t stride = padded(n);
        double* base = arena_.take(stride * n_arrays);
        for (int a = 0; a < n_arrays; ++a) {
            double* target = base + a * stride;
            for (int i = 0; i < frame.list.n; ++i) {
                const int cell = static_cast<int>(index[i]);
                target = std::copy(finer.array(a) + level.first[cell], finer.array(a) + level.first[cell + 1], target);
            }
            std::fill(target, base + (a + 1) * stride, a == 0 ? kNoPoint : 0.0);
        }
        frame.list = {base, stride, static_cast<int>(n), frame.list.level + 1, frame.list.half_widths};
        frame.n_open = frame.list.n;
        measure_spread(frame);
    }

    void expand(Frame& frame) {
        n_boxes_ += 2;
        while (too_coarse(frame)) refine(frame);
        frame.split = widest(frame);
        uncertain_.resize(2 * static_cast<size_t>(n_tallied_));
        Halves halves{{frame.above[0], frame.above[1]}, {uncertain_.data(), uncertain_.data() + n_tallied_}, {0, 0}};
        const bool cells = is_cells(frame.list);
        const auto tally = cells ? passes_.tally_cell_halves : passes_.tally_halves;
        tally(frame.list, r_, n_tallied_, frame.box.view(), frame.split, halves);
        for (int half = 0; half < 2; ++half) {
            double above = 0, open = 0;
            for (int j = 0; j < n_tallied_; ++j) halves.above[half][j] += frame.certain[j];
            for (int j = 0; j < k_; ++j) {
                above += halves.above[half][j];
                open += halves.uncertain[half][j];
            }
            frame.n_uncertain[half] = halves.n_uncertain[half];
            const bool too_small = above + open + points_->missing_weight < least_side_ ||
                                   problem_.total - above < least_side_;
            frame.bound[half] = too_small || halves.n_uncertain[half] < (cells ? 1 : r_)
                                    ? kInfinity
                                    : scorer_.bound(halves.above[half], halves.uncertain[half], *points_);
        }
        frame.first = frame.bound[1] < frame.bound[0] ? 1 : 0;
    }

    // Visits one half of the top frame: enumerates it if it is small, otherwise pushes it. False if it was closed.
    template <class Accept, class Report, class Stop>
    bool enter(int half, Accept&& accept, Report&& report, Stop&& stop) {
        const size_t parent = frames_.size() - 1;
        const Box<R> box = half_of(frames_[parent].box, r_, frames_[parent].split, half);
        const int n_open = frames_[parent].n_uncertain[half];
        const int stale = n_open < frames_[parent].n_open ? 0 : frames_[parent].stale + 1;
        if (stale == 0 && n_open > kShrink * frames_[parent].list.n && n_open > 4 * leaf_size_) {
            share_list(parent, box, n_open);
            return true;
        }
        const Arena::Mark mark = arena_.mark();
        double spread[2 * (R ? R : kMaxR)];
        const List list = compact(frames_[parent], half, spread);
        const double* above = frames_[parent].above[half];
        const LeafContext context{points_, above, n_tallied_ > k_ ? above[k_] : 0.0};
        stopped_ = false;
        if (list.n == 0 || close(list, box, context, stale, accept, report, stop)) {
            arena_.release(mark);
            return false;
        }
        Frame& frame = push(box, list);
        frame.mark = mark;
        frame.n_open = n_open;
        frame.stale = stale;
        std::copy(spread, spread + 2 * r_, frame.spread);
        std::copy(frames_[parent].above[half], frames_[parent].above[half] + n_tallied_, frame.certain);
        return true;
    }

    // Pushes a child that goes on with its parent's list: copying pays only once the list has become much shorter.
    void share_list(size_t parent, const Box<R>& box, int n_open) {
        const List list = frames_[parent].list;
        Frame& frame = push(box, list);
        frame.n_open = n_open;
        std::copy(frames_[parent].spread, frames_[parent].spread + 2 * r_, frame.spread);
        std::copy(frames_[parent].certain, frames_[parent].certain + n_tallied_, frame.certain);
    }

    // Enumerates a box that is small enough, or that holds one plane or none.
    template <class Accept, class Report, class Stop>
    bool close(const List& list, const Box<R>& box, const LeafContext& context, int stale, Accept& accept, Report& report,
               Stop& stop) {
        if (is_cells(list)) return false;
        if (list.n < r_) return true;
        if (stale > r_ && list.n > leaf_size_) {
            int chosen[kMaxR];
            residuals_.resize(static_cast<size_t>(list.n) * r_);
            const ListRank rank = rank_of(list, r_, chosen, residuals_.data());
            if (rank == ListRank::no_candidate) return true;
            if (rank == ListRank::one_plane) {
                leaf_.try_points(list, box, context, chosen, accept, report);
                return true;
            }
        }
        if (list.n > leaf_size_ && !tiny(box) && !stuck(list, stale)) return false;
        stopped_ = !leaf_.enumerate(list, box, context, accept, report, stop);
        return true;
    }

    // Nearly degenerate points (columns that differ by 1e-7, say) stay uncertain until a box is as small as they are far
    // apart. The longer halving has not helped, the more selections are worth trying instead.
    bool stuck(const List& list, int stale) const {
        if (stale <= r_ || list.n > 64) return false;
        return count_combinations(list.n, r_) >> std::min(stale - r_, 30) <= kStuckCandidates;
    }

    // Splitting a box that is as small as the on-plane tolerance separates no more points.
    bool tiny(const Box<R>& box) const {
        double size = box.db;
        for (int j = 0; j < r_; ++j) size += 2 * box.dw[j];
        return size <= kOnPlane;
    }

    // Copies the points that one half of the frame's box is uncertain about into the arena.
    List compact(const Frame& frame, int half, double* spread) {
        const bool cells = is_cells(frame.list);
        const int n_arrays = points_->layout.n_arrays(cells);
        const size_t stride = padded(frame.n_uncertain[half]) + kLane;
        double* base = arena_.take(stride * n_arrays);
        std::fill(spread, spread + 2 * r_, 0.0);
        const auto pass = cells ? passes_.compact_cell_half : passes_.compact_half;
        const int n = pass(frame.list, r_, n_arrays, frame.box.view(), frame.split, half, base, stride, spread);
        for (int a = 0; a < n_arrays; ++a) {
            std::fill(base + a * stride + n, base + a * stride + padded(n), a == 0 ? kNoPoint : 0.0);
        }
        return {base, stride, n, frame.list.level, frame.list.half_widths};
    }

    template <class Control>
    void run(const std::shared_ptr<const SubsetPoints>& subset, IncumbentView& incumbent, Control& control,
             int visited = 0) {
        const size_t depth0 = place_.path.size();
        const auto accept = [&](double loss) { return incumbent.accepts(loss, place_); };
        const auto report = [&](const Found& found) { offer(found, *subset, incumbent); };
        const auto stop = [&] { return control.stop_now(); };
        expand(frames_.back());
        frames_.back().visited = visited;
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            if (frame.visited == 2) {
                arena_.release(frame.mark);
                frames_.pop_back();
                continue;
            }
            const int visit = frame.visited++;
            const int half = visit == 0 ? frame.first : 1 - frame.first;
            const double bound = frame.bound[half];
            if (bound == kInfinity) continue;
            place_.path.resize(depth0 + frames_.size() - 1);
            place_.path.push_back(static_cast<uint8_t>(visit));
            if (incumbent.rules_out(bound, place_)) continue;
            if (control.stop()) {
                control.open_bound(bound);
                continue;
            }
            if (control.wants_task()) donate(subset, depth0, control);
            if (enter(half, accept, report, stop)) expand(frames_.back());
            else if (stopped_) control.open_bound(bound);
        }
        arena_.release(start_);
        place_.path.resize(depth0);
    }

    // Gives the second half of the shallowest frame that still has it to another thread.
    template <class Control>
    void donate(const std::shared_ptr<const SubsetPoints>& subset, size_t depth0, Control& control) {
        for (size_t level = 0; level + 1 < frames_.size(); ++level) {
            Frame& frame = frames_[level];
            const int half = 1 - frame.first;
            if (frame.visited != 1 || frame.bound[half] == kInfinity) continue;
            if (!is_cells(frame.list) && frame.list.n < 4 * leaf_size_) return;
            frame.visited = 2;
            Task<R> task;
            task.subset = subset;
            task.box = frame.box;
            task.bound = frame.bound[half];
            task.certain.assign(frame.certain, frame.certain + n_tallied_);
            task.spread.assign(frame.spread, frame.spread + 2 * r_);
            task.n_open = frame.n_open;
            task.stale = frame.stale;
            const List& list = frame.list;
            task.storage.assign(list.base, list.base + list.stride * points_->layout.n_arrays(is_cells(list)));
            task.storage.resize(task.storage.size() + kLane);
            task.list = list;
            task.list.base = task.storage.data();
            task.path.assign(place_.path.begin(), place_.path.begin() + depth0 + level);
            control.give(std::move(task));
            return;
        }
    }

    const Problem& problem_;
    Scorer<Criterion> scorer_;
    int n_tallied_;  // classes, and rows as one more where a limit counts them: their array follows the classes'
    Passes passes_;
    LeafEnumerator<R, Criterion> leaf_;
    const Points* points_ = nullptr;
    int r_ = 0, k_ = 0;
    std::vector<double> zero_;
    int leaf_size_;
    double least_side_ = 0;
    bool stopped_ = false;
    double pending_bound_ = kInfinity;
    int64_t n_boxes_ = 0;
    Arena arena_;
    Arena::Mark start_{0, 0};
    std::vector<Frame> frames_;
    std::vector<double> uncertain_, residuals_;
    Place place_;
};

}  // namespace elc
