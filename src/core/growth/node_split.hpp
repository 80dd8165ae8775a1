// The split of one node while a tree is grown: searched on the features that it may use, named, placed and checked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "criteria/dispatch.hpp"
#include "exact/node/make_exact_node.hpp"
#include "exact/partition.hpp"
#include "exact/search.hpp"
#include "growth/growth_options.hpp"
#include "growth/node_table.hpp"
#include "growth/placed_split.hpp"
#include "growth/placement.hpp"
#include "growth/statistics.hpp"
#include "predict.hpp"

namespace elc {

class NodeSplitter {
public:
    // `table` is the whole matrix with all labels.
    NodeSplitter(const RowView& table, const LabelStatistics& labels, const GrowthOptions& options,
                 const KeepSearching& keep_searching)
        : table_(table), labels_(labels), options_(options), keep_searching_(keep_searching), search_(options.search) {}

    // The best split on the given features, ascending. `interrupted` is set where the search was ended.
    void find(const NodeRows& node, const std::vector<int32_t>& features, PlacedSplit& split) {
        own_.gather(table_, node, features);
        ask(node, static_cast<int>(features.size()));
        search_.linear_only = false;
        search_and_place(node, features, split);
    }

    // Of each of the node's rows, whether it goes left under the split found last.
    const std::vector<char>& left() const { return left_; }

    bool interrupted = false;

private:
    // The best split. Where double cannot express it, the best of those is searched for that a plane makes, and not by
    // rounding alone.
    void search_and_place(const NodeRows& node, const std::vector<int32_t>& features, PlacedSplit& split) {
        split = PlacedSplit();
        exact_ = make_exact_node(own_.view(), search_);
        const SearchAnswer answer = search(exact_, keep_searching_);
        interrupted = interrupted || answer.interrupted;
        if (answer.interrupted || !answer.has_split()) return;
        for (int j : answer.features) split.features.push_back(features[j]);
        split.score = score_of(node, answer.found.loss);
        split.bound = score_of(node, answer.bound);
        split.proven = answer.proven;
        split.n_candidates = count_candidates(node.n, static_cast<int>(features.size()), search_.r);
        take_sides(answer);
        take_weights(answer, split);
        name_sides(node, split);
        if (place(node, answer, split) || search_.linear_only) return;
        search_.linear_only = true;
        PlacedSplit other;
        const std::vector<char> left = left_;
        search_and_place(node, features, other);
        if (!take_better(other, split, sign(), labels_.impurity(node.value))) left_ = left;
    }

    // Puts the node's own prices into the options of the search.
    void ask(const NodeRows& node, int m) {
        search_.r = std::min(options_.search.r, m);
        search_.min_weight = options_.search.min_weight;
        search_.prices.clear();
        search_.must_beat = kInfinity;
        search_.bits_of = options_.has_price && labels_.are_numbers() ? node.weight : 0.0;
        if (!options_.has_price) return;
        for (int size = 1; size <= search_.r; ++size)
            search_.prices.push_back(options_.price * bits_to_name(node.weight, m, size) / node.weight);
        search_.must_beat = -(options_.price * options_.min_saving * labels_.n_fitted(node.value)) / node.weight;
    }

    // Scores times this are losses.
    double sign() const { return options_.has_price || options_.is_gain ? -1.0 : 1.0; }

    // The criterion's own units.
    double score_of(const NodeRows& node, double loss) const {
        if (options_.has_price) return -loss * node.weight;
        if (labels_.are_numbers() && loss < kInfinity) return loss * labels_.impurity(node.value);
        return options_.is_gain ? -loss : loss;
    }

    void take_sides(const SearchAnswer& answer) {
        const std::vector<int8_t> side = partition(exact_, answer.features, answer.found);
        const bool missing_left = missing_goes_left(exact_, answer.found, side);
        side_.resize(side.size());
        left_.resize(side.size());
        for (int i = 0; i < exact_.n; ++i) {
            const int64_t row = exact_.caller_row[i];
            side_[row] = side[i];
            const bool unknown = side[i] == static_cast<int8_t>(Side::unknown);
            left_[row] = unknown ? missing_left : side[i] == static_cast<int8_t>(Side::left);
        }
    }

    // The normal that points to the left side, in the data's units.
    void take_weights(const SearchAnswer& answer, PlacedSplit& split) const {
        for (size_t j = 0; j < answer.features.size(); ++j) {
            const double across = answer.normal.empty() ? answer.found.plane.w[j] : answer.normal[j];
            const double sign = answer.found.on_above ? 1.0 : -1.0;
            split.weights.push_back(sign * across / exact_.half[answer.features[j]]);
        }
        if (split.weights.size() == 1) split.weights[0] = (split.weights[0] > 0) - (split.weights[0] < 0);
    }

