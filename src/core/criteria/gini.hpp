// Weighted Gini impurity of the two sides: 1 - (sum L_j^2 / |L| + sum R_j^2 / |R|) / n.
#pragma once

#include <vector>

#include "criteria/additive.hpp"

namespace elc {

class GiniShape {
public:
    static constexpr const char* name = "gini";
    static constexpr bool is_ratio = true;

    explicit GiniShape(const ClassTotals&) : any_ratios_above_(any_ratios_above()) {}
    static double term(double x) { return x * x; }
    static double combine(double terms, double size) { return size > 0 ? terms / size : 0.0; }
    static double class_quality(double left, double right, double left_size, double right_size) {
        return left * left / left_size + right * right / right_size;
    }
    bool any_above(const ClassCorners& corners, double quality) const { return any_ratios_above_(corners, quality); }
    static double perfect(double total) { return total; }
    static double offset(const std::vector<double>&) { return 1.0; }

private:
    AnyRatiosAbove any_ratios_above_;
};

using Gini = Additive<GiniShape>;

}  // namespace elc
