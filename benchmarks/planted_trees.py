"""Rows with a known tree: oblique splits drawn at random, labels that alternate at the bottom, and noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Labelling = Callable[[Floats], Labels]
N_DRAWN = 20_000
"""Rows by whose quantiles thresholds are placed, and rows of a test set."""


@dataclass(frozen=True)
class Planted:
    """Training and test rows whose labels a tree gives, with a share of them turned; and that tree's test error."""

    X: Floats
    y: Labels
    X_test: Floats
    y_test: Labels
    error: float


def planted(
    seed: int, *, n: int = 5000, n_features: int = 5, depth: int = 3, width: int = 2, noise: float = 0.05
) -> Planted:
    """Return rows uniform in a cube and the labels of a tree whose splits are on ``width`` features each.

    Each split leaves between 30 and 70 % of its rows on a side, and the two leaves below a lowest split have different
    classes, so no split can be spared.
    """
    random = np.random.default_rng([3, seed])
    label = subtree(random, random.uniform(-1, 1, (N_DRAWN, n_features)), depth, width)
    X, y, _ = noisy_rows(random, label, n, n_features, noise)
    X_test, y_test, clean = noisy_rows(random, label, N_DRAWN, n_features, noise)
    return Planted(X, y, X_test, y_test, float(np.mean(y_test != clean)))


def subtree(random: np.random.Generator, X: Floats, depth: int, width: int, leaf: int = 0) -> Labelling:
    """Draw a tree of this depth for these rows; return the function from rows to labels."""
    if depth == 0:
        return lambda rows: np.full(len(rows), leaf)
    features = random.choice(X.shape[1], width, replace=False)
    weights = random.normal(size=width)
    threshold = np.quantile(X[:, features] @ weights, random.uniform(0.3, 0.7))
    above = X[:, features] @ weights >= threshold
    sides = subtree(random, X[above], depth - 1, width, 0), subtree(random, X[~above], depth - 1, width, 1)
    return lambda rows: np.where(rows[:, features] @ weights >= threshold, sides[0](rows), sides[1](rows))


def noisy_rows(
    random: np.random.Generator, label: Labelling, n: int, n_features: int, noise: float
) -> tuple[Floats, Labels, Any]:
    """Rows, their labels with noise, and without."""
    X = random.uniform(-1, 1, (n, n_features))
    clean = label(X)
    return X, np.where(random.random(n) < noise, 1 - clean, clean), clean
