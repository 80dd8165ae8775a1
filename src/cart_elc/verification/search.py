"""The best score of all candidates of a table, by making every one of them."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.tree import FloatArray
from cart_elc.verification.divisions import OPEN, SURE, Divisions, candidates
from cart_elc.verification.scores import Judge

SUBSETS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows of positive weight.

    `tallies` has for each row its weight in the column of its class, and then, in as many columns again, a 1 for the
    row itself; sums of them are the weights and the numbers of rows per class. Of numbers, centred and scaled to a
    variance of 1, it has weight, weight times number and weight times its square, then 1, 0 and 0. `counted` is the
    weight of all rows as description length counts it: whole weights are copies of rows, others stand for one row each
    on average. `unit` is the variance of the numbers.
    """

    X: FloatArray
    tallies: FloatArray
    counted: float
    unit: float = 1.0


def labelled_rows(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, *, numbers: bool) -> LabelledRows:
    values, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if values.ndim != 2 or labels.shape != values.shape[:1]:
        raise ValueError(f"X must be a table and y its labels, got shapes {values.shape} and {labels.shape}")
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    if np.isscalar(sample_weight) or sample_weight is None:
        weights = np.full(len(values), weights)
    if weights.shape != labels.shape:
        raise ValueError(f"sample_weight must have shape {labels.shape}, got {weights.shape}")
    kept = weights > 0
    if not kept.any():
        raise ValueError("sample_weight must have a positive value, got none")
    whole = bool((weights == np.round(weights)).all())
    counted = float(weights.sum()) if whole else float(kept.sum())
    weights = weights[kept]
    if numbers:
        tallies, unit = tallies_of_numbers(labels[kept].astype(np.float64), weights)
        return LabelledRows(values[kept], tallies, counted, unit)
    classes, codes = np.unique(labels[kept], return_inverse=True)
    rows = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    return LabelledRows(values[kept], np.hstack([weights[:, None] * rows, rows]), counted)


def tallies_of_numbers(y: FloatArray, weights: FloatArray) -> tuple[FloatArray, float]:
    """Return the tallies of numbers and their variance."""
    shares = weights / weights.sum()
    y = y - y[0]
    y = y - shares @ y
    unit = float(shares @ y**2)
    y = y / np.sqrt(unit) if unit > 0 else y
    one, none = np.ones_like(y), np.zeros_like(y)
    return np.column_stack([weights, weights * y, weights * y**2, one, none, none]), unit


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

    def add(self, divisions: Divisions, price: float) -> None:
        scores, unsure = self.judge.scores(divisions.left, price), divisions.doubt > SURE
        scores[divisions.doubt == OPEN] = self.judge.ideal
        deciding = unsure & self.judge.beats(scores, self.bound)
        self.best = self.judge.best(np.append(scores[~unsure], self.best))
        self.reachable = self.judge.best(np.append(scores, self.reachable))
        self.n_planes += len(scores)
        self.n_doubtful += int(unsure.any(axis=1).sum())
        self.n_deciding += int(deciding.any(axis=1).sum())


def score_all(
    rows: LabelledRows, sizes: tuple[int, ...], planes: str, missing: str, judge: Judge, bound: float
) -> Searched:
    """Score every candidate; none should beat the bound."""
    searched = Searched(judge, bound, judge.worst, judge.worst)
    scaled = scaled_columns(rows.X)
    for size in sizes:
        values = rows.X if size == 1 else scaled
        for features in itertools.combinations(range(rows.X.shape[1]), size):
            for divisions in divisions_of_set(values[:, features], rows.tallies, planes, missing):
                searched.add(divisions, judge.price(size))
    return searched


def add_subsets(searched: Searched, rows: LabelledRows, feature: int) -> None:
    """Score every way to divide the levels of a category; rows without one are a level of their own."""
    present = ~np.isnan(rows.X[:, feature])
    codes, units = np.unique(np.where(present, rows.X[:, feature], -1.0), return_inverse=True)
    tallies = np.stack([rows.tallies[units == unit].sum(axis=0) for unit in range(len(codes))])
    price = searched.judge.price_of_subset(len(codes) - int(not present.all()))
    for start in range(1, 2 ** (len(codes) - 1), SUBSETS_AT_ONCE):
        numbers = np.arange(start, min(start + SUBSETS_AT_ONCE, 2 ** (len(codes) - 1)))
        taken = (numbers[:, None] >> np.arange(len(codes)) & 1).astype(np.float64)
        left = (taken @ tallies)[:, None, :]
        searched.add(Divisions(left, np.full(left.shape[:2], SURE)), price)


def scaled_columns(X: FloatArray) -> FloatArray:
    """The columns on [-1, 1]; a constant column, or one without a value, becomes 0."""
    present = ~np.isnan(X)
    low = np.where(present, X, inf).min(axis=0)
    high = np.where(present, X, -inf).max(axis=0)
    constant = ~(high > low)
    low, high = np.where(constant, 0.0, low), np.where(constant, 1.0, high)
    unit = (X / 2 - low / 2) / (high / 2 - low / 2)
    return np.where(constant & present, 0.0, 2 * unit - 1)


def divisions_of_set(values: FloatArray, tallies: FloatArray, planes: str, missing: str) -> Iterator[Divisions]:
    """The candidates of one feature set; the rows with a missing value join a side as one block."""
    complete = ~np.isnan(values).any(axis=1)
    if not complete.any():
        return
    places, place_of = np.unique(values[complete], axis=0, return_inverse=True)
    at_places = np.zeros((len(places), tallies.shape[1]))
    np.add.at(at_places, place_of.ravel(), tallies[complete])
    if len(places) == 1 and values.shape[1] == 1 and (complete.all() or missing == "right"):
        return
    block = tallies[~complete].sum(axis=0)
    either = block.any() and (missing == "learn" or planes == "any")
    for found in candidates(places, at_places, planes):
        ways = [found.left, found.left + block] if either else [found.left]
        yield Divisions(np.concatenate(ways, axis=1), np.tile(found.doubt, len(ways)))
