// The search by Gini impurity.
#include "criteria/gini.hpp"

#include "exact/sizes_search.hpp"

namespace elc {

template SearchAnswer search_sizes(ExactNode&, const Gini&, const KeepSearching&);

}  // namespace elc
