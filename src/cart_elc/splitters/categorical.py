"""The best split on a category: which of its levels go left.

With two classes, and with numbers, the levels are ordered by the share of a class or by the mean. A best subset is then
among the first ones of that order (Breiman et al. 1984, theorem 4.5; for numbers Fisher 1958): for every criterion that
is a concave impurity of the two sides, weighted by their rows. Gini, information gain and "mdl" are; twoing is half of
what a split takes off Gini's impurity when there are two classes; the squared error is, and "mdl" of numbers falls with
it. The theorem knows no limits on the sides: where they forbid its subset, and with more classes, all subsets of up to
`MOST_ENUMERATED` levels are scored. With more levels than that the split is searched for among the first subsets of
several orders, and then moved level by level while that helps; it is not proven.

Rows without a value are a level of their own here, whose side is chosen with the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

import numpy as np

from cart_elc.criteria import Criterion
from cart_elc.splitters.constraints import FREE, are_within
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import TIES
from cart_elc.targets import Number
from cart_elc.tree import UNKNOWN, BoolArray, FloatArray, IntArray, Sides

MOST_ENUMERATED = 12
"""Levels whose every subset is scored."""


@dataclass(frozen=True, eq=False)
class Subset:
    """The best subset of a category's levels that was found, by the rows that it takes.

    ``score`` and ``bound`` are without a price; ``n_levels`` is how many levels the rows have, and ``n_subsets`` in how
    many ways these can be divided. ``left`` is None if no way is admissible.
    """

    feature: int
    left: BoolArray | None
    score: float
    bound: float
    n_levels: int

    @property
    def n_subsets(self) -> int:
        return int(max(1, 2 ** (self.n_levels - 1) - 1))

    def price(self, n_features: int) -> float:
        return bits_to_name_subset(self.n_levels, n_features)


def bits_to_name_subset(n_levels: int, n_features: int) -> float:
    """Bits that name a subset: which of the features, and which of the ways to divide its levels."""
    return log2(n_features) + bits_of_subset(n_levels)


def bits_of_subset(n_levels: int) -> float:
    """Return ``log2(2^(L-1) - 1)``, the bits that name one of the ways to divide ``L`` levels; 0 where there is one.

    Examples
    --------
    >>> bits_of_subset(2), bits_of_subset(4) == log2(7)
    (0.0, True)
    """
    return n_levels - 1 + log2(1.0 - 2.0 ** (1 - n_levels)) if n_levels > 2 else 0.0


def best_subset(node: Node, feature: int, criterion: Criterion) -> Subset:
    """Return the best way to divide the levels of a feature; equally good ones are decided by their order."""
    values = node.X[node.rows, feature]
    levels, units = np.unique(np.where(np.isnan(values), np.inf, values), return_inverse=True)
    groups = Groups.of(node, units, len(levels), criterion)
    chosen, bound = groups.best()
    n_levels = len(levels) - int(levels[-1] == np.inf)
    return Subset(feature, None if chosen is None else chosen[units], groups.score(chosen), bound, n_levels)


@dataclass(frozen=True, eq=False)
class Groups:
    """The levels of a category at a node: sums of their labels, rows and weight, from which subsets are scored."""

    node: Node
    criterion: Criterion
    sums: FloatArray
    n_rows: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, node: Node, units: IntArray, n_units: int, criterion: Criterion) -> "Groups":
        sums = node.target.sums(node.rows, node.weights, units, n_units)
        rows = np.bincount(units, minlength=n_units).astype(np.float64)
        weights = np.bincount(units, weights=node.weights, minlength=n_units).astype(np.float64, copy=False)
        used = slice(None) if isinstance(node.target, Number) else sums.any(axis=0)
        return cls(node, criterion, sums[:, used], rows, weights)

    @property
    def is_ordered(self) -> bool:
        """Whether a best subset is among the first levels of one order."""
        return isinstance(self.node.target, Number) or self.sums.shape[1] <= 2

    def best(self) -> tuple[BoolArray | None, float]:
        """Return the best admissible subset, None if there is none, and a bound on the score of all of them."""
        n_units, bound = len(self.n_rows), self.criterion.best_possible(self.node.statistics())
        if n_units < 2:
            return None, self.criterion.worst
        by_order = prefixes(self.orders())
        if self.is_ordered:
            free = self.first_of(by_order, limited=False)
            bound = self.score(free)
            if free is not None and self.admits(free[None, :])[0]:
                return free, bound
        if n_units <= MOST_ENUMERATED + 1:
            chosen = self.first_of(all_subsets(n_units))
            return chosen, self.score(chosen)
        chosen = self.first_of(by_order)
        return None if chosen is None else self.climbed(chosen), bound

    def orders(self) -> IntArray:
        """Return orders of the levels: by mean or share where one is enough, else along every class and the main axis.

        The main axis is the first principal component of the levels' class shares, weighted by the levels.
        """
        if isinstance(self.node.target, Number):
            return np.argsort(self.sums[:, 1] / self.sums[:, 0], kind="stable")[None, :]
        shares = self.sums / self.sums.sum(axis=1, keepdims=True)
        if self.is_ordered:
            return np.argsort(-shares[:, 0], kind="stable")[None, :]
        centred = (shares - np.average(shares, axis=0, weights=self.weights)) * np.sqrt(self.weights)[:, None]
        axis = np.linalg.svd(centred, full_matrices=False)[2][0]
        keys = np.column_stack([shares, shares @ axis])
        return np.argsort(-keys, axis=0, kind="stable").T

    def climbed(self, subset: BoolArray) -> BoolArray:
        """Return the subset after moves of single levels, the best one first, until none improves the score."""
        while True:
            moved = subset ^ np.vstack([np.zeros(len(subset), dtype=bool), np.eye(len(subset), dtype=bool)])
            better = self.first_of(moved)
            if better is None or np.array_equal(better, subset):
                return subset
            subset = better

    def first_of(self, subsets: BoolArray, *, limited: bool = True) -> BoolArray | None:
        """Return the first subset whose score is the best, ties aside; None if none is admissible."""
        subsets = subsets[self.admits(subsets)] if limited else subsets
        if not len(subsets):
            return None
        losses = self.scores(subsets) * (1.0 if self.criterion.minimise else -1.0)
        least = losses.min()
        first: BoolArray = subsets[int(np.argmax(losses <= least + TIES * np.abs(losses).max()))]
        return first

    def score(self, subset: BoolArray | None) -> float:
        return self.criterion.worst if subset is None else float(self.scores(subset[None, :])[0])

    def scores(self, subsets: BoolArray) -> FloatArray:
        statistics = self.node.target.statistics_of
        return self.criterion.score(statistics(subsets @ self.sums), statistics(~subsets @ self.sums))

    def admits(self, subsets: BoolArray) -> BoolArray:
        """Return which subsets leave both sides large enough."""
        limits, admitted = self.node.limits, np.ones(len(subsets), dtype=bool)
        for side in (subsets, ~subsets):
            admitted &= side @ self.n_rows >= max(1, limits.min_samples_leaf)
            admitted &= side @ self.weights >= limits.least_weight
        if self.node.value_limits != FREE:
            admitted &= self.keep_order(subsets) & self.keep_order(~subsets)
        return admitted

    def keep_order(self, sides: BoolArray) -> BoolArray:
        """Return which sides have values between the node's limits."""
        target = self.node.target
        with np.errstate(invalid="ignore"):
            values = target.values(target.statistics_of(sides @ self.sums)) + self.middle
        return are_within(self.node.value_limits, values, self.node.value_scale)

    @property
    def middle(self) -> float:
        """What the means of `Target.statistics_of` are distances from."""
        return self.node.value if isinstance(self.node.target, Number) else 0.0


