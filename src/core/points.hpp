// The distinct points of one feature set, with the class weights of the rows that share each of them.
//
// Above the points stand levels of cells (see PointMaker). Rows with a missing value in the set form one block that goes to one side whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plane.hpp"
#include "problem.hpp"

namespace elc {

constexpr int kLane = 8;  // doubles in the widest vector; arrays are padded to it

constexpr double kNoPoint = std::numeric_limits<double>::quiet_NaN();  // first coordinate of the padding: on no side

inline size_t padded(size_t n) { return (n + kLane - 1) / kLane * kLane; }

// Arrays at a common stride: r coordinates, k class weights, rows (where a limit counts them), index; cells of points
// have r half-widths more.
struct PointLayout {
    int r = 0, k = 0;
    bool counts_rows = false;
    int weight(int j) const { return r + j; }
    int rows() const { return r + k; }
    int index() const { return r + k + counts_rows; }
    int n_arrays(bool cells) const { return index() + 1 + (cells ? r : 0); }
    int half_width(int j) const { return index() + 1 + j; }
};

// Points, or cells of points: boxes that hold the points (or smaller cells) first[i] .. first[i + 1] of the next level.
struct Level {
    int n = 0;
    size_t stride = 0;
    bool cells = false;
    std::vector<double> storage;
    std::vector<int32_t> first;

    double* array(int a) { return storage.data() + a * stride; }
    const double* array(int a) const { return storage.data() + a * stride; }

    void resize(const PointLayout& layout, int size, bool is_cells) {
        n = size;
        cells = is_cells;
        stride = padded(n) + kLane;
        storage.assign(stride * layout.n_arrays(cells), 0.0);
        std::fill(array(0) + n, array(0) + padded(n), kNoPoint);
    }
};

struct Points {
    PointLayout layout;
    std::vector<Level> levels;            // from the coarsest cells to the points
    std::vector<int32_t> representative;  // a sorted row that sits at the point
    std::vector<double> missing;          // class weights of the rows that are incomplete in the set
    double missing_rows = 0, missing_weight = 0;
    int n() const { return levels.back().n; }
    const double* array(int a) const { return levels.back().array(a); }
};

namespace detail {

inline uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

// Groups equal points by hashing their ranks; `group[i]` is the group of sorted row i or -1 where it is incomplete.
class PointGrouper {
public:
    int group(const Problem& p, const int* features, int r, std::vector<int32_t>& group) {
        group.resize(p.n);
        first_.clear();
        bool incomplete = false, distinct = false;
        for (int q = 0; q < r; ++q) {
            incomplete = incomplete || p.has_missing[features[q]];
            distinct = distinct || p.n_distinct[features[q]] == p.n;
        }
        if (distinct && !incomplete) {
            for (int i = 0; i < p.n; ++i) group[i] = i;
            return p.n;
        }
        size_t capacity = 16;
        while (capacity < 2 * static_cast<size_t>(p.n)) capacity *= 2;
        table_.assign(capacity, -1);
        for (int i = 0; i < p.n; ++i) group[i] = find(p, features, r, i, capacity - 1);
        return static_cast<int>(first_.size());
    }

private:
    int32_t find(const Problem& p, const int* features, int r, int i, size_t mask) {
        uint64_t hash = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = p.codes(features[q])[i];
            if (code < 0) return -1;
            hash = mix(hash + static_cast<uint64_t>(code) + 0x9e3779b97f4a7c15ULL);
        }
        for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            if (table_[slot] < 0) {
                table_[slot] = static_cast<int32_t>(first_.size());
                first_.push_back(i);
                return table_[slot];
            }
            const int other = first_[table_[slot]];
            bool equal = true;
            for (int q = 0; q < r && equal; ++q) equal = p.codes(features[q])[i] == p.codes(features[q])[other];
            if (equal) return table_[slot];
        }
    }

    std::vector<int32_t> table_, first_;
};

}  // namespace detail

// Makes the points of a feature set and, above them, levels of cells: prefixes of the points' Morton codes over the
// quantiles of their features. A box of hyperplanes is far larger than a cell near the root of the search, so whole cells
// are certain there and a pass costs as much as there are cells, not rows.
class PointMaker {
public:
    void make(const Problem& p, const int* features, int r, Points& points) {
        const int n_groups = grouper_.group(p, features, r, group_);
        points.layout = {r, p.k, p.counts_rows()};
        set_depths(n_groups, r);
        sort_groups(p, features, r, n_groups);
        points.levels.resize(depths_.size() + 1);
        points.levels.back().resize(points.layout, n_groups, false);
        points.representative.assign(n_groups, -1);
        points.missing.assign(p.k, 0.0);
        points.missing_rows = points.missing_weight = 0;
        for (int i = 0; i < p.n; ++i) add_row(p, features, r, i, points);
        for (size_t level = depths_.size(); level-- > 0;) make_cells(points, level);
    }

private:
    static constexpr int kPointsPerCell = 8;  // in the finest cells, about
    static constexpr int kBitsPerLevel = 3;
    static constexpr int kFewestBits = 5;     // of the coarsest level
    static constexpr int kBitsPerFeature = 5; // coarser cells than 1/32 of a feature are as wide as the boxes: no gain

