// A node's rows as the caller holds them, and their weights as whole numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace elc {

// Row-major matrix, labels and positive weights. A label is a class code or, where there are numbers, a number.
struct RowView {
    const double* x;        // the whole matrix, n_features columns
    const int64_t* y;       // the whole label vector
    const int64_t* rows;    // the node's rows
    const double* weights;  // one per node row, > 0
    int64_t n_rows;
    int64_t n_features;
    int n_classes;

    const double* numbers = nullptr;  // the whole vector of labels that are numbers; `y` is not looked at then

    double number(int64_t i) const { return numbers[rows[i]]; }
    const double* row(int64_t i) const { return x + rows[i] * n_features; }
    int label(int64_t i) const { return static_cast<int>(y[rows[i]]); }
};

// Binary exponent that turns every weight into an integer, if one keeps the sum below 2^52; otherwise the largest that
// does (the weights are then rounded to the 16th digit of their sum). Sums of such weights are exact in every order,
// hence equal partitions have equal losses to the last bit, whatever path a search took to them, and a repeated row is
// the same as a row of twice the weight.
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

// The weight in units of 2^-exponent, a whole number of at least one.
inline double whole_weight(double weight, int exponent) {
    return std::max(1.0, std::nearbyint(std::ldexp(weight, exponent)));
}

}  // namespace elc
