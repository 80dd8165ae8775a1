"""The growth loop: one for every splitter.

Nodes are searched when they are made and opened in the order of a priority queue. Without a limit on leaves the queue
is a stack (depth-first); with one it is sorted by impurity decrease (best-first). Rows are partitioned by the
stored rule through the function that prediction uses, so the training partition equals ``tree.apply(X)``.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np

from cart_elc.criteria import CRITERIA, Criterion
from cart_elc.splitters.node import Deadline, Limits, Node
from cart_elc.splitters.restricted import find_split
from cart_elc.splitters.split import Split, Splitter
from cart_elc.targets import Target
from cart_elc.tree import FloatArray, IntArray, Tree
from cart_elc.tree.building import NodeRecord, from_nodes

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Stopping:
    """When to stop growing; the counts and fractions are scikit-learn's.

    ``min_samples_*`` are counts here; the estimators resolve fractions.
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None

    def forbids(self, node: Node) -> bool:
        """Whether the node becomes a leaf without a search, which would find no admissible split."""
        too_deep = self.max_depth is not None and node.depth >= self.max_depth
        too_few = len(node.rows) < max(self.min_samples_split, 2 * self.min_samples_leaf)
        too_light = float(node.weights.sum()) < 2 * node.limits.least_weight
        return too_deep or too_few or too_light


@dataclass(eq=False)
class Branch:
    """A node under construction.

    ``split`` is set if one was accepted; ``sides`` then holds the rows of the two children until they are made.
    """

    value: FloatArray
    impurity: float
    n_samples: int
    weight: float
    split: Split | None = None
    sides: tuple[Node, ...] = ()
    decrease: float = 0.0
    children: tuple[Branch, ...] = ()

    def preorder(self) -> list[Branch]:
        """Return the branches of the subtree with every left one before its right one."""
        ordered, pending = list[Branch](), [self]
        while pending:
            branch = pending.pop()
            ordered.append(branch)
            pending.extend(reversed(branch.children))
        return ordered

    def record(self) -> NodeRecord:
        """Return the node as the tree's writer takes it; a split that was not opened is none."""
        split = self.split.columns() if self.split is not None and self.children else None
        return NodeRecord(self.value, self.n_samples, self.weight, self.impurity, split)


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows trees on the same rows with weights that may differ.

    Parameters
    ----------
    X : float64 array of shape (n_samples, n_features), C-contiguous
    target : Target
        The rows' labels.
    splitter : Splitter
    stopping : Stopping
    deadline : Deadline
        Nodes that have not been searched when it has passed become leaves.
    seed : int
        The root's `Node.seed`.
    features : callable or None
        Names the features that a node may use; None allows all.
    """

    X: FloatArray
    target: Target
    splitter: Splitter
    stopping: Stopping = Stopping()
    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    features: Callable[[Node], IntArray | None] | None = None

    @property
    def criterion(self) -> Criterion:
        """The splitter's criterion."""
        return CRITERIA[self.splitter.criterion]

    def __call__(self, sample_weight: FloatArray) -> Tree:
        """Grow a tree from non-negative weights of the rows; rows of weight zero are left out."""
        root = self.root(sample_weight)
        whole = self._branch(root)
        self._open(whole)
        records = [branch.record() for branch in whole.preorder()]
        names = {"criterion": self.splitter.criterion, "target": self.target.kind}
        return from_nodes(records, n_features=self.X.shape[1], **names)

    def root(self, sample_weight: FloatArray) -> Node:
        """Return the node of all rows of positive weight."""
        rows = np.flatnonzero(sample_weight > 0).astype(np.int64, copy=False)
        weights = np.ascontiguousarray(sample_weight[rows], dtype=np.float64)
        least = self.stopping.min_weight_fraction_leaf * float(weights.sum())
        limits = Limits(self.stopping.min_samples_leaf, least)
        return Node(self.X, self.target, rows, weights, 0, limits, self.deadline, fit_rows=rows, seed=self.seed)

    def _open(self, root: Branch) -> None:
        """Open branches under ``root`` until none has a split or there are leaves enough."""
        best_first = self.stopping.max_leaf_nodes is not None
        n_leaves, order, queue = 1, count(), list[tuple[float, int, Branch]]()

        def push(branch: Branch) -> None:
            if branch.split is not None:
                turn = next(order)
                heapq.heappush(queue, (-branch.decrease if best_first else 0.0, turn if best_first else -turn, branch))

        push(root)
        while queue and (self.stopping.max_leaf_nodes is None or n_leaves < self.stopping.max_leaf_nodes):
            branch = heapq.heappop(queue)[-1]
            branch.children = tuple(self._branch(side, root.weight) for side in branch.sides)
            branch.sides = ()  # frees their rows
            n_leaves += 1
            for child in reversed(branch.children):
                push(child)

    def _branch(self, node: Node, total_weight: float | None = None) -> Branch:
        """Make the branch of a node and look for its split."""
        value, weight = node.statistics(), float(node.weights.sum())
        branch = Branch(value, float(self.criterion.impurity(value)), len(node.rows), weight)
        if not self.target.is_pure(value) and not self.stopping.forbids(node):
            self._search(branch, node, weight if total_weight is None else total_weight)
        return branch

    def _search(self, branch: Branch, node: Node, total_weight: float) -> None:
        """Look for the split, unless the time has run out."""
        if self.deadline.passed:
            self.deadline.n_unsearched += 1
            return
        allowed = None if self.features is None else self.features(node)
        split = find_split(self.splitter, node if allowed is None else replace(node, features=allowed))
        if not split.proven and self.deadline.passed:
            self.deadline.n_unproven += 1
        if split.found:
            self._accept(branch, node, split, total_weight)

    def _accept(self, branch: Branch, node: Node, split: Split, total_weight: float) -> None:
        """Keep the split if it decreases the impurity enough.

        The search has kept to the node's limits; they are asked once more of the partition that the stored rule gives,
        which may be another where float64 could not express the one that was found.
        """
        sides = node.sides(split)
        if not all(node.limits.admit(side.weights) for side in sides):
            return
        # scikit-learn's N_t / N * (impurity - sum of the sides')
        after = sum(float(side.weights.sum() * self.criterion.impurity(side.statistics())) for side in sides)
        decrease = (branch.weight * branch.impurity - after) / total_weight
        if max(decrease, 0.0) + EPSILON >= self.stopping.min_impurity_decrease:
            branch.split, branch.sides, branch.decrease = split, sides, decrease
