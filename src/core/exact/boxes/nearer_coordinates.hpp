// Moves a box to coordinates that suit its points (local_coordinates.hpp).
//
// Points that lie close together, or near a line, stay uncertain together in every box whose planes pass them, and
// there are many such boxes: as many as there are scales between the cluster's size and the table's, and in each scale
// as many as there are tilts that move none of the points.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/boxes/corners.hpp"
#include "exact/boxes/cuts.hpp"
#include "exact/boxes/frames.hpp"
#include "exact/boxes/uncertain_list.hpp"
#include "exact/planes/point_sample.hpp"

namespace elc {

constexpr double kThin = 0.03125;       // points that fill less of what they reach deserve coordinates of their own,
constexpr double kMuchFuller = 4;       // in which they must fill so much more
constexpr double kClose = 0.02;         // neighbours are, of what points reach on average
constexpr double kLargestTerms = 1000;  // of a value: rounding must stay far below the slack of boxes
constexpr int kMostTilts = 15;          // with more features, none are looked for
constexpr int kSeenFirst = 16;          // points tell whether coordinates suit the others

// How much of what points reach, seen from the origin, they fill: the root of the determinant of their covariance over
// the product of the means of |y_k|, of all tilts.
template <int R>
class Fullness {
public:
    // Of a sample of the list's first `end` entries.
    double of(const PointList& list, int end, int r, int chart) {
        n_ = 0;
        d_ = r - 1;
        for (int j = 0, p = 0; j < r; ++j)
            if (j != chart) tilts_[p++] = j;
        const int step = 1 + (end - 1) / kSeenFirst;
        if (list.narrow) take<float>(list, end, step);
        else take<double>(list, end, step);
        return n_ > r ? determinant() : 1.0;
    }

private:
    static constexpr int kMost = R ? R - 1 : kMostTilts;

    int n_tilts() const { return R ? R - 1 : d_; }

    // The sample's coordinates, then the sums.
    template <class T>
    void take(const PointList& list, int end, int step) {
        const int d = n_tilts();
        const T* first = list.array<T>(0);
        for (int i = 0; i < end; i += step) {
            for (int p = 0; p < d; ++p) y_[p][n_] = list.array<T>(tilts_[p])[i];
            n_ += first[i] == first[i];
        }
        for (int p = 0; p < d; ++p) {
            sum_[p] = size_[p] = 0;
            for (int i = 0; i < n_; ++i) sum_[p] += y_[p][i], size_[p] += std::abs(y_[p][i]);
            for (int q = 0; q <= p; ++q) {
                double product = 0;
                for (int i = 0; i < n_; ++i) product += y_[p][i] * y_[q][i];
                product_[p * d + q] = product;
            }
        }
    }

    // By Cholesky's decomposition.
    double determinant() {
        const int d = n_tilts();
        const double share = 1.0 / n_;
        double result = 1;
        for (int p = 0; p < d; ++p) {
            for (int q = 0; q <= p; ++q) {
                double value = product_[p * d + q] * share - sum_[p] * share * (sum_[q] * share);
                for (int m = 0; m < q; ++m) value -= product_[p * d + m] * product_[q * d + m];
                if (p != q) value = product_[q * d + q] > 0 ? value / product_[q * d + q] : 0.0;
                else value = std::sqrt(std::max(value, 0.0));
                product_[p * d + q] = value;
            }
            if (size_[p] > 0) result *= product_[p * d + p] * n_ / size_[p];
        }
        return result;
    }

    int n_ = 0, d_ = 0, tilts_[kMost];
    double y_[kMost][kSeenFirst];
    double sum_[kMost], size_[kMost], product_[kMost * kMost];
};

// Whether most neighbours in a list of points lie close together: those of one class are in order of place.
template <int R>
bool is_clustered(const PointList& list, const Spread<R>& spread, int r, int k) {
    const auto is_close = [&](auto zero, int i) {
        using T = decltype(zero);
        bool close = true;
        for (int j = 0; j < order_of<R>(r); ++j) {
            const T* y = list.array<T>(j) + i;
            close &= std::abs(y[0] - y[1]) * list.n <= kClose * spread[j];
        }
        return close;
    };
    constexpr int kPairs = 8;
    const int end = list.segment[k];
    int n_close = 0;
    for (int q = 0; q < kPairs; ++q) {
        const int i = static_cast<int>((2 * q + 1) * static_cast<int64_t>(end) / (2 * kPairs));
        if (i + 1 < end) n_close += list.narrow ? is_close(0.0f, i) : is_close(0.0, i);
    }
    return n_close >= kPairs / 2;
}

template <int R>
class NearerCoordinates {
public:
    NearerCoordinates(int r, int k, CutFinder<R>& cuts) : r_(r), k_(k), cuts_(cuts) {}

    // Moves the frame to coordinates that suit its points, if there is much to gain. The frame's box then becomes an
    // outer box, since the list holds what is uncertain in that one alone.
    void look_for(Frame<R>& frame, const Points& points, UncertainLists<R>& lists, std::vector<OuterBox<R>>& outer) {
        if (r_ - 1 > kMostTilts) return;
        const double full = fullness_.of(frame.list, frame.list.segment[k_], r_, frame.box.chart);
        const bool thin = full < kThin;
        if (!thin && !(is_clustered<R>(frame.list, frame.spread, r_, k_) && settled(frame.box, frame.list) < 0.25))
            return;
        sample_.take(points, frame.list, k_);
        if (sample_.list().n < r_) return;
        const double room = points.tolerance.room();
        const auto local = corners_.find(sample_.list(), frame.box, r_, points.largest, std::min(room, kLocalError));
        if (!local) return;
        Box<R> box;
        set_in_coordinates(frame.box, r_, local.get(), box);
        const double terms = largest_terms(box, r_, points.largest);
        if (!(terms <= kLargestTerms && kHeightRounding * terms <= room)) return;
        const PointList list = lists.seen_from(box, frame.list);
        if (thin ? fullness_.of(list, list.segment[k_], r_, box.chart) <= kMuchFuller * full : settled(box, list) < 0.5)
            return;
        outer.push_back({frame.box, local});
        frame.box = box;
        frame.list = list;
        lists.measure(frame.box, frame.list, frame.spread);
    }

private:
    double settled(const Box<R>& box, const PointList& list) {
        cuts_.look_at(box, list, list.segment[k_], false);
        return cuts_.settled();
    }

    int r_, k_;
    CutFinder<R>& cuts_;
    Fullness<R> fullness_;
    PointSample sample_;
    CornerFinder<R> corners_;
};

}  // namespace elc
