"""Rules rounded for people, without moving a training row to the other side.

A split ``w.x >= b`` is written with few digits, and in the scale in which there is least to read: one of its
coefficients is 1, or the largest is a power of ten. Rounding the coefficients tilts the plane, so a row near it could
change sides. Whether one does is known only while the training rows are at hand: fitting therefore tries every number
of digits once and keeps the answer, a few bytes per split, as the estimator's ``rounding_``. No training row has to be
kept for it.

**Digits.** Divided by its largest coefficient, a split has with ``d`` digits ``d`` decimals in every number below
10,000, fewer in a larger one (it has digits enough before the point), and more in one below 0.1, so that ``d`` of them
are significant. Written ``s`` times as large, every number has as many decimals fewer as ``s`` has digits after its
first.

**Entries.** The threshold may be any number of that many digits between the two sides of the rounded sum, the nearest
to ``b`` of them. ``rounding_[node, d]`` is its distance from the rounded ``b`` in units of its last digit, plus 256
times the number of the scale (0 is that of the largest coefficient, and all there was in models of version 0.1);
`SURE` if no rounding can reach a row, so that the scale is free and the distance 0; `MOVES` if no rule of so many
digits keeps all rows on their sides.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cart_elc.rounding.offsets import LEVELS, MOVES, Offsets, last_units, offset_between, split_offsets
from cart_elc.rounding.rule import ScaledSplit
from cart_elc.tree import BoolArray, FloatArray, IntArray, Tree, weighted_sums


def rounding_table(tree: Tree, X: FloatArray, node_rows: list[IntArray]) -> Offsets:
    """Return the offsets of all splits for these rows: an array of shape (n_nodes, LEVELS), `MOVES` at leaves.

    ``node_rows`` is what `Tree.node_rows` says of ``X``. Costs about three passes over each node's rows; splits on one
    feature are treated together, as most of their levels need no trial.
    """
    table = np.full((tree.n_nodes, LEVELS), MOVES, dtype=np.int16)
    alone = np.diff(tree.indptr) == 1
    if alone.any():
        table[alone] = one_feature_offsets(tree, np.flatnonzero(alone), X, node_rows)
    for node in tree.split_nodes():
        if alone[node]:
            continue
        features, weights, threshold = tree.split(node)
        points = X[np.ix_(node_rows[node], features)]
        points = points[~np.isnan(points).any(axis=1)]
        table[node] = split_offsets(weights, threshold, points, weighted_sums(points, weights) >= threshold)
    return table


def one_feature_offsets(tree: Tree, nodes: IntArray, X: FloatArray, node_rows: list[IntArray]) -> Offsets:
    """Return the offsets of splits on one feature, whose coefficient is 1 at every level.

    A threshold that is farther from both sides than half a unit of its last digit stays between them when it is
    rounded: its offset is 0. Only the other levels are tried one by one.
    """
    first = tree.indptr[nodes]
    features, weights = tree.features[first], tree.weights[first]
    bounds, at_least = tree.thresholds[nodes] / weights, weights > 0
    highest, lowest = sides_on_one_feature(features, bounds, at_least, [node_rows[node] for node in nodes], X)
    sure = last_units(bounds) < np.minimum(bounds - highest, lowest - bounds)[:, None]
    offsets = np.zeros((len(nodes), LEVELS), dtype=np.int16)
    for i, level in np.argwhere(~sure).tolist():
        split = ScaledSplit(np.ones(1), float(bounds[i]), bool(at_least[i]))
        finite = math.isfinite(split.bound)
        offsets[i, level] = offset_between(split, level, float(highest[i]), float(lowest[i])) if finite else MOVES
    return offsets


def sides_on_one_feature(
    features: NDArray[np.int32], bounds: FloatArray, at_least: BoolArray, rows: list[IntArray], X: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the largest value below each bound and the smallest above it, infinite where there is none."""
    highest, lowest = np.full(len(bounds), -np.inf), np.full(len(bounds), np.inf)
    for i, feature in enumerate(features):
        values = X[rows[i], feature]
        above = values >= bounds[i] if at_least[i] else values > bounds[i]
        highest[i] = np.max(values, where=~above & (values == values), initial=-np.inf)
        lowest[i] = np.min(values, where=above, initial=np.inf)
    return highest, lowest


def decode_table(rows: list[list[int]], n_nodes: int) -> Offsets:
    """Return a table read from a file, checked."""
    table = np.array(rows, dtype=np.int16)
    if table.shape != (n_nodes, LEVELS):
        raise ValueError(f"rounding must have shape ({n_nodes}, {LEVELS}), got {table.shape}")
    return table
