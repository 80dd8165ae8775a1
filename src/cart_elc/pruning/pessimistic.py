"""C4.5's pruning: an upper confidence limit of the training errors decides what a subtree is worth.

A subtree that saves no training error is turned into a leaf first; the published program does so while it grows the
tree. A leaf that misclassifies the weight ``e`` of ``n`` is charged ``n U(e, n)`` errors, where ``U`` is the upper
limit of the binomial error rate at the confidence level ``CF``. From the bottom up, a subtree is replaced by a leaf, or
by its heavier branch with all of the node's rows sent down it (*subtree raising*), if that is charged no more than 0.1
above the subtree (section 4.2 of the book that `C45Classifier` cites).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.pruning.pruner import Grow, Pruner
from cart_elc.splitters.node import Node
from cart_elc.targets import TrainingRows
from cart_elc.tree import FloatArray, Tree
from cart_elc.tree.building import preorder, refreshed, selected

T = TypeVar("T")

SLACK = 0.1
"""Errors by which a replacement may exceed the subtree."""
SAVED = 1e-3
"""A subtree must save more training errors than this."""

# C4.5's own table of the normal deviate, between whose entries it interpolates: at CF = 0.25 it gives 0.6925, the
# normal distribution 0.6745. The book's worked examples are computed with the table.
LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def added_errors(n: float, errors: float, confidence: float = 0.25) -> float:
    """Return how many errors are added to those seen: ``n U(errors, n) - errors``.

    With no errors ``U = 1 - CF^(1/n)`` exactly; between none and one the result is interpolated, and from one on the
    normal approximation with continuity correction is used; near ``errors = n`` it is ``0.67 (n - errors)``.

    Examples
    --------
    Quinlan's example (section 4.2): leaves of 6, 9 and 1 cases without an error, against one leaf of 16 with one.

    >>> [round(added_errors(n, 0.0) / n, 3) for n in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    >>> round((1.0 + added_errors(16, 1.0)) / 16, 3)
    0.157
    """
    if errors < 1e-6:
        return n * (1.0 - math.pow(confidence, 1.0 / n))
    if errors < 0.9999:
        none = n * (1.0 - math.pow(confidence, 1.0 / n))
        return none + errors * (added_errors(n, 1.0, confidence) - none)
    if errors + 0.5 >= n:
        return 0.67 * (n - errors)
    z_squared = float(np.interp(confidence, LEVELS, DEVIATES)) ** 2
    seen = errors + 0.5
    spread = math.sqrt(z_squared * (seen * (1.0 - seen / n) + z_squared / 4.0))
    return n * (seen + z_squared / 2.0 + spread) / (n + z_squared) - errors


@dataclass(frozen=True, eq=False)
class Part:
    """A subtree while it is pruned: the grown node whose split it has, the rows at its root and what it is charged."""

    origin: int
    node: Node
    value: FloatArray
    errors: float
    children: tuple[Part, ...] = ()


def folded(root: Part, make: Callable[[Part, tuple[T, ...]], T]) -> T:
    """Make something of each part and of what its children have become, from the bottom up."""
    done: list[T] = []
    for part in reversed(preorder(root)):
        done.append(make(part, tuple(done.pop() for _ in part.children)))
    return done.pop()


@dataclass(frozen=True)
class Pessimistic(Pruner):
    """The pruner of C4.5. Each decision sends a node's rows down a branch: O(n depth^2) in all.

    The parameters are those of `C45Classifier`.
    """

    confidence: float = 0.25
    raising: bool = True

    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        used = np.flatnonzero(rows.weights > 0).astype(np.int64, copy=False)
        root = Node(rows.X, rows.target, used, np.ascontiguousarray(rows.weights[used]))
        grown = self._routed(tree, as_grown(tree, root), root)
        return rebuilt(tree, self._pruned(tree, self._collapsed(grown)), CRITERIA[tree.criterion].impurity)

    def _collapsed(self, part: Part) -> Part:
        """The subtree without the branchings that save no training error."""

        def collapsed(old: Part, children: tuple[tuple[Part, float], ...]) -> tuple[Part, float]:
            wrong, wrong_below = training_errors(old.value), sum(errors for _, errors in children)
            saves = bool(children) and wrong_below < wrong - SAVED
            kept = tuple(child for child, _ in children) if saves else ()
            return self._part(old.origin, old.node, kept), wrong_below if saves else wrong

        return folded(part, collapsed)[0]

    def _pruned(self, tree: Tree, part: Part) -> Part:
        return folded(part, lambda old, kept: self._decided(tree, self._part(old.origin, old.node, kept)))

    def _decided(self, tree: Tree, part: Part) -> Part:
        """The subtree, a leaf in its place, or its heavier branch: whichever is charged least, within the slack."""
        if not part.children:
            return part
        leaf = self._part(part.origin, part.node, ())
        heavier = max(part.children, key=lambda child: float(child.value.sum()))
        raised = self._routed(tree, heavier, part.node) if self.raising else leaf
        if leaf.errors <= min(raised.errors, part.errors) + SLACK:
            return leaf
        return self._pruned(tree, raised) if raised.errors <= part.errors + SLACK else part

    def _routed(self, tree: Tree, shape: Part, node: Node) -> Part:
        """The subtree of the same shape with the node's rows sent down it."""
        rows = {shape: node}
        for part in preorder(shape):
            if part.children:
                rows |= zip(part.children, rows[part].sides(tree.rule(part.origin)), strict=True)
        return folded(shape, lambda part, children: self._part(part.origin, rows[part], children))

    def _part(self, origin: int, node: Node, children: tuple[Part, ...]) -> Part:
        value = node.statistics()
        if children:
            return Part(origin, node, value, sum(child.errors for child in children), children)
        wrong = training_errors(value)
        return Part(origin, node, value, wrong + added_errors(float(value.sum()), wrong, self.confidence))


def training_errors(value: FloatArray) -> float:
    """Weight outside the most frequent class."""
    return float(value.sum() - value.max())


def as_grown(tree: Tree, root: Node) -> Part:
    """The shape of the tree; the rows are not right yet."""
    parts: dict[int, Part] = {}
    for node in range(tree.n_nodes - 1, -1, -1):
        pair = (int(tree.children_left[node]), int(tree.children_right[node]))
        children = () if tree.is_leaf[node] else (parts.pop(pair[0]), parts.pop(pair[1]))
        parts[node] = Part(node, root, tree.value[node], 0.0, children)
    return parts[0]


def rebuilt(tree: Tree, root: Part, impurity: Callable[[FloatArray], FloatArray]) -> Tree:
    """The tree of the parts: each has the split of its origin, and the counts of its own rows."""
    parts = preorder(root)
    shape = selected(tree, np.array([part.origin for part in parts]), np.array([not part.children for part in parts]))
    used = root.node
    weights = np.zeros(len(used.X))
    weights[used.rows] = used.weights
    return refreshed(shape, used.X, used.target, weights, impurity)
