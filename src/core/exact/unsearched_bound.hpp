// What is proven of splits that nobody has looked at: no division of the classes, or of the places of a feature set,
// has a smaller loss.
//
// A criterion's loss is concave in the class weights of a side. Where parts (classes, or places: rows that no plane of
// the set can part) go to one side or the other whole, those weights are among the sums of subsets of the parts, so the
// smallest loss over all real shares of the parts, which is at a vertex of that convex set, is no larger than that of
// any split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/numbers.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/points/point_grouping.hpp"
#include "exact/points/points.hpp"

namespace elc {

constexpr int kDividedClasses =
    5;  // the heaviest; with the corners that bounds of few classes try, exact to 11 classes

// The smallest loss of any two sides of a node. With more than two classes no split is perfect: each side has several.
// The heaviest classes go to one side or the other whole, as at a vertex; the bound of a box lets the others be free.
template <class Criterion>
double smallest_loss_of_classes(const Criterion& criterion, const std::vector<double>& totals) {
    const int k = static_cast<int>(totals.size());
    std::vector<int> heaviest(k);
    std::iota(heaviest.begin(), heaviest.end(), 0);
    std::stable_sort(heaviest.begin(), heaviest.end(), [&](int a, int b) { return totals[a] > totals[b]; });
    const int n_divided = std::min(k, kDividedClasses);
    std::vector<double> free = totals, side(k);
    for (int q = 0; q < n_divided; ++q) free[heaviest[q]] = 0;
    double smallest = kInfinity;
    // The heaviest class is on this side: the other way round has the same loss.
    for (unsigned chosen = 1; chosen < (1u << n_divided); chosen += 2) {
        for (int q = 0; q < n_divided; ++q) side[heaviest[q]] = (chosen >> q & 1u) ? totals[heaviest[q]] : 0.0;
        smallest = std::min(smallest, criterion.bound(side.data(), free.data()));
    }
    return std::max(smallest, criterion.perfect());
}

// The same whatever the labels are: of numbers, the best way to divide them at a number.
template <class Criterion>
double smallest_loss_of_labels(const Criterion& criterion, const ExactNode& node) {
    if constexpr (kOfNumbers<Criterion>) {
        std::vector<double> side(node.width, 0.0), free(node.open_width, 0.0);
        for (int i = 0; i < node.n; ++i) node.add_to_open(free.data(), i);
        return std::max(criterion.bound(side.data(), free.data()), criterion.perfect());
    } else {
        return smallest_loss_of_classes(criterion, node.totals);
    }
}

// The smallest loss where the places of two classes may go to either side. A vertex is the largest sum in some
// direction (c_0, c_1), to which a place contributes if c_0 x_0 + c_1 x_1 > 0: the places above a share of the first
// class, or those below it, which is the same division.
template <class Criterion>
class PlacesBound {
public:
    explicit PlacesBound(const Criterion& criterion) : criterion_(criterion) {}

    void clear(size_t n_places) { places_.assign(n_places, Place{}); }
    void add(size_t place, int label, double weight) { places_[place].weights[label] += weight; }

    double smallest_loss() {
        std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.share() > b.share(); });
        double side[2] = {0, 0}, smallest = kInfinity;
        for (const Place& place : places_) {
            for (int j = 0; j < 2; ++j) side[j] += place.weights[j];
            smallest = std::min(smallest, criterion_.loss(side));
        }
        return smallest;
    }

    // Of a feature set: its places, and the rows with a missing value in it, which go to one side together.
    double of(const ExactNode& node, const Points& points) {
        if (kOfNumbers<Criterion> || node.k != 2 || (points.place.empty() && points.missing.empty())) return -kInfinity;
        const size_t n_slots = points.representative.size();
        clear((points.place.empty() ? n_slots : points.n_places) + 1);
        for (size_t slot = 0; slot < n_slots; ++slot) {
            const int32_t row = points.representative[slot];
            if (row < 0) continue;
            const size_t place = points.place.empty() ? slot : points.place[slot];
            add(place, node.y[row], points.weight.empty() ? 1.0 : points.weight[slot]);
        }
        for (int j = 0; j < 2 && !points.missing.empty(); ++j) add(places_.size() - 1, j, points.missing.side[j]);
        return smallest_loss();
    }

    // Of every feature set: rows that are equal in all features. Rows with a missing value may go anywhere.
    double of_all_features(const ExactNode& node) {
        if (kOfNumbers<Criterion> || node.k != 2) return -kInfinity;
        std::vector<int> features(node.m);
        std::iota(features.begin(), features.end(), 0);
        PointGrouping groups;
        groups.find(node, features.data(), node.m);
        if (groups.trivial) return -kInfinity;
        clear(groups.n_places + static_cast<size_t>(groups.n_incomplete));
        size_t next = groups.n_places;
        for (int i = 0; i < node.n; ++i) {
            const int32_t group = groups.group[i];
            add(group < 0 ? next++ : groups.place[group], node.y[i], node.weight[i]);
        }
        return smallest_loss();
    }

private:
    struct Place {
        double weights[2] = {0, 0};

        double share() const {  // of the first class
            const double sum = weights[0] + weights[1];
            return sum > 0 ? weights[0] / sum : 0.0;
        }
    };

    const Criterion& criterion_;
    std::vector<Place> places_;
};

}  // namespace elc