    // Names the sides as the labels have them, or so that left is the side without missing values.
    void name_sides(const NodeRows& node, PlacedSplit& split) {
        measure_sides(node);
        bool turned = labels_.is_turned(left_value_.data(), right_value_.data());
        int64_t absent = 0;
        while (absent < node.n && side_[absent] != static_cast<int8_t>(Side::unknown)) ++absent;
        const bool has_absent = absent < node.n;
        if (search_.missing == MissingMode::right) turned = has_absent && left_[absent];
        if (turned) {
            for (char& left : left_) left = !left;
            for (double& weight : split.weights) weight = -weight;
            std::swap(left_weight_, right_weight_);
            left_value_.swap(right_value_);
        }
        const bool heavier_left = search_.missing == MissingMode::learn && 2 * left_weight_ >= node.weight;
        split.missing_left = has_absent ? left_[absent] != 0 : heavier_left;
    }

    void measure_sides(const NodeRows& node) {
        rows_[0].clear(), rows_[1].clear(), weights_[0].clear(), weights_[1].clear();
        for (int64_t i = 0; i < node.n; ++i) {
            const int side = left_[i];
            rows_[side].push_back(node.rows[i]);
            weights_[side].push_back(node.weights[i]);
        }
        left_value_.resize(labels_.width());
        right_value_.resize(labels_.width());
        labels_.measure(rows_[1].data(), weights_[1].data(), n_of(1), left_value_.data());
        labels_.measure(rows_[0].data(), weights_[0].data(), n_of(0), right_value_.data());
        left_weight_ = sum_of(weights_[1]);
        right_weight_ = sum_of(weights_[0]);
    }

    int64_t n_of(int side) const { return static_cast<int64_t>(rows_[side].size()); }

    static double sum_of(const std::vector<double>& weights) {
        return pairwise_sum([&](int64_t i) { return weights[i]; }, 0, static_cast<int64_t>(weights.size()));
    }

    // In the middle of the widest margin, as prediction evaluates it; whether double expresses the partition.
    bool place(const NodeRows& node, const SearchAnswer& answer, PlacedSplit& split) {
        const size_t m = static_cast<size_t>(own_.view().n_features), d = answer.features.size();
        points_.d = d;
        points_.x.clear();
        points_.left.clear();
        std::vector<double> low(d, kInfinity), high(d, -kInfinity);
        for (int64_t i = 0; i < node.n; ++i) {
            const bool complete = side_[i] != static_cast<int8_t>(Side::unknown);
            for (size_t j = 0; j < d; ++j) {
                const double x = own_.view().x[i * m + answer.features[j]];
                low[j] = std::min(low[j], x);  // a missing value changes neither
                high[j] = std::max(high[j], x);
                if (complete) points_.x.push_back(x);
            }
            if (complete) points_.left.push_back(left_[i]);
        }
        std::vector<double> half(d);
        for (size_t j = 0; j < d; ++j) half[j] = high[j] / 2 - low[j] / 2;
        Placer placer(points_);
        Placement placed = placer.through(split.weights);
        if (!placer.one_sided()) placed = placer.widest(split.weights, placed.threshold, half);
        split.weights = placed.weights;
        split.threshold = placed.threshold;
        split.margin = placed.margin;
        if (!placed.exact) follow_rule(node, split);
        return placed.exact;
    }

    // Where double cannot express the partition that was found, the split is scored by its own rule, and not proven; it
    // is none if a side is then too small.
    void follow_rule(const NodeRows& node, PlacedSplit& split) {
        std::vector<double> side(exact_.width, 0.0);
        for (int i = 0; i < exact_.n; ++i) {
            const int64_t row = exact_.caller_row[i];
            const Side towards = elc::side(split.view(), table_.x + node.rows[row] * table_.n_features);
            left_[row] = towards == Side::unknown ? split.missing_left : towards == Side::left;
            if (left_[row]) exact_.add_to_side(side.data(), i);
        }
        measure_sides(node);
        const double least = std::max(1.0, search_.min_rows), least_weight = search_.min_weight * (1 - 1e-12);
        const bool admitted =
            n_of(0) >= least && n_of(1) >= least && left_weight_ >= least_weight && right_weight_ >= least_weight;
        double loss = admitted ? loss_of(side) : kInfinity;
        if (options_.has_price) loss += search_.prices[split.features.size() - 1];
        split.score = score_of(node, loss);
        split.proven = false;
        if (!admitted) split.features.clear();
    }

    double loss_of(const std::vector<double>& side) const {
        if (exact_.has_numbers) return SquaredError(exact_.number_totals()).loss(side.data());
        return with_criterion<Support::exact>(search_.criterion, exact_.class_totals(),
                                              [&](const auto& criterion) { return criterion.loss(side.data()); });
    }

    const RowView table_;
    const LabelStatistics& labels_;
    const GrowthOptions& options_;
    const KeepSearching& keep_searching_;
    Options search_;
    ExactNode exact_;
    NodeTable own_;
    std::vector<int8_t> side_;
    std::vector<char> left_;
    std::vector<int64_t> rows_[2];
    std::vector<double> weights_[2], left_value_, right_value_;
    double left_weight_ = 0, right_weight_ = 0;
    SidedPoints points_;
};

}  // namespace elc
