// The node problem: the rows of one tree node, scaled, sorted and ready to be searched.
//
// Features are columns (feature-major), each scaled to [-1, 1] over the node's non-missing values. Rows are sorted by
// class and, within a class, by their coordinates, so that nothing downstream depends on the order in which the caller
// gave them. Weights are integers held in doubles (sum below 2^53): their sums are exact in every order, hence equal
// partitions have equal scores to the last bit, whatever path the search took to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "common/sorting.hpp"

namespace elc {

constexpr double kOnPlane = 1e-9;      // |w.x - b| <= kOnPlane is on the plane
constexpr double kCertain = 2e-9;      // the certain/uncertain test is wider: rounding must not decide a side
constexpr double kIndependent = 1e-7;  // smallest leading singular value of an affinely independent selection
constexpr double kFlatSet = 1e-8;      // a feature set whose rows lie this near to one plane is skipped
constexpr double kCoplanar = 4e-15;    // coplanar up to rounding
constexpr double kTie = 1e-12;         // scores this close are equal
constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class CriterionKind { gini, twoing, information_gain };
enum class MissingMode { learn, right };

struct Options {
    int r = 2;
    CriterionKind criterion = CriterionKind::gini;
    bool both_orientations = true;
    MissingMode missing = MissingMode::learn;
    double min_rows = 1;    // rows that each side must have
    double min_weight = 0;  // weight that each side must have, in the caller's units
    int n_threads = 1;
    double seconds = kInfinity;
};

// A node's rows as the caller holds them: row-major matrix, class codes and positive weights.
struct RowView {
    const double* x;        // the whole matrix, n_features columns
    const int64_t* y;       // the whole label vector
    const int64_t* rows;    // the node's rows
    const double* weights;  // one per node row, > 0
    int64_t n_rows;
    int64_t n_features;
    int n_classes;
};

struct Problem {
    int n = 0, m = 0, k = 0;
    Options options;
    std::vector<double> x;            // m columns of n values, scaled to a range of 2 and centred; NaN is missing
    std::vector<int32_t> code;        // m columns of n ranks among the column's distinct values; -1 is missing
    std::vector<uint16_t> quantile;   // m columns of n: share of the column's rows that are smaller, times 2^16
    std::vector<int32_t> n_distinct;  // per column
    std::vector<char> has_missing;    // per column
    std::vector<int32_t> y;
    std::vector<int32_t> class_begin;  // k + 1: where each class's rows begin
    std::vector<double> weight;        // integer-valued; 1 where all are equal
    std::vector<int64_t> position;     // each sorted row's place among the caller's rows
    std::vector<double> totals;        // weight per class
    std::vector<double> middle, half;  // scaled = (original - middle) / half; half = 0: constant column
    std::vector<double> centre;        // median of the scaled column, subtracted from it
    std::vector<double> covariance;    // m x m, of the scaled columns without missing values
    double total = 0;
    double min_weight = 0;     // in integer units
    bool unit_weights = true;  // all weights are 1: weight counts rows

    const double* column(int j) const { return x.data() + static_cast<size_t>(j) * n; }
    const int32_t* codes(int j) const { return code.data() + static_cast<size_t>(j) * n; }
    const uint16_t* quantiles(int j) const { return quantile.data() + static_cast<size_t>(j) * n; }
    // Whether rows must be counted apart from weight.
    bool counts_rows() const { return options.min_rows > 1 && !unit_weights; }
    // Whether sums of weights are exact in single precision.
    bool narrow() const { return total < (1 << 24); }
};

namespace detail {

// Binary exponent that turns every weight into an integer, if one keeps the sum below 2^52; otherwise the largest that
// does (the weights are then rounded to the 16th digit of their sum).
inline int weight_exponent(const double* weights, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += weights[i];
    int exponent;
    std::frexp(sum, &exponent);
    const int finest = 52 - exponent;
    for (int shift = std::min(0, finest); shift < finest; ++shift) {
        bool whole = true;
        for (int64_t i = 0; i < n && whole; ++i) {
            const double scaled = std::ldexp(weights[i], shift);
            whole = scaled >= 1 && scaled == std::floor(scaled);
        }
        if (whole) return shift;
    }
    return finest;
}

inline std::vector<int64_t> sorted_order(const RowView& view) {
    std::vector<int64_t> order(view.n_rows);
    std::iota(order.begin(), order.end(), int64_t{0});
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        const int64_t class_a = view.y[view.rows[a]], class_b = view.y[view.rows[b]];
        if (class_a != class_b) return class_a < class_b;
        const double* row_a = view.x + view.rows[a] * view.n_features;
        const double* row_b = view.x + view.rows[b] * view.n_features;
        for (int64_t j = 0; j < view.n_features; ++j) {
            const double u = row_a[j], v = row_b[j];
            if (u < v) return true;
            if (v < u) return false;
            const bool u_missing = std::isnan(u), v_missing = std::isnan(v);
            if (u_missing != v_missing) return v_missing;
        }
        return view.weights[a] != view.weights[b] ? view.weights[a] < view.weights[b] : view.rows[a] < view.rows[b];
    });
    return order;
}

