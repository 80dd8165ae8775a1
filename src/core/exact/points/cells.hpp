// Levels of cells above the points of a feature set: prefixes of the points' Morton codes over the quantiles of their
// features.
//
// A box of hyperplanes is far larger than a cell near the root of the search, so whole cells are certain there and a
// pass costs as much as there are cells, not rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/points/points.hpp"

namespace elc {

class CellMaker {
public:
    // Sets the code lengths of the levels of cells for n points, coarsest first.
    void set_levels(int n, int r) {
        depths_.clear();
        int bits = 0;
        while ((int64_t{kPointsPerCell} << (bits + 1)) <= n && bits < 24) ++bits;
        if (bits < kBitsPerFeature * r) return;
        for (; bits >= kFewestBits; bits -= kBitsPerLevel) depths_.push_back(bits);
        std::reverse(depths_.begin(), depths_.end());
    }

    size_t n_levels() const { return depths_.size(); }

    // Finds the codes of n points, row_of(i) the row of the i-th: the leading bits of the features' quantiles
    // interleaved, bit by bit from the first feature's highest on. `n_slots` places are to be filled by `sort`.
    template <class RowOf>
    void find_codes(const ExactNode& node, const int* features, int r, int n, int n_slots, const RowOf& row_of) {
        const int bits = depths_.back();
        code_.assign(n_slots, 0);
        key_.assign(n, 0);
        for (int q = 0; q < r; ++q) {
            uint32_t spread[2][256] = {};  // what the high and the low byte of a quantile add to the code
            for (int bit = q; bit < bits; bit += r) {
                const int from = 15 - bit / r;
                for (int byte = 0; byte < 256; ++byte) {
                    if (byte >> (from & 7) & 1) spread[from < 8][byte] |= uint32_t{1} << (bits - 1 - bit);
                }
            }
            const uint16_t* quantile = node.quantiles(features[q]);
            for (int i = 0; i < n; ++i) {
                const uint16_t share = quantile[row_of(i)];
                key_[i] |= spread[0][share >> 8] | spread[1][share & 255];
            }
        }
    }

    // Sorts the points begin .. end by their codes: calls place(point, slot) with slots from `first_slot` on.
    template <class Place>
    void sort(int begin, int end, int first_slot, const Place& place) {
        start_.assign((size_t{1} << depths_.back()) + 1, 0);
        for (int i = begin; i < end; ++i) ++start_[key_[i] + 1];
        start_[0] = first_slot;
        for (size_t key = 1; key < start_.size(); ++key) start_[key] += start_[key - 1];
        for (int i = begin; i < end; ++i) {
            const int slot = start_[key_[i]]++;
            place(i, slot);
            code_[slot] = key_[i];
        }
    }

    // Makes all levels of cells from the points; `counts` are the points of each class.
    template <class T>
    void make(Points& points, std::vector<int32_t> counts) {
        for (size_t level = depths_.size(); level-- > 0;) make_level<T>(points, level, counts);
    }

private:
    static constexpr int kPointsPerCell = 32;  // in the finest cells, about
    static constexpr int kBitsPerLevel = 3;
    static constexpr int kFewestBits = 5;      // of the coarsest level
    static constexpr int kBitsPerFeature = 5;  // coarser cells than 1/32 of a feature are as wide as the boxes: no gain

    // Cells of one level from the next finer one: runs of equal codes within a class. `counts` are the finer level's
    // entries of each class, and then this one's.
    template <class T>
    void make_level(Points& points, size_t at, std::vector<int32_t>& counts) {
        Level& level = points.levels[at];
        const Level& finer = points.levels[at + 1];
        const int shift = (at + 1 < depths_.size() ? depths_[at + 1] : depths_.back()) - depths_[at];
        const size_t most = static_cast<size_t>(finer.segment.back());
        level.first.resize(most);
        level.count.resize(most);
        finer_counts_ = counts;
        int n = 0;
        for (size_t c = 0; c < counts.size(); ++c) {
            counts[c] = 0;
            n = static_cast<int>(padded(n));  // the slots of this level: never ahead of what is still to be read
            for (int i = finer.segment[c]; i < finer.segment[c] + finer_counts_[c]; ++i) {
                const uint32_t code = code_[i] >> shift;
                if (counts[c] == 0 || code_[n - 1] != code) {
                    level.first[n] = i;
                    level.count[n] = 0;
                    code_[n++] = code;
                    ++counts[c];
                }
                ++level.count[n - 1];
            }
        }
        level.prepare<T>(points.layout.n_arrays(true), counts, true);
        for (size_t c = 0; c < counts.size(); ++c)
            for (int q = 0; q < counts[c]; ++q) fill_cell<T>(points, finer, level, level.segment[c] + q);
    }

    template <class T>
    static void fill_cell(const Points& points, const Level& finer, Level& level, int cell) {
        const PointLayout& layout = points.layout;
        const int begin = level.first[cell], end = begin + level.count[cell];
        for (int j = 0; j < layout.r; ++j) {
            double low = kInfinity, high = -kInfinity;
            for (int i = begin; i < end; ++i) {
                const double half = finer.cells ? finer.array<T>(layout.r + j)[i] : 0.0;
                low = std::min(low, finer.array<T>(j)[i] - half);
                high = std::max(high, finer.array<T>(j)[i] + half);
            }
            // The half-width covers what rounding the centre moves it by.
            const T centre = static_cast<T>((low + high) / 2);
            const double half = std::max(high - centre, centre - low);
            constexpr double kRounding = std::numeric_limits<T>::epsilon();
            level.array<T>(j)[cell] = centre;
            level.array<T>(layout.r + j)[cell] = static_cast<T>(half * (1 + 2 * kRounding) + 1e-15);
        }
        double sum = 0, moment = 0;
        for (int i = begin; i < end; ++i) {
            const bool weighted = finer.cells || layout.weighted;
            sum += weighted ? static_cast<double>(finer.array<T>(layout.weight(finer.cells))[i]) : 1.0;
            if (layout.moments) moment += static_cast<double>(finer.array<T>(layout.moment(finer.cells))[i]);
        }
        if (layout.moments) level.array<T>(layout.moment(true))[cell] = static_cast<T>(moment);
        level.array<T>(layout.weight(true))[cell] = static_cast<T>(sum);
        reinterpret_cast<IndexIn<T>*>(level.array<T>(layout.index(true)))[cell] = cell;
    }

    std::vector<int> depths_;           // code lengths, coarsest level first
    std::vector<uint32_t> key_, code_;  // by point; by slot of the level made last
    std::vector<int32_t> start_, finer_counts_;
};

}  // namespace elc
