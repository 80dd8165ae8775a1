// The numbers that every kernel compares with.
#pragma once

#include <limits>

namespace elc {

constexpr double kTie = 1e-12;  // losses this close are equal
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace elc
