"""CART-ELC's split: the best of all hyperplanes through r samples with at most r features, proven.

The compiled search (``src/core/search.hpp``) is a branch and bound over boxes of hyperplanes; it returns the partition
that an exhaustive search would choose, with the plane that passes through its r defining samples. Here the plane is
written in the data's own units, its threshold is placed, and the certificate is attached.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np

from cart_elc import _core
from cart_elc.criteria import CRITERIA
from cart_elc.splitters.node import Node
from cart_elc.splitters.placement import Placement, through_threshold, widest_margin
from cart_elc.splitters.reporting import Progress, SearchProgress
from cart_elc.splitters.split import Split, rescored
from cart_elc.tree import LEFT, UNKNOWN, BoolArray, FloatArray, IntArray, MissingPolicy


@dataclass(frozen=True)
class ELCSplitter:
    """Finds the best split through ``r`` samples and ``r`` features.

    Ties go to the smallest feature tuple, then to the first plane in the fixed order of the search; the answer does not
    depend on the order of the rows or on ``n_threads``. The cost is that of the branch and bound; brute force has
    ``C(n, r) C(m, r)`` planes of cost ``n r`` each.

    Parameters
    ----------
    r : int
        Number of samples that a plane passes through, and of features that it may use.
    criterion : {"gini", "twoing", "information_gain"}
    orientation : {"both", "canonical"}
        Whether the samples on the plane may join either side, or the side that the canonical sign names.
    placement : {"through", "margin"}
        Keep the plane through its samples, or move it to the widest margin between its two sides. Where float64 is too
        coarse to keep the sides apart along the plane's own normal, "through" takes the widest margin too.
    missing : {"learn", "right"}
        The side of rows with missing values: chosen for the best score, or opposite the samples on the plane.
    n_threads : int
    fallback : bool
        Whether to try r-1, ..., 1 where no plane through r samples is admissible. Differs from the paper, which stops.
    progress : callable or None
        Called with a `SearchProgress` about twenty times a second.
    """

    r: int
    criterion: str = "gini"
    orientation: str = "both"
    placement: str = "through"
    missing: str = "learn"
    n_threads: int = 1
    fallback: bool = False
    progress: Progress | None = None

    def __call__(self, node: Node) -> Split:
        """Return the node's best split; its ``found`` is false where no candidate is admissible."""
        split = self._search(node, self.r)
        for r in range(self.r - 1, 0, -1):
            if split.found or not split.proven or not self.fallback:
                break
            split = self._search(node, r)
        return split

    def _search(self, node: Node, r: int) -> Split:
        start = time.monotonic()
        answer = _core.search(
            node.X,
            node.classes.y,
            node.rows,
            node.weights,
            n_classes=node.classes.n_classes,
            r=r,
            criterion=self.criterion,
            both_orientations=self.orientation == "both",
            learn_missing=self.missing == "learn",
            min_rows=float(node.limits.min_samples_leaf),
            min_weight=node.limits.min_weight_leaf,
            n_threads=self.n_threads,
            seconds=node.deadline.seconds_left,
            progress=self._progress_of(node),
        )
        split = self._bare_split(node, r, answer)
        if split.found:
            split = self._place(node, split, answer["side"])
        return replace(split, seconds=time.monotonic() - start)

    def _bare_split(self, node: Node, r: int, answer: dict[str, Any]) -> Split:
        """The split as the search found it, without a threshold."""
        return Split(
            features=tuple(answer["features"]),
            weights=answer["weights"],
            threshold=float("nan"),
            score=self._score(answer["loss"]),
            samples=tuple(int(node.rows[i]) for i in sorted(answer["samples"])),
            criterion=self.criterion,
            orientation=self.orientation,
            missing=MissingPolicy(answer["missing_left"]),
            bound=self._score(answer["bound"]),
            proven=answer["proven"],
            n_candidates=comb(len(node.rows), r) * comb(node.X.shape[1], r),
            n_boxes=answer["n_boxes"],
            seconds=0.0,
        )

    def _score(self, loss: float) -> float:
        """The criterion's own units; the search minimises."""
        return loss if CRITERIA[self.criterion].minimise else -loss

    def _place(self, node: Node, split: Split, side: IntArray) -> Split:
        complete = side != UNKNOWN
        points = node.X[np.ix_(node.rows[complete], split.features)]
        left = side[complete] == LEFT
        placed = self._placed(points, left, split.weights)
        split = replace(split, weights=placed.weights, threshold=placed.threshold, margin=placed.margin)
        if placed.exact:
            return split
        # float64 cannot express the partition that was found: the split is scored by its own rule, and not proven.
        return replace(rescored(node, split), bound=split.bound, proven=False)

    def _placed(self, points: FloatArray, left: BoolArray, weights: FloatArray) -> Placement:
        through = through_threshold(points, left, weights)
        one_sided = bool(left.all()) or not left.any()
        if one_sided or (self.placement == "through" and through.exact):
            return through
        return widest_margin(points, left, weights, through.threshold)

    def _progress_of(self, node: Node) -> Callable[[int, int, int, float, float, float], None] | None:
        report = self.progress
        if report is None:
            return None

        def forward(done: int, n_subsets: int, n_boxes: int, loss: float, bound: float, seconds: float) -> None:
            score, proven = self._score(loss), self._score(bound)
            report(SearchProgress(len(node.rows), node.depth, done, n_subsets, n_boxes, score, proven, seconds))

        return forward
