"""What refining minimises: one sum over the whole tree, of what rows, leaves and splits cost.

A row pays in its leaf, a leaf and a split have costs of their own. With the leaves' predictions and all splits but one
given, the sum is linear in the rows: each costs so much below the left child and so much below the right one. Hence it
wants one of the sides, by the difference, and the best split is that of a directed problem, see `best_split`. What a
leaf predicts is then the best for its rows again, so neither step raises the sum.

========================  ====================================================================================
criterion                 the sum
========================  ====================================================================================
"mdl", classes            bits of the labels in their leaves, of the leaves' shares, and of the names of the splits
"mdl", numbers            bits of the deviations from the leaves' means, of the means, and of the names of the splits
"squared_error"           squared errors
any other                 the weight of the rows that are not of their leaf's heaviest class
========================  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log2
from typing import ClassVar

import numpy as np

from cart_elc.criteria import CRITERIA, bits_to_name
from cart_elc.splitters.categorical import bits_to_name_subset
from cart_elc.splitters.node import Node
from cart_elc.targets import Classes, Number
from cart_elc.tree import FloatArray, IntArray

TIE = 1e-9
"""Sums that differ by no more than this part of the objective's scale are equal, and fewer features are better."""
LN2 = log(2.0)


@dataclass
class Objective:
    """The errors of classes; the others change what they need.

    ``search`` names the criterion of the search for a split together with the two leaves below it, and ``joint`` says
    whether that search finds the objective's own best. ``scale`` is of the order of the sum for a lone leaf.
    """

    search: ClassVar[str] = "error"
    joint: ClassVar[bool] = True
    unit: ClassVar[str] = "errors"

    root: Node

    def __post_init__(self) -> None:
        self.target, self.scale = self.root.target, self.root.weight

    def row_costs(self, leaf: FloatArray, rows: IntArray) -> FloatArray:
        """Return what rows of weight 1 cost in a leaf with these statistics."""
        wrong: FloatArray = (self.target.y[rows] != np.argmax(leaf)).astype(np.float64)
        return wrong

    def leaf_cost(self, leaf: FloatArray) -> float:
        """Return what the leaf costs beside its rows."""
        return 0.0

    def split_cost(self, size: int, weight: float) -> float:
        """Return what a split on so many features costs at a node of this weight: here it only settles ties."""
        return size * TIE * self.scale

    def subset_cost(self, n_levels: int) -> float:
        """Return what a split costs that divides so many levels of a category."""
        return TIE * self.scale

    def passing_cost(self, size: int, weight: float) -> float:
        """Return what one more row adds to the cost of a split that it passes, at most: the slope at this weight."""
        return 0.0

    def search_units(self, node: Node) -> float:
        """Return how much of the search's loss, times the node's weight, is one unit of the sum."""
        return 1.0

    def learn(self, leaves: Sequence[FloatArray]) -> None:
        """Learn from the statistics of all leaves what they have in common: here nothing."""

    @property
    def shared_cost(self) -> float:
        """What the tree costs beside its nodes."""
        return 0.0


@dataclass
class SquaredErrors(Objective):
    """The squared errors of numbers."""

    search: ClassVar[str] = "squared_error"
    unit: ClassVar[str] = "squared error"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.scale = float(self.root.statistics()[2])

    def row_costs(self, leaf: FloatArray, rows: IntArray) -> FloatArray:
        """Return the squared deviations from the leaf's mean."""
        squares: FloatArray = np.square(self.target.y[rows] - leaf[1])
        return squares

    def search_units(self, node: Node) -> float:
        """Return weight per squared error: the search's loss is the share of the node's squared error that is left."""
        squares = float(node.statistics()[2])
        return node.weight / squares if squares > 0 else 0.0


@dataclass
class Named(Objective):
    """An objective in bits, with the price of naming each split: `bits_to_name` of its node, times ``price``."""

    joint: ClassVar[bool] = False
    unit: ClassVar[str] = "bits"

    price: float = 1.0

    def split_cost(self, size: int, weight: float) -> float:
        return self.price * bits_to_name(weight, self.root.n_features, size)

    def subset_cost(self, n_levels: int) -> float:
        return self.price * bits_to_name_subset(n_levels, self.root.n_features)

    def passing_cost(self, size: int, weight: float) -> float:
        """Return the slope of the price, which is concave in the weight."""
        return self.price * sum(1.0 / (max(weight - i, 1.0) * LN2) for i in range(size))


@dataclass
class LabelBits(Named):
    """The description length of classes.

    A leaf with ``n`` rows, ``c_j`` of class ``j`` of ``k``, gives class ``j`` the share
    ``p_j = (c_j + 1/k) / (n + 1)``. A row costs ``-log2 p_j``, and the leaf ``-1/k sum_j log2 p_j``: as if it had one
    row more, shared by all classes. These shares make the sum of both smallest, and no class has share zero.
    """

    search: ClassVar[str] = "mdl"

    def __post_init__(self) -> None:
        super().__post_init__()
        present = self.root.statistics() > 0
        self.extra = present / np.count_nonzero(present)

    def bits(self, leaf: FloatArray) -> FloatArray:
        """Return the code length of each class in a leaf; 0 for a class that the tree never saw."""
        seen = leaf + self.extra
        return np.where(self.extra > 0, log2(seen.sum()) - np.log2(np.where(seen > 0, seen, 1.0)), 0.0)

    def row_costs(self, leaf: FloatArray, rows: IntArray) -> FloatArray:
        costs: FloatArray = self.bits(leaf)[self.target.y[rows]]
        return costs

    def leaf_cost(self, leaf: FloatArray) -> float:
        return float(self.extra @ self.bits(leaf))


@dataclass
class NumberBits(Named):
    """The description length of numbers: normal deviations from the leaves' means, of one variance for all leaves.

    With ``N`` rows of squared error ``E`` that is ``N/2 log2 E`` up to a constant, at the variance ``E/N``; given the
    variance ``v``, a row of deviation ``d`` costs ``d^2 / (2 v ln 2)``. Each leaf costs 4 bits, for a mean and a spread
    as in growth, times ``price``. ``E`` is never taken for less than ``1/N^2`` of the root's.
    """

    search: ClassVar[str] = "mdl_squared_error"

    leaf_bits: float = 4.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.least = float(self.root.statistics()[2]) / self.scale**2
        self.learn([self.root.statistics()])

    def learn(self, leaves: Sequence[FloatArray]) -> None:
        """Learn the variance of the deviations."""
        squares = float(sum(leaf[2] for leaf in leaves))
        self.variance = max(squares, self.least, float(np.finfo(np.float64).tiny)) / self.scale

    def row_costs(self, leaf: FloatArray, rows: IntArray) -> FloatArray:
        bits: FloatArray = np.square(self.target.y[rows] - leaf[1]) / (2 * self.variance * LN2)
        return bits

    def leaf_cost(self, leaf: FloatArray) -> float:
        return self.price * self.leaf_bits

    @property
    def shared_cost(self) -> float:
        return self.scale / 2 * log2(self.variance)


def objective_of(root: Node, criterion: str, price: float) -> Objective:
    """Return what a tree of this criterion is refined by."""
    if CRITERIA[criterion].price is not None:
        return LabelBits(root, price) if isinstance(root.target, Classes) else NumberBits(root, price)
    return SquaredErrors(root) if isinstance(root.target, Number) else Objective(root)
