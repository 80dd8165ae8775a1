"""Tables that are small and nasty, drawn by NumPy: lattices, copies, twins, far columns, missing values, weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from agreement import Case

Floats = NDArray[np.float64]
Random = np.random.Generator


# --- columns ----------------------------------------------------------------------------------------------------------


def grid(random: Random, n: int) -> Floats:
    return random.integers(0, int(random.integers(2, 6)), size=n).astype(float)


def tenths(random: Random, n: int) -> Floats:
    return random.integers(40, 40 + int(random.integers(2, 40)), size=n) / 10


def binary(random: Random, n: int) -> Floats:
    return (random.random(n) < random.choice([0.1, 0.5])).astype(float)


def constant(random: Random, n: int) -> Floats:
    return np.full(n, float(random.choice([0.0, 1.0, -7.3, 1e8])))


def mostly_zero(random: Random, n: int) -> Floats:
    return np.where(random.random(n) < 0.7, 0.0, random.integers(1, 5, size=n) * random.choice([1.0, 0.1]))


def gaussian(random: Random, n: int) -> Floats:
    return random.normal(size=n)


def far(random: Random, n: int) -> Floats:
    """Any scale with an offset that leaves at least eight digits to the spread."""
    scale = 10.0 ** random.uniform(-8, 8)
    return scale * random.choice([random.normal(size=n), grid(random, n)]) + scale * 10.0 ** random.uniform(-2, 8)


def clustered(random: Random, n: int) -> Floats:
    """Levels with small perturbations around them."""
    return grid(random, n) + 10.0 ** random.uniform(-12, -2) * random.normal(size=n)


COLUMNS: tuple[Callable[[Random, int], Floats], ...] = (
    *(grid, grid, grid, tenths, tenths, mostly_zero, gaussian, gaussian, far, far, clustered, clustered),
    *(binary, constant),
)


# --- columns that depend on others ------------------------------------------------------------------------------------


def twin(random: Random, columns: list[Floats]) -> Floats:
    """Another column with noise between 1e-2 and 1e-11 of its spread."""
    column = columns[random.integers(len(columns))]
    noise = random.choice([random.normal(size=len(column)), random.integers(-2, 3, size=len(column))])
    return column + 10.0 ** random.uniform(-11, -2) * (float(np.ptp(column)) or 1.0) * noise


def copy(random: Random, columns: list[Floats]) -> Floats:
    column = columns[random.integers(len(columns))]
    return float(random.choice([1.0, -1.0, 0.1, 1e6, 3.0])) * column + float(random.choice([0.0, 1.0, 1e3]))


def mixture(random: Random, columns: list[Floats]) -> Floats:
    """A sum of two columns: three features in one plane."""
    first, second = (columns[random.integers(len(columns))] for _ in range(2))
    noise = random.choice([0.0, 10.0 ** random.uniform(-11, -3)]) * random.normal(size=len(first))
    return first + float(random.choice([1.0, -0.5, 0.3])) * second + noise * np.ptp(first)


RELATED: tuple[Callable[[Random, list[Floats]], Floats], ...] = (twin, twin, copy, mixture)

SMALL = {1: (1, 5, 25), 2: (2, 5, 22), 3: (3, 5, 13), 4: (4, 5, 11)}
LARGE = {1: (1, 5, 200), 2: (2, 3, 130), 3: (3, 4, 42), 4: (4, 5, 24)}
"""By r: the fewest and most features, and the most rows. Small tables are one leaf of the search, large ones many."""


def draw(random: Random, shapes: dict[int, tuple[int, int, int]] = SMALL) -> Case:
    """A nasty table."""
    r = int(random.choice([1, 2, 2, 2, 3, 3, 4]))
    fewest, most, rows = shapes[r]
    n, m = max(random.integers(2, rows + 1, size=2)), max(random.integers(fewest, most + 1, size=2))
    columns: list[Floats] = []
    for _ in range(m):
        if columns and random.random() < 0.3:
            columns.append(RELATED[random.integers(len(RELATED))](random, columns))
        else:
            columns.append(COLUMNS[random.integers(len(COLUMNS))](random, n))
    X = np.column_stack(columns)[:, random.permutation(m)]
    if random.random() < 0.4:
        X = X[random.integers(0, n, size=n)]
    return Case(_with_missing(random, X), _labels(random, X), _weights(random, n), r)


def with_numbers(random: Random, case: Case) -> Case:
    """The table with numbers for labels: noise, few values, linear in the features, the classes, or far outliers."""
    n, kind = len(case.X), random.integers(5)
    y = random.normal(size=n)
    if kind == 1:
        y = random.integers(0, 4, size=n)
    elif kind == 2:
        y = np.nan_to_num(case.X) @ random.normal(size=case.X.shape[1])
        y = (y - y.mean()) / (y.std() or 1.0) + random.choice([0.0, 0.1, 1.0]) * random.normal(size=n)
    elif kind == 3:
        y = case.y
    elif kind == 4:
        y = np.round(random.standard_t(2, size=n), 1)
    return replace(case, y=np.asarray(y, dtype=np.float64))


def _labels(random: Random, X: Floats) -> NDArray[np.int64]:
    classes = int(random.choice([1, 2, 2, 2, 3, 4, 12], p=[0.02, 0.28, 0.2, 0.2, 0.15, 0.1, 0.05]))
    if random.random() < 0.5 or classes == 1:
        return random.integers(0, classes, size=len(X))
    values = X @ random.normal(size=X.shape[1])
    labels = np.argsort(np.argsort(values)) * classes // len(X)
    noisy = random.random(len(X)) < random.choice([0.0, 0.1, 0.3])
    return np.where(noisy, random.integers(0, classes, size=len(X)), labels)


def _weights(random: Random, n: int) -> Floats | None:
    kind = random.integers(5)
    if kind == 0:
        weights = random.integers(0, 4, size=n).astype(float)
    elif kind == 1:
        weights = np.where(random.random(n) < 0.2, 0.0, 10.0 ** random.uniform(-3, 3, size=n))
    else:
        return None
    return weights if (weights > 0).any() else None


def _with_missing(random: Random, X: Floats) -> Floats:
    share = random.choice([0.0, 0.05, 0.3], p=[0.7, 0.2, 0.1])
    return np.where(random.random(X.shape) < share, np.nan, X)
