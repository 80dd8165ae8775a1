"""All best splits of planes="any" under the tie rule: best score, fewest features, widest margin, smallest features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oracle.answer import Answer, band_of, best, candidate_scores, candidates
from oracle.linear import Partitions
from oracle.problem import Problem
from oracle.scores import score_partition
from oracle.sides import Bools
from oracle.table import Table

SAME_SCORE = 1e-12
SAME_MARGIN = 1e-12
CLOSE_MARGIN = 1e-7


@dataclass(frozen=True, eq=False)
class TiedSplit:
    """A split with the best score: its features, its left rows, its margin, and whether it is sure.

    The left rows are a mask of the rows of positive weight. The margin is half the empty band between the complete rows
    of the two sides, in features scaled to [-1, 1] over the node, with a normal of length one. It is zero where all
    complete rows are on one side.
    """

    features: tuple[int, ...]
    left: Bools
    margin: float
    sure: bool

    @property
    def order(self) -> tuple[int, float, tuple[int, ...]]:
        return len(self.features), -self.margin, self.features

    def is_partition(self, left: Bools) -> bool:
        """Whether this is the partition; which side is called left does not matter."""
        return bool((left == self.left).all() or (left != self.left).all())


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best splits: those that tie in score, of at most as many features as the smallest that is sure."""

    answer: Answer
    tied: tuple[TiedSplit, ...]
    open: frozenset[tuple[int, ...]] = frozenset()  # feature sets with too much in doubt: there may be any others

    @property
    def splits(self) -> tuple[TiedSplit, ...]:
        """The splits that the tie rule leaves, whichever of close margins is called wider."""
        fewest = min((len(split.features) for split in self.tied), default=0)
        smallest = [split for split in self.tied if len(split.features) == fewest]
        widest = max((split.margin for split in smallest), default=0.0)
        return tuple(split for split in smallest if split.margin >= widest - CLOSE_MARGIN)

    @property
    def fewest(self) -> int:
        """The number of features that a best split needs at most; 0 if there is no split."""
        return min((len(split.features) for split in self.tied if split.sure), default=0)

    def refuses(self, features: tuple[int, ...], left: Bools) -> str | None:
        """Why the split of these features and left rows, of the best score, is not the one to return."""
        own = next((split for split in self.tied if split.features == features and split.is_partition(left)), None)
        rivals = [split for split in self.tied if split.sure]
        if any(len(split.features) < len(features) for split in rivals):
            return f"{len(features)} features, {self.fewest} are enough"
        if own is None and features in self.open:
            return None
        if own is None:
            return f"{features} is not among the {len(self.tied)} best splits"
        rivals = [split for split in rivals if len(split.features) == len(features)]
        wider = max((split.margin for split in rivals), default=0.0)
        if own.margin < wider - CLOSE_MARGIN:
            return f"its margin is {own.margin!r}, {wider!r} is possible"
        if any(split.features < features and split.margin >= max(wider, own.margin) - SAME_MARGIN for split in rivals):
            return f"{features} comes later than another of the same margin"
        return None


def optimum(table: Table, problem: Problem) -> Optimum:
    """The best splits of planes="any", those in doubt included and marked."""
    answer = best(table, problem)
    found: list[TiedSplit] = []
    size = table.n_features
    for partitions in table.partitions:
        if len(partitions.features) <= size and np.isfinite(answer.certain):
            found += _tied(table, problem, partitions, answer.certain)
            if any(split.sure for split in found):
                size = min(len(split.features) for split in found if split.sure)
    undecided = frozenset(partitions.features for partitions in table.partitions if partitions.open)
    return Optimum(answer, tuple(sorted(found, key=lambda split: split.order)), undecided)


def _tied(table: Table, problem: Problem, partitions: Partitions, score: float) -> list[TiedSplit]:
    found = []
    for left, sure in candidates(partitions, problem):
        scores = candidate_scores(table, problem, len(partitions.features), left)
        for k in np.flatnonzero(np.abs(scores - score) <= SAME_SCORE * _scale(table, problem, score)):
            width, wide_enough = band_of(table, partitions, left[k])
            found.append(TiedSplit(partitions.features, left[k], width, bool(sure[k]) and wide_enough))
    return found


def _scale(table: Table, problem: Problem, score: float) -> float:
    """The size of scores, by which ties are judged: numbers may differ by little, and their squares by less."""
    if problem.criterion != "squared_error":
        return max(1.0, abs(score))
    return score_partition(problem.criterion, table.y, table.weights, np.zeros(len(table.y), dtype=bool))
