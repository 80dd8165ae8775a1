// Constraints on the direction of splits: which features the value of a side must rise or fall with, and between which
// numbers it must lie. The value is the mean of numbers or, of two classes, the share of the second one.
//
// A partition is admissible if some plane gives it whose coefficients all have the sign that the constraints ask for,
// as seen from the side with the larger value, and 0 is such a sign. Either a plane on fewer of the features does so,
// and then it is found among them; or every plane that gives the partition is admissible: the planes that give it are
// a cone, and a face of the cone with a coefficient 0 that were a facet would be such a plane on fewer features. So the
// planes through points tell by their own signs, save those with a coefficient 0, whose divisions have to be asked
// for a plane of their own.
//
// Where rows have missing values, fewer features have other complete rows. A partition of the complete rows that does
// not need a feature with a direction is then none of the set's, and both sides must have complete rows.
#pragma once

#include <vector>

#include "common/numbers.hpp"

namespace elc {

constexpr double kValueSlack = 1e-12;  // by so much of their range values may be out of order: rounding

struct Monotone {
    std::vector<int> signs;  // by feature: the value rises with it (1), falls with it (-1), or is free (0); empty: free
    double low = -kInfinity, high = kInfinity;  // of the values of both sides

    bool is_set() const { return !signs.empty(); }
    int sign(int feature) const { return signs.empty() ? 0 : signs[feature]; }

    // Whether both values are between the limits, and the first is the larger one (1), the smaller one (-1), or either.
    bool admits(double above, double below, int direction, double range) const {
        const double slack = kValueSlack * range;
        if (above < low - slack || below < low - slack || above > high + slack || below > high + slack) return false;
        return direction * (above - below) >= -slack;
    }
};

// Which sides of a plane may have the larger value: that above it (1), that below it (-1), either (0).
struct PlaneDirections {
    int first = 0, n = 1;   // both of 1 and -1 have to be tried where n is 2; none of them where it is 0
    bool in_doubt = false;  // a coefficient with a sign to keep is 0

    PlaneDirections() = default;

    template <class Weights>
    PlaneDirections(const Monotone& monotone, const std::vector<int>& features, const Weights& w, double zero) {
        int n_rising = 0, n_falling = 0;
        for (size_t j = 0; j < features.size(); ++j) {
            const double signed_weight = monotone.sign(features[j]) * w[j];
            if (signed_weight > zero) ++n_rising;
            else if (signed_weight < -zero) ++n_falling;
            else if (monotone.sign(features[j]) != 0) in_doubt = true;
        }
        if (n_rising > 0 && n_falling > 0) n = 0;
        else if (n_rising + n_falling > 0) first = n_rising > 0 ? 1 : -1;
        else if (in_doubt) first = 1, n = 2;
    }
};

// Whether a normal that points to the side with the larger value, if `direction` is 1, has the signs to keep.
inline bool keeps_signs(const Monotone& monotone, const std::vector<int>& features, const std::vector<double>& normal,
                        int direction, double zero) {
    for (size_t j = 0; j < normal.size(); ++j)
        if (direction * monotone.sign(features[j]) * normal[j] < -zero) return false;
    return true;
}

}  // namespace elc
