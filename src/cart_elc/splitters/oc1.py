"""OC1's split: hill climbing over the coefficients of a plane, with random jumps and restarts.

The climb is compiled (``src/core/scans/hill_climbing.hpp``). Here the node's features are normalised to be positive, as
OC1 wants them (section 2 of the paper that `OC1Classifier` cites), and the plane found is written in the data's own
units.
"""

from dataclasses import dataclass

import numpy as np

from cart_elc import _core
from cart_elc.criteria import CRITERIA
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.climbing import Climbed, ClimbingSplitter
from cart_elc.splitters.heuristic_split import limits_of, node_arrays
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split
from cart_elc.tree import FloatArray


@dataclass(frozen=True)
class OC1Splitter(ClimbingSplitter):
    """Climbs from the best axis-parallel split and from random planes, and keeps the best plane.

    One perturbation of one coefficient costs O(n log n), one restart some sweeps over the ``m + 1`` coefficients.
    Ties between restarts go to the first; a plane no better than the best axis-parallel split gives way to it. The
    random numbers of a node depend on ``seed`` and on its depth only, not on the order in which nodes are opened.

    The parameters are those of `OC1Classifier`; ``scaled`` is its ``scale_features``.
    """

    criterion: str = "twoing"
    restarts: int = 20
    jumps: int = 5
    order: str = "sequential"
    stagnation: float = 1.0
    scaled: bool = True
    seed: int = 0

    def search(self, node: Node) -> Split:
        """Return the best plane found; its coefficients are a local optimum, each taken alone."""
        return AxisSplitter(self.criterion)(node) if has_few_points(node) else super().search(node)

    def scaling(self, node: Node) -> tuple[FloatArray, FloatArray]:
        return unit_ranges(node) if self.scaled else own_units(node)

    def climb(self, node: Node, origin: FloatArray, scale: FloatArray, start: FloatArray) -> Climbed:
        return _core.climb(
            node_arrays(node, self.criterion),
            origin,
            scale,
            start,
            CRITERIA[self.criterion].kernel,
            **limits_of(node),
            restarts=self.restarts,
            jumps=self.jumps,
            order=self.order,
            stagnation=self.stagnation,
            seed=int(np.random.SeedSequence([self.seed, node.depth]).generate_state(1, np.uint64)[0]),
            seconds=node.seconds,
        )


def unit_ranges(node: Node) -> tuple[FloatArray, FloatArray]:
    """The least value of each feature over the node's rows and its range, which map the feature to [0, 1].

    Where the range is too large for a float, the middle and half the range, which map it to [-1, 1].
    """
    low, high, span = ranges(node)
    finite = np.isfinite(span)
    return np.where(finite, low, low / 2 + high / 2), np.where(finite, span, high / 2 - low / 2)


def own_units(node: Node) -> tuple[FloatArray, FloatArray]:
    """Zero, or the least value if that is negative, and one for each feature that varies; zero for a constant one.

    So the authors' program normalises: features that have negative values are shifted to begin at zero. They stay where
    the shift would be too large for a float.
    """
    low, _, span = ranges(node)
    return np.where(np.isfinite(span), np.minimum(low, 0.0), 0.0), (span > 0).astype(np.float64)


def ranges(node: Node) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Least and largest value of each feature over the node's rows and their difference, infinite if too large."""
    values = node.X[node.rows]
    low, high = values.min(axis=0), values.max(axis=0)
    with np.errstate(over="ignore"):
        return low, high, high - low


def has_few_points(node: Node) -> bool:
    """Whether the node has fewer than ``2 m`` distinct points, which planes separate too easily to learn from.

    The paper's rule counts examples; distinct ones are counted here, so that a repeated row is the same
    as a row of twice the weight.
    """
    fewest = 2 * node.X.shape[1]
    return len(node.rows) < fewest or bool(len(np.unique(node.X[node.rows], axis=0)) < fewest)
