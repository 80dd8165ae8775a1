// The planes scored so far that have more points on them than define them: another selection of those has the same
// plane but for rounding, and is not scored again where no row notices the difference.
//
// A difference counts as it is, in the values of rows, and never by how near the points are to a plane: three points
// within 1e-15 of it, two of them a millionth apart, tilt a plane by more than the tolerance across the table. Only
// where the points on a plane are divided in every linear way do points that are coplanar up to rounding have one
// plane: what a tilt by rounding adds to those ways is no split that any plane makes. Elsewhere selections that are
// wide enough (narrow_selections.hpp) have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bits.hpp"
#include "common/inline.hpp"
#include "exact/node/tolerances.hpp"
#include "exact/passes/passes.hpp"
#include "exact/planes/plane.hpp"
#include "exact/planes/wideness.hpp"

namespace elc {

class ScoredPlanes {
public:
    // Begins a list of points with coordinates up to `largest`.
    void begin(const std::vector<double>& largest) {
        largest_ = &largest;
        planes_.clear();
        tolerance_.clear();
    }

    // No row changes its side on a plane whose values differ from the given one's by less than the tolerance.
    void remember(const Plane& plane, double tolerance) {
        planes_.insert(planes_.end(), plane.w.begin(), plane.w.end());
        planes_.push_back(plane.b);
        tolerance_.push_back(tolerance);
    }

    // Whether the plane, whose values may be off by `error`, divides the rows as a remembered one does.
    bool hold(const Plane& plane, double error = 0) const {
        const size_t r = plane.w.size();
        const double distance = std::abs(plane.b);
        for (size_t at = 0; at < tolerance_.size(); ++at) {
            const double* other = planes_.data() + at * (r + 1);
            if (std::abs(distance - std::abs(other[r])) + error >= tolerance_[at]) continue;  // most are seen so
            if (difference(plane, other) + error < tolerance_[at]) return true;
        }
        return false;
    }

private:
    // The largest difference of the values of a row, with the other plane turned as this one is.
    double difference(const Plane& plane, const double* other) const {
        const size_t r = plane.w.size();
        double product = 0;
        for (size_t j = 0; j < r; ++j) product += plane.w[j] * other[j];
        const double sign = product < 0 ? -1.0 : 1.0;
        double sum = std::abs(plane.b - sign * other[r]);
        for (size_t j = 0; j < r; ++j) sum += std::abs(plane.w[j] - sign * other[j]) * (*largest_)[j];
        return sum;
    }

    const std::vector<double>* largest_ = nullptr;
    std::vector<double> planes_;  // r coefficients and the offset of each
    std::vector<double> tolerance_;
};

// Which of a list's first points lie on one of the scored planes up to rounding.
template <int R>
class CoplanarPoints {
public:
    // Begins a list whose first n points may be selected.
    void begin(const ScoringList& list, int n) {
        list_ = &list;
        n_words_ = (static_cast<size_t>(n) + kBits - 1) / kBits;
        masks_.clear();
        planes_.clear();
        selected_.resize(n_words_);
    }

    // Remembers the points of a plane by their values, if they are more than r.
    bool remember(const std::vector<double>& values, int n, int r) {
        masks_.resize(masks_.size() + n_words_, 0);
        uint64_t* mask = masks_.data() + masks_.size() - n_words_;
        for (int i = 0; i < n; ++i)
            mask[i / kBits] |= static_cast<uint64_t>(std::abs(values[i]) <= kCoplanarByRounding) << (i % kBits);
        int n_on = 0;
        for (size_t word = 0; word < n_words_; ++word) n_on += count_bits(mask[word]);
        if (n_on <= r) masks_.resize(masks_.size() - n_words_);
        else planes_.push_back({0, 0.0});
        return n_on > r;
    }

    // Of the points remembered last, selections are known only from the `least` volume on that their edges span when
    // they are seen along a coordinate.
    void require(int seen_along, double least) { planes_.back() = {seen_along, least}; }

    // Whether all points of the selection lie on one remembered plane, and are wide enough apart to fix no other.
    ELC_INLINE bool hold(const std::vector<int>& selection) { return !masks_.empty() && is_among_masks(selection); }

private:
    static constexpr size_t kBits = 64;

    struct Remembered {
        int seen_along;
        double least;
    };

    bool is_among_masks(const std::vector<int>& selection) {
        if (n_words_ == 1) return hold_in_one_word(selection);
        std::fill(selected_.begin(), selected_.end(), 0);
        for (int i : selection) selected_[i / kBits] |= uint64_t{1} << (i % kBits);
        for (size_t at = 0; at < planes_.size(); ++at) {
            uint64_t outside = 0;
            for (size_t word = 0; word < n_words_; ++word) outside |= selected_[word] & ~masks_[at * n_words_ + word];
            if (outside == 0 && is_wide(selection, planes_[at])) return true;
        }
        return false;
    }

    // For lists of at most 64 points: nearly all.
    bool hold_in_one_word(const std::vector<int>& selection) const {
        uint64_t selected = 0;
        for (int i : selection) selected |= uint64_t{1} << i;
        for (size_t at = 0; at < masks_.size(); ++at)
            if ((selected & ~masks_[at]) == 0 && is_wide(selection, planes_[at])) return true;
        return false;
    }

    bool is_wide(const std::vector<int>& selection, const Remembered& plane) const {
        return plane.least <= 0 || volume_seen_along<R>(*list_, selection, plane.seen_along) >= plane.least;
    }

    const ScoringList* list_ = nullptr;
    size_t n_words_ = 0;
    std::vector<uint64_t> masks_, selected_;  // a bit for each point
    std::vector<Remembered> planes_;          // one for each mask
};

}  // namespace elc
