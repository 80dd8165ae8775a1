"""The growth loop: one for every splitter.

Nodes are searched when they are made and opened in the order of a priority queue. Without a limit on leaves the queue
is a stack (depth-first); with one it is sorted by impurity decrease (best-first). Rows are partitioned by the
stored rule through the function that prediction uses, so the training partition equals ``tree.apply(X)``.

A limit on the time is divided among the nodes by their rows and by the levels still to come, see `TimeShares`.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from cart_elc.criteria import CRITERIA, Criterion
from cart_elc.splitters.constraints import Constraints, are_within
from cart_elc.splitters.node import Deadline, Limits, Node
from cart_elc.splitters.split import Split, Splitter, find_split
from cart_elc.targets import Classes, Target
from cart_elc.tree import FloatArray, IntArray, Tree
from cart_elc.tree.building import NodeRecord, from_nodes, preorder

EPSILON = float(np.finfo(np.float64).eps)
ASSUMED_LEVELS = 4
"""Levels that time is put by for where the depth has no limit, a node's own included."""


@dataclass(frozen=True)
class Stopping:
    """When to stop growing: scikit-learn's limits; the estimators have turned fractions of rows into counts."""

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


@dataclass
class TimeShares:
    """Divides the time that is left among the nodes that wait for their search.

    A node's share is proportional to its rows, and as much is put by for each level that may come below it: with
    ``n_i`` rows in waiting node ``i`` and ``l_i`` levels to come there, its own included, it gets
    ``left * n_i / sum_j n_j l_j``. So the root of a tree of depth 4 gets a quarter of the time, and what a search does
    not use is there for the others. ``l_i`` is ``max_depth`` less the node's depth, or `ASSUMED_LEVELS` where the depth
    has no limit. ``waiting`` is the sum over ``j``.
    """

    deadline: Deadline
    max_depth: int | None
    waiting: float = 0.0

    def work(self, node: Node) -> float:
        """Return the node's rows times the levels that may be searched from it on."""
        levels = ASSUMED_LEVELS if self.max_depth is None else self.max_depth - node.depth
        return float(len(node.rows) * levels)

    def wait(self, node: Node) -> None:
        self.waiting += self.work(node)

    def take(self, node: Node) -> float:
        """Return the seconds of a waiting node, which waits no longer."""
        share = self.deadline.seconds_left * len(node.rows) / self.waiting
        self.waiting -= self.work(node)
        return share


