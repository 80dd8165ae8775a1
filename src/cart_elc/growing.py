"""The growth loop: one for every splitter.

Nodes are searched when they are made and opened in the order of a priority queue. Without a limit on leaves the queue
is a stack (depth-first); with one it is sorted by impurity decrease (best-first). Rows are partitioned by the
stored rule through the function that prediction uses, so the training partition equals ``tree.apply(X)``.
"""

from __future__ import annotations

import heapq
import sys
import time
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from cart_elc.criteria import MEASURES, Criterion
from cart_elc.splitters.split import LEFT, RIGHT, UNKNOWN, Limits, Node, Split, Splitter
from cart_elc.tree import NO_CHILD, BoolArray, FloatArray, IntArray, MissingPolicy, Tree

EPSILON = float(np.finfo(np.float64).eps)


@dataclass
class Deadline:
    """A time at which growing ends, and a count of what it cut short.

    Attributes
    ----------
    at : float
        The time on `time.monotonic`'s clock.
    seconds : float
        The limit that it came from.
    n_unproven : int
        Searches that were at work when the time ran out and ended without a proof.
    n_unsearched : int
        Nodes that became leaves because they had not been searched.
    """

    at: float
    seconds: float = float("nan")
    n_unproven: int = 0
    n_unsearched: int = 0

    @classmethod
    def within(cls, seconds: float) -> Deadline:
        """Return the deadline so many seconds from now."""
        return cls(time.monotonic() + seconds, seconds)

    @property
    def passed(self) -> bool:
        """Whether the time has run out."""
        return time.monotonic() >= self.at


@dataclass(frozen=True)
class Stopping:
    """When to stop growing; the counts and fractions are scikit-learn's.

    ``min_samples_*`` are counts here; the estimators resolve fractions. Nodes that have not been searched by the
    ``deadline`` become leaves.
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    deadline: Deadline | None = None

    def forbids(self, node: Node) -> bool:
        """Whether the node becomes a leaf without a search."""
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


@dataclass(frozen=True)
class Grower:
    """Makes branches; holds what is the same for all nodes of a tree."""

    splitter: Splitter
    criterion: Criterion
    stopping: Stopping
    total_weight: float

    def branch(self, node: Node) -> Branch:
        """Make the branch of a node and look for its split."""
        value = node.class_weights()
        branch = Branch(value, float(self.criterion.impurity(value)), len(node.rows), float(node.weights.sum()))
        if np.count_nonzero(value) > 1 and not self.stopping.forbids(node):
            self._search(branch, node)
        return branch

    def _search(self, branch: Branch, node: Node) -> None:
        """Look for the split, unless the time has run out."""
        deadline = self.stopping.deadline
        if deadline is not None and deadline.passed:
            deadline.n_unsearched += 1
            return
        split = self.splitter(node)
        if deadline is not None and deadline.passed and not split.proven:
            deadline.n_unproven += 1
        self._accept(branch, node, split)

    def _accept(self, branch: Branch, node: Node, split: Split) -> None:
        """Keep the split if its own partition is admissible and decreases the impurity enough."""
        if not split.found:
            return
        sides = partition(node, split)
        if not all(node.limits.admit(side.weights) for side in sides):
            return
        decrease = self._decrease(branch, sides)
        if max(decrease, 0.0) + EPSILON >= self.stopping.min_impurity_decrease:
            branch.split, branch.sides, branch.decrease = split, sides, decrease

    def _decrease(self, branch: Branch, sides: tuple[Node, ...]) -> float:
        """Weighted impurity decrease, scikit-learn's ``N_t / N * (impurity - sum of the sides')``."""
        after = sum(float(side.weights.sum() * self.criterion.impurity(side.class_weights())) for side in sides)
        return (branch.weight * branch.impurity - after) / self.total_weight


def partition(node: Node, split: Split) -> tuple[Node, Node]:
    """Return the node's two sides under the stored rule.

    Under `MissingPolicy.BOTH` a row with a missing value is in both, its weight divided in proportion to the
    weights of the complete rows.
    """
    sides = split.sides(node.X, node.rows)
    unknown = sides == UNKNOWN
    if split.missing != MissingPolicy.BOTH:
        sides = np.where(unknown, np.int8(split.missing), sides)
        return side_of(node, sides == LEFT, node.weights), side_of(node, sides == RIGHT, node.weights)
    known_left = float(node.weights[sides == LEFT].sum())
    known_right = float(node.weights[sides == RIGHT].sum())
    share = known_left / (known_left + known_right) if known_left + known_right > 0 else 0.5
    left_weights = np.where(unknown, share * node.weights, node.weights)
    right_weights = np.where(unknown, (1.0 - share) * node.weights, node.weights)
    return side_of(node, sides != RIGHT, left_weights), side_of(node, sides != LEFT, right_weights)


def side_of(node: Node, mask: BoolArray, weights: FloatArray) -> Node:
    """Return the child that has the node's rows under the mask with positive weight."""
    mask = mask & (weights > 0)
    return replace(node, rows=node.rows[mask], weights=weights[mask], depth=node.depth + 1)


