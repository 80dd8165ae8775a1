"""The one writer of `Tree`: from nodes, and from another tree by collapsing, cutting, replacing or refreshing.

Nodes stand in preorder, so that which of them are leaves says who is whose child.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from cart_elc.tree.arrays import BoolArray, FloatArray, IntArray
from cart_elc.tree.rule import NO_LEVEL, UNKNOWN, Sides
from cart_elc.tree.structure import COLUMNS, NO_CHILD, Tree

OF_SPLITS = {name: column for name, column in COLUMNS.items() if column.at_leaf is not None}
"""The arrays that only splits fill."""
LINKS = ("children_left", "children_right")
Columns = dict[str, Any]
"""Arrays of a tree, or what becomes one, by name."""


@dataclass(frozen=True, eq=False)
class NodeRecord:
    """A node to be written: the statistics of its rows, their number, weight and impurity, and its split.

    ``split`` holds the split's entries by the names of the tree's arrays, children aside; None at a leaf.
    """

    value: FloatArray
    n_samples: int
    weight: float
    impurity: float
    split: Mapping[str, Any] | None


class Statistics(Protocol):
    """What the training rows have to say about a node: see `cart_elc.targets`."""

    def statistics(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """Return the statistics of weighted rows."""


def from_nodes(records: Sequence[NodeRecord], *, n_features: int, criterion: str, target: str = "classes") -> Tree:
    """Return the tree of the nodes, which stand in preorder; ``ValueError`` if they are not those of one tree."""
    left, right = preorder_children(np.array([record.split is None for record in records], dtype=bool))
    splits: list[Mapping[str, Any]] = [record.split or {} for record in records]
    columns: Columns = {
        name: [split.get(name, column.at_leaf) for split in splits] for name, column in OF_SPLITS.items()
    }
    columns |= {
        "children_left": left,
        "children_right": right,
        "value": [record.value for record in records],
        "n_node_samples": [record.n_samples for record in records],
        "weighted_n_node_samples": [record.weight for record in records],
        "impurity": [record.impurity for record in records],
        "indptr": np.cumsum([0] + [len(split.get("features", ())) for split in splits]),
        "features": [feature for split in splits for feature in split.get("features", ())],
        "weights": [weight for split in splits for weight in split.get("weights", ())],
        "levels": stacked_levels([split.get("levels") for split in splits]),
    }
    return Tree(n_features=n_features, criterion=criterion, target=target, **columns)


def stacked_levels(rows: Sequence[Sides | None]) -> Sides:
    """Return the sides of levels as one matrix; levels that a split's own feature does not have are unknown to it.

    Examples
    --------
    >>> stacked_levels([None, np.array([1, 0], dtype=np.int8), np.array([0, 1, 2], dtype=np.int8)])
    array([[-1, -1, -1],
           [ 1,  0,  2],
           [ 0,  1,  2]], dtype=int8)
    """
    width = max((len(row) for row in rows if row is not None), default=0)
    matrix = np.full((len(rows), width), NO_LEVEL, dtype=np.int8)
    for entries, row in zip(matrix, rows, strict=True):
        if row is not None:
            entries[:] = UNKNOWN
            entries[: len(row)] = row
    return matrix


class Nested(Protocol):
    """A node that holds its children."""

    @property
    def children(self: NestedNode) -> tuple[NestedNode, ...]:
        """The left child and the right one; empty at a leaf."""


NestedNode = TypeVar("NestedNode", bound=Nested)


def preorder(root: NestedNode) -> list[NestedNode]:
    """Return the nodes of a subtree, every left one before its right one."""
    ordered, pending = list[NestedNode](), [root]
    while pending:
        node = pending.pop()
        ordered.append(node)
        pending.extend(reversed(node.children))
    return ordered


def preorder_children(is_leaf: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the children that nodes in preorder must have, given which of them are leaves.

    Examples
    --------
    >>> preorder_children(np.array([False, True, True]))
    (array([ 1, -1, -1]), array([ 2, -1, -1]))
    """
    n_nodes = len(is_leaf)
    left, right = np.full(n_nodes, NO_CHILD, dtype=np.int64), np.full(n_nodes, NO_CHILD, dtype=np.int64)
    waiting: list[int] = []  # roots of finished subtrees that have no parent yet, the leftmost last
    for node in range(n_nodes - 1, -1, -1):
        if not is_leaf[node]:
            if len(waiting) < 2:
                raise ValueError("the nodes are not those of one tree")
            left[node], right[node] = waiting.pop(), waiting.pop()
        waiting.append(node)
    if len(waiting) != 1:
        raise ValueError("the nodes are not those of one tree")
    return left, right


