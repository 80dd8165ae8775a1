// The points of one feature set: rows of the same class at the same place are one entry, with their weight.
//
// EntryKind are sorted by class, and within a class by cell: above them stand levels of cells (see PointMaker). They
// are held twice, exactly (in double, for scoring planes) and as the search sees them. Rows with a missing value in the
// set form one block that goes to one side whole. So do the rows at a place that holds many rows of several classes
// (zero in columns that are mostly zero, say): a bound that let each class there choose its side would be far too good.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "exact/aligned.hpp"
#include "exact/exact_node.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

inline size_t padded(size_t n) { return (n + kLane - 1) / kLane * kLane; }

// The arrays of a list: r coordinates, for cells r half-widths, weights (unless all are 1), the entry's place in its
// level.
struct PointLayout {
    int r = 0;
    bool weighted = false;
    EntryKind entries(bool cells) const {
        return cells ? EntryKind::cells : weighted ? EntryKind::weighted : EntryKind::unit;
    }
    int weight(bool cells) const { return cells ? 2 * r : r; }
    int index(bool cells) const { return weight(cells) + (weighted || cells); }
    int n_arrays(bool cells) const { return index(cells) + 1; }
};

// The integer type that indices have in arrays of T.
template <class T>
using IndexIn = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

// Points, or cells of points: cell i holds the `count[i]` entries from `first[i]` on of the next level.
struct Level {
    int n = 0;
    size_t stride = 0;
    bool cells = false;
    std::vector<int32_t> segment;   // k + 1, see PointList
    AlignedVector<double> storage;  // arrays of float or double
    std::vector<int32_t> first, count;

    template <class T>
    T* array(int a) {
        return reinterpret_cast<T*>(storage.data()) + a * stride;
    }
    template <class T>
    const T* array(int a) const {
        return reinterpret_cast<const T*>(storage.data()) + a * stride;
    }
    template <class T>
    const IndexIn<T>* indices(int a) const {
        return reinterpret_cast<const IndexIn<T>*>(array<T>(a));
    }

    // Room for as many entries of each class as the counts say; all of it padding.
    template <class T>
    void prepare(int n_arrays, const std::vector<int32_t>& counts, bool is_cells) {
        cells = is_cells;
        segment.assign(counts.size() + 1, 0);
        n = 0;
        for (size_t c = 0; c < counts.size(); ++c) {
            n += counts[c];
            segment[c + 1] = segment[c] + static_cast<int32_t>(padded(counts[c]));
        }
        stride = segment.back() + kLane;
        storage.resize((stride * n_arrays * sizeof(T) + sizeof(double) - 1) / sizeof(double));
        for (size_t c = 0; c < counts.size(); ++c) {
            for (int a = 0; a < n_arrays; ++a) {
                const T padding = a == 0 ? std::numeric_limits<T>::quiet_NaN() : T{0};
                std::fill(array<T>(a) + segment[c] + counts[c], array<T>(a) + segment[c + 1], padding);
            }
        }
    }
};

// A place with much weight of several classes; its entries are in no list.
struct HeavyPlace {
    std::vector<double> x;
    std::vector<double> weights;                       // by class
    std::vector<std::pair<int32_t, int32_t>> entries;  // slot and class
};

struct Points {
    PointLayout layout;
    bool narrow = false;        // the levels are in single precision
    std::vector<Level> levels;  // from the coarsest cells to the entries
    size_t stride = 0;
    AlignedVector<double> exact;          // r coordinates of the entries
    std::vector<double> weight;           // of the entries; empty where all are 1
    std::vector<int32_t> representative;  // a sorted row that sits at the entry; -1 in the padding
    std::vector<int32_t> place;           // entries of several classes at one place share its number; empty: none do
    int n_places = 0;
    std::vector<HeavyPlace> heavy;
    std::vector<double> largest;  // of each |coordinate|
    std::vector<double> missing;  // class weights of the rows that are incomplete in the set
    double missing_rows = 0, missing_weight = 0;

    const Level& entries() const { return levels.back(); }
    int n() const { return n_places; }
    const double* coordinate(int j) const { return exact.data() + j * stride; }
};

