"""A tree that is being refined: nodes that hold their rows, and change places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.refining.objectives import Objective
from cart_elc.splitters.categorical import bits_to_name_subset
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, rescored
from cart_elc.tree import UNKNOWN, BoolArray, FloatArray, IntArray, Tree
from cart_elc.tree.building import NodeRecord, from_nodes, preorder


@dataclass(eq=False)
class Knot:
    """A node with the rows that reach it and, where it is split, its split and children.

    ``value`` has the statistics of the rows, by which a leaf predicts. Problems that were solved here are remembered,
    so that they are not solved again: ``tried`` that of a split with two leaves, ``solved`` the last one, and
    ``proven`` whether the split was shown to be its best.
    """

    node: Node
    split: Split | None = None
    children: tuple[Knot, ...] = ()
    tried: tuple[IntArray, ...] = ()
    solved: tuple[FloatArray | IntArray, ...] = ()
    proven: bool = False
    value: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.value = self.node.statistics()

    @classmethod
    def of(cls, tree: Tree, root: Node) -> Knot:
        """Return the tree's root with the rows of ``root``."""
        knots = {0: cls(root)}
        for node in tree.split_nodes():
            knot, split = knots[node], split_at(tree, node)
            knot.split, knot.children = split, tuple(cls(side) for side in knot.node.sides(split))
            knots |= zip((int(tree.children_left[node]), int(tree.children_right[node])), knot.children, strict=True)
        return knots[0]

    @classmethod
    def split_by(cls, split: Split, node: Node) -> Knot:
        """Return the node with a split and two leaves."""
        return cls(node, split, tuple(cls(side) for side in node.sides(split)))

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def has_two_leaves(self) -> bool:
        return bool(self.children) and all(child.is_leaf for child in self.children)

    @property
    def size(self) -> int:
        """Number of features of the split; 0 at a leaf."""
        return 0 if self.split is None else len(self.split.features)

    @property
    def n_levels(self) -> int:
        """Number of levels that the split divides; 0 where it is a plane."""
        levels = None if self.split is None else self.split.levels
        return 0 if levels is None else int(np.count_nonzero(levels != UNKNOWN))

    @property
    def n_leaves(self) -> int:
        return sum(1 for _ in self.leaves())

    def leaves(self) -> Iterator[Knot]:
        return (knot for knot in preorder(self) if knot.is_leaf)

    def splits(self) -> Iterator[Knot]:
        return (knot for knot in preorder(self) if not knot.is_leaf)

    def copy(self) -> Knot:
        """Return a tree of its own with the same rows and predictions."""
        twin = Knot.__new__(Knot)
        twin.__dict__ |= self.__dict__ | {"children": tuple(child.copy() for child in self.children)}
        return twin

    def become(self, other: Knot) -> None:
        """Take another node's place in the tree, and its subtree."""
        self.__dict__ |= other.__dict__

    def settle(self, node: Node) -> None:
        """Send the rows of a node down, and learn from them what to predict; a split that leaves a side empty goes."""
        self.node, self.value = node, node.statistics()
        if self.split is None:
            return
        sides = node.sides(self.split)
        emptied = [not len(side.rows) for side in sides]
        if any(emptied):
            self.become(self.children[0 if emptied[1] else 1])
            self.settle(node)
            return
        for child, side in zip(self.children, sides, strict=True):
            child.settle(side)

    def goes_left(self, rows: IntArray) -> BoolArray:
        """Return which rows the split sends left, as prediction finds it."""
        assert self.split is not None
        return self.split.goes_left(self.split.sides(self.node.X, rows))

    def row_costs(self, objective: Objective, rows: IntArray) -> FloatArray:
        """Return what rows of weight 1 would cost below this node, wherever they are now."""
        if self.split is None:
            return objective.row_costs(self.value, rows)
        costs, left = np.empty(len(rows)), self.goes_left(rows)
        for child, chosen in zip(self.children, (left, ~left), strict=True):
            costs[chosen] = child.row_costs(objective, rows[chosen])
        return costs + self.passing_cost(objective)

    def fixed_cost(self, objective: Objective) -> float:
        """Return what the subtree costs beside its rows: leaves, and splits less what rows pay that pass them."""
        if self.split is None:
            return objective.leaf_cost(self.value)
        own = self.split_cost(objective) - self.node.weight * self.passing_cost(objective)
        return own + sum(child.fixed_cost(objective) for child in self.children)

    def split_cost(self, objective: Objective) -> float:
        if self.n_levels:
            return objective.subset_cost(self.n_levels)
        return objective.split_cost(self.size, self.node.weight)

    def passing_cost(self, objective: Objective) -> float:
        """Return what one more row adds to the split's cost: nothing where a subset of levels is named."""
        return 0.0 if self.n_levels else objective.passing_cost(self.size, self.node.weight)

    def cost(self, objective: Objective) -> float:
        """Return the subtree's part of the objective."""
        rows = float(self.node.weights @ self.row_costs(objective, self.node.rows))
        return rows + self.fixed_cost(objective)

    def tree(self, criterion: str, price: float) -> Tree:
        """Return the tree: scores are those of the criterion for the rows that reach a node now, without bounds."""
        names = {"criterion": criterion, "target": self.node.target.kind}
        records = [knot.record(criterion, price) for knot in preorder(self)]
        return from_nodes(records, n_features=self.node.X.shape[1], **names)

    def record(self, criterion: str, price: float) -> NodeRecord:
        impurity = float(CRITERIA[criterion].impurity(self.value))
        columns = None
        if self.split is not None:
            split = rescored(self.node, replace(self.split, criterion=criterion), price)
            if self.n_levels and CRITERIA[criterion].price is not None:  # the price of a subset, not of a plane
                split = rescored(self.node, split, price=0.0)
                paid = price * bits_to_name_subset(self.n_levels, self.node.n_features)
                split = replace(split, score=split.score - paid)
            columns = replace(split, proven=self.proven, bound=float("nan")).columns()
        return NodeRecord(self.value, len(self.node.rows), self.node.weight, impurity, columns)


def split_at(tree: Tree, node: int) -> Split:
    """Return a node's split as a splitter would have returned it."""
    same = {name: getattr(tree.rule(node), name) for name in ("features", "weights", "threshold", "missing", "levels")}
    same |= {name: getattr(tree, name)[node].item() for name in ("score", "bound", "proven", "n_candidates", "margin")}
    return Split(criterion=tree.criterion, **same)
