"""The rule of a split: which side a row takes, and what a missing value does."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cart_elc import _core
from cart_elc.tree.arrays import BoolArray, FloatArray, IntArray

LEFT, RIGHT, UNKNOWN = 1, 0, 2
"""Sides of a row; UNKNOWN where a value that the split needs is missing."""
NO_LEVEL = -1
"""What stands in place of a level's side where a split is a plane."""
Sides = NDArray[np.int8]

WeightedRows = tuple[IntArray, FloatArray]
"""Indices of rows and their positive weights."""


class MissingPolicy(IntEnum):
    """What a split does with a row that lacks a value on one of its features.

    ``BOTH`` sends the row to both children, its weight divided in proportion to the children's training weights.
    """

    RIGHT = 0
    LEFT = 1
    BOTH = 2


def weighted_sums(points: FloatArray, weights: ArrayLike) -> FloatArray:
    """Return ``w.x`` of each row, summed from left to right in float64 as prediction does.

    Parameters
    ----------
    points : ndarray of shape (n, r)
        The rows on the split's features.
    weights : array-like of shape (r,)

    Examples
    --------
    >>> weighted_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), [1.0, -1.0])
    array([-1., -1.])
    """
    total = np.zeros(len(points))
    # Weights for units near 1e-308 may overflow: the sums are then useless, and the caller finds the sides wrong.
    with np.errstate(over="ignore", invalid="ignore"):
        for column, weight in zip(points.T, np.asarray(weights, dtype=np.float64), strict=True):
            total += weight * column
    return total


@dataclass(frozen=True, eq=False, kw_only=True)
class Rule:
    """A row goes left iff ``points(X, rows) @ weights >= threshold``.

    The points are the row's values on the features or, where the one feature is a category, whether its level is among
    those that go left: 1 or 0, weighed with 1 against 0.5.

    Attributes
    ----------
    features : tuple of int
        The features of the plane, ascending, or the one category; empty if there is no plane.
    weights : ndarray
        Coefficients aligned with ``features``, in the data's own units.
    threshold : float
    missing : MissingPolicy
        Where rows with a missing value on ``features`` go.
    levels : int8 array or None
        Of a category, the side of each level by its code; `UNKNOWN` for one that the training rows of the node did not
        have, which goes with the missing values. None where the features are numbers.
    """

    features: tuple[int, ...]
    weights: FloatArray
    threshold: float
    missing: MissingPolicy = MissingPolicy.RIGHT
    levels: Sides | None = None

    @property
    def missing_left(self) -> bool:
        """Whether rows with a missing value on ``features`` go left."""
        return self.missing == MissingPolicy.LEFT

    def points(self, X: FloatArray, rows: IntArray) -> FloatArray:
        """Return what is weighed of the rows: values, or whether the level is one that goes left; NaN where unknown.

        Examples
        --------
        >>> rule = Rule(features=(0,), weights=np.ones(1), threshold=0.5, levels=np.array([LEFT, RIGHT], dtype=np.int8))
        >>> rule.points(np.array([[1.0], [0.0], [np.nan], [2.0]]), np.arange(4)).ravel()
        array([ 0.,  1., nan, nan])
        """
        if self.levels is None:
            return X[rows[:, None], np.array(self.features, dtype=np.int64)]
        sides = self.sides(X, rows)[:, None]
        return np.where(sides == UNKNOWN, np.nan, (sides == LEFT).astype(np.float64))

    def levels_of(self, side: int) -> list[int]:
        """Return the codes of the levels that go to a side; none where the features are numbers."""
        return [] if self.levels is None else np.flatnonzero(self.levels == side).tolist()

    def sides(self, X: FloatArray, rows: IntArray) -> Sides:
        """Return the side of each of the ``rows`` of ``X`` as prediction finds it.

        Values are `LEFT`, `RIGHT`, and `UNKNOWN` where a value is missing. ``X`` is C-contiguous float64.
        """
        features = np.asarray(self.features, dtype=np.int32)
        weights = np.ascontiguousarray(self.weights, dtype=np.float64)
        levels = np.empty(0, dtype=np.int8) if self.levels is None else self.levels
        return _core.sides(X, rows, features, weights, float(self.threshold), levels)

    def goes_left(self, sides: Sides) -> BoolArray:
        """Return which rows of these sides go left, those of unknown side as missing values do."""
        return np.where(sides == UNKNOWN, self.missing_left, sides == LEFT)

    def divide(self, X: FloatArray, rows: IntArray, weights: FloatArray) -> tuple[WeightedRows, WeightedRows]:
        """Return the rows and weights that go left and those that go right.

        Under `MissingPolicy.BOTH` a row with a missing value is in both, its weight divided in proportion to the
        weights of the complete rows. A row whose share is zero is in neither.
        """
        sides = self.sides(X, rows)
        unknown = sides == UNKNOWN
        if self.missing != MissingPolicy.BOTH:
            sides = np.where(unknown, np.int8(self.missing), sides)
            return _chosen(rows, weights, sides == LEFT), _chosen(rows, weights, sides == RIGHT)
        known_left, known_right = float(weights[sides == LEFT].sum()), float(weights[sides == RIGHT].sum())
        share = known_left / (known_left + known_right) if known_left + known_right > 0 else 0.5
        left_weights = np.where(unknown, share * weights, weights)
        right_weights = np.where(unknown, (1.0 - share) * weights, weights)
        return _chosen(rows, left_weights, sides != RIGHT), _chosen(rows, right_weights, sides != LEFT)


def _chosen(rows: IntArray, weights: FloatArray, mask: BoolArray) -> WeightedRows:
    mask = mask & (weights > 0)
    return rows[mask], weights[mask]
