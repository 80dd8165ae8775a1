// The distinct points of one feature set, with the class weights of the rows that share each of them.
//
// Rows with a missing value in the set form one block that goes to one side whole. Coordinates are centred at each
// feature's median: a box of hyperplanes is uncertain about a sample in proportion to its distance from the centre, and
// the median makes the sum of these distances smallest (columns that are mostly one value then cost almost nothing).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plane.hpp"
#include "problem.hpp"

namespace elc {

constexpr int kLane = 8;  // doubles in the widest vector; arrays are padded to it

inline size_t padded(size_t n) { return (n + kLane - 1) / kLane * kLane; }

// Structure of arrays with a common stride: r coordinates, k class weights, row counts, index of the point.
struct PointLayout {
    int r = 0, k = 0;
    int n_arrays() const { return r + k + 2; }
    int weight(int j) const { return r + j; }
    int rows() const { return r + k; }
    int index() const { return r + k + 1; }
};

struct Points {
    PointLayout layout;
    int n = 0;
    size_t stride = 0;
    std::vector<double> storage;
    std::vector<int32_t> representative;  // a sorted row that sits at the point
    std::vector<double> missing;          // class weights of the rows that are incomplete in the set
    double missing_rows = 0, missing_weight = 0;
    double centre[kMaxR];

    double* array(int a) { return storage.data() + a * stride; }
    const double* array(int a) const { return storage.data() + a * stride; }
};

namespace detail {

inline uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

// Groups equal points by hashing their ranks; `group[i]` is the group of sorted row i or -1 where it is incomplete.
class PointGrouper {
public:
    int group(const Problem& p, const int* features, int r, std::vector<int32_t>& group) {
        group.resize(p.n);
        first_.clear();
        bool incomplete = false, distinct = false;
        for (int q = 0; q < r; ++q) {
            incomplete = incomplete || p.has_missing[features[q]];
            distinct = distinct || p.n_distinct[features[q]] == p.n;
        }
        if (distinct && !incomplete) {
            for (int i = 0; i < p.n; ++i) group[i] = i;
            return p.n;
        }
        size_t capacity = 16;
        while (capacity < 2 * static_cast<size_t>(p.n)) capacity *= 2;
        table_.assign(capacity, -1);
        for (int i = 0; i < p.n; ++i) group[i] = find(p, features, r, i, capacity - 1);
        return static_cast<int>(first_.size());
    }

private:
    int32_t find(const Problem& p, const int* features, int r, int i, size_t mask) {
        uint64_t hash = 0;
        for (int q = 0; q < r; ++q) {
            const int32_t code = p.codes(features[q])[i];
            if (code < 0) return -1;
            hash = mix(hash + static_cast<uint64_t>(code) + 0x9e3779b97f4a7c15ULL);
        }
        for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            if (table_[slot] < 0) {
                table_[slot] = static_cast<int32_t>(first_.size());
                first_.push_back(i);
                return table_[slot];
            }
            const int other = first_[table_[slot]];
            bool equal = true;
            for (int q = 0; q < r && equal; ++q) equal = p.codes(features[q])[i] == p.codes(features[q])[other];
            if (equal) return table_[slot];
        }
    }

    std::vector<int32_t> table_, first_;
};

inline double median(const double* values, int n, std::vector<double>& scratch) {
    scratch.assign(values, values + n);
    std::nth_element(scratch.begin(), scratch.begin() + n / 2, scratch.end());
    return scratch[n / 2];
}

}  // namespace detail

class PointMaker {
public:
    void make(const Problem& p, const int* features, int r, Points& points) {
        const int n_groups = grouper_.group(p, features, r, group_);
        points.layout = {r, p.k};
        points.n = n_groups;
        points.stride = padded(n_groups) + kLane;
        points.storage.assign(points.stride * points.layout.n_arrays(), 0.0);
        points.representative.assign(n_groups, -1);
        points.missing.assign(p.k, 0.0);
        points.missing_rows = points.missing_weight = 0;
        for (int i = 0; i < p.n; ++i) add_row(p, features, r, i, points);
        for (int q = 0; q < r; ++q) centre(points, q);
    }

private:
    void add_row(const Problem& p, const int* features, int r, int i, Points& points) {
        const int g = group_[i];
        if (g < 0) {
            points.missing[p.y[i]] += p.weight[i];
            points.missing_weight += p.weight[i];
            points.missing_rows += 1;
            return;
        }
        points.array(points.layout.weight(p.y[i]))[g] += p.weight[i];
        points.array(points.layout.rows())[g] += 1;
        if (points.representative[g] >= 0) return;
        points.representative[g] = i;
        points.array(points.layout.index())[g] = g;
        for (int q = 0; q < r; ++q) points.array(q)[g] = p.column(features[q])[i];
    }

    void centre(Points& points, int q) {
        double* coordinate = points.array(q);
        points.centre[q] = points.n ? detail::median(coordinate, points.n, scratch_) : 0.0;
        for (int i = 0; i < points.n; ++i) coordinate[i] -= points.centre[q];
    }

    detail::PointGrouper grouper_;
    std::vector<int32_t> group_;
    std::vector<double> scratch_;
};

}  // namespace elc