namespace detail {

inline uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

// Groups rows of one class at one place: `group[i]` is the group of sorted row i or -1 where it is incomplete. Groups
// are numbered as they appear, so class after class.
class PointGrouping {
public:
    std::vector<int32_t> group;  // by row
    std::vector<int32_t> first;  // by group: its first row
    std::vector<int32_t> place;  // by group: its place
    int n_places = 0, n_incomplete = 0;
    bool trivial = false;  // every row is a group and a place of its own

    void find(const ExactNode& p, const int* features, int r) {
        bool incomplete = false, distinct = false;
        for (int q = 0; q < r; ++q) {
            incomplete = incomplete || p.has_missing[features[q]];
            distinct = distinct || p.n_distinct[features[q]] == p.n;
        }
        trivial = distinct && !incomplete;
        n_incomplete = 0;
        if (trivial) {
            n_places = p.n;
            return;
        }
        const size_t n_cells = count_cells(p, features, r);
        size_t capacity = 16;
        while (capacity < 2 * static_cast<size_t>(p.n)) capacity *= 2;
        table_.assign(n_cells > 0 ? n_cells : capacity, -1);
        group.resize(p.n);
        first.clear();
        place.clear();
        latest_.clear();
        for (int i = 0; i < p.n; ++i) {
            const int32_t at =
                n_cells > 0 ? place_in_grid(p, features, r, i) : place_of(p, features, r, i, capacity - 1);
            group[i] = at < 0 ? -1 : group_at(p, at, i);
            n_incomplete += at < 0;
        }
        n_places = static_cast<int>(latest_.size());
    }

private:
    // How many places the columns' distinct values allow, if a table of them is small; else 0.
    static size_t count_cells(const ExactNode& p, const int* features, int r) {
        size_t n_cells = 1;
        for (int q = 0; q < r; ++q) {
            n_cells *= p.n_distinct[features[q]];
            if (n_cells > 8 * static_cast<size_t>(p.n)) return 0;
        }
        return n_cells;
    }

    // The place of row i by its ranks alone.
    int32_t place_in_grid(const ExactNode& p, const int* features, int r, int i) {
        size_t cell = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = p.codes(features[q])[i];
            if (code < 0) return -1;
            cell = cell * p.n_distinct[features[q]] + code;
        }
        if (table_[cell] < 0) {
            table_[cell] = static_cast<int32_t>(latest_.size());
            latest_.push_back(-1);
        }
        return table_[cell];
    }

    // The place of row i by hashing its ranks; a new one gets row i's group.
    int32_t place_of(const ExactNode& p, const int* features, int r, int i, size_t mask) {
        uint64_t hash = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = p.codes(features[q])[i];
            if (code < 0) return -1;
            hash = mix(hash + static_cast<uint64_t>(code) + 0x9e3779b97f4a7c15ULL);
        }
        for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            const int32_t known = table_[slot];
            if (known < 0) {
                table_[slot] = static_cast<int32_t>(latest_.size());
                latest_.push_back(-1);
                return table_[slot];
            }
            const int other = first[latest_[known]];
            bool equal = true;
            for (int q = 0; q < r && equal; ++q) equal = p.codes(features[q])[i] == p.codes(features[q])[other];
            if (equal) return known;
        }
    }

    // Rows come class after class: the latest group at a place is the row's own if it has the row's class.
    int32_t group_at(const ExactNode& p, int32_t at, int i) {
        const int32_t latest = latest_[at];
        if (latest >= 0 && p.y[first[latest]] == p.y[i]) return latest;
        latest_[at] = static_cast<int32_t>(first.size());
        first.push_back(i);
        place.push_back(at);
        return latest_[at];
    }

    std::vector<int32_t> table_, latest_;
};

}  // namespace detail

