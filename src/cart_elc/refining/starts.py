"""Where refining starts: the tree of the criterion's own growth, those of the other criteria, and random trees.

The objective has many trees that no single node improves. The best of several starts is taken, the first of equals, so
that more starts never give a worse tree. All of them are determined by the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import joblib
import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.growing import Grower
from cart_elc.refining.refiner import Refinement, Report, refine
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, Splitter, no_split
from cart_elc.tree import FloatArray, Tree, weighted_sums

LEAST_DEPTH = 3
"""Of the trees that other starts grow; they are deep enough for the leaves of the first tree, if ``max_depth`` is."""


@dataclass(frozen=True)
class RandomSplitter:
    """Draws a plane: features, a direction, and a row among the middle half that it passes."""

    r: int
    criterion: str

    @property
    def goes_on_without_time(self) -> bool:
        """True: drawing takes no time."""
        return True

    def __call__(self, node: Node) -> Split:
        random, none = np.random.default_rng(node.seed), no_split(self.criterion, 0)
        features = np.sort(random.choice(node.X.shape[1], min(self.r, node.X.shape[1]), replace=False))
        points = node.X[np.ix_(node.rows, features)]
        points = points[~np.isnan(points).any(axis=1)]
        if not len(points):
            return none
        spread = points.std(axis=0)
        weights = random.normal(size=len(features)) / np.where(spread > 0, spread, 1.0)
        threshold = np.quantile(weighted_sums(points, weights), random.uniform(0.25, 0.75), method="higher")
        return replace(none, features=tuple(features.tolist()), weights=weights, threshold=float(threshold))


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

    def __call__(self, sample_weight: FloatArray) -> Tree:
        root, grown = self.grower.root(sample_weight), self.grower(sample_weight)
        splitter = self.splitter if self.n_init == 1 else replace(self.splitter, n_threads=1)
        stopping, deadline = self.grower.stopping, self.grower.deadline

        def refined(name: str, grow: Grower | None) -> tuple[Tree, Refinement]:
            tree = grown if grow is None else grow(sample_weight)
            return refine(tree, root, splitter, stopping, deadline, self.report, name)

        tasks = (joblib.delayed(refined)(*start) for start in self._starts(grown.n_leaves))
        results: list[tuple[Tree, Refinement]] = joblib.Parallel(n_jobs=self.n_threads, prefer="threads")(tasks)
        tree, done = min(results, key=lambda result: result[1].after)
        self.done = replace(done, before=results[0][1].before)
        return tree

    def _starts(self, n_leaves: int) -> Iterator[tuple[str, Grower | None]]:
        yield self.splitter.criterion, None
        depth, most = max((n_leaves - 1).bit_length(), LEAST_DEPTH), self.grower.stopping.max_depth
        stopping = replace(self.grower.stopping, max_depth=depth if most is None else min(depth, most))
        splitters = self._splitters()
        for number in range(1, self.n_init):
            name, splitter = next(splitters)
            yield name, replace(self.grower, splitter=splitter, stopping=stopping, seed=number)

    def _splitters(self) -> Iterator[tuple[str, Splitter]]:
        """The other criteria of the exact search for such labels, then random planes without end."""
        own = CRITERIA[self.splitter.criterion]
        for other in CRITERIA.values():
            if other.exact and other.target == own.target and other != own:
                yield other.name, replace(self.splitter, criterion=other.name, n_threads=1)
        number = 0
        while True:
            number += 1
            yield f"random {number}", RandomSplitter(self.splitter.r, own.name)
