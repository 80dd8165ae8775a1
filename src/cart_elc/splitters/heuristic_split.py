"""From what a heuristic search found to a `Split`: shared by the splitters of the rivals' methods.

These searches examine their own candidates and prove nothing about others: their splits say ``proven=False``, with the
best value that the criterion can take at the node as the bound. Only the axis-parallel search covers all candidates.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from cart_elc import _core
from cart_elc.criteria import CRITERIA, class_numbers
from cart_elc.splitters.node import Node
from cart_elc.splitters.placement import middle, midway, through_threshold
from cart_elc.splitters.split import Split, rescored
from cart_elc.tree import BoolArray, FloatArray, MissingPolicy

NEGLIGIBLE = 1e-12
"""A weight that moves ``w.x`` by a smaller share than this of the largest is zero."""


@dataclass(frozen=True)
class SearchStats:
    """What a `Split` says about its search: the criterion, the number of cuts scored, and since when."""

    criterion: str
    n_candidates: int = 0
    start: float = field(default_factory=time.monotonic)


def node_arrays(node: Node, criterion: str = "") -> _core.NodeArrays:
    """The node as the compiled scans take it.

    The sum of variances takes class codes as numbers: for it the codes go by frequency at the node.
    """
    y = class_numbers(node.statistics())[node.classes.y] if criterion == "sum_of_variances" else node.classes.y
    return _core.NodeArrays(node.X, y, node.rows, node.weights, node.classes.n_classes)


def limits_of(node: Node) -> dict[str, float]:
    """The limits on both sides as the compiled scans take them."""
    return {"min_rows": float(node.limits.min_samples_leaf), "min_weight": node.limits.min_weight_leaf}


def scaled_start(split: Split, centre: FloatArray, scale: FloatArray) -> FloatArray:
    """Coefficients of an axis-parallel split in scaled units, the bias last."""
    (feature,) = split.features
    coefficients = np.zeros(len(scale) + 1)
    coefficients[feature] = 1.0
    coefficients[-1] = -(split.threshold - centre[feature]) / scale[feature]
    return coefficients


def no_split(node: Node, stats: SearchStats) -> Split:
    """The answer where no candidate is admissible."""
    return make_split(node, np.zeros(node.X.shape[1]), float("nan"), stats, score=CRITERIA[stats.criterion].worst)


def make_split(
    node: Node, weights: FloatArray, threshold: float, stats: SearchStats, *, score: float, missing_left: bool = False
) -> Split:
    """A split from dense weights; the features are those whose weight is not zero."""
    features = np.flatnonzero(weights)
    return Split(
        features=tuple(int(j) for j in features),
        weights=weights[features],
        threshold=threshold,
        score=score,
        criterion=stats.criterion,
        missing=MissingPolicy(missing_left),
        bound=CRITERIA[stats.criterion].best_possible(node.statistics()) if len(features) else score,
        proven=not len(features),
        n_candidates=stats.n_candidates,
        seconds=time.monotonic() - stats.start,
    )


def cut_split(
    node: Node, weights: FloatArray, low: float, high: float, stats: SearchStats, *, missing_left: bool
) -> Split:
    """The split between two neighbouring values of ``w.x``, scored by the partition that its rule gives."""
    split = make_split(node, weights, middle(low, high), stats, score=0.0, missing_left=missing_left)
    return rescored(node, replace(split, margin=(high - low) / 2))


def plane_split(node: Node, weights: FloatArray, left: BoolArray, stats: SearchStats) -> Split:
    """The split with these dense weights whose threshold is midway between the two sides.

    Rounding may leave the sides inseparable along the weights in the data's own units; the threshold is then the one
    that sends the fewest rows astray. The score is in any case that of the partition which the stored rule gives. Rows
    with missing values go to the heavier side.
    """
    weights = without_negligible(node, weights)
    used = np.flatnonzero(weights)
    if not len(used) or left.all() or not left.any():
        return no_split(node, stats)
    points = node.X[np.ix_(node.rows, used)]
    placed = midway(points, left, weights[used])
    if not placed.exact:
        placed = through_threshold(points, left, weights[used])
    heavier_left = bool(2 * node.weights[left].sum() >= node.weights.sum())
    split = make_split(node, weights, placed.threshold, stats, score=0.0, missing_left=heavier_left)
    return rescored(node, replace(split, margin=placed.margin))


def without_negligible(node: Node, weights: FloatArray) -> FloatArray:
    """The weights with those that move ``w.x`` by next to nothing set to zero."""
    values = node.X[node.rows]
    moved = np.abs(weights) * (values.max(axis=0) / 2 - values.min(axis=0) / 2)
    return np.where(moved > NEGLIGIBLE * moved.max(), weights, 0.0)
