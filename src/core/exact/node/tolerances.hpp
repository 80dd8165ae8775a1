// How near is near: every tolerance of the exact search, in units of features scaled to a range of 2.
#pragma once

namespace elc {

constexpr double kOnPlane = 1e-9;              // |w.x - b| <= kOnPlane is on the plane
constexpr double kCertain = 2e-9;              // the certain/uncertain test is wider: rounding must not decide a side
constexpr double kIndependent = 1e-7;          // smallest leading singular value of an affinely independent selection
constexpr double kCoplanarSet = 1e-8;          // a feature set whose rows lie this near to one plane is skipped
constexpr double kCoplanarByRounding = 4e-15;  // coplanar up to rounding
constexpr double kRounding = 0x1p-52;          // no better are coordinates known
constexpr double kSameMargin = 1e-9;           // margins that differ by no more are equal
constexpr double kLocalError = 1e-11;          // a value in local coordinates may be so far from that in the set's own
constexpr double kBoxSlack = 5e-14;  // boxes are closed and overlap by this, so that no plane falls between two

// How near to a plane is on it, and the certain/uncertain test that goes with it.
struct Tolerance {
    double on = kOnPlane, certain = kCertain;

    bool is_fine() const { return on < kOnPlane; }

    // What may come between the two: errors of local coordinates, and of their terms, must stay below.
    double room() const { return 0.25 * (certain - on); }
};

constexpr double kFinest = 1e-13, kFine = 1e-10;  // a finer tolerance for what is on a plane: the least, and the most
constexpr double kTimesRounding = 4;              // it is this many times the rounding of values,
constexpr double kTimesOn = 8;                    // and what is certain is so much farther away

// A plane that a box holds by its slack may be this far from the range of values at a point, none of whose three
// coordinates is above 2; that must fit between the two, beside the errors of local coordinates.
static_assert(0.75 * (kTimesOn - 1) * kFinest > 7 * kBoxSlack);

// The tolerance for values with such an error.
inline Tolerance fine_tolerance(double rounding) {
    const double on = kTimesRounding * rounding < kFinest ? kFinest : kTimesRounding * rounding;
    return on <= kFine ? Tolerance{on, kTimesOn * on} : Tolerance();
}

}  // namespace elc
