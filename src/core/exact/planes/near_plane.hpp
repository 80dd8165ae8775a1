// Many points of a box that lie near one plane, though not in it: they are divided within that plane.
//
// Rounding noise gives the points of one level of a column as many planes as there are pairs of them, all nearly the
// same, and the tolerance puts most of the points on most of those planes. A split that keeps more than that noise
// between its sides does not notice it: with the points moved into the plane it is the same linear split of them. So
// where the points that a box is uncertain about are many and near one plane, the linear splits within that plane are
// all that the box has to offer. Those that no plane makes with more than the tolerance between the sides are left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "exact/boxes/box_context.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/margin.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/planes/affine_rank.hpp"
#include "exact/planes/exact_points.hpp"
#include "exact/planes/linear_ways.hpp"
#include "exact/planes/side_scoring.hpp"
#include "exact/ties.hpp"
#include "exact/widest_tie.hpp"

namespace elc {

constexpr int kFewNearPlane = 40;    // so many points are enumerated, however near to one plane
constexpr double kNearPlane = 60;    // points within so many tolerances of a plane are near it,
constexpr double kThinPlane = 1e-4;  // if they reach so much farther within it

// Keeps the best divisions whose loss is above a floor, of those that a search would take.
class BestDivisions final : public Sink {
public:
    struct Division {
        SideChoice choice;
        std::vector<char> above;
    };

    explicit BestDivisions(Sink& search) : search_(search) {}

    const std::vector<Division>& all() const { return all_; }

    // Drops the divisions that were kept. If they are `done`, those with a larger loss count from now on.
    void pass_over(bool done) {
        if (done) floor_ = best_ + kTie;
        best_ = kInfinity;
        all_.clear();
    }

    void keep(const SideChoice& choice, const std::vector<char>& above) {
        if (choice.loss < best_ - kTie) all_.clear(), has_left_out_ = false;
        best_ = std::min(best_, choice.loss);
        if (all_.size() * above.size() < kMostPlaces) all_.push_back({choice, above});
        else has_left_out_ = true;
    }

    // Whether there were too many equally good divisions to keep them all.
    bool has_left_out() const { return has_left_out_; }

    bool accepts(double loss) override { return loss > floor_ && loss <= best_ + kTie && search_.accepts(loss); }
    double ceiling() override { return std::min(best_ + kTie, search_.ceiling()); }
    void take(const FoundSplit&) override {}
    bool stop() override { return search_.stop(); }

private:
    static constexpr size_t kMostPlaces = 1 << 22;  // in all divisions

    Sink& search_;
    double floor_ = -kInfinity, best_ = kInfinity;
    bool has_left_out_ = false;
    std::vector<Division> all_;
};

template <int R, class Criterion>
class NearPlane {
public:
    NearPlane(const ExactNode& node, SideScoring<Criterion>& sides) : node_(node), sides_(sides), ways_(node, sides) {
        found_.plane.w.resize(node.options.r);
        found_.rows.resize(node.options.r);
        found_.divides_on = true;
    }

    // Begins a feature set: no points have been divided yet.
    void forget() { dismissed_.clear(); }

    // Whether a split whose plane lies in the box may be accepted, if the points that no plane of the box passes
    // through are on the side where they are: the tolerance is not there for them to change sides.
    bool may_be_accepted(const ExactPoints& points, const BoxContext<R>& context, Sink& sink) {
        points_ = &points;
        context_ = context;
        tally();
        free_.assign(node_.width, 0.0);
        for (int i = 0; i < points.n_selectable(); ++i)
            for (int c = 0; c < node_.width; ++c) free_[c] += points.list().array(order() + c)[i];
        return sink.accepts(sides_.bound_together(above_.data(), free_.data(), context.subset->points.missing));
    }

    // Takes every division of the selectable points within the plane of `selection`, near which they all lie.
    // Unsettled if there are divisions that cannot be looked at.
    FlatResult divide(const ExactPoints& points, const BoxContext<R>& context, const std::vector<int>& selection,
                      const std::vector<double>& normal, Sink& sink) {
        points_ = &points;
        context_ = context;
        found_.on = context.subset->points.tolerance.on;
        for (int i = 0; i < order(); ++i) found_.rows[i] = row_at(selection[i]);
        tally();
        const PartitionKey key = key_of_tally();
        if (dismissed_.count(key) > 0) return FlatResult::settled;
        on_.resize(points.n_selectable());
        std::iota(on_.begin(), on_.end(), 0);
        BestDivisions best(sink);
        const auto keep = [&](const SideChoice& choice, const std::vector<char>& above) { best.keep(choice, above); };
        WholeProblem whole;
        for (bool is_first = true;; is_first = false) {
            if (!ways_.divide(points, on_, scaled_normal(normal), found_.on, above_.data(),
                              context.subset->points.missing, best, whole, keep))
                return FlatResult::stopped;
            if (best.all().empty()) {
                if (is_first) dismissed_.insert(key);
                return FlatResult::settled;
            }
            if (take(best.all(), sink)) return FlatResult::settled;
            if (best.has_left_out()) return FlatResult::unsettled;
            if (sink.stop()) return FlatResult::stopped;
            best.pass_over(order() == 2);
            if (order() == 2) continue;
            // In more dimensions a search keeps the best divisions alone: from now on, of those that a plane makes.
            whole.is_linear = [&](const std::vector<char>& above) { return set_plane(above); };
            whole.in_doubt = true;
        }
    }

private:
    int order() const { return R ? R : node_.options.r; }

