// The passes for any machine.
#include "exact/passes/kernels.hpp"

namespace elc {

Passes passes_for_plain(int r, int k) { return make_passes(r, k); }
AnyRatiosAbove any_ratios_above_plain() { return any_ratio_sum_above; }

}  // namespace elc
