"""What a splitter returns: a rule with its certificate."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.splitters.node import Node
from cart_elc.tree import Rule

TIES = 1e-12
"""Scores that differ by no more than this share are equal."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Split(Rule):
    """An oblique split with its certificate.

    Attributes
    ----------
    features : tuple of int
        The features of the plane, ascending; empty if there is no admissible candidate.
    weights : ndarray
        Coefficients aligned with ``features``, in the data's own units.
    threshold : float
        A row goes left iff ``X[:, features] @ weights >= threshold``.
    levels : int8 array or None
        Of a split on a category, the side of each level: 1 left, 0 right, 2 where the rows did not have it.
    left_levels : tuple
        The levels that go left, as the table of `best_split` has them.
    missing : MissingPolicy
        Where rows with a missing value on ``features`` go; ``missing_left`` says whether that is left.
    score : float
        Value of the criterion in the paper's units.
    samples : tuple of int
        The rows that define the plane, as indices into the ``X`` given.
    criterion, planes : str
        The parameters of the search; ``planes`` is empty for a method that has no such choice.
    bound : float
        Proven bound on the score of any candidate (lower for Gini, upper otherwise); equals ``score`` if proven.
    proven : bool
        Whether no candidate is better.
    n_candidates : int
        Number of planes through samples that the proof covers: ``C(n, s) * C(m, s)``, summed over ``s = 1..r`` where
        at most ``r`` features may be used.
    n_boxes : int
        Number of boxes of hyperplanes that the search opened.
    n_ties : int
        Number of partitions of this score and number of features, whose margins were compared.
    all_ties_compared : bool
        False where there were more of them than the search keeps.
    seconds : float
        Time of the search.
    margin : float
        Half the width of the empty band around the plane in units of ``w.x``, NaN if unknown.
    reason : str
        Why there is no split, where `best_split` found none.
    """

    score: float
    criterion: str
    bound: float
    proven: bool
    n_candidates: int
    seconds: float = 0.0
    samples: tuple[int, ...] = ()
    planes: str = ""
    n_boxes: int = 0
    n_ties: int = 1
    all_ties_compared: bool = True
    margin: float = float("nan")
    left_levels: tuple[Any, ...] = ()
    reason: str = ""

    @property
    def found(self) -> bool:
        """Whether there is an admissible candidate at all."""
        return bool(self.features)

    def columns(self) -> dict[str, Any]:
        """Return the split's entries by the names of the tree's arrays, as `cart_elc.tree.building` takes them."""
        same = ("features", "weights", "missing", "score", "bound", "proven", "margin", "levels")
        entries = {name: getattr(self, name) for name in same}
        candidates = float(self.n_candidates) if self.n_candidates <= sys.float_info.max else float("inf")
        return entries | {"thresholds": self.threshold, "n_candidates": candidates}


class Splitter(Protocol):
    """Finds the split of a node: a frozen value that holds the method's parameters."""

    @property
    def criterion(self) -> str:
        """Name of the criterion, a key of `cart_elc.criteria.CRITERIA`."""

    @property
    def goes_on_without_time(self) -> bool:
        """Whether nodes are split when no time is left: a search then gives at least the best split on one feature."""

    def __call__(self, node: Node) -> Split:
        """Return the node's split; one whose ``found`` is false if there is none."""


def best_of(splits: Sequence[Split], scale: float = 1.0) -> Split:
    """Return the best of splits that were searched for apart, with the certificate of all.

    Of equally good ones the one with the fewest features is taken, and of these the first; ``scale`` is the size of
    scores by which rounding is judged.
    """
    criterion = CRITERIA[splits[0].criterion]
    sign = 1.0 if criterion.minimise else -1.0
    losses = np.array([sign * split.score for split in splits])
    slack = TIES * max(scale, abs(losses.min())) if np.isfinite(losses.min()) else 0.0
    tied = [split for split, loss in zip(splits, losses, strict=True) if loss <= losses.min() + slack]
    best = min(tied, key=lambda split: len(split.features))
    bound = sign * min(sign * split.bound for split in splits)
    proven = all(split.proven or sign * split.bound >= losses.min() - slack for split in splits)
    return replace(
        best,
        bound=best.score if proven else bound,
        proven=proven,
        n_candidates=sum(split.n_candidates for split in splits),
        n_boxes=sum(split.n_boxes for split in splits),
        seconds=sum(split.seconds for split in splits),
    )


def find_split(splitter: Callable[[Node], Split], node: Node) -> Split:
    """Return the splitter's split of the node, on the features that the node allows.

    A restricted node is handed to the splitter as a table of its own that has only those columns, so that no splitter
    has to know of the restriction; the split's features are then numbered as in the whole matrix.
    """
    allowed = node.features
    if allowed is None:
        return splitter(node)
    levels = None if node.n_levels is None else node.n_levels[allowed]
    constraints = None if node.constraints is None else node.constraints.restricted(allowed)
    table = np.ascontiguousarray(node.X[:, allowed])
    split = splitter(replace(node, X=table, n_levels=levels, constraints=constraints, features=None))
    return replace(split, features=tuple(int(allowed[j]) for j in split.features))


def no_split(criterion: str, n_candidates: int) -> Split:
    worst = CRITERIA[criterion].worst
    return Split(
        features=(),
        weights=np.empty(0),
        threshold=float("nan"),
        score=worst,
        criterion=criterion,
        bound=worst,
        proven=True,
        n_candidates=n_candidates,
    )


def rescored(node: Node, split: Split, price: float = 1.0) -> Split:
    """Return the split with the score of the partition that its own rule gives; not found if a side is too small."""
    left = split.goes_left(split.sides(node.X, node.rows))
    criterion = CRITERIA[split.criterion]
    if not all(node.limits.admit(node.weights[part]) for part in (left, ~left)):
        return replace(split, features=(), weights=np.empty(0), score=criterion.worst, bound=criterion.worst)
    score = float(criterion.score(node.statistics(left), node.statistics(~left)))
    if criterion.price is not None:
        score -= price * criterion.price(node.weight, node.n_features, len(split.features))
    return replace(split, score=score)
