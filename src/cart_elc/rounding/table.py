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

import numpy as np

from cart_elc.rounding.offsets import LEVELS, MOVES, Offsets, split_offsets
from cart_elc.tree import FloatArray, IntArray, Tree, weighted_sums


def rounding_table(tree: Tree, X: FloatArray, node_rows: list[IntArray]) -> Offsets:
    """Return the entries of all splits for these rows: an array of shape (n_nodes, LEVELS), `MOVES` at leaves.

    ``node_rows`` is what `Tree.node_rows` says of ``X``. Costs about three passes over each node's rows.
    """
    table = np.full((tree.n_nodes, LEVELS), MOVES, dtype=np.int16)
    for node in tree.split_nodes():
        features, weights, threshold = tree.split(node)
        points = X[np.ix_(node_rows[node], features)]
        points = points[~np.isnan(points).any(axis=1)]
        table[node] = split_offsets(weights, threshold, points, weighted_sums(points, weights) >= threshold)
    return table


def decode_table(rows: list[list[int]], n_nodes: int) -> Offsets:
    """Return a table read from a file, checked."""
    table = np.array(rows, dtype=np.int16)
    if table.shape != (n_nodes, LEVELS):
        raise ValueError(f"rounding must have shape ({n_nodes}, {LEVELS}), got {table.shape}")
    return table
