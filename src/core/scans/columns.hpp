// A node's features as scaled columns, with a column of ones for the bias: the space in which planes are climbed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/row_view.hpp"

namespace elc {

struct Columns {
    int n = 0, m = 0;
    std::vector<double> data;  // m + 1 columns of n values; column m is all ones
    std::vector<int> moving;   // features that are not constant

    const double* column(int j) const { return data.data() + static_cast<size_t>(j) * n; }

    // Sums of coefficient times column; `coefficients` has m + 1 row_values, the bias last.
    void evaluate(const std::vector<double>& coefficients, std::vector<double>& value) const {
        value.assign(n, coefficients[m]);
        for (int j : moving) {
            const double a = coefficients[j];
            if (a == 0) continue;
            const double* x = column(j);
            for (int i = 0; i < n; ++i) value[i] += a * x[i];
        }
    }
};

// scaled = (original - centre) / scale; a scale of zero marks a constant feature. The rows are complete.
inline Columns make_columns(const RowView& view, const double* centre, const double* scale) {
    Columns c;
    c.n = static_cast<int>(view.n_rows);
    c.m = static_cast<int>(view.n_features);
    c.data.assign(static_cast<size_t>(c.n) * (c.m + 1), 0.0);
    for (int j = 0; j < c.m; ++j) {
        if (!(scale[j] > 0)) continue;
        c.moving.push_back(j);
        double* x = c.data.data() + static_cast<size_t>(j) * c.n;
        for (int i = 0; i < c.n; ++i) x[i] = (view.row(i)[j] - centre[j]) / scale[j];
    }
    double* ones = c.data.data() + static_cast<size_t>(c.m) * c.n;
    for (int i = 0; i < c.n; ++i) ones[i] = 1.0;
    return c;
}

}  // namespace elc