@dataclass(frozen=True)
class Growth:
    """One tree that is being grown: the weight of its root and the shares of its time."""

    weight: float
    shares: TimeShares


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

    def record(self) -> NodeRecord:
        """Return the node as the tree's writer takes it; a split that was not opened is none."""
        split = self.split.columns() if self.split is not None and self.children else None
        return NodeRecord(self.value, self.n_samples, self.weight, self.impurity, split)


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows trees on the same rows, C-contiguous, with weights that may differ.

    The nodes share the time until the deadline. When it has passed, nodes that have not been searched get the split
    that the splitter finds without time, or become leaves if it does not go on. ``seed`` is the root's `Node.seed`, and
    ``features`` names the features that a node may use; None allows all. ``n_levels`` and
    ``constraints`` are those of the nodes.
    """

    X: FloatArray
    target: Target
    splitter: Splitter
    stopping: Stopping = Stopping()
    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    features: Callable[[Node], IntArray | None] | None = None
    n_levels: IntArray | None = None
    constraints: Constraints | None = None

    @property
    def criterion(self) -> Criterion:
        return CRITERIA[self.splitter.criterion]

    def __call__(self, sample_weight: FloatArray) -> Tree:
        """Grow a tree from non-negative weights of the rows; rows of weight zero are left out.

        Better splits need not make a better tree: the best division of ten classes takes one of them off, and then the
        depth is used up. So where the time cut searches short, the tree of the best single-feature splits, which takes
        little time, is grown too, and the better of the two on the training rows is kept.
        """
        n_unproven_before = self.deadline.n_unproven
        tree = self._grow(sample_weight)
        if not self.splitter.goes_on_without_time or self.deadline.n_unproven == n_unproven_before:
            return tree
        single = replace(self, deadline=Deadline(at=float("-inf")))._grow(sample_weight)
        if shortfall(single) >= shortfall(tree):
            return tree
        self.deadline.n_replaced += 1
        return single

    def _grow(self, sample_weight: FloatArray) -> Tree:
        root = self.root(sample_weight)
        growth = Growth(root.weight, TimeShares(self.deadline, self.stopping.max_depth))
        self._wait(root, growth)
        whole = self._branch(root, growth)
        self._open(whole, growth)
        records = [branch.record() for branch in preorder(whole)]
        names = {"criterion": self.splitter.criterion, "target": self.target.kind}
        return from_nodes(records, n_features=self.X.shape[1], **names)

    def root(self, sample_weight: FloatArray) -> Node:
        rows = np.flatnonzero(sample_weight > 0).astype(np.int64, copy=False)
        weights = np.ascontiguousarray(sample_weight[rows], dtype=np.float64)
        least = self.stopping.min_weight_fraction_leaf * float(weights.sum())
        limits = Limits(self.stopping.min_samples_leaf, least)
        known: dict[str, Any] = {"n_levels": self.n_levels, "constraints": self.constraints, "seed": self.seed}
        return Node(self.X, self.target, rows, weights, limits=limits, fit_rows=rows, **known)

    def _open(self, root: Branch, growth: Growth) -> None:
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
            branch.children = tuple(self._branch(side, growth) for side in branch.sides)
            branch.sides = ()  # frees their rows
            n_leaves += 1
            for child in reversed(branch.children):
                push(child)

    def _branch(self, node: Node, growth: Growth) -> Branch:
        value, weight = node.statistics(), node.weight
        branch = Branch(value, float(self.criterion.impurity(value)), len(node.rows), weight)
        if self._is_searched(node, value):
            self._search(branch, node, growth)
        return branch

    def _is_searched(self, node: Node, value: FloatArray) -> bool:
        return not self.target.is_pure(value) and not self.stopping.forbids(node)

    def _wait(self, node: Node, growth: Growth) -> None:
        """Let the node wait for its share of the time, if there is a limit and it will be searched."""
        if self.deadline.is_set and self._is_searched(node, node.statistics()):
            growth.shares.wait(node)

    def _search(self, branch: Branch, node: Node, growth: Growth) -> None:
        goes_on = self.splitter.goes_on_without_time
        if self.deadline.passed and not goes_on:
            self.deadline.n_unsearched += 1
            return
        seconds = growth.shares.take(node) if self.deadline.is_set else float("inf")
        allowed = None if self.features is None else self.features(node)
        timed = replace(node, seconds=seconds if goes_on else self.deadline.seconds_left, features=allowed)
        start = time.monotonic()
        split = find_split(self.splitter, timed)
        self.deadline.note_search(timed.seconds, time.monotonic() - start, proven=split.proven)
        if split.found:
            self._accept(branch, node, split, growth)

    def _accept(self, branch: Branch, node: Node, split: Split, growth: Growth) -> None:
        """Keep the split if it decreases the impurity enough.

        The search has kept to the node's limits; they are asked once more of the partition that the stored rule gives,
        which may be another where float64 could not express the one that was found.
        """
        sides = node.sides(split)
        if not all(node.limits.admit(side.weights) for side in sides) or not keep_order(sides):
            return
        # scikit-learn's N_t / N * (impurity - sum of the sides')
        after = sum(float(side.weights.sum() * self.criterion.impurity(side.statistics())) for side in sides)
        decrease = (branch.weight * branch.impurity - after) / growth.weight
        if max(decrease, 0.0) + EPSILON >= self.stopping.min_impurity_decrease:
            branch.split, branch.sides, branch.decrease = split, sides, decrease
            for side in sides:
                self._wait(side, growth)


def keep_order(sides: tuple[Node, Node]) -> bool:
    """Whether the values of both sides lie where monotonic constraints want them."""
    constraints = sides[0].constraints
    if constraints is None or constraints.signs is None:
        return True
    return all(are_within(side.value_limits, np.array(side.value), side.value_scale) for side in sides)


def shortfall(tree: Tree) -> float:
    """Return what a tree fails in on the rows that it was grown from; less is better.

    The weight of the rows that are not of their leaf's likeliest class, or the squared error of numbers. Under a
    criterion with a price it is minus the bits that the splits save.
    """
    if CRITERIA[tree.criterion].price is not None:
        return -float(tree.score[~tree.is_leaf].sum())
    if tree.target != Classes.kind:
        return float((tree.impurity * tree.weighted_n_node_samples)[tree.is_leaf].sum())
    leaves = tree.value[tree.is_leaf]
    return float(leaves.sum() - leaves.max(axis=1).sum())