def collapse(tree: Tree, nodes: Sequence[int]) -> Tree:
    """Return the tree with these nodes turned into leaves.

    A split that was proven best given all others, which has no bound, is proven no longer.
    """
    if not len(nodes):
        return tree
    ends, kept, leaf = tree.subtree_ends(), np.ones(tree.n_nodes, dtype=bool), tree.is_leaf
    leaf[nodes] = True
    for node in nodes:
        kept[node + 1 : ends[node]] = False
    smaller = selected(tree, np.flatnonzero(kept), leaf[kept])
    return replace(smaller, proven=smaller.proven & ~np.isnan(smaller.bound))


def truncate(tree: Tree, max_depth: int) -> Tree:
    """Return the tree cut at a depth: the tree that growing with that ``max_depth`` would have given.

    A node's split does not depend on what is done below it, so a tree grown depth-first to a smaller depth is a prefix
    of the deeper one. That does not hold for a tree that was grown best-first (``max_leaf_nodes``) or pruned.

    Examples
    --------
    >>> from cart_elc import ELCClassifier
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> truncate(model.tree_, 1)
    Tree(n_nodes=3, n_leaves=2, max_depth=1)
    """
    if max_depth < 0:
        raise ValueError(f"max_depth must be an int >= 0, got {max_depth}")
    return collapse(tree, np.flatnonzero((tree.node_depths() == max_depth) & ~tree.is_leaf).tolist())


def selected(tree: Tree, origins: IntArray, leaf: BoolArray) -> Tree:
    """Return the tree whose node ``i`` is node ``origins[i]`` of this one, without its split where ``leaf[i]``.

    The nodes stand in preorder of the new tree. Statistics are those of the origins.
    """
    left, right = preorder_children(leaf)
    columns: Columns = {name: getattr(tree, name)[origins] for name in COLUMNS if name not in LINKS}
    for name, column in OF_SPLITS.items():
        if name not in LINKS:
            columns[name][leaf] = column.at_leaf
    starts, sizes = tree.indptr[origins], np.where(leaf, 0, np.diff(tree.indptr)[origins])
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    places = np.repeat(starts - indptr[:-1], sizes) + np.arange(indptr[-1])
    columns |= {"indptr": indptr, "features": tree.features[places], "weights": tree.weights[places]}
    return replace(tree, **columns | {"children_left": left, "children_right": right})


def with_split(tree: Tree, node: int, split: Mapping[str, Any]) -> Tree:
    """Return the tree with another split at an inner node; its entries are those of a `NodeRecord`.

    What is below the node, and all statistics, stay as they are: `refreshed` makes them those of the new partition.
    """
    if tree.is_leaf[node]:
        raise ValueError(f"node must be one that has a split, got the leaf {node}")
    first, end = int(tree.indptr[node]), int(tree.indptr[node + 1])
    columns: Columns = {name: getattr(tree, name).copy() for name in OF_SPLITS if name not in (*LINKS, "levels")}
    for name, values in columns.items():
        values[node] = split.get(name, OF_SPLITS[name].at_leaf)
    levels = [tree.rule(i).levels if i != node else split.get("levels") for i in range(tree.n_nodes)]
    columns["levels"] = stacked_levels(levels)
    for name in ("features", "weights"):
        old = getattr(tree, name)
        columns[name] = np.concatenate((old[:first], split[name], old[end:]))
    columns["indptr"] = tree.indptr.copy()
    columns["indptr"][node + 1 :] += len(split["features"]) - (end - first)
    return replace(tree, **columns)


def refreshed(
    tree: Tree, X: FloatArray, target: Statistics, weights: FloatArray, impurity: Callable[[FloatArray], FloatArray]
) -> Tree:
    """Return the tree with the statistics of these rows: of each node, those of the rows that reach it.

    Rows of weight zero are left out. A node that no row reaches keeps the statistics that it has.
    """
    value, n_samples, weight = tree.value.copy(), tree.n_node_samples.copy(), tree.weighted_n_node_samples.copy()
    rows = np.flatnonzero(weights > 0).astype(np.int64, copy=False)
    reached = {0: (rows, np.ascontiguousarray(weights[rows]))}
    for node in range(tree.n_nodes):
        rows, shares = reached.pop(node)
        if len(rows):
            value[node], n_samples[node] = target.statistics(rows, shares), len(rows)
            weight[node] = float(shares.sum())
        if not tree.is_leaf[node]:
            pair = int(tree.children_left[node]), int(tree.children_right[node])
            reached |= zip(pair, tree.rule(node).divide(X, rows, shares), strict=True)
    columns: Columns = {"value": value, "n_node_samples": n_samples, "weighted_n_node_samples": weight}
    return replace(tree, **columns, impurity=impurity(value))