inline void scale_column(Problem& p, int j) {
    double* column = p.x.data() + static_cast<size_t>(j) * p.n;
    double low = kInfinity, high = -kInfinity;
    for (int i = 0; i < p.n; ++i) {
        if (std::isnan(column[i])) p.has_missing[j] = 1;
        else low = std::min(low, column[i]), high = std::max(high, column[i]);
    }
    if (!(low < high)) {
        p.middle[j] = std::isfinite(low) ? low : 0.0;
        p.half[j] = 0;
        for (int i = 0; i < p.n; ++i)
            if (!std::isnan(column[i])) column[i] = 0;
        return;
    }
    p.middle[j] = low / 2 + high / 2;
    p.half[j] = high / 2 - low / 2;
    for (int i = 0; i < p.n; ++i) column[i] = (column[i] - p.middle[j]) / p.half[j];
}

// Centres a scaled column at its median, the value of the given row. A box of hyperplanes is uncertain about a sample
// in proportion to its distance from the centre, and the median makes the sum of these distances smallest: a column
// that is mostly one value then costs almost nothing.
inline void centre_column(Problem& p, int j, int median_row) {
    double* column = p.x.data() + static_cast<size_t>(j) * p.n;
    p.centre[j] = column[median_row];
    for (int i = 0; i < p.n; ++i) column[i] -= p.centre[j];
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

inline void find_covariance(Problem& p) {
    std::vector<double> mean(p.m, 0.0);
    p.covariance.assign(static_cast<size_t>(p.m) * p.m, 0.0);
    for (int j = 0; j < p.m; ++j) {
        if (p.has_missing[j]) continue;
        for (int i = 0; i < p.n; ++i) mean[j] += p.column(j)[i];
        mean[j] /= p.n;
        for (int q = 0; q <= j; ++q) {
            if (p.has_missing[q]) continue;
            const double sum = sum_of_products(p.column(j), mean[j], p.column(q), mean[q], p.n);
            p.covariance[static_cast<size_t>(j) * p.m + q] = sum / p.n;
            p.covariance[static_cast<size_t>(q) * p.m + j] = sum / p.n;
        }
    }
}

// Ranks a column's values; `entries` gets them in order.
inline void rank_column(Problem& p, int j, EntrySorter& sorter, std::vector<Entry>& entries) {
    const double* column = p.column(j);
    int32_t* code = p.code.data() + static_cast<size_t>(j) * p.n;
    entries.clear();
    for (int i = 0; i < p.n; ++i) {
        code[i] = -1;
        if (!std::isnan(column[i])) entries.push_back({column[i], i});
    }
    sorter.sort(entries);
    uint16_t* quantile = p.quantile.data() + static_cast<size_t>(j) * p.n;
    int32_t rank = -1;
    uint16_t share = 0;
    for (size_t q = 0; q < entries.size(); ++q) {
        if (q == 0 || entries[q].value != entries[q - 1].value) {
            ++rank;
            share = static_cast<uint16_t>(q * 65536 / entries.size());
        }
        code[entries[q].row] = rank;
        quantile[entries[q].row] = share;
    }
    p.n_distinct[j] = rank + 1;
}

}  // namespace detail

inline Problem make_problem(const RowView& view, const Options& options) {
    Problem p;
    p.n = static_cast<int>(view.n_rows);
    p.m = static_cast<int>(view.n_features);
    p.k = view.n_classes;
    p.options = options;
    const std::vector<int64_t> order = detail::sorted_order(view);
    p.x.resize(static_cast<size_t>(p.n) * p.m);
    p.code.resize(p.x.size());
    p.quantile.resize(p.x.size());
    p.n_distinct.assign(p.m, 0);
    p.has_missing.assign(p.m, 0);
    p.middle.assign(p.m, 0);
    p.half.assign(p.m, 0);
    p.y.resize(p.n);
    p.class_begin.assign(p.k + 1, 0);
    p.weight.resize(p.n);
    p.position.resize(p.n);
    p.totals.assign(p.k, 0);
    for (int i = 0; i < p.n; ++i) p.unit_weights = p.unit_weights && view.weights[i] == view.weights[0];
    const int exponent = p.unit_weights ? 0 : detail::weight_exponent(view.weights, view.n_rows);
    for (int i = 0; i < p.n; ++i) {
        const int64_t row = view.rows[order[i]];
        p.position[i] = order[i];
        p.y[i] = static_cast<int32_t>(view.y[row]);
        ++p.class_begin[p.y[i] + 1];
        p.weight[i] =
            p.unit_weights ? 1.0 : std::max(1.0, std::nearbyint(std::ldexp(view.weights[order[i]], exponent)));
        p.totals[p.y[i]] += p.weight[i];
        p.total += p.weight[i];
        const double* from = view.x + row * view.n_features;
        for (int j = 0; j < p.m; ++j) p.x[static_cast<size_t>(j) * p.n + i] = from[j];
    }
    std::partial_sum(p.class_begin.begin(), p.class_begin.end(), p.class_begin.begin());
    const double least =
        p.unit_weights && p.n ? options.min_weight / view.weights[0] : std::ldexp(options.min_weight, exponent);
    p.min_weight = least * (1 - 1e-12);  // weights may have been rounded
    if (p.unit_weights) p.min_weight = std::max(p.min_weight, options.min_rows);
    p.centre.assign(p.m, 0);
    EntrySorter sorter;
    std::vector<Entry> entries;
    for (int j = 0; j < p.m; ++j) {
        detail::rank_column(p, j, sorter, entries);  // before scaling, which may round distinct values together
        detail::scale_column(p, j);
        if (!entries.empty()) detail::centre_column(p, j, entries[entries.size() / 2].row);
    }
    if (options.r > 1) detail::find_covariance(p);
    return p;
}

}  // namespace elc
