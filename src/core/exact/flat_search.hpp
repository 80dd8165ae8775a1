// The search among the ways to divide many points on one plane: a node problem one dimension down.
//
// The points on the plane are the rows of a node of their own, in as many of their features as tell them apart. What is
// above the plane is above every split of that node; since both sides of a split may join it, the node is searched
// twice, with what is above the plane and with what is below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "exact/boxes/subset_search.hpp"
#include "exact/incumbent.hpp"
#include "exact/node/make_exact_node.hpp"
#include "exact/partition.hpp"
#include "exact/planes/linear_ways.hpp"
#include "exact/points/point_maker.hpp"

namespace elc {

// Ends with the search that asked.
template <int R>
class FlatControl final : public SearchControl<R> {
public:
    explicit FlatControl(Sink& sink) : sink_(sink) {}

    bool stop() override { return stopped_ || (++n_asked_ % kBoxesBetweenLooks == 0 && stop_now()); }
    bool stop_now() override { return stopped_ = stopped_ || sink_.stop(); }
    bool wants_half() override { return false; }
    void give(DonatedHalf<R>&&) override {}
    void leave_open(double) override { stopped_ = true; }
    bool stopped() const { return stopped_; }

private:
    static constexpr uint64_t kBoxesBetweenLooks = 256;

    Sink& sink_;
    bool stopped_ = false;
    uint64_t n_asked_ = 0;
};

template <class Criterion>
class FlatSearch {
public:
    FlatSearch(LinearWays<Criterion>& ways, const std::vector<int>& open, const FlatCoordinates& flat)
        : ways_(ways), open_(open) {
        make_node(flat);
        make_points();
    }

    // Offers the divisions with what is above the plane (`turned` is false) or with what is below it.
    template <class Offer>
    bool run(bool turned, const Offer& offer) {
        set_base(turned);
        node_.options.must_beat = ways_.sink().ceiling() + 2 * kTie;
        switch (node_.options.r) {
            case 2: return search<2>(turned, offer);
            case 3: return search<3>(turned, offer);
            default: return search<0>(turned, offer);
        }
    }

private:
    // A row for each class at each point; totals and limits are those of the whole problem.
    void make_node(const FlatCoordinates& flat) {
        const ExactNode& whole = ways_.node();
        node_.m = flat.dimension();
        node_.k = whole.k;
        node_.options = whole.options;
        node_.options.r = node_.m;
        node_.options.min_rows = 1;  // asked of the whole split
        node_.totals = whole.totals;
        node_.total = whole.total;
        node_.min_weight = whole.min_weight;
        node_.class_begin.assign(1, 0);
        for (int c = 0; c < node_.k; ++c) {
            for (size_t i = 0; i < open_.size(); ++i) {
                const double weight = ways_.weight(open_[i], c);
                if (weight == 0) continue;
                point_.push_back(static_cast<int>(i));
                node_.y.push_back(c);
                node_.weight.push_back(weight);
                node_.unit_weights = node_.unit_weights && weight == 1;
            }
            node_.class_begin.push_back(static_cast<int32_t>(point_.size()));
        }
        node_.n = static_cast<int>(point_.size());
        for (int j = 0; j < node_.m; ++j)
            for (int point : point_) node_.x.push_back(flat.coordinate(point, j));
        node_.code.resize(node_.x.size());
        node_.quantile.resize(node_.x.size());
        node_.n_distinct.assign(node_.m, 0);
        node_.has_missing.assign(node_.m, 0);
        node_.half.assign(node_.m, 1.0);
        prepare_columns(node_, false);
    }

    void make_points() {
        subset_->features.resize(node_.m);
        std::iota(subset_->features.begin(), subset_->features.end(), 0);
        PointMaker().make(node_, subset_->features, subset_->points);
        Points& points = subset_->points;
        points.missing = ways_.missing();
        points.free.assign(node_.k, 0.0);
        for (int i = 0; i < node_.n; ++i) points.free[node_.y[i]] += node_.weight[i];
    }

    void set_base(bool turned) {
        Points& points = subset_->points;
        points.base = ways_.above();
        if (!turned) return;
        for (int c = 0; c < node_.k; ++c)
            points.base[c] = node_.totals[c] - points.base[c] - points.free[c] - points.missing.weights[c];
    }

    template <int R, class Offer>
    bool search(bool turned, const Offer& offer) {
        const auto key = [this](const FoundSplit& found) { return key_of(partition(node_, subset_->features, found)); };
        Incumbent incumbent(true, node_.options.must_beat, key);
        IncumbentView view(incumbent);
        FlatControl<R> control(ways_.sink());
        SubsetSearch<R, Criterion>(node_, ways_.criterion()).search(subset_, view, control);
        for (const Ties::Tie& tie : incumbent.ties().all()) offer_tie(tie.found, turned, offer);
        return !control.stopped();
    }

    template <class Offer>
    void offer_tie(const FoundSplit& found, bool turned, const Offer& offer) {
        const std::vector<int8_t> side = partition(node_, subset_->features, found);
        std::vector<char> is_above(open_.size(), 0);
        for (int i = 0; i < node_.n; ++i) is_above[point_[i]] = (side[i] == static_cast<int8_t>(Side::left)) != turned;
        for (size_t i = 0; i < open_.size(); ++i)
            if (is_above[i]) ways_.put_above(open_[i], true);
        ways_.offer_division(offer);
        for (size_t i = 0; i < open_.size(); ++i)
            if (is_above[i]) ways_.put_above(open_[i], false);
    }

    LinearWays<Criterion>& ways_;
    const std::vector<int>& open_;
    ExactNode node_;
    std::vector<int> point_;  // of each row
    std::shared_ptr<SubsetPoints> subset_ = std::make_shared<SubsetPoints>();
};

template <class Criterion, class Offer>
bool search_flat(LinearWays<Criterion>& ways, const std::vector<int>& open, const FlatCoordinates& flat,
                 const Offer& offer) {
    FlatSearch<Criterion> search(ways, open, flat);
    // All of them on one side: no plane of theirs says so.
    ways.offer_division(offer);
    for (int position : open) ways.put_above(position, true);
    ways.offer_division(offer);
    for (int position : open) ways.put_above(position, false);
    return search.run(false, offer) && search.run(true, offer);
}

}  // namespace elc
