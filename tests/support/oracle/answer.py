"""The best score of a table, with the interval of scores that float64 leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from oracle.linear import Partitions
from oracle.margin import margin
from oracle.problem import PRICED, Problem
from oracle.scores import net_scores
from oracle.sides import Bools, Floats, all_choices
from oracle.table import Table, admissible
from oracle.through import Planes, admitted, left_sides, unsure_planes

TOLERANCE = 1e-9
NARROW = 1e-9
"""A split of several features whose margin is less than this is not sure: float64 may fail to express it."""
MOST_DOUBTFUL = 10
"""With more doubtful rows on a plane than these, any score is accepted."""


@dataclass(frozen=True)
class Answer:
    """The best score, and the interval in which every correct program's score lies.

    `certain` is the best score of the candidates that float64 settles, `optimistic` the best with doubtful rows placed
    at will. On tables without doubt all three are equal.
    """

    score: float
    certain: float
    optimistic: float
    doubtful: bool

    @property
    def settled(self) -> bool:
        """Whether float64 leaves no choice of the score."""
        return self.certain == self.optimistic or abs(self.certain - self.optimistic) <= TOLERANCE

    def accepts(self, score: float, tolerance: float = TOLERANCE) -> bool:
        """Whether `score` is a correct answer: equal to the best score, or inside the doubt."""
        if score in (inf, -inf):
            return score == self.certain
        low, high = sorted((self.certain, self.optimistic))
        slack = tolerance * max(1.0, abs(score))
        return low - slack <= score <= high + slack


@lru_cache(maxsize=64)
def best(table: Table, problem: Problem) -> Answer:
    """The best score over all candidates with two admissible sides; kept, because a check asks for it several times.

    Under "mdl" a split that saves no more than it must is no candidate; where it is just that up to rounding, a split
    and no split are both correct.
    """
    score = certain = optimistic = problem.worst
    doubtful = False
    for batch in _scored(table, problem):
        score = _best_of(problem, score, batch.scores)
        certain, narrow = _best_certain(table, problem, certain, batch)
        doubtful |= narrow or not batch.sure.all()
    for scores in _scored_at_will(table, problem):
        optimistic = _best_of(problem, optimistic, scores)
        doubtful = True
    optimistic = problem.better(optimistic, score)
    n_fitted = 2 if problem.criterion == "mdl_squared_error" else len(np.unique(table.y))
    least = problem.price * problem.min_saving * n_fitted
    return _paying(Answer(score, certain, optimistic, doubtful), problem, least)


@dataclass(frozen=True, eq=False)
class Batch:
    """Scored candidates; `partitions` is the feature set of planes="any", None for planes through samples."""

    left: Bools
    scores: Floats
    sure: Bools
    partitions: Partitions | None = None


def candidates(partitions: Partitions, problem: Problem) -> Iterator[tuple[Bools, Bools]]:
    """Batches of left sides of planes="any" over all rows, and which of them are sure.

    The rows with a missing value go as one block to either side. That holds for missing="right" too: it is the block's
    side that is then called the right one. Only present against missing in a feature of one value needs "learn".
    """
    if partitions.one_value and problem.missing != "learn":
        return
    yield partitions.left, partitions.sure
    if partitions.absent.any():
        yield partitions.left | partitions.absent, partitions.sure


def candidate_scores(table: Table, problem: Problem, size: int, left: Bools) -> Floats:
    """Scores of partitions by `size` features; those with a side that is empty or too small get the worst score."""
    fits = admissible(table, problem, left)
    scores = np.full(len(left), problem.worst)
    if fits.any():
        scores[fits] = net_scores(problem, table.y, table.weights, left[fits], size, table.n_features)
    return scores


def band_of(table: Table, partitions: Partitions, left: Bools) -> tuple[float, bool]:
    """The margin of a partition, and whether it is wide enough to be sure: a narrow one may be beyond float64.

    A threshold on one feature always is, and so is a split of complete from missing rows.
    """
    complete = ~partitions.absent
    width = margin(table.scaled[complete][:, partitions.features], left[complete])
    one_sided = left[complete].all() or not left[complete].any()
    return width, bool(width >= NARROW or one_sided or len(partitions.features) == 1)


def _best_certain(table: Table, problem: Problem, certain: float, batch: Batch) -> tuple[float, bool]:
    """The best score that is sure so far, and whether a better one was left out because its band is narrow."""
    order = np.argsort(batch.scores if problem.minimise else -batch.scores, kind="stable")
    narrow = False
    for k in order[batch.sure[order]]:
        score = float(batch.scores[k])
        if problem.better(score, certain) == certain:
            break
        if batch.partitions is None or band_of(table, batch.partitions, batch.left[k])[1]:
            return score, narrow
        narrow = True
    return certain, narrow


def _scored(table: Table, problem: Problem) -> Iterator[Batch]:
    """All candidates with their scores."""
    if problem.planes == "any":
        for partitions in table.partitions:
            for left, sure in candidates(partitions, problem):
                yield Batch(left, candidate_scores(table, problem, len(partitions.features), left), sure, partitions)
    else:
        for planes in table.planes:
            if admitted(planes, problem):
                sure = ~unsure_planes(planes, problem)
                for left in left_sides(planes, problem):
                    yield Batch(left, candidate_scores(table, problem, table.r, left), sure)


def _scored_at_will(table: Table, problem: Problem) -> Iterator[Floats]:
    """Scores of unsure candidates with every doubtful row on the side that suits it, where `_scored` has them not."""
    anything = np.array([-problem.worst])
    if problem.planes == "any":
        yield from (anything for partitions in table.partitions if partitions.open)
        return
    for planes in table.planes:
        few = planes.doubtful.sum(axis=1) <= MOST_DOUBTFUL
        for left in left_sides(planes, problem, bool(planes.sign_unsure.any())):
            for k in np.flatnonzero(unsure_planes(planes, problem)):
                yield _placed_at_will(table, problem, planes, left[k], k) if few[k] else anything


def _placed_at_will(table: Table, problem: Problem, planes: Planes, left: Bools, k: int) -> Floats:
    free = np.flatnonzero(planes.doubtful[k])
    choices = all_choices(len(free))
    lefts = np.repeat(left[None, :], len(choices), axis=0)
    lefts[:, free] = choices
    return candidate_scores(table, problem, table.r, lefts)


def _best_of(problem: Problem, score: float, scores: Floats) -> float:
    if len(scores) == 0:
        return score
    return problem.better(score, float(scores.min() if problem.minimise else scores.max()))


def _paying(answer: Answer, problem: Problem, least: float) -> Answer:
    """Under "mdl" the answer without splits that do not pay; within rounding of that both answers are left open."""
    if problem.criterion not in PRICED:
        return answer
    return Answer(
        answer.score if answer.score > least else -inf,
        answer.certain if answer.certain > least + TOLERANCE else -inf,
        max(answer.optimistic, least + TOLERANCE) if answer.optimistic > least - TOLERANCE else -inf,
        answer.doubtful,
    )
