// What is to be asked about ways to divide the points on a plane: whether some plane makes such a split of all rows is
// in doubt where points are on a flat by the tolerance alone.
#pragma once

#include <functional>
#include <vector>

namespace elc {

// What the whole problem says of a division: the rows above it, and whether it is a linear split (empty: not asked).
struct WholeProblem {
    std::function<double(const std::vector<char>&)> rows_above;
    std::function<bool(const std::vector<char>&)> is_linear;
    bool in_doubt = false;  // the points are on the plane by the tolerance alone
};

// While it lives there is one doubt more, if it is one.
class Doubt {
public:
    Doubt(int& n_doubts, bool is_one) : n_doubts_(n_doubts), is_one_(is_one) { n_doubts_ += is_one; }
    ~Doubt() { n_doubts_ -= is_one_; }
    Doubt(const Doubt&) = delete;
    Doubt& operator=(const Doubt&) = delete;

private:
    int& n_doubts_;
    bool is_one_;
};

}  // namespace elc
