// From the caller's rows to an exact node: sorted rows, whole weights, limits, prepared columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/row_view.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/node_columns.hpp"
#include "exact/node/number_labels.hpp"

namespace elc {

// The class of each row and, of numbers, its moment.
struct Labels {
    std::vector<int64_t> classes;
    std::vector<double> moments;  // empty where labels are classes
    int k = 0;
};

// `weights` are whole.
inline Labels labels_of(const RowView& view, const std::vector<double>& weights) {
    if (view.numbers) {
        NumberLabels labels = number_labels(view, weights);
        return {std::move(labels.bin), std::move(labels.moment), labels.k};
    }
    Labels labels{std::vector<int64_t>(view.n_rows), {}, view.n_classes};
    for (int64_t i = 0; i < view.n_rows; ++i) labels.classes[i] = view.label(i);
    return labels;
}

// What decides between most rows, side by side.
struct RowKey {
    int64_t label;
    double first;  // value; a missing one is the largest
    int64_t row;
};

inline std::vector<RowKey> row_keys(const RowView& view, const Labels& labels) {
    std::vector<RowKey> keys(view.n_rows);
    for (int64_t i = 0; i < view.n_rows; ++i) {
        const double first = view.n_features > 0 ? view.row(i)[0] : 0.0;
        keys[i] = {labels.classes[i], std::isnan(first) ? kInfinity : first, i};
    }
    return keys;
}

// The rows by class, then by their values (missing ones last), then by weight and number.
inline std::vector<RowKey> sorted_order(const RowView& view, const Labels& labels) {
    std::vector<RowKey> order = row_keys(view, labels);
    std::sort(order.begin(), order.end(), [&](const RowKey& key_a, const RowKey& key_b) {
        if (key_a.label != key_b.label) return key_a.label < key_b.label;
        if (key_a.first != key_b.first) return key_a.first < key_b.first;
        const int64_t a = key_a.row, b = key_b.row;
        const double *row_a = view.row(a), *row_b = view.row(b);
        for (int64_t j = 0; j < view.n_features; ++j) {
            const double u = row_a[j], v = row_b[j];
            if (u < v) return true;
            if (v < u) return false;
            const bool u_missing = std::isnan(u), v_missing = std::isnan(v);
            if (u_missing != v_missing) return v_missing;
        }
        if (view.weights[a] != view.weights[b]) return view.weights[a] < view.weights[b];
        if (view.numbers && view.number(a) != view.number(b)) return view.number(a) < view.number(b);
        return view.rows[a] < view.rows[b];
    });
    return order;
}

inline void make_room(ExactNode& node, const RowView& view, const Labels& labels) {
    node.n = node.n_of_whole = static_cast<int>(view.n_rows);
    node.m = static_cast<int>(view.n_features);
    node.has_numbers = view.numbers != nullptr;
    node.set_classes(labels.k);
    node.x.resize(static_cast<size_t>(node.n) * node.m);
    node.code.resize(node.x.size());
    node.quantile.resize(node.x.size());
    node.n_distinct.assign(node.m, 0);
    node.has_missing.assign(node.m, 0);
    node.half.assign(node.m, 0);
    node.rounding.assign(node.m, 0);
    node.y.resize(node.n);
    node.class_begin.assign(node.k + 1, 0);
    node.weight.resize(node.n);
    node.moment.resize(labels.moments.size());
    node.caller_row.resize(node.n);
    node.totals.assign(node.width, 0);
}

// Copies the rows in the order given.
inline void take_rows(ExactNode& node, const RowView& view, const Labels& labels, const std::vector<double>& weights) {
    const std::vector<RowKey> order = sorted_order(view, labels);
    for (int i = 0; i < node.n; ++i) {
        const int64_t row = order[i].row;
        node.caller_row[i] = row;
        node.y[i] = static_cast<int32_t>(order[i].label);
        ++node.class_begin[node.y[i] + 1];
        node.weight[i] = weights[row];
        if (node.has_numbers) node.moment[i] = labels.moments[row];
        node.add_to_side(node.totals.data(), i);
        node.total += node.weight[i];
        const double* from = view.row(row);
        for (int j = 0; j < node.m; ++j) node.x[static_cast<size_t>(j) * node.n + i] = from[j];
    }
    std::partial_sum(node.class_begin.begin(), node.class_begin.end(), node.class_begin.begin());
}

// The least weight of a side in the node's own units.
inline double least_weight(const ExactNode& node, const RowView& view, int exponent) {
    const double asked = node.options.min_weight;
    const double least = node.unit_weights && node.n ? asked / view.weights[0] : std::ldexp(asked, exponent);
    const double rounded = least * (1 - 1e-12);  // weights may have been rounded
    return node.unit_weights ? std::max(rounded, node.options.min_rows) : rounded;
}

// The limits of values in the units of moments per weight, which are a line of the caller's numbers.
inline void scale_limits(ExactNode& node, const RowView& view) {
    int64_t least = 0, most = 0;
    for (int64_t i = 1; i < view.n_rows; ++i) {
        if (view.number(i) < view.number(least)) least = i;
        if (view.number(i) > view.number(most)) most = i;
    }
    const double span = view.number(most) - view.number(least);
    if (!(span > 0)) return;
    const double low = node.numbers.low.front(), slope = node.value_range() / span;
    const auto scaled = [&](double number) { return low + slope * (number - view.number(least)); };
    node.options.monotone.low = scaled(node.options.monotone.low);
    node.options.monotone.high = scaled(node.options.monotone.high);
}

inline ExactNode make_exact_node(const RowView& view, const Options& options) {
    ExactNode node;
    node.options = options;
    for (int64_t i = 0; i < view.n_rows; ++i)
        node.unit_weights = node.unit_weights && view.weights[i] == view.weights[0];
    const int exponent = node.unit_weights ? 0 : weight_exponent(view.weights, view.n_rows);
    std::vector<double> weights(view.n_rows, 1.0);
    for (int64_t i = 0; i < view.n_rows && !node.unit_weights; ++i)
        weights[i] = whole_weight(view.weights[i], exponent);
    const Labels labels = labels_of(view, weights);
    make_room(node, view, labels);
    take_rows(node, view, labels, weights);
    if (node.has_numbers) {
        measure_numbers(node);
        scale_limits(node, view);
    }
    node.min_weight = least_weight(node, view, exponent);
    prepare_columns(node);
    return node;
}

}  // namespace elc
