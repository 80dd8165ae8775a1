// The columns of a node: ranked, scaled to a range of 2, centred at their median, and their covariance.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/numbers.hpp"
#include "common/sorting.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/threads/worker_pool.hpp"

namespace elc {

// Ranks a column's values; `values` gets them in order.
inline void rank_column(ExactNode& node, int j, RowValueSorter& sorter, std::vector<RowValue>& values) {
    const double* column = node.column(j);
    int32_t* code = node.code.data() + static_cast<size_t>(j) * node.n;
    values.clear();
    for (int i = 0; i < node.n; ++i) {
        code[i] = -1;
        if (!std::isnan(column[i])) values.push_back({column[i], i});
    }
    sorter.sort(values);
    uint16_t* quantile = node.quantile.data() + static_cast<size_t>(j) * node.n;
    int32_t rank = -1;
    uint16_t share = 0;
    for (size_t q = 0; q < values.size(); ++q) {
        if (q == 0 || values[q].value != values[q - 1].value) {
            ++rank;
            share = static_cast<uint16_t>(q * 65536 / values.size());
        }
        code[values[q].row] = rank;
        quantile[values[q].row] = share;
    }
    node.n_distinct[j] = rank + 1;
}

inline void scale_column(ExactNode& node, int j) {
    double* column = node.x.data() + static_cast<size_t>(j) * node.n;
    double low = kInfinity, high = -kInfinity;
    for (int i = 0; i < node.n; ++i) {
        if (std::isnan(column[i])) node.has_missing[j] = 1;
        else low = std::min(low, column[i]), high = std::max(high, column[i]);
    }
    if (!(low < high)) {
        node.half[j] = 0;
        for (int i = 0; i < node.n; ++i)
            if (!std::isnan(column[i])) column[i] = 0;
        return;
    }
    const double middle = low / 2 + high / 2;
    node.half[j] = high / 2 - low / 2;
    node.rounding[j] = kRounding * (std::max(std::abs(low), std::abs(high)) / node.half[j]);
    for (int i = 0; i < node.n; ++i) column[i] = (column[i] - middle) / node.half[j];
}

// Centres a scaled column at its median, the value of the given row. A box of hyperplanes is uncertain about a sample
// in proportion to its distance from the centre, and the median makes the sum of these distances smallest: a column
// that is mostly one value then costs almost nothing.
inline void centre_column(ExactNode& node, int j, int median_row) {
    double* column = node.x.data() + static_cast<size_t>(j) * node.n;
    const double median = column[median_row];
    for (int i = 0; i < node.n; ++i) column[i] -= median;
}

// The largest |value| of a column whose values are given in order.
inline double largest_of_column(const ExactNode& node, int j, const std::vector<RowValue>& values) {
    const auto size = [&](const RowValue& value) { return std::abs(node.column(j)[value.row]); };
    return values.empty() ? 0.0 : std::max(size(values.front()), size(values.back()));
}

constexpr double kManyScales = 3;  // 1.5 where values are uniform, 1.7 Gaussian, 2.4 Cauchy; 4.2 log-normal of sigma 3

// Whether the values of a column, given in order, are of many sizes: an eighth of them is so many times as far from the
// centre as a quarter is.
inline bool column_spans_scales(const ExactNode& node, int j, const std::vector<RowValue>& values) {
    const auto beyond = [&](size_t eighths) {
        const auto size = [&](size_t q) { return std::abs(node.column(j)[values[q].row]); };
        const size_t q = values.size() * eighths / 8;
        return std::max(size(q), size(values.size() - 1 - q));
    };
    return !values.empty() && beyond(2) > 0 && beyond(1) > kManyScales * beyond(2);
}

// The sum of products of two columns, each less its mean, in eight partial sums.
inline double sum_of_products(const double* x, double x_mean, const double* y, double y_mean, int n) {
    double part[8] = {};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int q = 0; q < 8; ++q) part[q] += (x[i + q] - x_mean) * (y[i + q] - y_mean);
    for (; i < n; ++i) part[0] += (x[i] - x_mean) * (y[i] - y_mean);
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

inline double mean_of_column(const ExactNode& node, int j) {
    double sum = 0;
    for (int i = 0; i < node.n; ++i) sum += node.column(j)[i];
    return sum / node.n;
}

// The covariances of a column with itself and those before it.
inline void find_covariances(ExactNode& node, int j, const std::vector<double>& mean) {
    for (int q = 0; q <= j && !node.has_missing[j]; ++q) {
        if (node.has_missing[q]) continue;
        const double sum = sum_of_products(node.column(j), mean[j], node.column(q), mean[q], node.n);
        node.covariance[static_cast<size_t>(j) * node.m + q] = sum / node.n;
        node.covariance[static_cast<size_t>(q) * node.m + j] = sum / node.n;
    }
}

constexpr double kOnGrid = 1e-10;       // values so near to a grid lie on it
constexpr double kSmallestStep = 1e-3;  // of a grid that is worth knowing

// The largest number that both are multiples of; too small where there is none.
inline double common_step(double a, double b) {
    while (b > kSmallestStep) {
        const double rest = a - b * std::round(a / b);
        a = b;
        b = std::abs(rest);
    }
    return a;
}

// The step of the grid that a scaled column's values lie on; 0 if it is too small or there is none.
inline double step_of_column(const ExactNode& node, int j, const std::vector<RowValue>& values) {
    const double* column = node.column(j);
    const auto from_first = [&](size_t q) { return std::abs(column[values[q].row] - column[values[0].row]); };
    if (node.n_distinct[j] < 2 || node.n_distinct[j] > 2 / kSmallestStep) return 0;
    double step = 0;
    for (size_t q = 1; q < values.size(); ++q) {
        if (values[q].value == values[q - 1].value) continue;
        const double gap = from_first(q) - from_first(q - 1);
        step = step == 0 ? gap : common_step(std::max(step, gap), std::min(step, gap));
        if (step < kSmallestStep) return 0;
    }
    for (size_t q = 1; q < values.size(); ++q) {
        if (values[q].value == values[q - 1].value) continue;
        if (std::abs(from_first(q) - step * std::round(from_first(q) / step)) > kOnGrid) return 0;
    }
    return step;
}

constexpr int64_t kManyValues = 1 << 19;  // so many are worth several threads

// Calls `prepare(j, tools)` for all columns, the last first: it has the most columns before it.
template <class Tools, class Prepare>
void for_each_column(const ExactNode& node, const Prepare& prepare) {
    const bool shares = static_cast<int64_t>(node.n) * node.m >= kManyValues;
    WorkerPool pool(shares ? node.options.n_threads : 1, [] {});
    std::atomic<int> left{node.m};
    pool.run([&](bool is_caller) {
        if (is_caller) pool.start_helpers();
        Tools tools{};
        for (int j; (j = --left) >= 0;) prepare(j, tools);
    });
}

struct ColumnTools {
    RowValueSorter sorter;
    std::vector<RowValue> values;
};

// `scales` is false for columns that are scaled already.
inline void prepare_columns(ExactNode& node, bool scales = true) {
    node.step.assign(node.m, 0.0);
    node.largest.assign(node.m, 0.0);
    node.spans_scales.assign(node.m, 0);
    std::vector<double> mean(node.m, 0.0);
    for_each_column<ColumnTools>(node, [&](int j, ColumnTools& tools) {
        const std::vector<RowValue>& values = tools.values;
        rank_column(node, j, tools.sorter, tools.values);  // before scaling, which may round distinct values together
        if (scales) scale_column(node, j);
        if (!values.empty()) centre_column(node, j, values[values.size() / 2].row);
        node.largest[j] = largest_of_column(node, j, values);
        node.step[j] = step_of_column(node, j, values);
        node.spans_scales[j] = column_spans_scales(node, j, values);
        mean[j] = mean_of_column(node, j);
    });
    if (node.options.r == 1) return;
    node.covariance.assign(static_cast<size_t>(node.m) * node.m, 0.0);
    for_each_column<char>(node, [&](int j, char) { find_covariances(node, j, mean); });
}

}  // namespace elc
