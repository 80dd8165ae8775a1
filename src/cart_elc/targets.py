"""What a label is: one of several classes, or a number.

A target holds the labels of all rows and says what a node knows of its own rows: their weighted `statistics`, and
whether they are pure. Growing, pruning and storing trees know nothing else of labels.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import FloatArray, IntArray


class Target(Protocol):
    """The labels of all rows."""

    kind: ClassVar[str]

    @property
    def y(self) -> NDArray[Any]:
        """The labels as the kernels take them, one for each row."""

    def statistics(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """Return what a node knows of its weighted rows."""

    def of_rows(self, rows: IntArray) -> Self:
        """Return the labels of some rows alone."""

    def sums(self, rows: IntArray, weights: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
        """Return for each group of weighted rows what adds up to the same of several groups."""

    def statistics_of(self, sums: FloatArray) -> FloatArray:
        """Return the statistics behind `sums` along the last axis, means as distances from that of all rows."""

    def is_pure(self, statistics: FloatArray) -> bool:
        """Whether the labels behind the statistics are all equal."""

    def is_turned(self, left: FloatArray, right: FloatArray) -> bool:
        """Whether the sides with these statistics are to be named the other way round."""

    def n_fitted(self, statistics: FloatArray) -> int:
        """Return how many numbers a leaf fits to the labels behind the statistics."""

    def values(self, statistics: FloatArray) -> FloatArray:
        """Return what monotonic constraints order, from statistics along the last axis."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows in C order, their labels, and their non-negative weights."""

    X: FloatArray
    target: Target
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class Classes:
    """Labels that are classes, as codes in ``range(n_classes)``; the statistics are the weight in each class."""

    kind: ClassVar[str] = "classes"

    y: IntArray
    n_classes: int

    def statistics(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        counts = np.bincount(self.y[rows], weights=weights, minlength=self.n_classes)
        return counts.astype(np.float64, copy=False)

    def of_rows(self, rows: IntArray) -> Self:
        return type(self)(self.y[rows], self.n_classes)

    def sums(self, rows: IntArray, weights: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
        cells = np.bincount(groups * self.n_classes + self.y[rows], weights, minlength=n_groups * self.n_classes)
        return cells.reshape(n_groups, self.n_classes).astype(np.float64, copy=False)

    def statistics_of(self, sums: FloatArray) -> FloatArray:
        """Return the sums themselves, the weights in each class."""
        return sums

    def is_pure(self, statistics: FloatArray) -> bool:
        return bool(np.count_nonzero(statistics) <= 1)

    def is_turned(self, left: FloatArray, right: FloatArray) -> bool:
        """Whether the right side has the larger share of the first class whose share differs between the sides."""
        difference = left / left.sum() - right / right.sum()
        differs = np.flatnonzero(np.abs(difference) > 1e-12)
        return bool(len(differs)) and bool(difference[differs[0]] < 0)

    def n_fitted(self, statistics: FloatArray) -> int:
        """Return the number of classes that have weight: each has its share."""
        return int(np.count_nonzero(statistics))

    def values(self, statistics: FloatArray) -> FloatArray:
        """Return the share of the last class, of two."""
        share: FloatArray = statistics[..., -1] / statistics.sum(axis=-1)
        return share


@dataclass(frozen=True, eq=False)
class Number:
    """Labels that are numbers; the statistics are weight, mean and sum of squared deviations from the mean."""

    kind: ClassVar[str] = "number"

    y: FloatArray

    def statistics(self, rows: IntArray, weights: FloatArray) -> FloatArray:
        """Return weight, mean and sum of squared deviations, in two passes so that a large mean costs no digits."""
        values, total = self.y[rows], float(weights.sum())
        if total == 0.0:
            return np.zeros(3)
        mean = values[0] + float((weights * (values - values[0])).sum()) / total
        return np.array([total, mean, float((weights * np.square(values - mean)).sum())])

    def of_rows(self, rows: IntArray) -> Self:
        return type(self)(self.y[rows])

    def sums(self, rows: IntArray, weights: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
        """Return the sums of weights, of distances from the mean of all rows, and of their squares."""
        distances = self.y[rows] - self.statistics(rows, weights)[1]
        columns = (weights, weights * distances, weights * np.square(distances))
        return np.column_stack([np.bincount(groups, column, minlength=n_groups) for column in columns])

    def statistics_of(self, sums: FloatArray) -> FloatArray:
        weight, total, squares = np.moveaxis(sums, -1, 0)
        return np.stack([weight, total / weight, np.maximum(squares - np.square(total) / weight, 0.0)], axis=-1)

    def is_pure(self, statistics: FloatArray) -> bool:
        return bool(statistics[2] == 0.0)

    def is_turned(self, left: FloatArray, right: FloatArray) -> bool:
        """Whether the left side has the larger mean: means ascend from left to right."""
        return bool(left[1] > right[1])

    def n_fitted(self, statistics: FloatArray) -> int:
        """Return two: a mean and a spread."""
        return 2

    def values(self, statistics: FloatArray) -> FloatArray:
        """Return the mean."""
        return statistics[..., 1]
