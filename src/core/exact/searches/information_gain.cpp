// The search by information gain.
#include "criteria/information_gain.hpp"

#include "exact/sizes_search.hpp"

namespace elc {

template SearchAnswer search_sizes(ExactNode&, const InformationGain&, const KeepSearching&);

}  // namespace elc
