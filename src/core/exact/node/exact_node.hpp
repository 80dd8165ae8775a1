// The node problem: the rows of one tree node, scaled, sorted and ready to be searched.
//
// Features are columns (feature-major), each scaled to [-1, 1] over the node's non-missing values. Rows are sorted by
// class and, within a class, by their coordinates, so that nothing downstream depends on the order in which the caller
// gave them. Weights are whole numbers held in doubles (see common/row_view.hpp).
//
// Labels that are numbers have bins for classes (see number_labels.hpp). What is known of one side of a split is then
// its weight and its moment; of uncertain rows, weight and moment by bin. With classes both are the weights by class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/numbers.hpp"
#include "criteria/criterion.hpp"
#include "criteria/squared_error.hpp"
#include "exact/node/monotone.hpp"

namespace elc {

struct FoundSplit;

enum class MissingMode { learn, right };

// Which splits are candidates; docs/exact_search.md defines them.
enum class Candidates {
    any,       // every linear split on at most r features
    through,   // planes through r samples, whose rows on the plane join either side together
    canonical  // the same, on the side that the canonical sign names
};

struct Options {
    int r = 2;  // features of a plane: the most of them or, while one size is searched, that size
    std::string criterion;
    Candidates planes = Candidates::through;
    bool linear_only = false;  // of planes="any": what is no linear split, or one by rounding alone, is none
    MissingMode missing = MissingMode::learn;
    double min_rows = 1;    // rows that each side must have
    double min_weight = 0;  // weight that each side must have, in the caller's units
    int n_threads = 1;
    double seconds = kInfinity;
    std::vector<double> prices;    // of a split by its number of features, added to its loss; empty: none
    double must_beat = kInfinity;  // a split of this loss, or of a larger one, is none
    bool dives = true;             // greedily first in every feature set
    bool boxes = true;             // then all boxes; otherwise the best of the dives is the answer, and not proven
    // Which feature sets are searched: of the sets of a size every `n_shares`-th from `share` on, where single features
    // are the first share's; or only those named, among which no single features are.
    int64_t share = 0, n_shares = 1;
    std::vector<std::vector<int>> only;
    double bits_of = 0;  // of numbers: the weight of the rows whose code is to be short; 0: least squares
    std::vector<std::vector<int>> groups;  // features that may stand together; empty: all of them
    Monotone monotone;
};

struct ExactNode {
    int n = 0, m = 0, k = 0;
    Options options;
    std::vector<double> x;            // m columns of n values, scaled to a range of 2 and centred; NaN is missing
    std::vector<int32_t> code;        // m columns of n ranks among the column's distinct values; -1 is missing
    std::vector<uint16_t> quantile;   // m columns of n: share of the column's rows that are smaller, times 2^16
    std::vector<int32_t> n_distinct;  // per column
    std::vector<char> has_missing;    // per column
    std::vector<int32_t> y;
    std::vector<int32_t> class_begin;  // k + 1: where each class's rows begin
    std::vector<double> moment;        // of numbers: weight times number, centred and scaled to whole numbers
    NumberTotals numbers;              // bits_of aside, which is an option
    int width = 0, open_width = 0;     // how many numbers tell of a side, and of uncertain rows
    std::vector<double> weight;        // whole numbers; 1 where all are equal
    std::vector<int64_t> caller_row;   // each sorted row's place among the caller's rows
    std::vector<double> totals;        // of all rows as one side
    std::vector<double> half;          // half the range of each column, which scaling divides by; 0: constant
    std::vector<char> spans_scales;    // whether a column's values are of many sizes
    std::vector<double> rounding;      // of each column's values, which are not known better than they are given
    std::vector<double> largest;       // of each column's |values|
    std::vector<double> step;          // of the grid that each column's values lie on; 0: on none
    std::vector<double> covariance;    // m x m, of the scaled columns without missing values
    double total = 0;
    double min_weight = 0;     // in units of `weight`
    bool unit_weights = true;  // all weights are 1: weight counts rows
    bool has_numbers = false;  // for labels

    // Where this node is a part of another one (flat_search.hpp): that one's rows, and how many of them a split of this
    // node has above it; the latter only where they must be counted.
    int n_of_whole = 0;
    std::function<double(const FoundSplit&)> rows_above;
    // Whether a split of this node is a linear one of that node, too; only where this must be seen, and `in_doubt`
    // where it must be for every split.
    std::function<bool(const FoundSplit&)> is_linear;
    bool in_doubt = false;

    const double* column(int j) const { return x.data() + static_cast<size_t>(j) * n; }
    const int32_t* codes(int j) const { return code.data() + static_cast<size_t>(j) * n; }
    const uint16_t* quantiles(int j) const { return quantile.data() + static_cast<size_t>(j) * n; }
    ClassTotals class_totals() const { return {totals, total, true}; }
    NumberTotals number_totals() const {
        NumberTotals with_bits = numbers;
        with_bits.bits_of = options.bits_of;
        return with_bits;
    }
    // How well the values of a plane in these features are known.
    double rounding_in(const std::vector<int>& features) const {
        double largest = 0;
        for (int feature : features) largest = largest < rounding[feature] ? rounding[feature] : largest;
        return 4 * static_cast<double>(features.size() * features.size()) * largest;
    }
    // Whether rows must be counted apart from weight.
    bool counts_rows() const { return options.min_rows > 1 && (!unit_weights || rows_above); }
    // Whether sums of weights are exact in single precision.
    bool narrow() const { return total < (1 << 24) && !has_numbers; }
    double weight_of(const double* side) const {
        double sum = side[0];
        for (int j = 1; j < k && !has_numbers; ++j) sum += side[j];
        return sum;
    }
    // The range of the values that sides can have.
    double value_range() const { return has_numbers ? numbers.high.back() - numbers.low.front() : 1.0; }
    void set_classes(int n_classes) {
        k = n_classes;
        width = has_numbers ? 2 : k;
        open_width = has_numbers ? 2 * k : k;
    }
    // Adds a row to a side, or to what is uncertain.
    void add_to_side(double* side, int row) const {
        side[has_numbers ? 0 : y[row]] += weight[row];
        if (has_numbers) side[1] += moment[row];
    }
    void add_to_open(double* open, int row) const {
        open[y[row]] += weight[row];
        if (has_numbers) open[k + y[row]] += moment[row];
    }
};

}  // namespace elc
