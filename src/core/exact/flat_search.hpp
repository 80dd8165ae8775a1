// The search among the ways to divide many points on one plane: a node problem one dimension down.
//
// The points on the plane are the rows of a node of their own, in as many of their features as tell them apart. What is
// above the plane is above every split of that node; since both sides of a split may join it, the node is searched
// twice, with what is above the plane and with what is below it.
#pragma once

#include <algorithm>
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
        : ways_(ways), open_(open), criterion_(ways.criterion()) {
        make_node(flat);
        make_points();
    }

    // Offers the divisions with what is above the plane (`turned` is false) or with what is below it.
    template <class Offer>
    bool run(bool turned, const Offer& offer) {
        turned_ = turned;
        set_base();
        node_.options.must_beat = ways_.sink().ceiling() + 2 * kTie;
        switch (node_.options.r) {
            case 2: return search<2>(offer);
            case 3: return search<3>(offer);
            default: return search<0>(offer);
        }
    }

private:
    // A row for each class at each point, or for each point; totals and limits are those of the whole problem.
    void make_node(const FlatCoordinates& flat) {
        const ExactNode& whole = ways_.node();
        node_.m = flat.dimension();
        node_.has_numbers = whole.has_numbers;
        node_.set_classes(whole.k);
        node_.options = whole.options;
        node_.options.r = node_.m;
        node_.n_of_whole = whole.n_of_whole;
        node_.options.min_rows = 1;
        if (whole.counts_rows()) {
            node_.options.min_rows = whole.options.min_rows;
            node_.rows_above = [this](const FoundSplit& found) { return count_rows_above(found); };
        }
        if (ways_.asks_if_linear()) {
            node_.is_linear = [this](const FoundSplit& found) { return is_linear(found); };
            node_.in_doubt = ways_.in_doubt();
        }
        node_.totals = whole.totals;
        node_.total = whole.total;
        node_.min_weight = whole.min_weight;
        if constexpr (kOfNumbers<Criterion>) add_numbers();
        else add_classes();
        for (double weight : node_.weight) node_.unit_weights = node_.unit_weights && weight == 1;
        node_.n = static_cast<int>(point_.size());
        for (int j = 0; j < node_.m; ++j)
            for (int point : point_) node_.x.push_back(flat.coordinate(point, j));
        node_.code.resize(node_.x.size());
        node_.quantile.resize(node_.x.size());
        node_.n_distinct.assign(node_.m, 0);
        node_.has_missing.assign(node_.m, 0);
        node_.half.assign(node_.m, 1.0);
        node_.rounding.assign(node_.m, *std::max_element(whole.rounding.begin(), whole.rounding.end()));
        prepare_columns(node_, false);
    }

    void add_classes() {
        node_.class_begin.assign(1, 0);
        for (int c = 0; c < node_.k; ++c) {
            for (size_t i = 0; i < open_.size(); ++i) {
                const double weight = ways_.weight(open_[i], c);
                if (weight == 0) continue;
                point_.push_back(static_cast<int>(i));
                node_.y.push_back(c);
                node_.weight.push_back(weight);
            }
            node_.class_begin.push_back(static_cast<int32_t>(point_.size()));
        }
    }

    // In bins of their own: a point may have rows of several bins of the whole problem.
    void add_numbers() {
        const auto number = [&](int i) { return ways_.weight(open_[i], 1) / ways_.weight(open_[i], 0); };
        point_.resize(open_.size());
        std::iota(point_.begin(), point_.end(), 0);
        std::sort(point_.begin(), point_.end(), [&](int a, int b) { return number(a) < number(b); });
        const size_t n = point_.size(), k = std::min<size_t>(n, kMostBins);
        node_.set_classes(static_cast<int>(k));
        node_.class_begin.assign(k + 1, static_cast<int32_t>(n));
        std::vector<double> low(k), high(k);
        for (size_t i = n; i-- > 0;) {
            const size_t bin = i * k / n;
            node_.class_begin[bin] = static_cast<int32_t>(i);
            low[bin] = number(point_[i]);
            if (i + 1 == n || (i + 1) * k / n != bin) high[bin] = low[bin];
        }
        for (size_t i = 0; i < n; ++i) {
            node_.y.push_back(static_cast<int32_t>(i * k / n));
            node_.weight.push_back(ways_.weight(open_[point_[i]], 0));
            node_.moment.push_back(ways_.weight(open_[point_[i]], 1));
        }
        criterion_ = criterion_.with_bins(low, high);
    }

    void make_points() {
        subset_->features.resize(node_.m);
        std::iota(subset_->features.begin(), subset_->features.end(), 0);
        PointMaker().make(node_, subset_->features, subset_->points);
        subset_->points.missing = ways_.missing();
    }

    void set_base() {
        Points& points = subset_->points;
        points.base = ways_.above();
        if (!turned_) return;
        std::vector<double> open(node_.width, 0.0);
        for (int i = 0; i < node_.n; ++i) node_.add_to_side(open.data(), i);
        for (int c = 0; c < node_.width; ++c)
            points.base[c] = node_.totals[c] - points.base[c] - open[c] - points.missing.side[c];
    }

    template <int R, class Offer>
    bool search(const Offer& offer) {
        const auto key = [this](const FoundSplit& found) { return key_of(partition(node_, subset_->features, found)); };
        Incumbent incumbent(true, node_.options.must_beat, key);
        IncumbentView view(incumbent);
        FlatControl<R> control(ways_.sink());
        SubsetSearch<R, Criterion>(node_, criterion_).search(subset_, {}, view, control);
        for (const Ties::Tie& tie : incumbent.ties().all())
            with_division(tie.found, [&] { ways_.offer_division(offer); });
        return !control.stopped();
    }

    // Divides the points on the plane as a split of the node does while `use` is called.
    template <class Use>
    void with_division(const FoundSplit& found, const Use& use) {
        const std::vector<int8_t> side = partition(node_, subset_->features, found);
        std::vector<char> is_above(open_.size(), 0);
        for (int i = 0; i < node_.n; ++i) is_above[point_[i]] = (side[i] == static_cast<int8_t>(Side::left)) != turned_;
        for (size_t i = 0; i < open_.size(); ++i)
            if (is_above[i]) ways_.put_above(open_[i], true);
        use();
        for (size_t i = 0; i < open_.size(); ++i)
            if (is_above[i]) ways_.put_above(open_[i], false);
    }

    // The whole problem's complete rows above a split of the node.
    double count_rows_above(const FoundSplit& found) {
        double rows = 0;
        with_division(found, [&] { rows = ways_.rows_above(); });
        return turned_ ? node_.n_of_whole - ways_.missing().rows - rows : rows;
    }

    bool is_linear(const FoundSplit& found) {
        bool linear = false;
        with_division(found, [&] { linear = ways_.is_linear(); });
        return linear;
    }

    LinearWays<Criterion>& ways_;
    const std::vector<int>& open_;
    Criterion criterion_;  // of the whole problem, in the node's own bins
    bool turned_ = false;  // what is below the plane is above the node's splits
    ExactNode node_;
    std::vector<int> point_;  // of each row
    std::shared_ptr<SubsetPoints> subset_ = std::make_shared<SubsetPoints>();
};

template <class Criterion, class Offer>
bool search_flat(LinearWays<Criterion>& ways, const std::vector<int>& open, const FlatCoordinates& flat,
                 const Offer& offer) {
    FlatSearch<Criterion> search(ways, open, flat);
    ways.offer_together(open, offer);  // no plane of theirs says so
    return search.run(false, offer) && search.run(true, offer);
}

}  // namespace elc
