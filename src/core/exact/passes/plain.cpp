// The passes for any machine.
#include "exact/passes/kernels.hpp"

namespace elc {

Passes passes_for_plain(int r, int k) { return make_passes(r, k); }

}  // namespace elc
