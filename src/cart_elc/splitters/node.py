"""The node problem: what a splitter is given."""

import time
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from cart_elc.splitters.constraints import FREE, Constraints
from cart_elc.splitters.constraints import Limits as ValueLimits
from cart_elc.targets import Classes, Target
from cart_elc.tree import BoolArray, FloatArray, IntArray, Rule

MIX = 0x9E3779B97F4A7C15
"""The odd constant of splitmix64."""


@dataclass
class Deadline:
    """A time at which long searches end, and a count of what it cut short.

    Attributes
    ----------
    at : float
        The time on `time.monotonic`'s clock.
    seconds : float
        The limit that it came from.
    n_unproven : int
        Searches that used up their share of the time and ended without a proof.
    n_untimed : int
        Those of them that began when no time was left.
    n_unsearched : int
        Nodes that became leaves because no time was left and their splitter does not go on without.
    n_replaced : int
        Trees that gave way to the tree of the best single-feature splits, which is better on the training rows.
    """

    at: float = float("inf")
    seconds: float = float("inf")
    n_unproven: int = 0
    n_untimed: int = 0
    n_unsearched: int = 0
    n_replaced: int = 0

    @classmethod
    def within(cls, seconds: float) -> Self:
        """Return the deadline so many seconds from now."""
        return cls(time.monotonic() + seconds, seconds)

    @property
    def is_set(self) -> bool:
        """Whether there is a limit."""
        return self.at < float("inf")

    @property
    def passed(self) -> bool:
        """Whether the time has run out."""
        return time.monotonic() >= self.at

    @property
    def seconds_left(self) -> float:
        """Seconds until the time runs out; infinite without a limit, never negative."""
        return max(self.at - time.monotonic(), 0.0)

    def note_search(self, allowed: float, spent: float, *, proven: bool) -> None:
        """Count a search that was allowed so many seconds, if they cut it short."""
        if not proven and spent >= allowed:
            self.n_unproven += 1
            self.n_untimed += allowed <= 0


@dataclass(frozen=True)
class Limits:
    """What both sides of a candidate must have: this many rows, and this much weight."""

    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0

    @property
    def least_weight(self) -> float:
        """``min_weight_leaf`` less what rounding may have added to it, as the compiled search takes it."""
        return self.min_weight_leaf * (1 - 1e-12)

    def admit(self, weights: FloatArray) -> bool:
        """Whether a side with rows of these weights is large enough."""
        return len(weights) >= max(1, self.min_samples_leaf) and float(weights.sum()) >= self.least_weight


@dataclass(frozen=True, eq=False)
class Node:
    """The rows to be split.

    Attributes
    ----------
    X : float64 array of shape (n_samples, n_features)
        The whole matrix of the fit, C-contiguous.
    target : Target
        The labels of all rows.
    rows : int64 array
        Indices of the node's rows; all of them have positive weight.
    weights : float64 array
        Aligned with ``rows``.
    depth : int
    limits : Limits
    seconds : float
        The time for its search, after which the best split so far is wanted.
    fit_rows : int64 array or None
        Indices of all rows that the tree is grown from, whatever node they are in.
    features : int64 array or None
        The features that the split may use, ascending; None is all of them.
    n_levels : int64 array or None
        For each feature the number of its levels, whose codes ``X`` has, or 0 where it is a number; None is no levels.
    constraints : Constraints or None
        What splits must keep to.
    value_limits : pair of float
        Between which the values of the node's parts must lie, so that predictions keep their directions.
    n_others : int
        Features that ``X`` has not, but among which a split on its features has to be named.
    seed : int
        For splitters that draw: it depends on the fit's seed and on the node's place in the tree, not on the order in
        which nodes are opened.
    """

    X: FloatArray
    target: Target
    rows: IntArray
    weights: FloatArray
    depth: int = 0
    limits: Limits = Limits()
    seconds: float = float("inf")
    fit_rows: IntArray | None = None
    features: IntArray | None = None
    n_levels: IntArray | None = None
    constraints: Constraints | None = None
    value_limits: ValueLimits = FREE
    n_others: int = 0
    seed: int = 0

    @property
    def classes(self) -> Classes:
        """The labels of a node that a classification splitter is given."""
        assert isinstance(self.target, Classes)
        return self.target

    @property
    def weight(self) -> float:
        """Sum of the rows' weights."""
        return float(self.weights.sum())

    @property
    def n_features(self) -> int:
        """Number of features that a split could have, by which it is priced."""
        return int(self.X.shape[1]) + self.n_others

    @property
    def value(self) -> float:
        """What monotonic constraints order: the mean, or the share of the second class."""
        return float(self.target.values(self.statistics()))

    @property
    def value_scale(self) -> float:
        """The size of the labels, by which rounding of values is judged."""
        return 1.0 if isinstance(self.target, Classes) else float(np.abs(self.target.y[self.rows]).max())

    def statistics(self, chosen: BoolArray | slice = slice(None)) -> FloatArray:
        """Return the statistics of the node's rows, or of some of them."""
        return self.target.statistics(self.rows[chosen], self.weights[chosen])

    def sides(self, rule: Rule) -> tuple[Self, Self]:
        """Return the node's children under a rule, by the function that prediction uses."""
        divided = rule.divide(self.X, self.rows, self.weights)
        left, right = self._child(*divided[0], turn=0), self._child(*divided[1], turn=1)
        if self.constraints is None or self.constraints.signs is None or not (len(left.rows) and len(right.rows)):
            return left, right
        limits = self.constraints.limits_below(rule, self.value_limits, left.value, right.value)
        return replace(left, value_limits=limits[0]), replace(right, value_limits=limits[1])

    def _child(self, rows: IntArray, weights: FloatArray, turn: int) -> Self:
        return replace(self, rows=rows, weights=weights, depth=self.depth + 1, seed=child_seed(self.seed, turn))


def constraints_of(node: Node) -> tuple[list[list[int]], list[int], float, float]:
    """Return the groups, the signs and the limits of a node as the compiled search takes them."""
    known, limits = node.constraints or Constraints(), node.value_limits
    signs = [] if known.signs is None or not (known.signs.any() or limits != FREE) else known.signs.tolist()
    return [sorted(group) for group in known.groups], signs, *limits


def child_seed(seed: int, turn: int) -> int:
    """Return the seed of a node's left (0) or right (1) child: splitmix64 of the parent's.

    Examples
    --------
    >>> child_seed(0, 0) != child_seed(0, 1)
    True
    """
    return mixed((2 * seed + turn + 1) * MIX)


def mixed(number: int) -> int:
    """Return the 64 bits of a number, well mixed: the finaliser of splitmix64."""
    bits = number & (2**64 - 1)
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & (2**64 - 1)
    return bits ^ bits >> 31
