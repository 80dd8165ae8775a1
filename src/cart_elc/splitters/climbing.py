"""What OC1 and CART-LC share: a plane that is climbed to from the best axis-parallel split, in scaled features."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from cart_elc.criteria import CRITERIA
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.heuristic_split import NEGLIGIBLE, ScanSplitter, placed_split
from cart_elc.splitters.node import Node
from cart_elc.splitters.placement import midway, through_threshold
from cart_elc.splitters.split import Split, no_split
from cart_elc.tree import BoolArray, FloatArray

Climbed = tuple[float, FloatArray, NDArray[np.int8], int]
"""The loss, the coefficients in scaled units with the bias last, which rows are above, and the number of cuts."""


class ClimbingSplitter(ScanSplitter):
    """Climbs from the best axis-parallel split; a plane that is no better than it gives way to it."""

    @abstractmethod
    def scaling(self, node: Node) -> tuple[FloatArray, FloatArray]:
        """Return the origin and the unit of each feature; the unit of a constant one is zero."""

    @abstractmethod
    def climb(self, node: Node, origin: FloatArray, scale: FloatArray, start: FloatArray) -> Climbed:
        """Return the plane that the compiled search reaches; no coefficients if it had no time for any."""

    def search(self, node: Node) -> Split:
        axis_parallel = AxisSplitter(self.criterion)(node)
        if not axis_parallel.found:
            return axis_parallel
        origin, scale = self.scaling(node)
        _, coefficients, above, n_cuts = self.climb(node, origin, scale, scaled_start(axis_parallel, origin, scale))
        if not len(coefficients):
            return axis_parallel
        weights = np.divide(coefficients[:-1], scale, out=np.zeros_like(scale), where=scale > 0)
        plane = plane_split(node, weights, above.astype(bool), self.criterion, n_cuts)
        better = CRITERIA[self.criterion].better(plane.score, axis_parallel.score)
        return plane if plane.found and better else axis_parallel


def scaled_start(split: Split, origin: FloatArray, scale: FloatArray) -> FloatArray:
    """Coefficients of an axis-parallel split in scaled units, the bias last."""
    (feature,) = split.features
    coefficients = np.zeros(len(scale) + 1)
    coefficients[feature] = 1.0
    coefficients[-1] = -(split.threshold - origin[feature]) / scale[feature]
    return coefficients


def plane_split(node: Node, weights: FloatArray, left: BoolArray, criterion: str, n_cuts: int) -> Split:
    """The split with these dense weights whose threshold is midway between the two sides.

    Rounding may leave the sides inseparable along the weights in the data's own units; the threshold is then the one
    that sends the fewest rows astray. The score is in any case that of the partition which the stored rule gives. Rows
    with missing values go to the heavier side.
    """
    weights = without_negligible(node, weights)
    used = np.flatnonzero(weights)
    if not len(used) or left.all() or not left.any():
        return no_split(criterion, n_cuts)
    points = node.X[np.ix_(node.rows, used)]
    placed = midway(points, left, weights[used])
    if not placed.exact:
        placed = through_threshold(points, left, weights[used])
    heavier_left = bool(2 * node.weights[left].sum() >= node.weights.sum())
    return placed_split(node, weights, placed.threshold, placed.margin, criterion, n_cuts, heavier_left)


def without_negligible(node: Node, weights: FloatArray) -> FloatArray:
    """The weights with those that move ``w.x`` by next to nothing set to zero."""
    values = node.X[node.rows]
    moved = np.abs(weights) * (values.max(axis=0) / 2 - values.min(axis=0) / 2)
    return np.where(moved > NEGLIGIBLE * moved.max(), weights, 0.0)
