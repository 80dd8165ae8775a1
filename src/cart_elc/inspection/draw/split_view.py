"""What a split does to the rows that reach it, as numbers for any kind of picture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.tree import BoolArray, FloatArray, IntArray, weighted_sums

IRRATIONAL = (0.6180339887, 0.7548776662)
"""Multiples of these, without their whole parts, fill the unit interval evenly."""
REACHES = (0.5, 0.25)


@dataclass(frozen=True, eq=False)
class SplitView:
    """The rows of a node that are complete on the split's features: their ``points`` there and sums ``w.x``.

    The empty ``band`` reaches from the largest sum on the right to the smallest on the left; without data on both sides
    it is the stored margin around the threshold, or the threshold twice. ``codes`` are the levels of the rows where the
    split is on a category, and empty otherwise.
    """

    node: int
    rows: IntArray
    points: FloatArray
    sums: FloatArray
    n_missing: int
    band: tuple[float, float]
    codes: IntArray

    @property
    def spread(self) -> FloatArray:
        """Standard deviations of the split's features over the rows; 1 where there are no rows."""
        return self.points.std(axis=0) if len(self.points) else np.ones(self.points.shape[1])


def split_views(named: NamedTree, X: FloatArray) -> Iterator[SplitView]:
    node_rows = named.tree.node_rows(X)
    for node in named.tree.split_nodes():
        rows = node_rows[node]
        rule = named.tree.rule(node)
        points = rule.points(X, rows)
        complete = ~np.isnan(points).any(axis=1)
        points = points[complete]
        sums = weighted_sums(points, rule.weights)
        n_missing = int(np.count_nonzero(~complete))
        kept = rows[complete]
        codes = X[kept, rule.features[0]].astype(np.int64) if rule.levels is not None else kept[:0]
        yield SplitView(node, kept, points, sums, n_missing, empty_band(named, node, sums), codes)


def empty_band(named: NamedTree, node: int, sums: FloatArray) -> tuple[float, float]:
    left = sums >= named.tree.thresholds[node]
    if left.any() and not left.all():
        return float(sums[~left].max()), float(sums[left].min())
    return margin_band(named, node)


def margin_band(named: NamedTree, node: int) -> tuple[float, float]:
    threshold, margin = float(named.tree.thresholds[node]), float(named.tree.margin[node])
    margin = margin if np.isfinite(margin) else 0.0
    return threshold - margin, threshold + margin


def jittered(points: FloatArray, side: Callable[[FloatArray], BoolArray]) -> FloatArray:
    """Return the points, those of whole numbers moved by at most a quarter, or less if ``side`` would change.

    Whole numbers lie on each other; moved a little, they can be seen.

    >>> crowd = np.zeros((4, 2))
    >>> len(np.unique(jittered(crowd, lambda points: points[:, 0] >= 0.0), axis=0)) > 1
    True
    >>> (jittered(crowd, lambda points: points[:, 0] >= 0.0)[:, 0] >= 0.0).all()
    np.True_
    """
    spread = np.array([1.0 if is_crowded(column) else 0.0 for column in points.T])
    if not spread.any():
        return points
    turn = np.arange(1, len(points) + 1)[:, None] * np.array(IRRATIONAL)
    shift = spread * (turn % 1.0 - 0.5)
    result, home, pending = points.copy(), side(points), np.ones(len(points), dtype=np.bool_)
    for reach in REACHES:
        moved = points + reach * shift
        keeps = pending & (side(moved) == home)
        result[keeps] = moved[keeps]
        pending &= ~keeps
    return result


def is_crowded(values: FloatArray) -> bool:
    """Whether all values are whole numbers and most of them come several times."""
    return bool(len(values) > 2 * len(np.unique(values)) and np.all(values == np.floor(values)))
