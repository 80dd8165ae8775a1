// The complete search of one node, as its callers see it.
#pragma once

#include "exact/answer.hpp"
#include "exact/node/exact_node.hpp"

namespace elc {

// The best split on exactly r features or, where any linear split is a candidate, on at most r, from one feature
// upwards. Each criterion is compiled by itself (searches/): in one file with others, the compiler would inline less.
template <class Criterion>
SearchAnswer search_sizes(ExactNode& node, const Criterion& criterion, const KeepSearching& keep_searching);

// By the criterion that the node's options name.
SearchAnswer search(ExactNode& node, const KeepSearching& keep_searching);

}  // namespace elc
