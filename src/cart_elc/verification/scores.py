"""Scores of partitions from class counts, written apart from `cart_elc.criteria` and from the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf

import numpy as np

from cart_elc.tree import BoolArray, FloatArray

TOLERANCE = 1e-9
"""Scores that differ by no more are equal."""


def gini(left: FloatArray, total: FloatArray) -> FloatArray:
    """``1 - (sum_j a_j^2 / n_L + sum_j b_j^2 / n_R) / n``: the paper's formula with its fractions cleared."""
    right = total - left
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    kept = (left**2).sum(axis=-1) / n_left + (right**2).sum(axis=-1) / n_right
    return np.asarray(1 - kept / total.sum())


def twoing(left: FloatArray, total: FloatArray) -> FloatArray:
    """``(sum_j |n a_j - T_j n_L|)^2 / (4 n^2 n_L n_R)``: the paper's formula with its fractions cleared."""
    n, n_left = total.sum(), left.sum(axis=-1)
    spread = np.abs(n * left - total * n_left[..., None]).sum(axis=-1)
    return np.asarray((spread / n) ** 2 / (4 * n_left * (n - n_left)))


def information_gain(left: FloatArray, total: FloatArray) -> FloatArray:
    """``(h(n) - h(n_L) - h(n_R) - sum_j [h(T_j) - h(a_j) - h(b_j)]) / n`` with ``h(x) = x log2 x``."""
    right = total - left
    whole = xlog(total.sum()) - xlog(total).sum()
    parts = xlog(left.sum(axis=-1)) + xlog(right.sum(axis=-1)) - xlog(left).sum(axis=-1) - xlog(right).sum(axis=-1)
    return np.asarray((whole - parts) / total.sum())


def xlog(x: FloatArray) -> FloatArray:
    """``x log2 x``, which is 0 at 0."""
    return x * np.log2(np.where(x > 0, x, 1.0))


SCORES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "gini": gini,
    "twoing": twoing,
    "information_gain": information_gain,
}


@dataclass(frozen=True)
class Judge:
    """The question: which partitions of a plane count, and which score is better."""

    criterion: str
    orientation: str
    missing: str

    @property
    def worst(self) -> float:
        """The score of no split at all."""
        return inf if self.criterion == "gini" else -inf

    def best(self, scores: FloatArray) -> float:
        """Return the best of the scores; the worst possible one if there are none."""
        return float(scores.min() if self.criterion == "gini" else scores.max()) if scores.size else self.worst

    def beats(self, a: float, b: float) -> bool:
        """Whether score `a` is better than `b` by more than the tolerance."""
        if isinf(a) or isinf(b):
            return a != b and a != self.worst
        return (b - a if self.criterion == "gini" else a - b) > TOLERANCE

    def scores(self, left: BoolArray, class_weights: FloatArray) -> FloatArray:
        """Scores of partitions, the worst where a side is empty."""
        n_left = left.sum(axis=-1)
        proper = (n_left > 0) & (n_left < left.shape[-1])
        scores = np.full(len(left), self.worst)
        counts = left[proper].astype(np.float64) @ class_weights
        scores[proper] = SCORES[self.criterion](counts, class_weights.sum(axis=0))
        return scores
