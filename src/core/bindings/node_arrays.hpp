// A node's arrays as Python holds them: what the bindings of all searches take.
#pragma once

#include <cstdint>

#include "bindings/arrays.hpp"
#include "common/row_view.hpp"

namespace elc {

struct NodeArrays {
    MatrixIn<double> x;
    VectorIn<int64_t> y, rows;
    VectorIn<double> weights;
    int n_classes;
    VectorIn<double> numbers;

    NodeArrays(MatrixIn<double> x, VectorIn<int64_t> y, VectorIn<int64_t> rows, VectorIn<double> weights, int n_classes)
        : x(x), y(y), rows(rows), weights(weights), n_classes(n_classes) {}

    // Labels that are numbers.
    NodeArrays(MatrixIn<double> x, VectorIn<double> numbers, VectorIn<int64_t> rows, VectorIn<double> weights)
        : x(x), rows(rows), weights(weights), n_classes(0), numbers(numbers) {}

    RowView view() const {
        return {x.data(),
                y.is_valid() ? y.data() : nullptr,
                rows.data(),
                weights.data(),
                static_cast<int64_t>(rows.shape(0)),
                static_cast<int64_t>(x.shape(1)),
                n_classes,
                numbers.is_valid() ? numbers.data() : nullptr};
    }
};

}  // namespace elc