    int32_t row_at(int point) const { return context_.subset->points.representative[points_->entry(point)]; }

    static std::vector<double> scaled_normal(std::vector<double> normal) {
        double longest = 0;
        for (double x : normal) longest = std::max(longest, std::abs(x));
        for (double& x : normal) x /= longest;
        return normal;
    }

    // Takes the divisions that a plane makes; false if there is none.
    bool take(const std::vector<BestDivisions::Division>& divisions, Sink& sink) {
        bool is_taken = false;
        for (const BestDivisions::Division& division : divisions) {
            if (!set_plane(division.above) || (node_.is_linear && !node_.is_linear(found_))) continue;
            found_.loss = division.choice.loss;
            found_.missing_above = division.choice.missing_above;
            if (sink.accepts(found_.loss)) sink.take(found_);
            is_taken = true;
        }
        return is_taken;
    }

    // What is above the box, with those of the list's points that no plane of the box passes through.
    void tally() {
        above_.assign(context_.certain_above, context_.certain_above + node_.width);
        for (int i = points_->n_selectable(); i < points_->list().n; ++i) {
            if (value_of([&](int j) { return points_->coordinate(i, j); }) < 0) continue;
            for (int c = 0; c < node_.width; ++c) above_[c] += points_->list().array(order() + c)[i];
        }
    }

    // Of a point beside the planes of the box.
    template <class Point>
    double value_of(const Point& x) const {
        for (const OuterBox<R>& outer : *context_.outer) {
            const ValueRange range = outer.box.range_of(order(), x);
            if (std::abs(range.value) > range.radius + context_.subset->points.tolerance.certain) return range.value;
        }
        return context_.box->range_of(order(), x).value;
    }

    // Of the points and the weights above them: what the losses of their divisions depend on.
    PartitionKey key_of_tally() const {
        PartitionKey key;
        for (int i = 0; i < points_->n_selectable(); ++i) key = key + row_key(row_at(i));
        for (double weight : above_) key = key.mixed_with(weight);
        return key;
    }

    // Sets the plane with the widest margin between the sides; false if it is not wider than the tolerance.
    bool set_plane(const std::vector<char>& above) {
        const std::vector<int>& features = context_.subset->features;
        const std::vector<int8_t> side = sides_with(above);
        if (!(half_margin(margin_, points_of(node_, features, side), features.size()) > found_.on)) return false;
        found_.plane.w = scaled_normal(margin_.normal());
        double lowest = kInfinity, highest = -kInfinity;
        for (int i = 0; i < node_.n; ++i) {
            if (side[i] == static_cast<int8_t>(Side::unknown)) continue;
            double value = 0;
            for (int j = 0; j < order(); ++j) value += found_.plane.w[j] * node_.column(features[j])[i];
            if (side[i] == static_cast<int8_t>(Side::left)) lowest = std::min(lowest, value);
            else highest = std::max(highest, value);
        }
        found_.plane.b = lowest - (lowest - highest) / 2;
        return lowest - found_.plane.b > found_.on && found_.plane.b - highest > found_.on;
    }

    // The sides of all rows with those points above, by sorted row.
    std::vector<int8_t> sides_with(const std::vector<char>& above) {
        const std::vector<int>& features = context_.subset->features;
        std::vector<int32_t> below;
        found_.above_on.clear();
        for (size_t q = 0; q < above.size(); ++q) (above[q] ? found_.above_on : below).push_back(row_at(on_[q]));
        const Places places_above(node_, features, found_.above_on), places_below(node_, features, below);
        std::vector<int8_t> side(node_.n, static_cast<int8_t>(Side::unknown));
        for (int i = 0; i < node_.n; ++i) {
            if (std::any_of(features.begin(), features.end(), [&](int f) { return node_.codes(f)[i] < 0; })) continue;
            const auto x = [&](int j) { return node_.column(features[j])[i]; };
            const bool left = places_above.hold(i) || (!places_below.hold(i) && value_of(x) > 0);
            side[i] = static_cast<int8_t>(left ? Side::left : Side::right);
        }
        return side;
    }

    const ExactNode& node_;
    SideScoring<Criterion>& sides_;
    LinearWays<Criterion> ways_;
    MarginFinder margin_;
    const ExactPoints* points_ = nullptr;
    BoxContext<R> context_;
    std::vector<double> above_, free_;
    std::vector<int> on_;
    std::set<PartitionKey> dismissed_;  // points none of whose divisions was accepted
    FoundSplit found_;
};

}  // namespace elc
