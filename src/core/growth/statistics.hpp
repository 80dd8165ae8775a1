// What a node knows of its labels: the weight in each class, or weight, mean and squared deviations of a number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "growth/pairwise_sum.hpp"

namespace elc {

enum class Impurity { gini, entropy, variance };

inline Impurity impurity_named(const std::string& name) {
    if (name == "variance") return Impurity::variance;
    return name == "entropy" ? Impurity::entropy : Impurity::gini;
}

// The labels of all rows: class codes or, where there are numbers, numbers.
class LabelStatistics {
public:
    LabelStatistics(const int64_t* y, int n_classes, const double* numbers, Impurity impurity)
        : y_(y), n_classes_(n_classes), numbers_(numbers), impurity_(impurity) {}

    bool are_numbers() const { return numbers_ != nullptr; }
    int width() const { return numbers_ ? 3 : n_classes_; }

    // Of n rows and their weights.
    void measure(const int64_t* rows, const double* weights, int64_t n, double* value) const {
        if (numbers_) return measure_numbers(rows, weights, n, value);
        std::fill(value, value + n_classes_, 0.0);
        for (int64_t i = 0; i < n; ++i) value[y_[rows[i]]] += weights[i];
    }

    bool is_pure(const double* value) const { return numbers_ ? value[2] == 0.0 : n_present(value) <= 1; }

    // How many numbers a leaf fits to the labels: the share of each class, or a mean and a spread.
    int n_fitted(const double* value) const { return numbers_ ? 2 : n_present(value); }

    // Whether the sides are to be named the other way round: left has the larger share of the first class whose share
    // differs, or the smaller mean.
    bool is_turned(const double* left, const double* right) const {
        if (numbers_) return left[1] > right[1];
        const double left_sum = sum_of(left), right_sum = sum_of(right);
        for (int j = 0; j < n_classes_; ++j) {
            const double difference = left[j] / left_sum - right[j] / right_sum;
            if (std::abs(difference) > 1e-12) return difference < 0;
        }
        return false;
    }

    double impurity(const double* value) const {
        if (impurity_ == Impurity::variance) return value[0] > 0 ? value[2] / value[0] : 0.0;
        const double total = sum_of(value);
        const auto share = [&](int64_t j) { return total > 0 ? value[j] / total : 0.0; };
        if (impurity_ == Impurity::gini)
            return 1.0 - pairwise_sum([&](int64_t j) { return share(j) * share(j); }, 0, n_classes_);
        const auto bits = [&](int64_t j) { return share(j) > 0 ? std::abs(share(j) * std::log2(share(j))) : 0.0; };
        return pairwise_sum(bits, 0, n_classes_);
    }

private:
    void measure_numbers(const int64_t* rows, const double* weights, int64_t n, double* value) const {
        const double total = pairwise_sum([&](int64_t i) { return weights[i]; }, 0, n);
        value[0] = value[1] = value[2] = 0;
        if (total == 0.0) return;
        const double first = numbers_[rows[0]];
        const auto moment = [&](int64_t i) { return weights[i] * (numbers_[rows[i]] - first); };
        const double mean = first + pairwise_sum(moment, 0, n) / total;
        const auto square = [&](int64_t i) {
            const double deviation = numbers_[rows[i]] - mean;
            return weights[i] * (deviation * deviation);
        };
        value[0] = total;
        value[1] = mean;
        value[2] = pairwise_sum(square, 0, n);
    }

    int n_present(const double* value) const {
        return static_cast<int>(std::count_if(value, value + n_classes_, [](double weight) { return weight != 0; }));
    }

    double sum_of(const double* value) const {
        return pairwise_sum([&](int64_t j) { return value[j]; }, 0, n_classes_);
    }

    const int64_t* y_;
    int n_classes_;
    const double* numbers_;
    Impurity impurity_;
};

}  // namespace elc
