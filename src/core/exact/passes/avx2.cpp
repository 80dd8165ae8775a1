// The passes for machines with AVX2.
#include "exact/passes/kernels.hpp"

namespace elc {

Passes passes_for_avx2(int r, int k) { return make_passes(r, k); }
AnyRatiosAbove any_ratios_above_avx2() { return any_ratio_sum_above; }

}  // namespace elc
