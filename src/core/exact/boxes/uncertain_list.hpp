// The lists of points that boxes are uncertain about: each is made from one of a larger box.
//
// A list begins as the coarsest cells of a feature set. As boxes get smaller it loses what has become certain, its
// cells are replaced by what they hold, and in the end its points are seen in double, in coordinates that suit them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "common/inline.hpp"
#include "exact/boxes/arena.hpp"
#include "exact/boxes/box.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"
#include "exact/points/points.hpp"

namespace elc {

constexpr int kFewCells = 16;       // so few cells are replaced by what they hold
constexpr double kCellShare = 0.5;  // cells are replaced when their widths add more than this share of the box's
constexpr double kNarrowest = 32;   // boxes smaller than this times the error of single precision are seen in double

// Sums over a list: |y_j|, then the half-widths of its cells.
template <int R>
using Spread = Numbers<2 * R>;

template <int R>
class UncertainLists {
public:
    // Lists are made in the arena.
    UncertainLists(Arena& arena, int r, int k) : arena_(arena), passes_(passes_for(r, k)), r_(r), k_(k) {}

    void look_at(const Points& points) { points_ = &points; }

    PointList coarsest() const { return whole(0); }
    PointList finest() const { return whole(static_cast<int>(points_->levels.size()) - 1); }

    bool is_cells(const PointList& list) const { return list.level + 1 < static_cast<int>(points_->levels.size()); }

    size_t bytes(const PointList& list) const {
        return list.stride * points_->layout.n_arrays(is_cells(list)) * (list.narrow ? sizeof(float) : sizeof(double));
    }

    // Local coordinates have the sum of what multiplies the offset in place of the chart's.
    void measure(const Box<R>& box, const PointList& list, Spread<R>& spread) const {
        const auto sum = passes_.absolute_sum[list.narrow];
        for (int j = 0; j < (is_cells(list) ? 2 * r_ : r_); ++j) spread[j] = sum(list, j, k_);
        if (list.local) spread[box.chart] = sum_offset_shares(box, list);
    }

    // Tallies both halves of a box.
    ELC_INLINE void tally(const Box<R>& box, const PointList& list, Split split, Halves& halves) const {
        const auto& passes = passes_.tally[static_cast<int>(seen(list))][points_->layout.moments];
        const auto pass = passes[static_cast<int>(points_->layout.entries(is_cells(list)))];
        pass(list, r_, k_, view(box, list), split, halves);
    }

    // What one half of the box is uncertain about, `n_uncertain` entries by the tally; measures its spread.
    ELC_INLINE PointList uncertain_in(const Box<R>& box, const PointList& list, Split split, int half, int n_uncertain,
                                      Spread<R>& spread) {
        const bool cells = is_cells(list);
        const int n_arrays = points_->layout.n_arrays(cells);
        const size_t stride = padded(n_uncertain) + static_cast<size_t>(kLane) * (k_ + 1);
        int32_t* segment = arena_.template take<int32_t>(k_ + 1);
        void* base = list.narrow ? static_cast<void*>(arena_.template take<float>(stride * n_arrays))
                                 : static_cast<void*>(arena_.template take<double>(stride * n_arrays));
        set_size(spread, 2 * r_);
        const auto pass = passes_.compact[static_cast<int>(seen(list))][cells];
        const int n = pass(list, r_, k_, n_arrays, view(box, list), split, half, base, stride, segment, spread.data());
        return {base, stride, segment, n, list.level, list.narrow, list.local};
    }

    // Replaces cells, and then single precision, where they rather than the box make the list uncertain; `n_open` is
    // how much of it the box is uncertain about.
    ELC_INLINE void sharpen(const Box<R>& box, PointList& list, Spread<R>& spread, int& n_open) {
        while (too_coarse(box, list, spread)) {
            list = refined(list);
            n_open = list.n;
            measure(box, list, spread);
        }
        if (too_narrow(box, list, spread)) list = seen_from(box, list);
    }

    // By how much the widths of the list's cells exceed the box as a cause of uncertainty.
    double cell_share(const Box<R>& box, const PointList& list, const Spread<R>& spread) const {
        double cells = 0;
        for (int j = 0; j < r_; ++j) cells += (std::abs(box.w[j]) + box.dw[j]) * spread[r_ + j];
        return cells / total_size(box, list, spread);
    }

    // The list's points in double, in the coordinates of a box.
    PointList seen_from(const Box<R>& box, const PointList& list) {
        return list.narrow ? seen_as<float>(box, list) : seen_as<double>(box, list);
    }

    void see_in_double(const Box<R>& box, PointList& list, Spread<R>& spread) {
        list = seen_from(box, list);
        measure(box, list, spread);
    }

    // How little a box may move points that are seen in single precision.
    double narrowest(const Box<R>& box) const { return kNarrowest * narrow_error(box, false); }

    // What the radius of a value needs on top.
    double margin(const Box<R>& box, const PointList& list) const { return view(box, list).margin; }

private:
    double sum_offset_shares(const Box<R>& box, const PointList& list) const {
        double total = 0;
        for (int i = 0; i < list.segment[k_]; ++i) {
            double share = 1;
            for (int j = 0; j < r_; ++j) share -= box.local->absolute[j] * list.array<double>(j)[i];
            if (share == share && list.array<double>(0)[i] == list.array<double>(0)[i]) total += std::abs(share);
        }
        return total;
    }

