// The search by squared error, of numbers.
#include "criteria/squared_error.hpp"

#include "exact/sizes_search.hpp"

namespace elc {

template SearchAnswer search_sizes(ExactNode&, const SquaredError&, const KeepSearching&);

}  // namespace elc
