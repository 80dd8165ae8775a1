// A node's arrays as Python holds them: what the bindings of all scans take.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "exact/exact_node.hpp"

using Matrix = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Doubles = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Integers = nanobind::ndarray<const int64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

struct NodeArrays {
    Matrix x;
    Integers y, rows;
    Doubles weights;
    int n_classes;

    NodeArrays(Matrix x, Integers y, Integers rows, Doubles weights, int n_classes)
        : x(x), y(y), rows(rows), weights(weights), n_classes(n_classes) {}

    elc::RowView view() const {
        return {x.data(),
                y.data(),
                rows.data(),
                weights.data(),
                static_cast<int64_t>(rows.shape(0)),
                static_cast<int64_t>(x.shape(1)),
                n_classes};
    }
};
