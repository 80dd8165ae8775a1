"""From what a heuristic search found to a `Split`: shared by the splitters of the rivals' methods.

These searches examine their own candidates and prove nothing about others: their splits say ``proven=False``, with the
best value that the criterion can take at the node as the bound. Only the axis-parallel search covers all candidates.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from cart_elc import _core
from cart_elc.criteria import MEASURES, class_numbers
from cart_elc.placement import middle, midway, through_threshold
from cart_elc.splitters.split import LEFT, UNKNOWN, Node, Split
from cart_elc.tree import BoolArray, FloatArray

NEGLIGIBLE = 1e-12
"""A weight that moves ``w.x`` by a smaller share than this of the largest is zero."""


@dataclass(frozen=True)
class Report:
    """What a `Split` says about its search: the criterion, the number of cuts scored, and since when."""

    criterion: str
    n_candidates: int = 0
    start: float = field(default_factory=time.monotonic)


def node_arrays(node: Node, criterion: str = "") -> _core.NodeArrays:
    """The node as the compiled scans take it.

    The sum of variances takes class codes as numbers: for it the codes go by frequency at the node.
    """
    y = class_numbers(node.class_weights())[node.y] if criterion == "sum_of_variances" else node.y
    return _core.NodeArrays(node.X, y, node.rows, node.weights, node.n_classes)


def limits_of(node: Node) -> dict[str, float]:
    """The limits on both sides as the compiled scans take them."""
    return {"min_rows": float(node.limits.min_samples_leaf), "min_weight": node.limits.min_weight_leaf}


def best_value(node: Node, criterion: str) -> float:
    """The best score that any split of the node could have: that of separating the classes.

    With two classes one side is the first of them. With more, Gini cannot fall below zero, twoing not exceed 1/4 and
    information gain not exceed the node's entropy; the other measures cannot fall below zero.
    """
    measure, value = MEASURES[criterion], node.class_weights()
    if np.count_nonzero(value) == 2:
        first = np.where(np.arange(len(value)) == np.flatnonzero(value)[0], value, 0.0)
        return float(measure.score(first, value - first))
    return {"twoing": 0.25, "information_gain": float(measure.impurity(value))}.get(criterion, 0.0)


def scaled_start(split: Split, centre: FloatArray, scale: FloatArray) -> FloatArray:
    """Coefficients of an axis-parallel split in scaled units, the bias last."""
    (feature,) = split.features
    coefficients = np.zeros(len(scale) + 1)
    coefficients[feature] = 1.0
    coefficients[-1] = -(split.threshold - centre[feature]) / scale[feature]
    return coefficients


def no_split(node: Node, report: Report) -> Split:
    """The answer where no candidate is admissible."""
    return make_split(node, np.zeros(node.X.shape[1]), float("nan"), report, score=MEASURES[report.criterion].worst)


def make_split(
    node: Node, weights: FloatArray, threshold: float, report: Report, *, score: float, missing_left: bool = False
) -> Split:
    """A split from dense weights; the features are those whose weight is not zero."""
    features = np.flatnonzero(weights)
    return Split(
        features=tuple(int(j) for j in features),
        weights=weights[features],
        threshold=threshold,
        score=score,
        samples=(),
        criterion=report.criterion,
        orientation="both",
        missing_left=missing_left,
        bound=best_value(node, report.criterion) if len(features) else score,
        proven=not len(features),
        n_candidates=report.n_candidates,
        n_boxes=0,
        seconds=time.monotonic() - report.start,
    )


def cut_split(node: Node, weights: FloatArray, low: float, high: float, report: Report, *, missing_left: bool) -> Split:
    """The split between two neighbouring values of ``w.x``, scored by the partition that its rule gives."""
    split = make_split(node, weights, middle(low, high), report, score=0.0, missing_left=missing_left)
    return scored(node, replace(split, margin=(high - low) / 2))


def plane_split(node: Node, weights: FloatArray, left: BoolArray, report: Report) -> Split:
    """The split with these dense weights whose threshold is midway between the two sides.

    Rounding may leave the sides inseparable along the weights in the data's own units; the threshold is then the one
    that sends the fewest rows astray. The score is in any case that of the partition which the stored rule gives. Rows
    with missing values go to the heavier side.
    """
    weights = without_negligible(node, weights)
    used = np.flatnonzero(weights)
    if not len(used) or left.all() or not left.any():
        return no_split(node, report)
    points = node.X[np.ix_(node.rows, used)]
    placed = midway(points, left, weights[used])
    if not placed.exact:
        placed = through_threshold(points, left, weights[used])
    heavier_left = bool(2 * node.weights[left].sum() >= node.weights.sum())
    split = make_split(node, weights, placed.threshold, report, score=0.0, missing_left=heavier_left)
    return scored(node, replace(split, margin=placed.margin))


def without_negligible(node: Node, weights: FloatArray) -> FloatArray:
    """The weights with those that move ``w.x`` by next to nothing set to zero."""
    values = node.X[node.rows]
    moved = np.abs(weights) * (values.max(axis=0) / 2 - values.min(axis=0) / 2)
    return np.where(moved > NEGLIGIBLE * moved.max(), weights, 0.0)


def scored(node: Node, split: Split) -> Split:
    """The split with the score of the partition that its own rule gives; not found if a side is too small."""
    side = split.sides(node.X, node.rows)
    left = np.where(side == UNKNOWN, split.missing_left, side == LEFT)
    measure = MEASURES[split.criterion]
    if not all(node.limits.admit(node.weights[part]) for part in (left, ~left)):
        return replace(split, features=(), weights=np.empty(0), score=measure.worst, bound=measure.worst)
    return replace(split, score=float(measure.score(class_weights(node, left), class_weights(node, ~left))))


def class_weights(node: Node, chosen: BoolArray) -> FloatArray:
    """Weight per class of the chosen rows of the node."""
    counts = np.bincount(node.y[node.rows[chosen]], weights=node.weights[chosen], minlength=node.n_classes)
    return counts.astype(np.float64, copy=False)
