// Every linear way to divide the points on a plane between its two sides.
//
// A plane that separates two sets of points can be turned until r independent points lie on it; turned back a little,
// it divides the points that are on it by a plane within that plane, one dimension down. So all linear splits are found
// at the planes through r points if the points on each are divided in every linear way, recursively: independent points
// in every way at all; points on a line at every threshold; others by every flat of one dimension less through some of
// them, with the rest on its two sides. Many points on one plane (the zeros of a column, say) are a search of their own
// (see flat_search.hpp). Points at one place are one point here and stay together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "exact/boxes/sink.hpp"
#include "exact/node/combinations.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/doubt.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/flat_coordinates.hpp"
#include "exact/planes/plane_through.hpp"
#include "exact/planes/side_scoring.hpp"

namespace elc {

constexpr size_t kFewOnPlane = 10;  // so many points are divided by every flat; more are searched

template <class Criterion>
class LinearWays;

// Offers every way to divide the open points of `ways` that may be accepted; see flat_search.hpp.
template <class Criterion, class Offer>
bool search_flat(LinearWays<Criterion>& ways, const std::vector<int>& open, const FlatCoordinates& flat,
                 const Offer& offer);

template <class Criterion>
class LinearWays {
public:
    LinearWays(const ExactNode& node, SideScoring<Criterion>& sides)
        : node_(node), sides_(sides), r_(node.options.r), width_(node.width), side_(node.width), free_(node.width) {}

    // Calls offer(choice, above) for every way to divide the points on a plane with coefficients `w` whose loss the
    // sink accepts: `above[i]` says whether on[i] is above. `near` is the tolerance, `counts` the side strictly above
    // the plane. False if the sink asked to end early.
    template <class Offer>
    bool divide(const ExactPoints& points, const std::vector<int>& on, const std::vector<double>& w, double near,
                const double* counts, const MissingBlock& missing, Sink& sink, const WholeProblem& whole,
                const Offer& offer) {
        points_ = &points;
        near_ = near;
        whole_ = whole;
        n_doubts_ = whole.in_doubt;
        missing_ = &missing;
        sink_ = &sink;
        on_ = &on;
        above_.assign(on.size(), 0);
        std::copy(counts, counts + width_, side_.begin());
        std::vector<int> open(on.size());
        std::iota(open.begin(), open.end(), 0);
        std::vector<int> columns(r_);
        std::iota(columns.begin(), columns.end(), 0);
        return divide(open, without_longest(columns, w), offer);
    }

    const ExactNode& node() const { return node_; }
    const Criterion& criterion() const { return sides_.criterion(); }
    const MissingBlock& missing() const { return *missing_; }
    const std::vector<double>& above() const { return side_; }  // what is above so far
    Sink& sink() { return *sink_; }

    // The c-th number that tells of a point as a side.
    double weight(int position, int c) const { return points_->list().array(r_ + c)[(*on_)[position]]; }

    // Puts a point above the plane, or takes it back.
    void put_above(int position, bool is_above) {
        above_[position] = is_above;
        for (int c = 0; c < width_; ++c) side_[c] += is_above ? weight(position, c) : -weight(position, c);
    }

    // The rows of the whole problem above the division as it stands.
    double rows_above() const { return whole_.rows_above(above_); }

    // Whether the tolerance may have made a division of what no plane divides so; whether it is a linear split is then
    // to be asked.
    bool in_doubt() const { return n_doubts_ > 0; }
    bool asks_if_linear() const { return static_cast<bool>(whole_.is_linear); }
    bool is_linear() const { return whole_.is_linear(above_); }

    // All of the open points on one side, and on the other.
    template <class Offer>
    void offer_together(const std::vector<int>& open, const Offer& offer) {
        offer_division(offer);
        for (int position : open) put_above(position, true);
        offer_division(offer);
        for (int position : open) put_above(position, false);
    }

    // Offers the division as it stands, if it is accepted.
    template <class Offer>
    void offer_division(const Offer& offer) {
        const SideChoice choice = sides_.best_missing_side(side_.data(), *missing_);
        if (choice.loss < kInfinity && sink_->accepts(choice.loss)) offer(choice, above_);
    }

private:
    // Whether some way to divide the open points, linear or not, may be accepted.
    bool may_be_accepted(const std::vector<int>& open, size_t from = 0) {
        std::fill(free_.begin(), free_.end(), 0.0);
        for (size_t i = from; i < open.size(); ++i)
            for (int c = 0; c < width_; ++c) free_[c] += weight(open[i], c);
        return sink_->accepts(sides_.bound_together(side_.data(), free_.data(), *missing_));
    }

    // The open points are told apart by these columns.
    template <class Offer>
    bool divide(const std::vector<int>& open, const std::vector<int>& columns, const Offer& offer) {
        if (!may_be_accepted(open)) return true;
        FlatCoordinates flat;
        if (open.size() > 1) flat.find(*points_, *on_, open, columns, near_);
        const int dimension = flat.dimension();
        const Doubt doubt(n_doubts_, flat.distance() > kCoplanarByRounding);
        if (open.size() <= static_cast<size_t>(dimension) + 1) return divide_independent(open, 0, offer);
        if (dimension == 0) {
            offer_together(open, offer);
            return true;
        }
        if (dimension == 1) return divide_line(open, flat, offer);
        // A search keeps the best divisions alone, which constraints on their direction may forbid.
        const bool searches = open.size() > kFewOnPlane && !node_.options.monotone.is_set();
        if (searches) return search_flat(*this, open, flat, offer);
        return divide_by_flats(open, flat, offer);
    }

