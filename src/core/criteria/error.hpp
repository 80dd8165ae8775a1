// Weighted errors if each side predicts its heaviest class, as a share of the node's weight: 1 - (max L_j + max R_j) /
// n.
//
// OC1 calls it sum minority. With two classes it is also the directed problem, in which each row wants one of two sides
// with a weight of its own: a split that errs less than putting all rows on one side has a class of its own on each.
//
// Bound. With classes i on the left and j on the right, i != j, all uncertain rows of i may go left and all of j right;
// with i = j the rows of that class are right wherever they go. So the best pair is made of the two classes that can be
// heaviest on each side.
#pragma once

#include <algorithm>
#include <vector>

#include "common/numbers.hpp"
#include "criteria/criterion.hpp"

namespace elc {

class Error {
public:
    static constexpr const char* name = "error";
    static constexpr Support support = Support::exact;

    explicit Error(const ClassTotals& totals) : totals_(totals.weights), total_(totals.sum), k_(totals.k()) {
        heaviest_ = *std::max_element(totals_.begin(), totals_.end());
    }

    double loss(const double* left) const {
        double left_most = 0, right_most = 0;
        for (int j = 0; j < k_; ++j) {
            left_most = std::max(left_most, left[j]);
            right_most = std::max(right_most, totals_[j] - left[j]);
        }
        return to_loss(left_most + right_most);
    }

    double bound(const double* a, const double* u) const {
        TopTwo left, right;
        for (int j = 0; j < k_; ++j) {
            left.add(j, a[j] + u[j]);
            right.add(j, totals_[j] - a[j]);
        }
        const double apart = left.most_class != right.most_class
                                 ? left.most + right.most
                                 : std::max(left.most + right.next, left.next + right.most);
        return to_loss(std::max(apart, heaviest_));
    }

    double perfect() const {
        TopTwo top;
        for (int j = 0; j < k_; ++j) top.add(j, totals_[j]);
        return to_loss(top.most + top.next);
    }

private:
    // The heaviest class and the weight of the second.
    struct TopTwo {
        double most = 0, next = 0;
        int most_class = -1;

        void add(int j, double weight) {
            if (weight > most || most_class < 0) {
                next = most;
                most = weight;
                most_class = j;
            } else {
                next = std::max(next, weight);
            }
        }
    };

    double to_loss(double right) const { return (total_ - right) / total_; }

    std::vector<double> totals_;
    double total_, heaviest_ = 0;
    int k_;
};

}  // namespace elc
