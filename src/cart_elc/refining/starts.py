"""Where refining starts.

The objective has many trees that no single node improves. So it starts from the trees of all criteria, from random
trees, and from the best tree so far with one of its splits drawn anew; the best result is taken, the first of equals.
The starts come in rounds that do not depend on how many are asked for, so that more of them never give a worse tree.
All of them are determined by the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import joblib
import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.growing import Grower, Stopping
from cart_elc.refining.refinement import Refinement
from cart_elc.refining.refiner import Report, refine
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, no_split
from cart_elc.tree import FloatArray, Tree, weighted_sums
from cart_elc.tree.building import with_split

LEAST_DEPTH = 3
"""Of the trees that other starts grow; they are deep enough for the leaves of the first tree, if ``max_depth`` is."""
ROUND = 8
"""Starts of a round after the first, which has the criteria: random trees and redrawn splits in turn."""

Start = tuple[str, Callable[[], Tree]]
Result = tuple[Tree, Refinement]


def drawn_split(node: Node, r: int, criterion: str) -> Split:
    """Draw a plane by the node's seed: features, a direction, and a row among the middle half that it passes."""
    random, none = np.random.default_rng(node.seed), no_split(criterion, 0)
    numbers = np.arange(node.X.shape[1]) if node.n_levels is None else np.flatnonzero(node.n_levels == 0)
    features = np.sort(random.choice(numbers, min(r, len(numbers)), replace=False))
    points = node.X[np.ix_(node.rows, features)]
    points = points[~np.isnan(points).any(axis=1)]
    if not points.size:
        return none
    spread = points.std(axis=0)
    weights = random.normal(size=len(features)) / np.where(spread > 0, spread, 1.0)
    threshold = np.quantile(weighted_sums(points, weights), random.uniform(0.25, 0.75), method="higher")
    return replace(none, features=tuple(features.tolist()), weights=weights, threshold=float(threshold))


@dataclass(frozen=True)
class RandomSplitter:
    """Draws every split."""

    r: int
    criterion: str

    @property
    def goes_on_without_time(self) -> bool:
        """True: drawing takes none."""
        return True

    def __call__(self, node: Node) -> Split:
        return drawn_split(node, self.r, self.criterion)


@dataclass(eq=False)
class Refiner:
    """Grows trees as ``grower`` does and refines them; ``splitter`` is the grower's own, which does not report.

    Of ``n_init`` starts, done by so many threads, the best is taken. ``done`` says what was done to the last tree.
    """

    grower: Grower
    splitter: ELCSplitter
    n_init: int
    n_threads: int
    report: Report
    done: Refinement | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.n_init > 1:  # the threads are for the starts
            self.splitter = replace(self.splitter, n_threads=1, n_workers=1)

    def __call__(self, sample_weight: FloatArray) -> Tree:
        root, grown = self.grower.root(sample_weight), self.grower(sample_weight)
        other = replace(self.grower, stopping=self._deep_enough(grown.n_leaves))
        by_criteria = [(name, partial(self._grown_by(name, other), sample_weight)) for name in self._other_criteria()]
        first: list[Start] = [(self.splitter.criterion, lambda: grown), *by_criteria]
        results = self._refined(root, first[: self.n_init])
        while len(results) < self.n_init and not self.grower.deadline.passed:
            numbers, (best, _) = range(len(results), min(len(results) + ROUND, self.n_init)), best_of(results)
            results += self._refined(
                root, [self._drawn(number, best, root, other, sample_weight) for number in numbers]
            )
        tree, done = best_of(results)
        self.done = replace(done, before=results[0][1].before)
        return tree

    def _deep_enough(self, n_leaves: int) -> Stopping:
        """The limits of the other starts: deep enough for so many leaves."""
        stopping, depth = self.grower.stopping, max((n_leaves - 1).bit_length(), LEAST_DEPTH)
        return replace(stopping, max_depth=depth if stopping.max_depth is None else min(depth, stopping.max_depth))

    def _other_criteria(self) -> Iterator[str]:
        """The other criteria of the exact search for such labels."""
        own = CRITERIA[self.splitter.criterion]
        exact = (criterion for criterion in CRITERIA.values() if criterion.exact and criterion.target == own.target)
        return (criterion.name for criterion in exact if criterion != own)

    def _grown_by(self, criterion: str, grower: Grower) -> Grower:
        return replace(grower, splitter=replace(self.splitter, criterion=criterion))

    def _drawn(self, number: int, best: Tree, root: Node, grower: Grower, sample_weight: FloatArray) -> Start:
        """A random tree or, every other time, the best one with a split redrawn."""
        if number % 2:
            return f"redrawn {number}", partial(self._redrawn, best, root, number)
        splitter = RandomSplitter(self.splitter.r, self.splitter.criterion)
        return f"random {number}", partial(replace(grower, splitter=splitter, seed=number), sample_weight)

    def _redrawn(self, tree: Tree, root: Node, number: int) -> Tree:
        """The tree with one of its splits drawn anew, for the rows that reach it."""
        nodes = list(tree.split_nodes())
        if not nodes:
            return tree
        chosen = nodes[int(np.random.default_rng(number).integers(len(nodes)))]
        rows = tree.node_rows(root.X[root.rows])[chosen]
        node = replace(root, rows=root.rows[rows], weights=root.weights[rows], seed=number)
        split = drawn_split(node, self.splitter.r, tree.criterion)
        return with_split(tree, chosen, split.columns()) if split.found else tree

    def _refined(self, root: Node, starts: Sequence[Start]) -> list[Result]:
        stopping, deadline = self.grower.stopping, self.grower.deadline

        def refined(name: str, grow: Callable[[], Tree]) -> Result:
            return refine(grow(), root, self.splitter, stopping, deadline, self.report, name)

        tasks = (joblib.delayed(refined)(*start) for start in starts)
        results: list[Result] = joblib.Parallel(n_jobs=self.n_threads, prefer="threads")(tasks)
        return results


def best_of(results: Sequence[Result]) -> Result:
    return min(results, key=lambda result: result[1].after)
