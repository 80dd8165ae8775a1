// Moves a box to coordinates that suit its points (local_coordinates.hpp).
//
// Points that lie close together, or near a line, stay uncertain together in every box whose planes pass them, and
// there are many such boxes: as many as there are scales between the cluster's size and the table's, and in each scale
// as many as there are tilts that move none of the points.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exact/boxes/closer_look.hpp"
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
class Fullness {
public:
    // Of a sample of the list's first `end` entries.
    double of(const PointList& list, int end, int r, int chart) {
        start(r, chart);
        const int step = 1 + (end - 1) / kSeenFirst;
        if (list.narrow) add_all<float>(list, end, step);
        else add_all<double>(list, end, step);
        return n_ > r ? determinant() : 1.0;
    }

private:
    void start(int r, int chart) {
        n_ = d_ = 0;
        for (int j = 0; j < r; ++j)
            if (j != chart) tilts_[d_++] = j;
        std::fill(sum_, sum_ + d_, 0.0);
        std::fill(size_, size_ + d_, 0.0);
        std::fill(product_, product_ + d_ * d_, 0.0);
    }

    template <class T>
    void add_all(const PointList& list, int end, int step) {
        const T* first = list.array<T>(0);
        for (int i = 0; i < end; i += step) {
            if (first[i] != first[i]) continue;
            ++n_;
            for (int p = 0; p < d_; ++p) {
                const double y = list.array<T>(tilts_[p])[i];
                sum_[p] += y;
                size_[p] += std::abs(y);
                for (int q = 0; q <= p; ++q) product_[p * d_ + q] += y * list.array<T>(tilts_[q])[i];
            }
        }
    }

    // By Cholesky's decomposition.
    double determinant() {
        double result = 1;
        for (int p = 0; p < d_; ++p) {
            for (int q = 0; q <= p; ++q) {
                double value = product_[p * d_ + q] / n_ - sum_[p] / n_ * (sum_[q] / n_);
                for (int m = 0; m < q; ++m) value -= product_[p * d_ + m] * product_[q * d_ + m];
                if (p != q) value = product_[q * d_ + q] > 0 ? value / product_[q * d_ + q] : 0.0;
                else value = std::sqrt(std::max(value, 0.0));
                product_[p * d_ + q] = value;
            }
            if (size_[p] > 0) result *= product_[p * d_ + p] * n_ / size_[p];
        }
        return result;
    }

    int n_ = 0, d_ = 0, tilts_[kMostTilts];
    double sum_[kMostTilts], size_[kMostTilts], product_[kMostTilts * kMostTilts];
};

// Whether most neighbours in a list of points lie close together: those of one class are in order of place.
template <int R>
bool is_clustered(const PointList& list, const Spread<R>& spread, int r, int k) {
    const auto is_close = [&](auto zero, int i) {
        using T = decltype(zero);
        for (int j = 0; j < r; ++j) {
            const T* y = list.array<T>(j) + i;
            if (!(std::abs(y[0] - y[1]) * list.n <= kClose * spread[j])) return false;
        }
        return true;
    };
    constexpr int kPairs = 8;
    const int end = list.segment[k];
    int n_close = 0, n_apart = 0;
    for (int q = 0; n_close < kPairs / 2 && n_apart <= kPairs / 2; ++q) {
        const int i = static_cast<int>((2 * q + 1) * static_cast<int64_t>(end) / (2 * kPairs));
        const bool close = i + 1 < end && (list.narrow ? is_close(0.0f, i) : is_close(0.0, i));
        ++(close ? n_close : n_apart);
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
        const bool looks = at_fullness_.is_worth_while();
        const double full = looks ? fullness_.of(frame.list, frame.list.segment[k_], r_, frame.box.chart) : 1.0;
        const bool thin = looks && at_fullness_.note(full < kThin);
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
        const PointList seen = lists.sample_seen_from(box, frame.list, kSeenFirst);
        if (thin ? fullness_.of(seen, seen.segment[k_], r_, box.chart) <= kMuchFuller * full : settled(box, seen) < 0.5)
            return;
        outer.push_back({frame.box, local});
        frame.list = lists.seen_from(box, frame.list);
        frame.box = box;
        lists.measure(frame.box, frame.list, frame.spread);
    }

private:
    double settled(const Box<R>& box, const PointList& list) {
        cuts_.look_at(box, list, list.segment[k_]);
        return cuts_.settled();
    }

    int r_, k_;
    CutFinder<R>& cuts_;
    Fullness fullness_;
    CloserLook at_fullness_{64};  // a list in coordinates that do not suit it costs many boxes
    PointSample sample_;
    CornerFinder<R> corners_;
};

}  // namespace elc
