// The search of a node by any criterion.
#include "exact/search.hpp"

#include "criteria/dispatch.hpp"

namespace elc {

SearchAnswer search(ExactNode& node, const KeepSearching& keep_searching) {
    const auto with = [&](const auto& criterion) { return search_sizes(node, criterion, keep_searching); };
    if (node.has_numbers) return with(SquaredError(node.number_totals()));
    return with_criterion<Support::exact>(node.options.criterion, node.class_totals(), with);
}

}  // namespace elc
