// What the kernels ask of a criterion.
//
// A criterion is made from the class weights of a node and maps those of one side to a loss; lower is better. It has
//
//   static constexpr const char* name;      // by which dispatch.hpp finds it
//   static constexpr Support support;       // which kernels may use it
//   explicit Criterion(const ClassTotals&);
//   double loss(const double* left) const;  // of the partition whose one side has these class weights
//
// and, with Support::exact,
//
//   // No loss is lower where the side has between certain[j] and certain[j] + uncertain[j] of class j.
//   double bound(const double* certain, const double* uncertain) const;
//   double perfect() const;                 // no loss is lower, whatever the partition
//   // A criterion whose bound is not exact for many classes may have a closer look: whether none is below.
//   bool exceeds(const double* certain, const double* uncertain, double ceiling) const;
//
// The exact criteria are concave in the side's class weights, so over such a box the smallest loss is at a corner. With
// few uncertain classes all corners are tried; with many, a bound of cost O(k) lets every class choose its end for
// itself.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

namespace elc {

template <class Criterion, class = void>
constexpr bool kLooksCloser = false;
template <class Criterion>
constexpr bool
    kLooksCloser<Criterion, std::void_t<decltype(std::declval<Criterion>().exceeds(nullptr, nullptr, 0.0))>> = true;

// Whether the loss is concave in what is above, and largest where both sides have the node's shares: of two classes, it
// then falls as one joins the side that has more of it.
template <class Criterion, class = void>
constexpr bool kFallsWithPurity = false;
template <class Criterion>
constexpr bool kFallsWithPurity<Criterion, std::enable_if_t<Criterion::falls_with_purity>> = true;

enum class Support {
    scans,  // the loss alone: sorted scans and climbs
    exact   // a bound, too: the exact search as well
};

// The class weights of a node.
struct ClassTotals {
    std::vector<double> weights;  // by class
    double sum = 0;
    bool few_whole_numbers = false;  // so that a table of a function of them pays for itself

    int k() const { return static_cast<int>(weights.size()); }
};

constexpr int kCornerClasses = 6;  // up to 2^6 corners are tried

// The classes with uncertain weight, if they are few enough to try all corners.
struct UncertainClasses {
    UncertainClasses(const double* uncertain, int k) {
        for (int j = 0; j < k && !too_many; ++j) {
            if (uncertain[j] == 0) continue;
            too_many = n == kCornerClasses;
            if (!too_many) classes[n++] = j;
        }
    }

    int operator[](int q) const { return classes[q]; }

    int classes[kCornerClasses];
    int n = 0;
    bool too_many = false;
};

}  // namespace elc
