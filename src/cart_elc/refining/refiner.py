"""Refining: passes over the nodes of a tree, each of which gets its proven best split given all the others.

Alternating optimisation (M. Carreira-Perpinan, P. Tavallali, "Alternating Optimization of Decision Trees", 2018) with
exact steps. A pass goes from the leaves to the root. At a node these are tried, and taken if they lower the objective:

* no split: the node becomes a leaf, or one of its children takes its place;
* where there is no split below it, the best split together with the two leaves;
* the best split given what is below it, a directed problem (`cart_elc.refining.objectives`).

Splits that cost the same are ordered by their number of features. Refining ends with a pass that changes nothing: then
no node can be improved while the others stay as they are, and the last searches have proven it. Since the objective
falls with every change and there are finitely many partitions of the rows, that pass comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cart_elc.growing import Stopping
from cart_elc.refining.knots import Knot
from cart_elc.refining.objectives import Objective, objective_of
from cart_elc.refining.refinement import Refinement
from cart_elc.splitters.elc import ELCSplitter, Known
from cart_elc.splitters.node import Deadline, Limits, Node
from cart_elc.splitters.split import Split, find_split, no_split
from cart_elc.targets import Classes
from cart_elc.tree import BoolArray, FloatArray, IntArray, Tree
from cart_elc.tree.building import preorder

Report = Callable[[str], None] | None
SAME = 1e-10
"""An objective that falls by no more than this part of its scale has not fallen: less than what settles ties."""
LEAST_WISH = 1e-15
"""A row whose wish is no more than this part of all rows' does not care: that much is rounding."""