// Makes the points of a feature set and, above them, levels of cells: prefixes of the points' Morton codes over the
// quantiles of their features. A box of hyperplanes is far larger than a cell near the root of the search, so whole
// cells are certain there and a pass costs as much as there are cells, not rows.
class PointMaker {
public:
    void make(const ExactNode& p, const int* features, int r, Points& points) {
        points.narrow = p.narrow();
        if (points.narrow) make_as<float>(p, features, r, points);
        else make_as<double>(p, features, r, points);
    }

private:
    static constexpr int kPointsPerCell = 8;  // in the finest cells, about
    static constexpr int kBitsPerLevel = 3;
    static constexpr int kFewestBits = 5;   // of the coarsest level
    static constexpr int kMostHeavy = 3;    // heavy places in a set
    static constexpr double kHeavy = 0.02;  // share of the weight that a heavy place has outside of its largest class
    static constexpr int kBitsPerFeature = 5;  // coarser cells than 1/32 of a feature are as wide as the boxes: no gain

    template <class T>
    void make_as(const ExactNode& p, const int* features, int r, Points& points) {
        grouper_.find(p, features, r);
        n_groups_ = grouper_.trivial ? p.n : static_cast<int>(grouper_.first.size());
        points.layout = {r, !p.unit_weights || n_groups_ + grouper_.n_incomplete < p.n};
        points.n_places = grouper_.n_places;
        choose_heavy(p);
        set_depths(static_cast<int>(n_light()), r);
        points.levels.resize(depths_.size() + 1);
        count_classes(p);
        Level& entries = points.levels.back();
        entries.prepare<T>(points.layout.n_arrays(false), counts_, false);
        place_groups(p, features, r, entries);
        fill_exact(p, features, r, points);
        fill_weights(p, points);
        fill_heavy(p, features, r, points);
        fill_entries<T>(points);
        for (size_t level = depths_.size(); level-- > 0;) make_cells<T>(points, level);
    }

    int row_of(int group) const { return grouper_.trivial ? group : grouper_.first[group]; }

    // Groups that are not at heavy places: all of them, or those listed.
    int n_light() const { return heavy_places_.empty() ? n_groups_ : static_cast<int>(light_.size()); }
    int light(int q) const { return heavy_places_.empty() ? q : light_[q]; }

    // The places with most weight outside of their largest class, if that is much.
    void choose_heavy(const ExactNode& p) {
        heavy_places_.clear();
        if (grouper_.trivial || grouper_.n_places == n_groups_) return;
        group_weight_.assign(n_groups_, 0.0);
        for (int i = 0; i < p.n; ++i)
            if (grouper_.group[i] >= 0) group_weight_[grouper_.group[i]] += p.weight[i];
        place_weight_.assign(grouper_.n_places, 0.0);
        place_largest_.assign(grouper_.n_places, 0.0);
        for (int g = 0; g < n_groups_; ++g) {
            place_weight_[grouper_.place[g]] += group_weight_[g];
            double& largest = place_largest_[grouper_.place[g]];
            largest = std::max(largest, group_weight_[g]);
        }
        const auto mixed = [&](int place) { return place_weight_[place] - place_largest_[place]; };
        for (int place = 0; place < grouper_.n_places; ++place)
            if (mixed(place) >= kHeavy * p.total) heavy_places_.push_back(place);
        std::stable_sort(heavy_places_.begin(), heavy_places_.end(), [&](int a, int b) { return mixed(a) > mixed(b); });
        if (heavy_places_.size() > kMostHeavy) heavy_places_.resize(kMostHeavy);
        light_.clear();
        for (int g = 0; g < n_groups_; ++g)
            if (heavy_of(g) < 0) light_.push_back(g);
    }

    int heavy_of(int group) const {
        for (size_t h = 0; h < heavy_places_.size(); ++h)
            if (heavy_places_[h] == grouper_.place[group]) return static_cast<int>(h);
        return -1;
    }

    void fill_heavy(const ExactNode& p, const int* features, int r, Points& points) const {
        points.heavy.assign(heavy_places_.size(), {std::vector<double>(r), std::vector<double>(p.k, 0.0), {}});
        for (int g = 0; g < n_groups_ && !heavy_places_.empty(); ++g) {
            const int h = heavy_of(g);
            if (h < 0) continue;
            HeavyPlace& heavy = points.heavy[h];
            const int row = row_of(g);
            for (int q = 0; q < r; ++q) heavy.x[q] = p.column(features[q])[row];
            heavy.weights[p.y[row]] += group_weight_[g];
            heavy.entries.emplace_back(slot_[g], p.y[row]);
        }
    }

