// Tallies what is above one plane and what is on it.
//
// R and K are compile-time numbers of features and classes, 0 for "any".
#pragma once

#include "exact/passes/lanes.hpp"
#include "exact/passes/passes.hpp"

namespace elc {
namespace {

template <int R, int K>
int tally_plane(const ScoringList& list, int r_any, int k_any, const double* w, double b, double tolerance,
                double* above_out, double* on_out, double* values) {
    constexpr int kClassChunk = 8;  // classes tallied together where their number is not known at compile time
    const int r = R ? R : r_any;
    const int k = K ? K : k_any;
    constexpr int kChunk = K ? K : kClassChunk;
    const Vector<double> limit = Vector<double>{} + tolerance;
    LaneCount<double> n_on;
    for (int i = 0; i < list.n; i += 8) {
        Vector<double> value = w[0] * load(list.array(0) + i);
        for (int j = 1; j < r; ++j) value += w[j] * load(list.array(j) + i);
        value -= b;
        store<double>(values + i, value);
        n_on.add(LanesOf<double>::at_most(absolute<double>(value), limit));
    }
    for (int first = 0; first < k; first += kChunk) {
        const int chunk = K ? K : (k - first < kChunk ? k - first : kChunk);
        Vector<double> above[kChunk] = {}, on[kChunk] = {};
        for (int i = 0; i < list.n; i += 8) {
            const Vector<double> value = load(static_cast<const double*>(values) + i);
            const auto is_above = LanesOf<double>::greater(value, limit);
            const auto is_on = LanesOf<double>::at_most(absolute<double>(value), limit);
            for (int c = 0; c < chunk; ++c) {
                const Vector<double> weight = load(list.array(r + first + c) + i);
                above[c] = LanesOf<double>::add(above[c], is_above, weight);
                on[c] = LanesOf<double>::add(on[c], is_on, weight);
            }
        }
        for (int c = 0; c < chunk; ++c) {
            above_out[first + c] = LanesOf<double>::total(above[c]);
            on_out[first + c] = LanesOf<double>::total(on[c]);
        }
    }
    return n_on.total();
}

}  // namespace
}  // namespace elc