    // Whether the cells (or the margin for rounding), rather than the box, are what makes the list uncertain.
    bool too_coarse(const Box<R>& box, const PointList& list, const Spread<R>& spread) const {
        if (!is_cells(list) || points_->cells_only) return false;
        if (list.n <= kFewCells || cell_share(box, list, spread) > kCellShare) return true;
        return total_size(box, list, spread) < kNarrowest * view(box, list).margin * list.n;
    }

    // Whether the box is so small that single precision leaves too many points uncertain.
    bool too_narrow(const Box<R>& box, const PointList& list, const Spread<R>& spread) const {
        if (!list.narrow || is_cells(list)) return false;
        return total_size(box, list, spread) < narrowest(box) * list.n;
    }

    // The cells or points in the cells of the list.
    PointList refined(const PointList& list) {
        return list.narrow ? refined_as<float>(list) : refined_as<double>(list);
    }

    PointList whole(int level) const {
        const Level& from = points_->levels[level];
        return {from.storage.data(), from.stride, from.segment.data(), from.n, level, points_->narrow};
    }

    // How far the box lets the values of the list's entries move, in all.
    double total_size(const Box<R>& box, const PointList& list, const Spread<R>& spread) const {
        double size = box.db * list.n;
        for (int j = 0; j < order_of<R>(r_); ++j) size += box.dw[j] * spread[j];
        return size;
    }

    // The box as a pass over the list sees it.
    ELC_INLINE BoxView view(const Box<R>& box, const PointList& list) const {
        const double error = list.narrow ? narrow_error(box, is_cells(list)) : 0.0;
        return {box.w.data(),
                box.dw.data(),
                box.b,
                box.db,
                points_->tolerance.certain + error,
                box.chart,
                box.local ? box.local->absolute.data() : nullptr};
    }

    // In single precision a value w.y - b and its radius are wrong by at most 3r + 10 roundings of the largest sum that
    // the box allows; cells add their half-widths to that sum.
    ELC_INLINE double narrow_error(const Box<R>& box, bool cells) const {
        double largest = std::abs(box.b) + box.db;
        for (int j = 0; j < order_of<R>(r_); ++j) largest += (std::abs(box.w[j]) + box.dw[j]) * points_->largest[j];
        return (3 * r_ + 10) * (cells ? 2 : 1) * 0x1p-24 * largest;
    }

    template <class T>
    const IndexIn<T>* indices(const PointList& list, bool cells) const {
        return reinterpret_cast<const IndexIn<T>*>(list.array<T>(points_->layout.index(cells)));
    }

    // Copies whole lanes: cells hold a few entries each, and every array has a lane of slack at its end.
    template <class T>
    static void copy_and_more(const T* from, int n, T* to) {
        for (int i = 0; i < n; i += kLane) std::memcpy(to + i, from + i, kLane * sizeof(T));
    }

    template <class T>
    PointList refined_as(const PointList& list) {
        const Level& level = points_->levels[list.level];
        const Level& finer = points_->levels[list.level + 1];
        const IndexIn<T>* index = indices<T>(list, true);
        const T* first = list.array<T>(0);
        int32_t* segment = arena_.template take<int32_t>(k_ + 1);
        int n = 0, at = 0;
        for (int c = 0; c < k_; ++c) {
            segment[c] = at;
            int size = 0;
            for (int i = list.segment[c]; i < list.segment[c + 1] && first[i] == first[i]; ++i)
                size += level.count[index[i]];
            n += size;
            at += static_cast<int>(padded(size));
        }
        segment[k_] = at;
        const int n_arrays = points_->layout.n_arrays(finer.cells);
        const size_t stride = at + kLane;
        T* base = arena_.template take<T>(stride * n_arrays);
        for (int c = 0; c < k_; ++c) {
            int end = segment[c];
            for (int i = list.segment[c]; i < list.segment[c + 1] && first[i] == first[i]; ++i) {
                const int begin = level.first[index[i]], count = level.count[index[i]];
                for (int a = 0; a < n_arrays; ++a)
                    copy_and_more(finer.array<T>(a) + begin, count, base + a * stride + end);
                end += count;
            }
            for (int a = 0; a < n_arrays; ++a)
                std::fill(base + a * stride + end, base + a * stride + segment[c + 1],
                          a == 0 ? std::numeric_limits<T>::quiet_NaN() : T{0});
        }
        return {base, stride, segment, n, list.level + 1, list.narrow};
    }

    template <class T>
    PointList seen_as(const Box<R>& box, const PointList& list) {
        const PointLayout& layout = points_->layout;
        double* base = arena_.template take<double>(list.stride * layout.n_arrays(false));
        const IndexIn<T>* index = indices<T>(list, false);
        const T* first = list.array<T>(0);
        int64_t* wide_index = reinterpret_cast<int64_t*>(base + layout.index(false) * list.stride);
        for (int i = 0; i < list.segment[k_]; ++i) {
            const bool real = first[i] == first[i];
            const int slot = static_cast<int>(index[i]);
            wide_index[i] = slot;
            const auto x = [&](int j) { return points_->coordinate(j)[slot]; };
            if (real) box.see(r_, x, base + i, list.stride);
            else
                for (int j = 0; j < r_; ++j) base[j * list.stride + i] = 0.0;
            if (!real) base[i] = std::numeric_limits<double>::quiet_NaN();
            if (layout.weighted) base[layout.weight(false) * list.stride + i] = real ? points_->weight[slot] : 0.0;
            if (layout.moments) base[layout.moment(false) * list.stride + i] = real ? points_->moment[slot] : 0.0;
        }
        return {base, list.stride, list.segment, list.n, list.level, false, box.local != nullptr};
    }

    Arena& arena_;
    Passes passes_;
    int r_, k_;
    const Points* points_ = nullptr;
};

}  // namespace elc