    // Code lengths of the levels of cells, coarsest first.
    void set_depths(int n, int r) {
        depths_.clear();
        int bits = 0;
        while ((int64_t{kPointsPerCell} << (bits + 1)) <= n && bits < 24) ++bits;
        if (bits < kBitsPerFeature * r) return;
        for (; bits >= kFewestBits; bits -= kBitsPerLevel) depths_.push_back(bits);
        std::reverse(depths_.begin(), depths_.end());
    }

    void count_classes(const ExactNode& p) {
        counts_.assign(p.k, 0);
        if (grouper_.trivial) {
            for (int c = 0; c < p.k; ++c) counts_[c] = p.class_begin[c + 1] - p.class_begin[c];
        } else {
            for (int q = 0; q < n_light(); ++q) ++counts_[p.y[row_of(light(q))]];
        }
    }

    // Each group's slot: class after class, within a class in the order of Morton codes; heavy ones at the end.
    // code_[slot] is the code.
    void place_groups(const ExactNode& p, const int* features, int r, const Level& entries) {
        const int bits = depths_.empty() ? 0 : depths_.back();
        slot_.assign(n_groups_, -1);
        code_.assign(bits > 0 ? entries.segment.back() : 0, 0);
        if (bits > 0) find_codes(p, features, r, bits);
        int q = 0;
        for (int c = 0; c < p.k; ++c) {
            const int end = q + counts_[c];
            if (bits == 0) {
                for (int slot = entries.segment[c]; q < end; ++q) slot_[light(q)] = slot++;
                continue;
            }
            start_.assign((size_t{1} << bits) + 1, 0);
            for (int i = q; i < end; ++i) ++start_[key_[i] + 1];
            start_[0] = entries.segment[c];
            for (size_t key = 1; key < start_.size(); ++key) start_[key] += start_[key - 1];
            for (; q < end; ++q) {
                const int slot = start_[key_[q]]++;
                slot_[light(q)] = slot;
                code_[slot] = key_[q];
            }
        }
        n_slots_ = entries.segment.back();
        for (int g = 0; g < n_groups_ && !heavy_places_.empty(); ++g)
            if (slot_[g] < 0) slot_[g] = n_slots_++;
    }

    // Interleaves the leading bits of the features' quantiles: bit by bit from the first feature's highest on.
    void find_codes(const ExactNode& p, const int* features, int r, int bits) {
        const int n = n_light();
        key_.assign(n, 0);
        for (int q = 0; q < r; ++q) {
            uint32_t spread[2][256] = {};  // what the high and the low byte of a quantile add to the code
            for (int bit = q; bit < bits; bit += r) {
                const int from = 15 - bit / r;
                for (int byte = 0; byte < 256; ++byte) {
                    if (byte >> (from & 7) & 1) spread[from < 8][byte] |= uint32_t{1} << (bits - 1 - bit);
                }
            }
            const uint16_t* quantile = p.quantiles(features[q]);
            for (int i = 0; i < n; ++i) {
                const uint16_t share = quantile[row_of(light(i))];
                key_[i] |= spread[0][share >> 8] | spread[1][share & 255];
            }
        }
    }

    void fill_exact(const ExactNode& p, const int* features, int r, Points& points) {
        const int n = n_groups_;
        const size_t size = n_slots_;
        points.stride = size + kLane;
        points.exact.resize(points.stride * r);
        points.representative.assign(size, -1);
        points.largest.assign(r, 0.0);
        for (int g = 0; g < n; ++g) points.representative[slot_[g]] = row_of(g);
        for (int q = 0; q < r; ++q) {
            const double* column = p.column(features[q]);
            double* exact = points.exact.data() + q * points.stride;
            double largest = 0;
            for (int g = 0; g < n; ++g) {
                const double value = column[row_of(g)];
                exact[slot_[g]] = value;
                largest = std::max(largest, std::abs(value));
            }
            points.largest[q] = largest;
        }
        points.place.clear();
        if (points.n_places == n) return;
        points.place.assign(size, -1);
        for (int g = 0; g < n; ++g) points.place[slot_[g]] = grouper_.place[g];
    }

