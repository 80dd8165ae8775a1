"""CART-ELC's split: the best of all linear splits on at most r features, or of all planes through r samples, proven.

The compiled search (``src/core/exact``) is a branch and bound over boxes of hyperplanes; it returns the partition that
an exhaustive search would choose. Here the plane is written in the data's own units, its threshold is placed, and the
certificate is attached.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import comb, inf
from typing import Any

import numpy as np

from cart_elc.criteria import CRITERIA, Criterion
from cart_elc.splitters.categorical import Subset, best_subsets, level_sides
from cart_elc.splitters.integer import best_whole_plane
from cart_elc.splitters.node import Node, constraints_of
from cart_elc.splitters.orientation import oriented, signs_to_keep
from cart_elc.splitters.placement import Placement, in_direction, through_threshold, widest_margin
from cart_elc.splitters.reporting import Progress, SearchProgress
from cart_elc.splitters.shares import Question, answer_in_shares
from cart_elc.splitters.split import Split, best_of, find_split, no_split, rescored
from cart_elc.targets import Number
from cart_elc.tree import LEFT, UNKNOWN, BoolArray, FloatArray, MissingPolicy, Sides, column_extremes


@dataclass(frozen=True)
class Known:
    """What is known before a search by a criterion without prices, in units of the rows' weight.

    ``must_beat`` is the loss that a split must stay below by more than a tie, its price included: no other is returned.
    A search that need only prove that there is none opens few boxes. ``prices`` are those of planes by their number of
    features, and ``subset_price`` is that of a subset by the number of levels that it divides.
    """

    must_beat: float
    prices: tuple[float, ...]
    subset_price: Callable[[int], float] = lambda n_levels: 0.0


@dataclass(frozen=True)
class ELCSplitter:
    """Finds the best split; the answer does not depend on the order of the rows or on ``n_threads``.

    With ``planes="any"`` every linear split on at most ``r`` features is a candidate. Ties go to the fewest features,
    then to the widest margin, then to the smallest feature tuple. Otherwise the candidates are the planes through
    exactly ``r`` samples in exactly ``r`` features, and ties go to the smallest tuple, then to the first plane in the
    fixed order of the search; ``missing="right"`` is then the side opposite the samples on the plane. The cost is that
    of the branch and bound; brute force has ``C(n, r) C(m, r)`` planes of cost ``n r`` each.

    The parameters are those of `ELCClassifier`, and these:

    min_saving : float
        What a split must save beyond its price for each number that a leaf fits to its rows, `Target.n_fitted`; only
        where the criterion has a price, and times its factor.
    n_workers : int
        Workers of joblib's active backend that take shares of a long search, see `cart_elc.splitters.shares`.
    fallback : bool
        Whether to try r-1, ..., 1 where no plane through r samples is admissible. Differs from the paper, which stops.
        Without meaning for "any".
    largest_coefficient : int or None
        If not None, planes have whole coefficients up to this size, see `cart_elc.splitters.integer`.
    wide : bool or None
        Whether the plane moves to the widest margin between its two sides; None does so for "any" alone. Where float64
        is too coarse to keep the sides apart along the plane's own normal, it moves in any case.
    known : Known or None
        What a split must beat; None asks for the best one.
    progress : callable or None
        Called with a `SearchProgress` about twenty times a second.
    """

    r: int
    criterion: str = "gini"
    planes: str = "any"
    price: float = 1.0
    min_saving: float = 0.0
    missing: str = "learn"
    n_threads: int = 1
    n_workers: int = 1
    fallback: bool = False
    largest_coefficient: int | None = None
    wide: bool | None = None
    known: Known | None = None
    progress: Progress | None = None

    def __call__(self, node: Node) -> Split:
        """Return the best of the planes and, where the node has categories, of the subsets of their levels.

        A subset counts as one feature. Of equally good splits with one feature it is taken: the margin between its two
        sides is as wide as any.
        """
        if node.n_levels is None or not node.n_levels.any():
            return self._best_plane(node)
        subsets = [self._of_subset(node, subset) for subset in best_subsets(node, self._measure)]
        return best_of([*subsets, self._best_plane_of_numbers(node)], self._scale(node))

    def _best_plane_of_numbers(self, node: Node) -> Split:
        assert node.n_levels is not None
        numbers = np.flatnonzero(node.n_levels == 0)
        if not len(numbers):
            return no_split(self.criterion, 0)
        others = node.n_others + node.X.shape[1] - len(numbers)
        return find_split(self._best_plane, replace(node, features=numbers, n_levels=None, n_others=others))

    def _of_subset(self, node: Node, subset: Subset) -> Split:
        """The split of a subset of levels; not found if it does not save what it must."""
        measure = self._measure
        price, least = self._subset_terms(node, subset)
        score, bound = subset.score - price, subset.bound - price
        none = replace(no_split(self.criterion, subset.n_subsets), planes=self.planes)
        if not measure.better(score, least):
            is_open = measure.better(bound, least)
            return replace(none, bound=bound, proven=False) if is_open else none
        assert subset.left is not None
        absent = np.isnan(node.X[node.rows, subset.feature])
        split = replace(
            none,
            features=(subset.feature,),
            weights=np.ones(1),
            threshold=0.5,
            missing=MissingPolicy(bool(subset.left[absent].any())),
            score=score,
            bound=bound,
            proven=not measure.better(bound, score),
        )
        side = np.where(absent, UNKNOWN, subset.left).astype(np.int8)
        split, side = oriented(node, split, side, self.missing)
        return replace(split, weights=np.ones(1), levels=level_sides(node, subset.feature, side))

    def _subset_terms(self, node: Node, subset: Subset) -> tuple[float, float]:
        """What is taken off the score of a subset, and the score that it must beat."""
        if self.known is not None:
            unit = self._score(1.0, node) / node.weight
            return -unit * self.known.subset_price(subset.n_levels), unit * self.known.must_beat
        if self._measure.price is None:
            return 0.0, self._measure.worst
        return self.price * subset.price(node.n_features), self._least_saving(node)

    def _best_plane(self, node: Node) -> Split:
        if self.largest_coefficient is not None:
            search = partial(self._search, r=1)
            split = best_whole_plane(node, self.r, self.largest_coefficient, self.criterion, search)
            return replace(split, planes=self.planes)
        largest = min(self.r, node.X.shape[1])
        split = self._search(node, r=largest)
        for r in range(largest - 1, 0, -1):
            if split.found or not split.proven or not self.fallback or self.planes == "any":
                break
            split = self._search(node, r=r)
        return split

    @property
    def goes_on_without_time(self) -> bool:
        """True for "any", whose search looks at single features first, and at all of them whatever the time."""
        return self.planes == "any"

    @property
    def _measure(self) -> Criterion:
        return CRITERIA[self.criterion]

    def _scale(self, node: Node) -> float:
        """The size of scores, by which rounding is judged."""
        return float(self._measure.impurity(node.statistics()))

    def _search(self, node: Node, smallest: int = 1, *, r: int, linear_only: bool = False) -> Split:
        """Search planes on at most ``r`` features.

        They are priced as if they had ``smallest`` features, or more. Where float64 cannot express the split that was
        found, the best of those is searched for that a plane makes, and not by rounding alone.
        """
        start = time.monotonic()
        prices, must_beat = self._terms(node, range(smallest, smallest + r))
        answer = self._answer(self._question(node, r, prices, must_beat, linear_only))
        split = self._bare_split(node, r, answer)
        if not split.found:
            return replace(split, seconds=time.monotonic() - start)
        split, expressed = self._place(node, split, answer["side"])
        split = replace(split, seconds=time.monotonic() - start)
        if expressed or linear_only or self.planes != "any":
            return split
        later = replace(node, seconds=max(0.0, node.seconds - split.seconds))
        again = self._search(later, smallest, r=r, linear_only=True)
        return best_of([split, replace(again, n_candidates=0)], self._scale(node))

    def _question(self, node: Node, r: int, prices: tuple[float, ...], must_beat: float, linear_only: bool) -> Question:
        """What the compiled search is asked, losses per unit of weight."""
        numbers = isinstance(node.target, Number)
        arrays = (node.X, node.target.y, node.rows, node.weights, *([] if numbers else [node.classes.n_classes]))
        options = {
            "r": r,
            "criterion": self._measure.kernel,
            "bits_of": node.weight if numbers and self._measure.price is not None else 0.0,
            "planes": self.planes,
            "linear_only": linear_only,
            "learn_missing": self.missing == "learn",
            "min_rows": float(node.limits.min_samples_leaf),
            "min_weight": node.limits.min_weight_leaf,
            "n_threads": self.n_threads,
            "seconds": node.seconds,
            "prices": [price / node.weight for price in prices],
            "must_beat": must_beat / node.weight,
            "progress": self._progress_of(node),
            "constraints": constraints_of(node),
        }
        return Question("search_numbers" if numbers else "search", arrays, options)

    def _answer(self, question: Question) -> dict[str, Any]:
        if self.n_workers == 1 or not question.is_worth_sharing():
            return question.answered()
        return answer_in_shares(question, self.n_workers)

    def _terms(self, node: Node, sizes: range) -> tuple[tuple[float, ...], float]:
        """The price of a split by its number of features, if it has one, and the loss that it must beat."""
        price = self._measure.price
        if self.known is not None:
            return self.known.prices[: len(sizes)], self.known.must_beat
        if price is None:
            return (), inf
        prices = tuple(self.price * price(node.weight, node.n_features, size) for size in sizes)
        return prices, -self._least_saving(node)

    def _least_saving(self, node: Node) -> float:
        return self.price * self.min_saving * node.target.n_fitted(node.statistics())

    def _bare_split(self, node: Node, r: int, answer: dict[str, Any]) -> Split:
        """The split as the search found it, without a threshold."""
        sizes = range(1, r + 1) if self.planes == "any" else (r,)
        return Split(
            features=tuple(answer["features"]),
            weights=answer["weights"] if len(answer["features"]) > 1 else np.sign(answer["weights"]),
            threshold=float("nan"),
            missing=MissingPolicy(answer["missing_left"]),
            score=self._score(answer["loss"], node),
            samples=tuple(int(node.rows[i]) for i in sorted(answer["samples"])),
            criterion=self.criterion,
            planes=self.planes,
            bound=self._score(answer["bound"], node),
            proven=answer["proven"],
            n_candidates=sum(comb(len(node.rows), size) * comb(node.X.shape[1], size) for size in sizes),
            n_boxes=answer["n_boxes"],
            n_ties=answer["n_ties"],
            all_ties_compared=answer["all_ties_kept"],
        )

    def _score(self, loss: float, node: Node) -> float:
        """The criterion's own units; the search minimises, and a price is in bits per weight."""
        if self._measure.price is not None:
            return -loss * node.weight
        if isinstance(node.target, Number) and loss < inf:  # a share of the squared error
            return loss * float(self._measure.impurity(node.statistics()))
        return loss if self._measure.minimise else -loss

    def _place(self, node: Node, split: Split, side: Sides) -> tuple[Split, bool]:
        """The split with its threshold, and whether float64 expresses the partition that was found.

        Where it does not, the split is scored by its own rule, and not proven.
        """
        if self.planes == "any":
            split, side = oriented(node, split, side, self.missing)
        complete = side != UNKNOWN
        points = split.points(node.X, node.rows)
        placed = self._placed(points, complete, side == LEFT, split.weights)
        if node.constraints is not None and node.constraints.signs is not None:
            placed = in_direction(placed, points[complete], side[complete] == LEFT, signs_to_keep(node, split, side))
        split = replace(split, weights=placed.weights, threshold=placed.threshold, margin=placed.margin)
        if placed.exact:
            return split, True
        return replace(rescored(node, split, self.price), bound=split.bound, proven=False), False

    def _placed(self, points: FloatArray, complete: BoolArray, left: BoolArray, weights: FloatArray) -> Placement:
        known, left = points[complete], left[complete]
        through = through_threshold(known, left, weights)
        one_sided = bool(left.all()) or not left.any()
        wide = self.planes == "any" if self.wide is None else self.wide
        if one_sided or (not wide and through.exact):
            return through
        low, high = column_extremes(points)  # as the search scales
        return widest_margin(known, left, weights, through.threshold, high / 2 - low / 2)

    def _progress_of(self, node: Node) -> Callable[..., None] | None:
        report = self.progress
        if report is None:
            return None

        def forward(
            subsets_done: int, n_subsets: int, n_boxes: int, loss: float, bound: float, seconds: float, dives_done: int
        ) -> None:
            searched = (len(node.rows), node.depth, subsets_done, n_subsets, n_boxes)
            report(SearchProgress(*searched, self._score(loss, node), self._score(bound, node), seconds, dives_done))

        return forward
