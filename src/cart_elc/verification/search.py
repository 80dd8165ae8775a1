"""The best score of all candidates of a table, by making every one of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from cart_elc.tree import FloatArray
from cart_elc.verification.divisions import (
    OPEN,
    SURE,
    Divisions,
    divisions_by_value,
    divisions_together,
    linear_divisions,
    together,
)
from cart_elc.verification.planes import FLAT, planes_through, thickness
from cart_elc.verification.rows import LabelledRows
from cart_elc.verification.scores import Judge

ROUNDING_OF_FLAT = 1.1
"""Factor within which rounding decides whether a feature set lies in one plane."""


@dataclass(frozen=True)
class Question:
    """Which candidates there are."""

    sizes: tuple[int, ...]
    planes: str
    missing: str


@dataclass
class Searched:
    """What the planes show that have been added.

    `best` is the best score of certain candidates and `reachable` that with doubtful rows placed at will; `n_deciding`
    counts the doubtful planes that may beat the bound so.
    """

    judge: Judge
    bound: float
    best: float
    reachable: float
    n_planes: int = 0
    n_doubtful: int = 0
    n_deciding: int = 0

    def add(self, divisions: Divisions, size: int) -> None:
        """Score divisions of some planes on so many features."""
        scores, unsure = self.judge.scores(divisions.left, size), divisions.doubt > SURE
        scores[divisions.doubt == OPEN] = self.judge.ideal
        deciding = unsure & self.judge.beats(scores, self.bound)
        self.best = self.judge.best(np.append(scores[~unsure], self.best))
        self.reachable = self.judge.best(np.append(scores, self.reachable))
        self.n_planes += len(scores)
        self.n_doubtful += int(unsure.any(axis=1).sum())
        self.n_deciding += int(deciding.any(axis=1).sum())


def score_all(rows: LabelledRows, question: Question, judge: Judge, bound: float) -> Searched:
    """Score every candidate; none should beat the bound."""
    searched = Searched(judge, bound, judge.worst, judge.worst)
    scaled = scaled_columns(rows.X)
    for size in question.sizes:
        values = rows.X if size == 1 else scaled
        for features in itertools.combinations(range(rows.X.shape[1]), size):
            for divisions in divisions_of_set(values[:, features], rows.tallies, question):
                searched.add(divisions, size)
    return searched


def scaled_columns(X: FloatArray) -> FloatArray:
    """The columns on [-1, 1]; a constant column, or one without a value, becomes 0."""
    present = ~np.isnan(X)
    low = np.where(present, X, inf).min(axis=0)
    high = np.where(present, X, -inf).max(axis=0)
    constant = ~(high > low)
    low, high = np.where(constant, 0.0, low), np.where(constant, 1.0, high)
    unit = (X / 2 - low / 2) / (high / 2 - low / 2)
    return np.where(constant & present, 0.0, 2 * unit - 1)


def divisions_of_set(values: FloatArray, tallies: FloatArray, question: Question) -> Iterator[Divisions]:
    """The candidates of one feature set; the rows with a missing value join a side as one block."""
    complete = ~np.isnan(values).any(axis=1)
    if not complete.any():
        return
    places, place_of = np.unique(values[complete], axis=0, return_inverse=True)
    at_places = np.zeros((len(places), tallies.shape[1]))
    np.add.at(at_places, place_of.ravel(), tallies[complete])
    if len(places) == 1 and values.shape[1] == 1 and (complete.all() or question.missing == "right"):
        return
    block = tallies[~complete].sum(axis=0)
    either = block.any() and (question.missing == "learn" or question.planes == "any")
    for found in candidates(places, at_places, question):
        ways = [found.left, found.left + block] if either else [found.left]
        yield Divisions(np.concatenate(ways, axis=1), np.tile(found.doubt, len(ways)))


def candidates(places: FloatArray, tallies: FloatArray, question: Question) -> Iterator[Divisions]:
    """The divisions of the points of a feature set, in order; none where they lie in one plane."""
    canonical = question.planes == "canonical"
    if places.shape[1] == 1:
        yield divisions_by_value(tallies, canonical)
        return
    thick = thickness(places)
    if thick <= FLAT / ROUNDING_OF_FLAT:
        return
    unsure = thick <= FLAT * ROUNDING_OF_FLAT
    if question.planes == "any":
        yield together(tallies)
        yield from linear_divisions(places, tallies, unsure=unsure)
        return
    for planes in planes_through(places):
        yield from divisions_together(planes, tallies, canonical, unsure)
