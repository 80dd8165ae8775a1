"""CART-LC's split: a linear combination found one coefficient at a time, then stripped of what it does not need.

The search is compiled (``src/core/scans/linear_combination.hpp``). Here the node's features are centred at their median
and divided by their interquartile range, and the combination is converted back to the data's own units. The method is
that of section 5.2 of the book that `CARTLCClassifier` cites.
"""

from dataclasses import dataclass

import numpy as np

from cart_elc import _core
from cart_elc.splitters.climbing import Climbed, ClimbingSplitter
from cart_elc.splitters.heuristic_split import limits_of, node_arrays
from cart_elc.splitters.node import Node
from cart_elc.tree import FloatArray


@dataclass(frozen=True)
class CARTLCSplitter(ClimbingSplitter):
    """Finds a linear combination split; deterministic.

    A cycle costs O(m n log n). A combination that is no better than the best axis-parallel split gives way to it.

    The parameters are those of `CARTLCClassifier`.
    """

    criterion: str = "gini"
    tolerance: float = 0.0
    deletion: float = 0.2

    def scaling(self, node: Node) -> tuple[FloatArray, FloatArray]:
        return medians_and_spreads(node)

    def climb(self, node: Node, origin: FloatArray, scale: FloatArray, start: FloatArray) -> Climbed:
        return _core.combine(
            node_arrays(node),
            origin,
            scale,
            start,
            self.criterion,
            **limits_of(node),
            tolerance=self.tolerance,
            deletion=self.deletion,
        )


def medians_and_spreads(node: Node) -> tuple[FloatArray, FloatArray]:
    """Median and interquartile range of each feature over the node's rows.

    Where more than half of the rows share a value the interquartile range can be zero; half the range stands in for it.
    Only a constant feature has a spread of zero.
    """
    values = node.X[node.rows]
    first, median, third = weighted_quantiles(values, node.weights, (0.25, 0.5, 0.75))
    half_range = values.max(axis=0) / 2 - values.min(axis=0) / 2
    return median, np.where(third > first, third - first, half_range)


def weighted_quantiles(values: FloatArray, weights: FloatArray, levels: tuple[float, ...]) -> FloatArray:
    """The smallest value of each column at or below which at least the share ``level`` of the weight lies.

    Defined so that a weight of two is the same as a repeated row.
    """
    order = np.argsort(values, axis=0, kind="stable")
    ascending = np.take_along_axis(values, order, axis=0)
    cumulative = np.cumsum(weights[order], axis=0)
    total = cumulative[-1]
    # A little slack, because sums of weights are rounded.
    places = [np.argmax(cumulative >= level * total * (1 - 1e-12), axis=0) for level in levels]
    return np.stack([np.take_along_axis(ascending, place[None, :], axis=0)[0] for place in places])
