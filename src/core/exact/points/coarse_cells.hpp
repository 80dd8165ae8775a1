// Coarse cells of a feature set, counted without making its points.
//
// A cell is a product of bins, equal parts of each column's quantiles, and is as wide as the column's values in its
// bins. To count rows by bins is a fraction of the work of making their points, and the bounds of boxes of hyperplanes
// over such cells suffice to dismiss most feature sets of a large node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/points/points.hpp"

namespace elc {

// The bins of all columns.
class CoarseColumns {
public:
    explicit CoarseColumns(const ExactNode& node) : bits_(bits_for(node)) {
        if (bits_ == 0) return;
        centre_.resize(static_cast<size_t>(node.m) << bits_);
        half_.resize(centre_.size());
        for (int j = 0; j < node.m; ++j)
            if (!node.has_missing[j]) measure(node, j);
    }

    // Of a bin's number; 0 where the node is too small, or of a kind that has no such cells.
    int bits() const { return bits_; }

    const float* centres(int j) const { return centre_.data() + (static_cast<size_t>(j) << bits_); }
    const float* halves(int j) const { return half_.data() + (static_cast<size_t>(j) << bits_); }

private:
    static constexpr int kRowsPerCell = 16;
    static constexpr int kFewestBits = 4, kMostBits = 6;

    static int bits_for(const ExactNode& node) {
        if (!node.narrow() || node.options.r > 3) return 0;
        int bits = kMostBits;
        while (bits >= kFewestBits && (int64_t{kRowsPerCell} << bits * node.options.r) > node.n) --bits;
        return bits < kFewestBits ? 0 : bits;
    }

    void measure(const ExactNode& node, int j) {
        const size_t n_bins = size_t{1} << bits_, first = static_cast<size_t>(j) << bits_;
        std::vector<double> low(n_bins, kInfinity), high(n_bins, -kInfinity);
        for (int i = 0; i < node.n; ++i) {
            const int bin = node.quantiles(j)[i] >> (16 - bits_);
            low[bin] = std::min(low[bin], node.column(j)[i]);
            high[bin] = std::max(high[bin], node.column(j)[i]);
        }
        for (size_t bin = 0; bin < n_bins; ++bin) {
            if (low[bin] > high[bin]) continue;
            // The half-width covers what rounding moves the centre by.
            const float centre = static_cast<float>((low[bin] + high[bin]) / 2);
            const double half = std::max(high[bin] - centre, centre - low[bin]);
            centre_[first + bin] = centre;
            half_[first + bin] = static_cast<float>(half * (1 + 0x1p-22) + 1e-15);
        }
    }

    int bits_;
    std::vector<float> centre_, half_;
};

// Makes the coarse cells of feature sets for one thread.
class CoarseMaker {
public:
    CoarseMaker(const ExactNode& node, const CoarseColumns& columns) : node_(node), columns_(columns) {}

    // One level of cells, and no points below it.
    const SubsetPoints& subset() const { return subset_; }

    // Makes the cells of a feature set; false where rows are incomplete in it.
    bool make(std::vector<int> features) {
        for (int j : features)
            if (node_.has_missing[j]) return false;
        subset_.features = std::move(features);
        Points& points = subset_.points;
        const int r = static_cast<int>(subset_.features.size());
        points.layout = {r, false, false};
        points.narrow = points.cells_only = true;
        points.levels.resize(2);
        points.base.assign(node_.width, 0.0);
        points.free = node_.totals;
        points.missing.clear(node_);
        points.largest.clear();
        for (int j : subset_.features) points.largest.push_back(node_.largest[j]);
        n_cells_ = size_t{1} << columns_.bits() * r;
        weigh();
        fill(points.levels[0], points.layout);
        return true;
    }

private:
    void weigh() {
        weight_.assign(n_cells_ * node_.k, 0);
        if (subset_.features.size() == 2) weigh_all<2>();
        else weigh_all<3>();
        counts_.assign(node_.k, 0);
        for (int c = 0; c < node_.k; ++c)
            for (size_t cell = 0; cell < n_cells_; ++cell) counts_[c] += weight_[c * n_cells_ + cell] > 0;
    }

    // Weights are whole, and their sum is exact in 24 bits.
    template <int R>
    void weigh_all() {
        const int bits = columns_.bits(), drop = 16 - bits;
        const uint16_t* quantile[R];
        for (int q = 0; q < R; ++q) quantile[q] = node_.quantiles(subset_.features[q]);
        for (int c = 0; c < node_.k; ++c) {
            int32_t* weight = weight_.data() + c * n_cells_;
            for (int i = node_.class_begin[c]; i < node_.class_begin[c + 1]; ++i) {
                size_t cell = 0;
                for (int q = 0; q < R; ++q) cell = cell << bits | quantile[q][i] >> drop;
                weight[cell] += node_.unit_weights ? 1 : static_cast<int32_t>(node_.weight[i]);
            }
        }
    }

    void fill(Level& level, const PointLayout& layout) {
        level.prepare<float>(layout.n_arrays(true), counts_, true);
        const int bits = columns_.bits(), r = layout.r;
        const size_t mask = (size_t{1} << bits) - 1;
        int32_t* index = reinterpret_cast<int32_t*>(level.array<float>(layout.index(true)));
        for (int c = 0; c < node_.k; ++c) {
            int at = level.segment[c];
            for (size_t cell = 0; cell < n_cells_; ++cell) {
                const int32_t weight = weight_[c * n_cells_ + cell];
                if (weight == 0) continue;
                for (int q = 0; q < r; ++q) {
                    const size_t bin = cell >> bits * (r - 1 - q) & mask;
                    level.array<float>(q)[at] = columns_.centres(subset_.features[q])[bin];
                    level.array<float>(r + q)[at] = columns_.halves(subset_.features[q])[bin];
                }
                level.array<float>(layout.weight(true))[at] = static_cast<float>(weight);
                index[at] = at;
                ++at;
            }
        }
    }

    const ExactNode& node_;
    const CoarseColumns& columns_;
    SubsetPoints subset_;
    size_t n_cells_ = 0;
    std::vector<int32_t> weight_;  // by class, then by cell
    std::vector<int32_t> counts_;  // cells by class
};

}  // namespace elc
