// The search by errors.
#include "criteria/error.hpp"

#include "exact/sizes_search.hpp"

namespace elc {

template SearchAnswer search_sizes(ExactNode&, const Error&, const KeepSearching&);

}  // namespace elc
