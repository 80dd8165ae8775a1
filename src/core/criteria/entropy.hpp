// The term of which entropies in bits are made.
#pragma once

#include <cmath>

namespace elc {

inline double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

}  // namespace elc