    void fill_weights(const ExactNode& p, Points& points) {
        points.missing.assign(p.k, 0.0);
        points.missing_rows = points.missing_weight = 0;
        points.weight.assign(points.layout.weighted ? n_slots_ : 0, 0.0);
        if (!points.layout.weighted && grouper_.n_incomplete == 0) return;
        for (int i = 0; i < p.n; ++i) {
            const int group = grouper_.trivial ? i : grouper_.group[i];
            if (group < 0) {
                points.missing[p.y[i]] += p.weight[i];
                points.missing_weight += p.weight[i];
                points.missing_rows += 1;
            } else if (points.layout.weighted) {
                points.weight[slot_[group]] += p.weight[i];
            }
        }
    }

    template <class T>
    void fill_entries(Points& points) {
        Level& level = points.levels.back();
        const PointLayout& layout = points.layout;
        IndexIn<T>* index = reinterpret_cast<IndexIn<T>*>(level.array<T>(layout.index(false)));
        for (size_t c = 0; c < counts_.size(); ++c) {
            const int begin = level.segment[c], end = begin + counts_[c];
            for (int q = 0; q < layout.r; ++q) {
                const double* exact = points.coordinate(q);
                T* target = level.array<T>(q);
                for (int slot = begin; slot < end; ++slot) target[slot] = static_cast<T>(exact[slot]);
            }
            if (layout.weighted) {
                T* target = level.array<T>(layout.weight(false));
                for (int slot = begin; slot < end; ++slot) target[slot] = static_cast<T>(points.weight[slot]);
            }
            for (int slot = begin; slot < end; ++slot) index[slot] = slot;
        }
    }

    // Cells of one level from the next finer one: runs of equal codes within a class.
    template <class T>
    void make_cells(Points& points, size_t at) {
        Level& level = points.levels[at];
        const Level& finer = points.levels[at + 1];
        const int shift = (at + 1 < depths_.size() ? depths_[at + 1] : depths_.back()) - depths_[at];
        level.first.clear();
        level.count.clear();
        finer_counts_ = counts_;
        int n = 0;
        for (size_t c = 0; c < counts_.size(); ++c) {
            counts_[c] = 0;
            n = static_cast<int>(padded(n));  // the slots of this level: never ahead of what is still to be read
            for (int i = finer.segment[c]; i < finer.segment[c] + finer_counts_[c]; ++i) {
                const uint32_t code = code_[i] >> shift;
                if (counts_[c] == 0 || code_[n - 1] != code) {
                    level.first.resize(n + 1);
                    level.count.resize(n + 1);
                    level.first[n] = i;
                    code_[n++] = code;
                    ++counts_[c];
                }
                ++level.count[n - 1];
            }
        }
        level.prepare<T>(points.layout.n_arrays(true), counts_, true);
        for (size_t c = 0; c < counts_.size(); ++c)
            for (int q = 0; q < counts_[c]; ++q) fill_cell<T>(points, finer, level, level.segment[c] + q);
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
        double sum = 0;
        for (int i = begin; i < end; ++i) {
            sum += finer.cells || layout.weighted ? static_cast<double>(finer.array<T>(layout.weight(finer.cells))[i])
                                                  : 1.0;
        }
        level.array<T>(layout.weight(true))[cell] = static_cast<T>(sum);
        reinterpret_cast<IndexIn<T>*>(level.array<T>(layout.index(true)))[cell] = cell;
    }

    detail::PointGrouping grouper_;
    int n_groups_ = 0, n_slots_ = 0;
    std::vector<int32_t> heavy_places_, light_;
    std::vector<double> group_weight_, place_weight_, place_largest_;
    std::vector<int32_t> slot_, start_, counts_, finer_counts_;
    std::vector<uint32_t> key_, code_;
    std::vector<int> depths_;
};

}  // namespace elc