@dataclass(eq=False)
class Passes:
    """The passes over one tree, of which ``root`` is the root; ``splitter`` is that of its growth."""

    root: Knot
    objective: Objective
    splitter: ELCSplitter
    stopping: Stopping
    deadline: Deadline
    n_passes: int = 0
    n_changes: int = 0

    def run(self, report: Report) -> None:
        """Make passes until one changes nothing or the time is over."""
        changed = True
        while changed and not self.deadline.passed:
            before = self.n_changes
            self._pass()
            changed, self.n_passes = self.n_changes > before, self.n_passes + 1
            if report is not None:
                state = f"{self.objective.unit} {self.cost():.6g}, {self.root.n_leaves} leaves"
                report(f"refining, pass {self.n_passes}: {state}")
        for knot in self.root.splits():
            knot.proven = knot.proven and same(knot.solved, self._problem(knot))

    def cost(self) -> float:
        """Return the objective of the whole tree."""
        return self.root.cost(self.objective) + self.objective.shared_cost

    @property
    def proven(self) -> bool:
        """Whether every split is proven best given the rest."""
        return not self.deadline.passed and all(knot.proven for knot in self.root.splits())

    def _pass(self) -> None:
        waiting = list(reversed(preorder(self.root)))
        for position, knot in enumerate(waiting):
            if self.deadline.passed:
                return
            self._improve(knot, self.deadline.seconds_left / (len(waiting) - position))
            self.objective.learn([leaf.value for leaf in self.root.leaves()])

    def _improve(self, knot: Knot, seconds: float) -> None:
        node = replace(knot.node, seconds=seconds)
        if not knot.is_leaf:
            self._take_best(knot, [Knot(knot.node), *(child.copy() for child in knot.children)])
        if knot.is_leaf or knot.has_two_leaves:
            self._search_with_leaves(knot, node)
        if not knot.is_leaf and not self._has_joint_problem(knot):
            self._search_sides(knot, node)

    def _take_best(self, knot: Knot, options: list[Knot]) -> bool:
        """Put the best of the options in the node's place if it lowers the objective and keeps to the limits."""
        least, best = knot.cost(self.objective) - SAME * self.objective.scale, None
        for option in options:
            option.settle(knot.node)
            cost = option.cost(self.objective)
            if cost < least and all(knot.node.limits.admit(leaf.node.weights) for leaf in option.leaves()):
                least, best = cost, option
        if best is None:
            return False
        knot.become(best)
        self.n_changes += 1
        return True

    def _search(self, splitter: ELCSplitter, node: Node) -> Split:
        start = time.monotonic()
        split = find_split(splitter, node)
        self.deadline.note_search(node.seconds, time.monotonic() - start, proven=split.proven)
        return split

    def _has_joint_problem(self, knot: Knot) -> bool:
        return knot.has_two_leaves and self.objective.joint

    def _problem(self, knot: Knot) -> tuple[FloatArray | IntArray, ...]:
        """What a node's best split depends on: its rows and, where it has more than two leaves, their wishes."""
        rows = knot.node.rows
        return (rows,) if self._has_joint_problem(knot) else (rows, self._wishes(knot))

    # --- a split together with its two leaves -------------------------------------------------------------------------

    def _search_with_leaves(self, knot: Knot, node: Node) -> None:
        """Search for the best split whose two sides are leaves; a proof where that search has the objective's best."""
        if same(knot.tried, (node.rows,)) or (knot.is_leaf and not self._may_grow(knot)):
            return
        split = self._search(self._leaves_splitter(knot), node)
        taken = split.found and self._take_best(knot, [Knot.split_by(split, knot.node)])
        knot.tried = (node.rows,)
        if self._has_joint_problem(knot):
            knot.solved, knot.proven = knot.tried, split.proven and split.found == taken

    def _leaves_splitter(self, knot: Knot) -> ELCSplitter:
        objective, weight = self.objective, knot.node.weight
        if not objective.joint:
            return self.splitter
        unit = objective.search_units(knot.node)
        must_beat = knot.cost(objective) - SAME * objective.scale
        return replace(self.splitter, criterion=objective.search, known=self._known(must_beat, weight, unit))

    def _known(self, must_beat: float, weight: float, unit: float = 1.0) -> Known:
        """What a split of a node of this weight must beat, in units of the search."""
        prices = (unit * self.objective.split_cost(size, weight) for size in range(1, self.splitter.r + 1))
        return Known(unit * must_beat, tuple(prices), lambda n_levels: unit * self.objective.subset_cost(n_levels))

    def _may_grow(self, leaf: Knot) -> bool:
        most = self.stopping.max_leaf_nodes
        full = most is not None and self.root.n_leaves >= most
        return not (full or self.stopping.forbids(leaf.node) or leaf.node.target.is_pure(leaf.value))

    # --- a split given what is below it -------------------------------------------------------------------------------

    def _wishes(self, knot: Knot) -> FloatArray:
        """By how much more each row costs below the left child than below the right one."""
        left, right = (child.row_costs(self.objective, knot.node.rows) for child in knot.children)
        return knot.node.weights * (left - right)

    def _search_sides(self, knot: Knot, node: Node) -> None:
        """Search for the split that puts the rows where they want to be, by weight.

        Rows that do not care are left out, and with them the limits on rows: a split that no other beats without limits
        is the best with them if it keeps to them. Where it does not, one that does is looked for, but not proven.
        """
        wishes = self._wishes(knot)
        if same(knot.solved, (node.rows, wishes)):
            return
        knot.solved, knot.proven = (node.rows, wishes), True
        for limits in (Limits(), Limits(node.limits.min_samples_leaf)):
            split = self._directed_split(knot, replace(node, limits=limits), wishes)
            knot.proven = knot.proven and split.proven
            if not split.found or self._take_best(knot, self._with_split(knot, split)):
                return
            knot.proven = False

    def _directed_split(self, knot: Knot, node: Node, wishes: FloatArray) -> Split:
        """The split that beats the present one, if there is one."""
        present = weight_on_wrong_side(wishes, knot.goes_left(node.rows)) + knot.split_cost(self.objective)
        must_beat = present - SAME * self.objective.scale
        cares = np.abs(wishes) > LEAST_WISH * np.abs(wishes).sum()
        if must_beat <= 0.0 or not cares.any():
            return no_split("error", 0)
        sides = np.zeros(len(node.X), dtype=np.int64)
        sides[node.rows] = wishes > 0
        weights = np.ascontiguousarray(np.abs(wishes[cares]))
        asked = replace(node, target=Classes(sides, 2), rows=node.rows[cares], weights=weights)
        known = self._known(must_beat, node.weight)
        return self._search(replace(self.splitter, criterion="error", known=known), asked)

    def _with_split(self, knot: Knot, split: Split) -> list[Knot]:
        """The node with another split, its children named either way."""
        options = [knot.copy(), knot.copy()]
        for option, children in zip(options, (options[0].children, options[1].children[::-1]), strict=True):
            option.split, option.children = split, children
        return options


def weight_on_wrong_side(wishes: FloatArray, left: BoolArray) -> float:
    return float(np.maximum(np.where(left, wishes, -wishes), 0.0).sum())


def same(one: tuple[FloatArray | IntArray, ...], other: tuple[FloatArray | IntArray, ...]) -> bool:
    """Whether two problems are the same, array by array."""
    return len(one) == len(other) and all(map(np.array_equal, one, other))


def refine(
    tree: Tree, root: Node, splitter: ELCSplitter, stopping: Stopping, deadline: Deadline, report: Report, start: str
) -> tuple[Tree, Refinement]:
    """Return the refined tree, and what was done to it; ``root`` has the rows that the tree was grown from."""
    clock = time.monotonic()
    objective = objective_of(root, splitter.criterion, splitter.price)
    knot = Knot.of(tree, root)
    knot.settle(root)
    if tree.criterion == objective.search and not objective.joint:  # growth has searched here already
        for grown in preorder(knot):
            grown.tried = (grown.node.rows,)
    objective.learn([leaf.value for leaf in knot.leaves()])
    passes = Passes(knot, objective, splitter, stopping, deadline)
    before = passes.cost()
    passes.run(report)
    seconds = time.monotonic() - clock
    counts = (passes.n_passes, passes.n_changes, passes.proven)
    done = Refinement(objective.unit, before, passes.cost(), *counts, start, seconds)
    return (knot.tree(splitter.criterion, splitter.price) if passes.n_passes else tree), done
