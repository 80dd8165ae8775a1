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
    """Which candidates there are, and the bound that none of them should beat."""

    sizes: tuple[int, ...]
    planes: str
    missing: str
    bound: float


@dataclass(frozen=True)
class Searched:
    """What some planes show.

    `best` is the best score of certain candidates and `reachable` that with doubtful rows placed at will; `n_deciding`
    counts the doubtful planes that may beat the bound so.
    """

    best: float
    reachable: float
    n_planes: int = 0
    n_doubtful: int = 0
    n_deciding: int = 0

    def joined(self, other: Searched, judge: Judge) -> Searched:
        """Return what two sets of planes show together."""
        return Searched(
            judge.best(np.array([self.best, other.best])),
            judge.best(np.array([self.reachable, other.reachable])),
            self.n_planes + other.n_planes,
            self.n_doubtful + other.n_doubtful,
            self.n_deciding + other.n_deciding,
        )


def score_all(rows: LabelledRows, question: Question, judge: Judge) -> Searched:
    """Score every candidate."""
    searched = Searched(judge.worst, judge.worst)
    scaled = scaled_columns(rows.X)
    for size in question.sizes:
        values = rows.X if size == 1 else scaled
        for features in itertools.combinations(range(rows.X.shape[1]), size):
            for found in score_feature_set(values[:, features], rows.tallies, question, judge):
                searched = searched.joined(found, judge)
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


def score_feature_set(values: FloatArray, tallies: FloatArray, question: Question, judge: Judge) -> Iterator[Searched]:
    """Score the candidates of one feature set; the rows with a missing value join a side as one block."""
    complete = ~np.isnan(values).any(axis=1)
    if not complete.any():
        return
    places, place_of = np.unique(values[complete], axis=0, return_inverse=True)
    at_places = np.zeros((len(places), tallies.shape[1]))
    np.add.at(at_places, place_of.ravel(), tallies[complete])
    if len(places) == 1 and values.shape[1] == 1 and (complete.all() or question.missing == "right"):
        return
    block = tallies[~complete].sum(axis=0)
    sides = [0.0, 1.0] if block.any() and (question.missing == "learn" or question.planes == "any") else [0.0]
    blocks = np.array(sides)[:, None, None] * block
    for divisions in candidates(places, at_places, question):
        yield score(divisions, blocks, values.shape[1], question, judge)


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


def score(divisions: Divisions, blocks: FloatArray, size: int, question: Question, judge: Judge) -> Searched:
    """Score divisions with the block of missing rows on each of the sides that it may take."""
    left = np.concatenate([divisions.left + block for block in blocks], axis=1)
    doubt = np.tile(divisions.doubt, len(blocks))
    scores = judge.candidate_scores(left, size)
    scores[doubt == OPEN] = judge.ideal
    unsure = doubt > SURE
    deciding = unsure & judge.beats(scores, question.bound)
    return Searched(
        judge.best(scores[~unsure]),
        judge.best(scores),
        len(left),
        int(unsure.any(axis=1).sum()),
        int(deciding.any(axis=1).sum()),
    )
