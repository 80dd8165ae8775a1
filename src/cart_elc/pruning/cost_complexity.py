"""Minimal cost-complexity pruning of a `Tree`, whatever grew it.

With ``R(t)`` the impurity of a node weighted by its share of the training weight, an inner node's *effective alpha* is
``(R(t) - R(T_t)) / (|T_t| - 1)``, where ``T_t`` is its subtree, ``R(T_t)`` the sum over the subtree's leaves and
``|T_t|`` their number: the price per leaf at which the subtree stops paying for itself. The weakest link, the node with
the smallest alpha (the first in preorder among equals), is turned into a leaf, again and again.

References
----------
L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, section 3.3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from cart_elc.pruning.pruner import Grow, Pruner
from cart_elc.targets import TrainingRows
from cart_elc.tree import NO_CHILD, BoolArray, FloatArray, IntArray, Tree
from cart_elc.tree.building import collapse


class Link(NamedTuple):
    """One step of pruning: the node to collapse, its effective alpha, and the tree's impurity afterwards."""

    node: int
    alpha: float
    impurity: float


class PruningPath(NamedTuple):
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
    def of(cls, tree: Tree, risk: FloatArray | None = None) -> Self:
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
    steps = [(0.0, Subtrees.of(tree).leaf_risk[0]), *((link.alpha, link.impurity) for link in weakest_links(tree))]
    return PruningPath(*np.array(steps).T.copy())


@dataclass(frozen=True)
class CostComplexity(Pruner):
    """The pruner that is told the price per leaf."""

    ccp_alpha: float = 0.0

    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        return prune(tree, self.ccp_alpha)


def prune(tree: Tree, ccp_alpha: float) -> Tree:
    """Return the smallest subtree that is optimal at the price ``ccp_alpha`` per leaf; 0 keeps the tree."""
    if ccp_alpha == 0.0:
        return tree
    nodes = []
    for link in weakest_links(tree):
        if link.alpha > ccp_alpha:
            break
        nodes.append(link.node)
    return collapse(tree, nodes)
