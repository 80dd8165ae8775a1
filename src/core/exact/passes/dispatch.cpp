// Chooses the passes by what the machine can do.
#include "criteria/class_corners.hpp"
#include "exact/passes/passes.hpp"

namespace elc {

Passes passes_for_plain(int r, int k);
AnyRatiosAbove any_ratios_above_plain();
#if defined(ELC_X86_PASSES)
Passes passes_for_avx2(int r, int k);
Passes passes_for_avx512(int r, int k);
AnyRatiosAbove any_ratios_above_avx2();
AnyRatiosAbove any_ratios_above_avx512();
#endif

Passes passes_for(int r, int k) {
#if defined(ELC_X86_PASSES)
    if (__builtin_cpu_supports("avx512f")) return passes_for_avx512(r, k);
    if (__builtin_cpu_supports("avx2")) return passes_for_avx2(r, k);
#endif
    return passes_for_plain(r, k);
}

AnyRatiosAbove any_ratios_above() {
#if defined(ELC_X86_PASSES)
    if (__builtin_cpu_supports("avx512f")) return any_ratios_above_avx512();
    if (__builtin_cpu_supports("avx2")) return any_ratios_above_avx2();
#endif
    return any_ratios_above_plain();
}

}  // namespace elc