    // Code lengths of the levels of cells, coarsest first.
    void set_depths(int n, int r) {
        depths_.clear();
        int bits = 0;
        while ((int64_t{kPointsPerCell} << (bits + 1)) <= n && bits < 24) ++bits;
        if (bits < kBitsPerFeature * r) return;
        for (; bits >= kFewestBits; bits -= kBitsPerLevel) depths_.push_back(bits);
        std::reverse(depths_.begin(), depths_.end());
    }

    // Order of the groups by Morton code, stable: slot_[group] is the group's place, code_[slot] its code.
    void sort_groups(const Problem& p, const int* features, int r, int n_groups) {
        const int bits = depths_.empty() ? 0 : depths_.back();
        key_.assign(n_groups, 0);
        if (bits > 0) find_codes(p, features, r, bits);
        start_.assign((size_t{1} << bits) + 1, 0);
        for (uint32_t key : key_) ++start_[key + 1];
        for (size_t key = 1; key < start_.size(); ++key) start_[key] += start_[key - 1];
        slot_.resize(n_groups);
        code_.resize(n_groups);
        for (int g = 0; g < n_groups; ++g) {
            slot_[g] = start_[key_[g]]++;
            code_[slot_[g]] = key_[g];
        }
    }

    // Interleaves the leading bits of the features' quantiles: bit by bit from the first feature's highest on.
    void find_codes(const Problem& p, const int* features, int r, int bits) {
        for (int q = 0; q < r; ++q) {
            uint32_t spread[2][256] = {};  // what the high and the low byte of a quantile add to the code
            for (int bit = q; bit < bits; bit += r) {
                const int from = 15 - bit / r;
                for (int byte = 0; byte < 256; ++byte) {
                    if (byte >> (from & 7) & 1) spread[from < 8][byte] |= uint32_t{1} << (bits - 1 - bit);
                }
            }
            const uint16_t* quantile = p.quantiles(features[q]);
            for (int i = 0; i < p.n; ++i) {
                if (group_[i] >= 0) key_[group_[i]] |= spread[0][quantile[i] >> 8] | spread[1][quantile[i] & 255];
            }
        }
    }

    void add_row(const Problem& p, const int* features, int r, int i, Points& points) {
        if (group_[i] < 0) {
            points.missing[p.y[i]] += p.weight[i];
            points.missing_weight += p.weight[i];
            points.missing_rows += 1;
            return;
        }
        const int slot = slot_[group_[i]];
        Level& level = points.levels.back();
        level.array(points.layout.weight(p.y[i]))[slot] += p.weight[i];
        if (points.layout.counts_rows) level.array(points.layout.rows())[slot] += 1;
        if (points.representative[slot] >= 0) return;
        points.representative[slot] = i;
        level.array(points.layout.index())[slot] = slot;
        for (int q = 0; q < r; ++q) level.array(q)[slot] = p.column(features[q])[i];
    }

    // Cells of one level from the next finer one: runs of equal codes.
    void make_cells(Points& points, size_t index) {
        Level& level = points.levels[index];
        const Level& finer = points.levels[index + 1];
        const int shift = (index + 1 < depths_.size() ? depths_[index + 1] : depths_.back()) - depths_[index];
        level.first.clear();
        int n = 0;
        for (int i = 0; i < finer.n; ++i) {
            const uint32_t code = code_[i] >> shift;
            if (n == 0 || code_[n - 1] != code) {
                level.first.push_back(i);
                code_[n++] = code;  // n <= i: never ahead of what is still to be read
            }
        }
        level.first.push_back(finer.n);
        level.resize(points.layout, n, true);
        for (int c = 0; c < n; ++c) fill_cell(points.layout, finer, level, c);
    }

    static void fill_cell(const PointLayout& layout, const Level& finer, Level& level, int c) {
        const int begin = level.first[c], end = level.first[c + 1];
        for (int j = 0; j < layout.r; ++j) {
            double low = kInfinity, high = -kInfinity;
            for (int i = begin; i < end; ++i) {
                const double half = finer.cells ? finer.array(layout.half_width(j))[i] : 0.0;
                low = std::min(low, finer.array(j)[i] - half);
                high = std::max(high, finer.array(j)[i] + half);
            }
            level.array(j)[c] = (low + high) / 2;
            level.array(layout.half_width(j))[c] = (high - low) / 2 * (1 + 1e-15) + 1e-15;
        }
        for (int a = layout.r; a < layout.index(); ++a) {
            double sum = 0;
            for (int i = begin; i < end; ++i) sum += finer.array(a)[i];
            level.array(a)[c] = sum;
        }
        level.array(layout.index())[c] = c;
    }

    detail::PointGrouper grouper_;
    std::vector<int32_t> group_, slot_, start_;
    std::vector<uint32_t> key_, code_;
    std::vector<int> depths_;
};

}  // namespace elc
