"""The best score of all planes of a table, by making every one of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import inf

import numpy as np

from cart_elc.tree import BoolArray, FloatArray
from cart_elc.verification.planes import Planes, planes_through
from cart_elc.verification.rows import LabelledRows
from cart_elc.verification.scores import Judge


@dataclass(frozen=True)
class Searched:
    """The best certain score of the planes seen, the number of planes, and of those in doubt."""

    best: float
    n_planes: int
    n_doubtful: int

    @classmethod
    def nothing(cls, judge: Judge) -> Searched:
        """Return what is known before any plane was seen."""
        return cls(judge.worst, 0, 0)

    def joined(self, other: Searched, judge: Judge) -> Searched:
        """Return what two sets of planes show together."""
        best = judge.best(np.array([self.best, other.best]))
        return Searched(best, self.n_planes + other.n_planes, self.n_doubtful + other.n_doubtful)


def score_all_planes(rows: LabelledRows, r: int, judge: Judge) -> Searched:
    """Score every plane of `r` features."""
    searched = Searched.nothing(judge)
    scaled = scaled_columns(rows.X)
    for features in itertools.combinations(range(rows.X.shape[1]), r):
        complete = np.asarray(~np.isnan(rows.X[:, features]).any(axis=1))
        points = (rows.X if r == 1 else scaled)[complete][:, features]
        for planes in planes_through(points):
            found = score_planes(planes, complete, rows.class_weights, judge)
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


def score_planes(planes: Planes, complete: BoolArray, class_weights: FloatArray, judge: Judge) -> Searched:
    """Score the partitions: in both orientations and with missing values on both sides, where those count."""
    canonical = judge.orientation == "canonical"
    certain = ~(planes.doubtful | planes.sign_doubtful) if canonical else ~planes.doubtful
    with_above = planes.above | planes.on
    with_below = ~planes.above
    canonical_left = np.where(planes.positive[:, None], with_above, with_below)
    lefts = [canonical_left] if canonical else [with_above, with_below]
    blocks = (False, True) if judge.missing == "learn" and not complete.all() else (False,)
    best = judge.worst
    for left, block in itertools.product(lefts, blocks):
        everyone = np.full((int(certain.sum()), len(complete)), block)
        everyone[:, complete] = left[certain]
        best = judge.best(np.array([best, judge.best(judge.scores(everyone, class_weights))]))
    return Searched(best, len(certain), int((~certain).sum()))
