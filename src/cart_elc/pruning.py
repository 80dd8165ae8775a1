"""Minimal cost-complexity pruning of a `Tree`, whatever grew it, and cutting at a depth.

With ``R(t)`` the impurity of a node weighted by its share of the training weight, an inner node's *effective alpha* is
``(R(t) - R(T_t)) / (|T_t| - 1)``, where ``T_t`` is its subtree, ``R(T_t)`` the sum over the subtree's leaves and
``|T_t|`` their number: the price per leaf at which the subtree stops paying for itself. The weakest link, the node with
the smallest alpha (the first in preorder among equals), is turned into a leaf, again and again.

References
----------
L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from cart_elc.tree import DTYPES, NO_CHILD, BoolArray, FloatArray, IntArray, Tree

PER_WEIGHT = ("indptr", "features", "weights")
EMPTY_AT_LEAF = {"thresholds": np.nan, "score": np.nan, "bound": np.nan, "margin": np.nan, "n_candidates": 0.0}


Grow = Callable[[FloatArray], Tree]
"""Grows a tree from weights of the training rows."""


class Rows(Protocol):
    """The training rows: a matrix, class codes and weights."""

    @property
    def X(self) -> FloatArray:  # noqa: N802
        """Rows in C order."""

    @property
    def y(self) -> IntArray:
        """Class codes."""

    @property
    def weights(self) -> FloatArray:
        """Non-negative weights."""


class Pruner(Protocol):
    """Grows a tree and prunes it: a frozen value that holds the method's parameters."""

    def __call__(self, rows: Rows, grow: Grow) -> Tree:
        """Return the pruned tree."""


class Link(NamedTuple):
    """One step of pruning: the node to collapse, its effective alpha, and the tree's impurity afterwards."""

    node: int
    alpha: float
    impurity: float


@dataclass(frozen=True)
class PruningPath:
    """The effective alphas of all steps and the total leaf impurity after each; the first entry is the whole tree."""

    ccp_alphas: FloatArray
    impurities: FloatArray


@dataclass
class Subtrees:
    """Leaf counts and leaf impurities of all subtrees while branches are pruned away."""

    risk: FloatArray
    leaf_risk: FloatArray
    n_leaves: IntArray
    inner: BoolArray
    parents: IntArray
    ends: IntArray

    @classmethod
    def of(cls, tree: Tree, risk: FloatArray | None = None) -> Subtrees:
        """Sum leaves upwards; in reversed preorder children come before their parent.

        ``risk`` is each node's ``R(t)`` if it is not to be the weighted impurity.
        """
        if risk is None:
            risk = tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
        leaf_risk, n_leaves, parents = risk.copy(), np.ones(tree.n_nodes, dtype=np.int64), tree.parents()
        for node in reversed(list(tree.split_nodes())):
            pair = [tree.children_left[node], tree.children_right[node]]
            leaf_risk[node], n_leaves[node] = leaf_risk[pair].sum(), n_leaves[pair].sum()
        return cls(risk, leaf_risk, n_leaves, ~tree.is_leaf, parents, tree.subtree_ends())

    def weakest(self) -> tuple[int, float]:
        """Return the inner node with the smallest effective alpha, and that alpha."""
        inner = np.flatnonzero(self.inner)
        alphas = (self.risk[inner] - self.leaf_risk[inner]) / (self.n_leaves[inner] - 1)
        first = int(np.argmin(alphas))
        return int(inner[first]), float(alphas[first])

    def collapse(self, node: int) -> None:
        """Turn the node into a leaf and tell its ancestors."""
        risk_change = self.risk[node] - self.leaf_risk[node]
        leaves_lost = self.n_leaves[node] - 1
        self.inner[node : self.ends[node]] = False
        while node != NO_CHILD:
            self.leaf_risk[node] += risk_change
            self.n_leaves[node] -= leaves_lost
            node = int(self.parents[node])


