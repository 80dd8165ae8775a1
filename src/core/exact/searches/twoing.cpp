// The search by twoing.
#include "criteria/twoing.hpp"

#include "exact/sizes_search.hpp"

namespace elc {

template SearchAnswer search_sizes(ExactNode&, const Twoing&, const KeepSearching&);

}  // namespace elc
