// How points are laid out for the passes: arrays of coordinates, padded within each class, at several levels of detail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "exact/passes/passes.hpp"
#include "exact/points/aligned.hpp"

namespace elc {

inline size_t padded(size_t n) { return (n + kLane - 1) / kLane * kLane; }

// The arrays of a list: r coordinates, for cells r half-widths, weights (unless all are 1), moments (where labels are
// numbers), the entry's place in its level.
struct PointLayout {
    int r = 0;
    bool weighted = false;
    bool moments = false;
    EntryKind entries(bool cells) const {
        return cells ? EntryKind::cells : weighted ? EntryKind::weighted : EntryKind::unit;
    }
    int weight(bool cells) const { return cells ? 2 * r : r; }
    int moment(bool cells) const { return weight(cells) + (weighted || cells); }
    int index(bool cells) const { return moment(cells) + moments; }
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

}  // namespace elc