def weakest_links(tree: Tree, risk: FloatArray | None = None) -> Iterator[Link]:
    """Yield the steps of weakest-link pruning down to the root. Each step costs O(n_nodes)."""
    subtrees = Subtrees.of(tree, risk)
    while subtrees.inner[0]:
        node, alpha = subtrees.weakest()
        subtrees.collapse(node)
        yield Link(node, alpha, float(subtrees.leaf_risk[0]))


def pruning_path(tree: Tree) -> PruningPath:
    """Return the effective alphas and impurities of weakest-link pruning."""
    links = list(weakest_links(tree))
    whole = float(Subtrees.of(tree).leaf_risk[0])
    return PruningPath(
        np.array([0.0] + [link.alpha for link in links]), np.array([whole] + [link.impurity for link in links])
    )


@dataclass(frozen=True)
class CostComplexity:
    """The pruner that is told the price per leaf."""

    ccp_alpha: float = 0.0

    def __call__(self, rows: Rows, grow: Grow) -> Tree:
        """Grow with all rows and prune at the price."""
        return prune(grow(rows.weights), self.ccp_alpha)


def prune(tree: Tree, ccp_alpha: float) -> Tree:
    """Return the smallest subtree that is optimal at the price ``ccp_alpha`` per leaf; 0 keeps the tree."""
    if ccp_alpha == 0.0:
        return tree
    nodes = []
    for link in weakest_links(tree):
        if link.alpha > ccp_alpha:
            break
        nodes.append(link.node)
    return collapse(tree, nodes) if nodes else tree


def truncate(tree: Tree, max_depth: int) -> Tree:
    """Return the tree cut at a depth: the tree that growing with that ``max_depth`` would have given.

    A node's split does not depend on what is done below it, so a tree grown depth-first to a smaller depth is a prefix
    of the deeper one. That does not hold for a tree that was grown best-first (``max_leaf_nodes``) or pruned.

    Parameters
    ----------
    tree : Tree
    max_depth : int
        Largest depth of a leaf; 0 leaves the root.

    Raises
    ------
    ValueError
        If ``max_depth`` is negative.

    Examples
    --------
    >>> from cart_elc import ELCClassifier
    >>> model = ELCClassifier(r=1).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> truncate(model.tree_, 1)
    Tree(n_nodes=3, n_leaves=2, max_depth=1)
    """
    if max_depth < 0:
        raise ValueError(f"max_depth must be an int >= 0, got {max_depth}")
    nodes = np.flatnonzero((tree.node_depths() == max_depth) & ~tree.is_leaf)
    return collapse(tree, [int(node) for node in nodes]) if len(nodes) else tree


def collapse(tree: Tree, nodes: list[int]) -> Tree:
    """Return the tree with these nodes turned into leaves."""
    ends, kept, leaf = tree.subtree_ends(), np.ones(tree.n_nodes, dtype=bool), tree.is_leaf
    leaf[nodes] = True
    for node in nodes:
        kept[node + 1 : ends[node]] = False
    new_ids = np.cumsum(kept) - 1
    columns: dict[str, Any] = {name: getattr(tree, name)[kept] for name in DTYPES if name not in PER_WEIGHT}
    for name in ("children_left", "children_right"):
        columns[name] = np.where(leaf[kept], NO_CHILD, new_ids[columns[name]])
    for name, empty in EMPTY_AT_LEAF.items():
        columns[name] = np.where(leaf[kept], empty, columns[name])
    columns["proven"] = columns["proven"] & ~leaf[kept]
    columns["missing"] = np.where(leaf[kept], 0, columns["missing"])
    used = np.repeat(kept & ~leaf, np.diff(tree.indptr))
    sizes = np.where(leaf, 0, np.diff(tree.indptr))[kept]
    columns |= {"features": tree.features[used], "weights": tree.weights[used], "indptr": np.cumsum([0, *sizes])}
    return Tree(tree.n_features, tree.n_classes, **columns)