def prefixes(orders: IntArray) -> BoolArray:
    """Return the first levels of each order, one, two and so on, as rows of a mask.

    Examples
    --------
    >>> prefixes(np.array([[2, 0, 1]])).astype(int).tolist()
    [[0, 0, 1], [1, 0, 1]]
    """
    n_units = orders.shape[1]
    ranks = np.argsort(orders, axis=1)
    return np.vstack([rank[None, :] < np.arange(1, n_units)[:, None] for rank in ranks])


def all_subsets(n_units: int) -> BoolArray:
    """Return every way to divide units into two sides once: the last unit is never taken.

    Examples
    --------
    >>> all_subsets(3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    """
    numbers = np.arange(1, 2 ** (n_units - 1))[:, None]
    return (numbers >> np.arange(n_units)[None, :] & 1).astype(bool)


def best_subsets(node: Node, criterion: Criterion) -> Iterator[Subset]:
    """Yield the best subset of each category of the node."""
    assert node.n_levels is not None
    for feature in np.flatnonzero(node.n_levels).tolist():
        yield best_subset(node, feature, criterion)


def level_sides(node: Node, feature: int, side: Sides) -> Sides:
    """Return the side of each level of a category, given those of the node's rows."""
    assert node.n_levels is not None
    values, levels = node.X[node.rows, feature], np.full(node.n_levels[feature], UNKNOWN, dtype=np.int8)
    known = ~np.isnan(values)
    levels[values[known].astype(np.int64)] = side[known]
    return levels
