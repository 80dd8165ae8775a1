"""Tables for the benchmarks: made in code, ordinary, degenerate and grown in one direction; and real ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits, make_classification

from cart_elc.datasets import DatasetUnavailableError, load

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Table = tuple[Floats, Labels]
REAL = ("iris", "wine", "wdbc", "cancer", "housing", "diabetes")


def real_tables(data_dir: str | None) -> dict[str, Table]:
    """The data sets of a few hundred rows that can be had."""
    found: dict[str, Table] = {}
    for name in REAL:
        try:
            data = load(name, data_dir=data_dir)
        except DatasetUnavailableError:
            continue
        found[name] = data.matrix, data.y
    return found


def synthetic(n: int, m: int = 14, k: int = 2, noise: float = 0.05) -> Table:
    """Gaussian clusters in six informative features (fewer where m is), with a share of the labels redrawn."""
    X, y = make_classification(n, m, n_informative=min(6, m), n_redundant=0, n_classes=k, flip_y=noise, random_state=0)
    return np.ascontiguousarray(X), y.astype(np.int64)


def noise(n: int, m: int, k: int = 2) -> Table:
    """Gaussian columns that say nothing about the classes."""
    random = np.random.default_rng(15)
    return random.normal(size=(n, m)), random.integers(0, k, n)


def digits() -> Table:
    """The pictures of handwritten digits that scikit-learn has: 64 columns of seventeen levels, ten classes."""
    X, y = load_digits(return_X_y=True)
    return np.ascontiguousarray(X, dtype=float), y.astype(np.int64)


def noisy_halves(X: Floats) -> Labels:
    """Two classes of equal size on either side of a plane, blurred."""
    random = np.random.default_rng(1)
    spread = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    value = scaled @ np.linspace(1, 2, X.shape[1]) + random.normal(size=len(X)) * np.sqrt(X.shape[1])
    return (value > np.median(value)).astype(np.int64)


def grid(n: int) -> Floats:
    """Nine columns of ten levels."""
    return np.random.default_rng(2).integers(0, 10, (n, 9)).astype(float)


def mostly_zero(n: int) -> Floats:
    """One binary column, two that are mostly zero, and two ordinary ones."""
    random = np.random.default_rng(3)
    return np.column_stack(
        [
            random.integers(0, 2, n),
            np.where(random.random(n) < 0.7, 0, random.integers(1, 6, n)),
            np.where(random.random(n) < 0.8, 0, random.normal(size=n)),
            random.normal(size=n),
            random.integers(0, 20, n),
        ]
    ).astype(float)


def binary(n: int) -> Floats:
    """Four binary columns."""
    return np.random.default_rng(4).integers(0, 2, (n, 4)).astype(float)


def copies(n: int) -> Floats:
    """Copies of fifty rows of six columns."""
    random = np.random.default_rng(5)
    return np.ascontiguousarray(random.normal(size=(50, 6))[random.integers(0, 50, n)])


DEGENERATE: dict[str, tuple[Callable[[int], Floats], int]] = {
    "ten-level grid, 9 columns": (grid, 1000),
    "binary and mostly-zero columns": (mostly_zero, 1000),
    "four binary columns": (binary, 1000),
    "5,000 copies of 50 rows": (copies, 5000),
}
"""Each degenerate table's maker and its usual number of rows."""


def zero_inflated(n: int) -> Floats:
    """Five columns, each zero in six rows of ten."""
    random = np.random.default_rng(7)
    return np.where(random.random((n, 5)) < 0.6, 0, random.normal(size=(n, 5)))


def next_to_zero(n: int) -> Floats:
    """The same with one row a hair's breadth from zero."""
    X = zero_inflated(n)
    X[0] = 1e-7
    return X


def blurred_levels(n: int) -> Floats:
    """Four columns of three levels, each value off by a millionth."""
    random = np.random.default_rng(8)
    return random.integers(0, 3, (n, 4)) + 1e-6 * random.normal(size=(n, 4))


def sentinels(n: int) -> Floats:
    """Four Gaussian columns with -999999 in one cell of five."""
    random = np.random.default_rng(9)
    return np.where(random.random((n, 4)) < 0.2, -999999, random.normal(size=(n, 4)))


def skewed(n: int) -> Floats:
    """Four log-normal columns that spread over seven orders of magnitude."""
    return np.exp(3 * np.random.default_rng(10).normal(size=(n, 4)))


def noisy_level(n: int, noise: float = 1e-13) -> Floats:
    """A column of three levels, each value off by a few times the noise, beside a Gaussian one."""
    random = np.random.default_rng(11)
    return np.column_stack([random.integers(0, 3, n) + noise * random.integers(-3, 4, n), random.normal(size=n)])


def far_row(n: int) -> Floats:
    """Four Gaussian columns with one row at ten millions."""
    X = np.random.default_rng(12).normal(size=(n, 4))
    X[0] = 1e7
    return X


def very_skewed(n: int) -> Floats:
    """Four log-normal columns that spread over fifteen orders of magnitude."""
    return np.exp(6 * np.random.default_rng(13).normal(size=(n, 4)))


def cities(n: int) -> Floats:
    """Six clusters whose size is a ten-thousandth of their distances, in four columns."""
    random = np.random.default_rng(14)
    return 10 * random.normal(size=(6, 4))[random.integers(0, 6, n)] + 1e-3 * random.normal(size=(n, 4))


NEARLY_DEGENERATE: dict[str, tuple[Callable[[int], Floats], int]] = {
    "six zeros in ten, 5 columns": (zero_inflated, 2000),
    "the same, one row at 1e-7": (next_to_zero, 2000),
    "three levels with noise of 1e-6, 4 columns": (blurred_levels, 1000),
    "-999999 in one cell of five, 4 columns": (sentinels, 600),
    "log-normal, sigma 3, 4 columns": (skewed, 1000),
    "a level with noise of 1e-13 and a Gaussian": (noisy_level, 1000),
    "six cities, 4 columns": (cities, 768),
}
"""Tables with structure on several scales: each one's maker and its usual number of rows."""

EXTREME: dict[str, tuple[Callable[[int], Floats], int]] = {
    "one row at 1e7, 4 columns": (far_row, 768),
    "log-normal, sigma 6, 4 columns": (very_skewed, 768),
    "a level with noise of 1e-10 and a Gaussian": (partial(noisy_level, noise=1e-10), 5000),
}
"""The same, with most rows so near to each other that the tolerance matters."""


def degenerate(name: str, n: int | None = None) -> Table:
    """A degenerate or nearly degenerate table, with ``n`` rows or its usual number."""
    make, usual = (DEGENERATE | NEARLY_DEGENERATE | EXTREME)[name]
    X = make(n or usual)
    return X, noisy_halves(X)


def generic_like(X: Floats) -> Table:
    """A table of Gaussian columns of the same size."""
    Z = np.random.default_rng(6).normal(size=X.shape)
    return Z, noisy_halves(Z)
