"""The way of one row through a tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.tree import FloatArray, MissingPolicy, weighted_sums


class Visit(NamedTuple):
    """A node that a row reaches, the part of the row that does, and where it goes on: "" at a leaf."""

    node: int
    share: float
    side: str


def visits(named: NamedTree, row: FloatArray) -> Iterator[Visit]:
    """Yield the nodes that a row reaches, in preorder."""
    tree, pending = named.tree, [(0, 1.0)]
    while pending:
        node, share = pending.pop()
        side = "" if tree.is_leaf[node] else side_of(named, node, row)
        yield Visit(node, share, side)
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if side == "both":
            weights = tree.weighted_n_node_samples
            part = float(weights[left] / (weights[left] + weights[right]))
            pending += [(child, share * p) for child, p in ((right, 1.0 - part), (left, part)) if p > 0]
        elif side:
            pending.append((left if side == "left" else right, share))


def side_of(named: NamedTree, node: int, row: FloatArray) -> str:
    """Return where the row goes: "left", "right" or "both"."""
    features, weights, threshold = named.tree.split(node)
    if np.isnan(row[features]).any():
        return MissingPolicy(named.tree.missing[node]).name.lower()
    return "left" if total(weights, row[features]) >= threshold else "right"


def total(weights: FloatArray, values: FloatArray) -> float:
    """Return the sum from left to right, as prediction does."""
    return float(weighted_sums(values[None, :], weights)[0])
