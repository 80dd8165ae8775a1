// The passes for machines with AVX-512.
#include "exact/passes/kernels.hpp"

namespace elc {

Passes passes_for_avx512(int r, int k) { return make_passes(r, k); }
AnyRatiosAbove any_ratios_above_avx512() { return any_ratio_sum_above; }

}  // namespace elc
