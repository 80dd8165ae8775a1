"""How fast vectorised NumPy scores hyperplanes one by one: the yardstick of the search's benchmarks."""

from __future__ import annotations

import time
from math import comb

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float64]


def planes_through(points: Floats) -> tuple[Floats, Floats]:
    """Normals and offsets of the planes through each selection; ``points`` is (planes, r, r)."""
    centres = points.mean(axis=1, keepdims=True)
    normals = np.linalg.svd(points - centres)[2][:, -1, :]
    return normals, np.einsum("pr,pr->p", normals, centres[:, 0, :])


def gini_scores(X: Floats, onehot: Floats, normals: Floats, offsets: Floats) -> Floats:
    """Gini of the split by each plane, ``normal.x >= offset`` to the left."""
    left = offsets - 1e-9 <= X @ normals.T
    counts = onehot.T @ left.astype(np.float64)
    others = onehot.sum(axis=0)[:, None] - counts
    impurity = np.zeros(len(offsets))
    for side in (counts, others):
        size = side.sum(axis=0)
        impurity += size - (side**2).sum(axis=0) / np.maximum(size, 1)
    return impurity / len(X)


def planes_per_second(X: Floats, y: NDArray[np.int64], r: int, seconds: float = 1.0) -> float:
    """Measured rate on one thread, over random candidates of random feature sets."""
    random = np.random.default_rng(0)
    onehot = np.eye(int(y.max()) + 1)[y]
    chunk = max(64, 4_000_000 // len(X))
    done, start = 0, time.perf_counter()
    with threadpool_limits(1):
        while time.perf_counter() - start < seconds:
            features = random.choice(X.shape[1], r, replace=False)
            projected = np.ascontiguousarray(X[:, features])
            selections = random.integers(0, len(X), (chunk, r))
            gini_scores(projected, onehot, *planes_through(projected[selections]))
            done += chunk
    return done / (time.perf_counter() - start)


def n_planes(X: Floats, r: int) -> int:
    """Number of candidates of an exhaustive search."""
    return comb(len(X), r) * comb(X.shape[1], r)