    // At every threshold, the points after it above or those before it; and all on one side.
    template <class Offer>
    bool divide_line(const std::vector<int>& open, const FlatCoordinates& flat, const Offer& offer) {
        std::vector<int> order(open.size());
        for (size_t i = 0; i < open.size(); ++i) order[i] = static_cast<int>(i);
        const auto value = [&](int i) { return flat.coordinate(i, 0); };
        std::sort(order.begin(), order.end(), [&](int a, int b) { return value(a) < value(b); });
        offer_together(open, offer);
        for (int turn = 0; turn < 2; ++turn, std::reverse(order.begin(), order.end())) {
            for (size_t q = 0; q + 1 < order.size(); ++q) {
                put_above(open[order[q]], true);
                if (std::abs(value(order[q + 1]) - value(order[q])) > near_) offer_division(offer);
            }
            for (size_t q = 0; q + 1 < order.size(); ++q) put_above(open[order[q]], false);
        }
        return true;
    }

    template <class Offer>
    bool divide_independent(const std::vector<int>& open, size_t next, const Offer& offer) {
        if (next == open.size()) {
            offer_division(offer);
            return true;
        }
        if (next + 2 < open.size() && next > 0 && !may_be_accepted(open, next)) return true;
        divide_independent(open, next + 1, offer);
        put_above(open[next], true);
        divide_independent(open, next + 1, offer);
        put_above(open[next], false);
        return true;
    }

    // By every flat through `dimension` independent ones of the open points, in both orientations; and all on one side.
    template <class Offer>
    bool divide_by_flats(const std::vector<int>& open, const FlatCoordinates& flat, const Offer& offer) {
        const int d = flat.dimension(), n = static_cast<int>(open.size());
        std::vector<int> chosen(d);
        for (int i = 0; i < d; ++i) chosen[i] = i;
        std::vector<std::vector<char>> seen;  // of each flat with more points than define it, those that lie in it
        PlaneMaker<0> maker;
        Plane plane;
        plane.w.resize(d);
        std::vector<double> corners(static_cast<size_t>(d) * d), values(n);
        offer_together(open, offer);
        do {
            if (are_inside_one(seen, chosen)) continue;
            if (!make_flat(flat, chosen, maker, corners, plane)) continue;
            std::vector<int> on;
            std::vector<char> is_on(n, 0), is_inside(n, 0);  // within the tolerance; up to rounding
            bool is_blurred = false;                         // some are the former alone
            for (int i = 0; i < n; ++i) {
                values[i] = flat.value(i, plane.w.data()) - plane.b;
                is_inside[i] = std::abs(values[i]) <= kCoplanarByRounding;
                if (std::abs(values[i]) > near_) continue;
                is_blurred = is_blurred || !is_inside[i];
                is_on[i] = 1;
                on.push_back(open[i]);
            }
            if (std::count(is_inside.begin(), is_inside.end(), 1) > d) seen.push_back(is_inside);
            const Doubt doubt(n_doubts_, is_blurred);
            const std::vector<int> columns = without_longest(flat.columns(), plane.w);
            for (double orientation : {1.0, -1.0}) {
                for (int i = 0; i < n; ++i)
                    if (!is_on[i] && values[i] * orientation > 0) put_above(open[i], true);
                const bool goes_on = divide(on, columns, offer);
                for (int i = 0; i < n; ++i)
                    if (!is_on[i] && values[i] * orientation > 0) put_above(open[i], false);
                if (!goes_on) return false;
            }
            if (++n_flats_ % kFlatsBetweenStops == 0 && sink_->stop()) return false;
        } while (next_combination(chosen, n));
        return true;
    }

    static bool are_inside_one(const std::vector<std::vector<char>>& seen, const std::vector<int>& chosen) {
        for (const std::vector<char>& is_inside : seen) {
            bool inside = true;
            for (size_t i = 0; i < chosen.size() && inside; ++i) inside = is_inside[chosen[i]];
            if (inside) return true;
        }
        return false;
    }

    static bool make_flat(const FlatCoordinates& flat, const std::vector<int>& chosen, PlaneMaker<0>& maker,
                          std::vector<double>& corners, Plane& plane) {
        const int d = flat.dimension();
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < d; ++j) corners[i * d + j] = flat.coordinate(chosen[i], j);
        return maker.through(corners.data(), d, plane);
    }

    static constexpr int64_t kFlatsBetweenStops = 4096;

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    int r_, width_;
    const ExactPoints* points_ = nullptr;
    const MissingBlock* missing_ = nullptr;
    const std::vector<int>* on_ = nullptr;
    Sink* sink_ = nullptr;
    double near_ = kOnPlane;  // points are told apart by more
    int64_t n_flats_ = 0;
    WholeProblem whole_;
    int n_doubts_ = 0;
    std::vector<char> above_;          // by position among the points on the plane
    std::vector<double> side_, free_;  // what is above, and the open points
};

}  // namespace elc
