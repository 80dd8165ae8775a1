"""What a split must satisfy on a table, checked against the oracle; each check gives a sentence where it fails."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

import oracle
from cart_elc import Split, best_split

Floats = NDArray[np.float64]
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Case:
    """A table, its weights (None: all 1), and the number of features of a plane."""

    X: Floats
    y: NDArray[np.int64]
    sample_weight: Floats | None
    r: int

    def table(self) -> oracle.Table:
        return oracle.make_table(self.X, self.y, self.r, self.sample_weight)

    def split(self, problem: oracle.Problem, **options: object) -> Split:
        with warnings.catch_warnings():
            # scikit-learn warns of a regression where there are nearly as many classes as rows.
            warnings.filterwarnings("ignore", message="The number of unique classes")
            return best_split(
                self.X,
                self.y,
                self.r,
                criterion=problem.criterion,
                sample_weight=self.sample_weight,
                orientation=problem.orientation,
                missing=problem.missing,
                **options,
            )

    def kept(self) -> NDArray[np.int64]:
        """The rows of positive weight."""
        return np.arange(len(self.X)) if self.sample_weight is None else np.flatnonzero(self.sample_weight > 0)

    def __str__(self) -> str:
        weight = None if self.sample_weight is None else self.sample_weight.tolist()
        X, y = self.X.tolist(), self.y.tolist()
        return f"X = np.array({X!r})\ny = np.array({y!r})\nsample_weight = {weight!r}\nr = {self.r}"


def problems() -> list[oracle.Problem]:
    """Every criterion with every orientation and missing mode."""
    return [
        oracle.Problem(criterion, orientation, missing)
        for criterion in oracle.CRITERIA
        for orientation in oracle.ORIENTATIONS
        for missing in oracle.MISSING
    ]


def left_side(split: Split, X: Floats) -> NDArray[np.bool_]:
    """The stored rule, summed from left to right; rows with a missing value follow `missing_left`."""
    total = np.zeros(len(X))
    for feature, weight in zip(split.features, split.weights, strict=True):
        total += weight * X[:, feature]
    return np.where(np.isnan(total), split.missing_left, total >= split.threshold)


def complaints(case: Case, table: oracle.Table, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """Everything that is wrong with a split which the search was given time to prove."""
    if not split.proven:
        yield from unproven_complaints(case, split)
        return
    answer = oracle.best(table, problem)
    if not answer.accepts(split.score):
        yield f"score {split.score!r}, the oracle's is {answer}"
    if split.n_candidates != table.n_candidates:
        yield f"n_candidates {split.n_candidates}, there are {table.n_candidates}"
    if (split.criterion, split.orientation) != (problem.criterion, problem.orientation):
        yield f"says it is for {split.criterion}, {split.orientation}"
    if split.bound != split.score:
        yield f"proven, but the bound is {split.bound!r} and the score {split.score!r}"
    if not split.found:
        if split.score != oracle.no_candidate(problem.criterion):
            yield f"nothing found, but score {split.score!r}"
        return
    if list(split.features) != sorted(set(split.features)) or len(split.features) != case.r:
        yield f"features {split.features}"
    yield from rule_complaints(case, problem, split)


def rule_complaints(case: Case, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with the stored rule: its partition has the score, and its samples lie on it."""
    rows = case.kept()
    X, y = case.X[rows], case.y[rows]
    weights = np.ones(len(rows)) if case.sample_weight is None else case.sample_weight[rows]
    left = left_side(split, X)
    score = oracle.score_partition(problem.criterion, y, weights, left)
    if not left.any() or left.all():
        yield "the rule leaves a side empty"
    elif abs(score - split.score) > TOLERANCE:
        yield f"the rule's own score is {score!r}, the split says {split.score!r}"
    if problem.missing == "right" and split.missing_left:
        yield "missing rows go left under missing='right'"


def through_complaints(case: Case, split: Split) -> Iterator[str]:
    """What is wrong with a plane through its samples."""
    if not (split.found and split.proven):
        return
    samples = case.X[list(split.samples)][:, list(split.features)]
    if len(set(split.samples)) != case.r or not set(split.samples) <= set(case.kept().tolist()):
        yield f"samples {split.samples}"
    if np.isnan(samples).any():
        yield f"samples {split.samples} have missing values"
        return
    X = case.X[case.kept()][:, list(split.features)]
    half = (np.nanmax(X, axis=0) - np.nanmin(X, axis=0)) / 2
    unit = float(np.abs(split.weights * half).max())
    rounding = 1e-15 * case.r * float((np.abs(split.weights) * np.nanmax(np.abs(X), axis=0)).sum())
    distance = np.abs(samples @ split.weights - split.threshold)
    if not expressible(X):  # the widest margin may have taken the place of the plane through the samples
        return
    if (distance > 2.1e-9 * unit + 8 * rounding).any():
        yield f"samples lie {distance / unit} from the plane"
    if not left_side(split, case.X[list(split.samples)]).all():
        yield "a defining sample is not on the left side"


def unproven_complaints(case: Case, split: Split) -> Iterator[str]:
    """A split may stay unproven only where float64 cannot express the partition."""
    X = case.X[case.kept()]
    if expressible(X[:, list(split.features)] if split.found else X):
        yield "not proven, though float64 can express every partition of these columns"


def expressible(X: Floats) -> bool:
    """Whether float64 can express every partition of these columns: none is far from zero for its spread.

    A gap of 1e-10 between the sides, in scaled units, survives rounding if the offset is at most 10^4 times the spread.
    Columns without two values are in no plane.
    """
    X = X[:, ~np.isnan(X).all(axis=0)]
    spread = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    return bool((np.nanmax(np.abs(X), axis=0) <= 1e4 * spread)[spread > 0].all())


def bound_complaints(answer: oracle.Answer, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with the bound of a search that was cut short."""
    sign = 1 if problem.criterion == "gini" else -1
    if sign * split.bound > sign * answer.certain + TOLERANCE:
        yield f"bound {split.bound!r} is beaten: {answer}"
    if sign * split.score < sign * split.bound - TOLERANCE:
        yield f"score {split.score!r} is better than the bound {split.bound!r}"
    if split.proven and not answer.accepts(split.score):
        yield f"proven in time with score {split.score!r}, the oracle's is {answer}"


def n_candidates(n: int, m: int, r: int) -> int:
    return comb(n, r) * comb(m, r)
