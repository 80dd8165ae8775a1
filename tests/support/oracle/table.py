"""A table with its candidates, made once and scored under every criterion and missing mode."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from oracle.linear import Partitions, partitions_of
from oracle.problem import Problem
from oracle.sides import Floats
from oracle.through import Planes, planes_of


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of positive weight, scaled, for planes of `r` features; candidates are made when first asked for.

    Attributes
    ----------
    X, scaled : (n, m) the rows, and the rows with each feature scaled to [-1, 1].
    rows : (n,) their indices in what was given.
    y, weights : (n,) labels, classes or numbers, and positive weights.
    r : the number of features of a plane; the largest number for planes="any".
    """

    X: Floats = field(repr=False)
    scaled: Floats = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    y: NDArray[np.generic]
    weights: Floats
    r: int

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    @cached_property
    def planes(self) -> tuple[Planes, ...]:
        """The planes through `r` samples of each set of exactly `r` features."""
        made = (planes_of(self.X, self.scaled, self.rows, features) for features in self._sets(self.r))
        return tuple(planes for planes in made if planes is not None)

    @cached_property
    def partitions(self) -> tuple[Partitions, ...]:
        """The linear splits of each set of at most `r` features, the smallest sets first."""
        sets = itertools.chain.from_iterable(self._sets(size) for size in range(1, self.r + 1))
        made = (partitions_of(self.X, self.scaled, features) for features in sets)
        return tuple(partitions for partitions in made if partitions is not None)

    @property
    def n_planes(self) -> int:
        return sum(len(planes.samples) for planes in self.planes)

    def n_candidates(self, planes: str) -> int:
        """The number of selections of samples and features: of `r` each, or for "any" of each number up to `r`."""
        sizes = range(1, min(self.r, self.n_features) + 1) if planes == "any" else [self.r]
        return sum(comb(len(self.y), size) * comb(self.n_features, size) for size in sizes)

    def _sets(self, size: int) -> itertools.combinations[tuple[int, ...]]:
        return itertools.combinations(range(self.n_features), size)


def make_table(X: Floats, y: NDArray[np.generic], r: int, sample_weight: Floats | None = None) -> Table:
    """The table of the rows with positive weight."""
    weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    rows = np.flatnonzero(weights > 0)
    kept = np.asarray(X, dtype=np.float64)[rows]
    return Table(kept, scale(kept), rows, np.asarray(y)[rows], weights[rows], r)


def scale(X: Floats) -> Floats:
    """Each feature to [-1, 1] by its smallest and largest present value; a constant feature to 0."""
    scaled = np.full(X.shape, np.nan)
    for j in range(X.shape[1]):
        present = ~np.isnan(X[:, j])
        if present.any():
            low, high = X[present, j].min(), X[present, j].max()
            scaled[present, j] = 2 * ((X[present, j] - low) / (high - low)) - 1 if high > low else 0.0
    return scaled


def admissible(table: Table, problem: Problem, left: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The partitions, rows of `left`, that have two sides which are large enough."""
    n_left, n = left.sum(axis=1), left.shape[1]
    weight_left = left @ table.weights
    fits = np.minimum(n_left, n - n_left) >= max(1, problem.min_samples_leaf)
    return fits & (np.minimum(weight_left, table.weights.sum() - weight_left) >= problem.min_weight_leaf)