def grow(
    X: FloatArray, y: IntArray, sample_weight: FloatArray, n_classes: int, splitter: Splitter, stopping: Stopping
) -> Tree:
    """Grow a tree.

    Parameters
    ----------
    X : float64 array of shape (n_samples, n_features), C-contiguous
    y : int64 array of n_samples
        Class codes in ``range(n_classes)``.
    sample_weight : float64 array of n_samples
        Non-negative; rows of weight zero are left out.
    n_classes : int
    splitter : Splitter
    stopping : Stopping

    Returns
    -------
    Tree
    """
    rows = np.flatnonzero(sample_weight > 0).astype(np.int64, copy=False)
    weights = np.ascontiguousarray(sample_weight[rows], dtype=np.float64)
    total_weight = float(weights.sum())
    limits = Limits(stopping.min_samples_leaf, stopping.min_weight_fraction_leaf * total_weight)
    ends = None if stopping.deadline is None else stopping.deadline.at
    node = Node(X, y, rows, weights, n_classes, depth=0, limits=limits, deadline=ends, fit_rows=rows)
    grower = Grower(splitter, MEASURES[splitter.criterion], stopping, total_weight)
    root = grower.branch(node)
    open_branches(root, grower)
    return assemble(root, X.shape[1], n_classes)


@dataclass(frozen=True, eq=False)
class Growth:
    """Grows trees on the same rows with weights that may differ; see `grow`."""

    X: FloatArray
    y: IntArray
    n_classes: int
    splitter: Splitter
    stopping: Stopping

    def __call__(self, sample_weight: FloatArray) -> Tree:
        """Grow a tree."""
        return grow(self.X, self.y, sample_weight, self.n_classes, self.splitter, self.stopping)


def open_branches(root: Branch, grower: Grower) -> None:
    """Open branches under ``root`` until none has a split or there are leaves enough."""
    best_first = grower.stopping.max_leaf_nodes is not None
    n_leaves, order, queue = 1, count(), list[tuple[float, int, Branch]]()

    def push(branch: Branch) -> None:
        if branch.split is not None:
            turn = next(order)
            heapq.heappush(queue, (-branch.decrease if best_first else 0.0, turn if best_first else -turn, branch))

    push(root)
    while queue and (grower.stopping.max_leaf_nodes is None or n_leaves < grower.stopping.max_leaf_nodes):
        branch = heapq.heappop(queue)[-1]
        branch.children = tuple(grower.branch(side) for side in branch.sides)
        branch.sides = ()  # frees their rows
        n_leaves += 1
        for child in reversed(branch.children):
            push(child)


def preorder(root: Branch) -> list[Branch]:
    """Return the branches with every left subtree before its right one."""
    ordered, pending = list[Branch](), [root]
    while pending:
        branch = pending.pop()
        ordered.append(branch)
        pending.extend(reversed(branch.children))
    return ordered


def as_float(n: int) -> float:
    """Return the number as a float, infinite where it is too large for one."""
    return float(n) if n <= sys.float_info.max else float("inf")


def assemble(root: Branch, n_features: int, n_classes: int) -> Tree:
    """Write the grown branches into the arrays of a `Tree`."""
    branches = preorder(root)
    ids = {id(branch): i for i, branch in enumerate(branches)}
    splits = [branch.split if branch.children else None for branch in branches]
    nan = float("nan")
    columns: dict[str, Any] = {
        "children_left": [ids[id(b.children[0])] if b.children else NO_CHILD for b in branches],
        "children_right": [ids[id(b.children[1])] if b.children else NO_CHILD for b in branches],
        "indptr": np.cumsum([0] + [len(s.features) if s else 0 for s in splits]),
        "features": [f for s in splits if s for f in s.features],
        "weights": [w for s in splits if s for w in s.weights],
        "thresholds": [s.threshold if s else nan for s in splits],
        "missing": [s.missing if s else MissingPolicy.RIGHT for s in splits],
        "value": [b.value for b in branches],
        "n_node_samples": [b.n_samples for b in branches],
        "weighted_n_node_samples": [b.weight for b in branches],
        "impurity": [b.impurity for b in branches],
        "score": [s.score if s else nan for s in splits],
        "bound": [s.bound if s else nan for s in splits],
        "proven": [s.proven if s else False for s in splits],
        "n_candidates": [as_float(s.n_candidates) if s else 0.0 for s in splits],
        "margin": [s.margin if s else nan for s in splits],
    }
    return Tree(n_features=n_features, n_classes=n_classes, **columns)
