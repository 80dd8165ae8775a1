"""Scores of partitions from tallies, written apart from `cart_elc.criteria` and from the search."""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, factorial, inf, isfinite, log2, prod

import numpy as np

from cart_elc.tree import BoolArray, FloatArray

TOLERANCE = 1e-9  # scores that differ by no more, or by no more than this part of their size, are equal


def gini(left: FloatArray, total: FloatArray) -> FloatArray:
    """``1 - (sum_j a_j^2 / n_L + sum_j b_j^2 / n_R) / n``: the paper's formula with its fractions cleared."""
    right = total - left
    n_left, n_right = positive(left.sum(axis=-1)), positive(right.sum(axis=-1))
    kept = (left**2).sum(axis=-1) / n_left + (right**2).sum(axis=-1) / n_right
    return np.asarray(1 - kept / total.sum())


def twoing(left: FloatArray, total: FloatArray) -> FloatArray:
    """``(sum_j |n a_j - T_j n_L|)^2 / (4 n^2 n_L n_R)``: the paper's formula with its fractions cleared."""
    n, n_left = total.sum(), left.sum(axis=-1)
    spread = np.abs(n * left - total * n_left[..., None]).sum(axis=-1)
    return np.asarray((spread / n) ** 2 / positive(4 * n_left * (n - n_left)))


def information_gain(left: FloatArray, total: FloatArray) -> FloatArray:
    """``(h(n) - h(n_L) - h(n_R) - sum_j [h(T_j) - h(a_j) - h(b_j)]) / n`` with ``h(x) = x log2 x``."""
    right = total - left
    whole = xlog(total.sum()) - xlog(total).sum()
    parts = xlog(left.sum(axis=-1)) + xlog(right.sum(axis=-1)) - xlog(left).sum(axis=-1) - xlog(right).sum(axis=-1)
    return np.asarray((whole - parts) / total.sum())


def error(left: FloatArray, total: FloatArray) -> FloatArray:
    """``(n - max_j a_j - max_j b_j) / n``: what is not of its side's heaviest class."""
    return np.asarray((total.sum() - left.max(axis=-1) - (total - left).max(axis=-1)) / total.sum())


def squared_error(left: FloatArray, total: FloatArray) -> FloatArray:
    """``1 - (s_L^2 / w_L + s_R^2 / w_R) / q`` of numbers of mean 0: the share of the squared error that is left."""
    right = total - left
    taken = left[..., 1] ** 2 / positive(left[..., 0]) + right[..., 1] ** 2 / positive(right[..., 0])
    return np.asarray(1 - taken / positive(total[2]))


def positive(x: FloatArray) -> FloatArray:
    """The numbers, with 1 in place of the weight of an empty side; a side that is empty then gains nothing."""
    return np.where(x > 0, x, 1.0)


def xlog(x: FloatArray) -> FloatArray:
    """``x log2 x``, which is 0 at 0."""
    return x * np.log2(positive(x))


SCORES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "gini": gini,
    "twoing": twoing,
    "information_gain": information_gain,
    "mdl": information_gain,
    "error": error,
    "squared_error": squared_error,
    "mdl_squared_error": squared_error,
}
"""By criterion, the score; those of "mdl" are yet to be turned into bits, and their price to be paid."""
OF_NUMBERS = ("squared_error", "mdl_squared_error")
MINIMISED = ("gini", "error", "squared_error")
PRICED = ("mdl", "mdl_squared_error")


@dataclass(frozen=True, eq=False)
class Judge:
    """Which score a partition has, and which score is better.

    ``total`` has the tallies of all rows and ``counted`` their weight in description length, see `LabelledRows`;
    ``unit`` is the variance of labels that are numbers.
    """

    criterion: str
    total: FloatArray
    counted: float
    n_features: int
    unit: float = 1.0

    @property
    def worst(self) -> float:
        """The score of no split at all."""
        return inf if self.criterion in MINIMISED else -inf

    @property
    def ideal(self) -> float:
        """A score that no partition beats."""
        if self.criterion in OF_NUMBERS:
            return float(self.in_units(np.zeros(1))[0])
        weights = self.total[: len(self.total) // 2]
        shares = weights / weights.sum()
        bits = -float(xlog(shares).sum()) * (self.counted if self.criterion == "mdl" else 1.0)
        return {"gini": 0.0, "error": 0.0, "twoing": 0.25}.get(self.criterion, bits)

    def scores(self, left: FloatArray, price: float) -> FloatArray:
        """Scores of partitions whose names cost so much, the worst where a side has no row."""
        k = len(self.total) // 2
        scores = SCORES[self.criterion](left[..., :k], self.total[:k])
        scores = self.in_units(scores)
        if self.criterion in PRICED:
            scores = scores - price
        n_left = left[..., k:].sum(axis=-1)
        return np.where((n_left > 0) & (n_left < self.total[k:].sum()), scores, self.worst)

    def in_units(self, scores: FloatArray) -> FloatArray:
        """Scores in the criterion's units: bits, or the square of the labels'."""
        n = self.counted
        if self.criterion == "mdl_squared_error":
            bits: FloatArray = -n / 2 * np.log2(np.maximum(scores, n**-2.0))
            return bits
        return scores * {"mdl": n, "squared_error": self.unit}.get(self.criterion, 1.0)

    def price(self, size: int) -> float:
        """``log2(C(n, size) C(m, size))``, where ``n`` need not be whole."""
        n = max(self.counted, float(size))
        return log2(prod(n - i for i in range(size)) / factorial(size)) + log2(comb(self.n_features, size))

    def price_of_subset(self, n_levels: int) -> float:
        """Bits that name a feature and one of the ways in which its levels can be divided."""
        return log2(self.n_features) + log2(max(1, 2 ** (n_levels - 1) - 1))

    def best(self, scores: FloatArray) -> float:
        """Return the best of the scores; the worst possible one if none pays."""
        best = float(scores.min() if self.criterion in MINIMISED else scores.max())
        return self.worst if self.criterion in PRICED and best <= 0 else best

    def beats(self, score: FloatArray | float, other: float) -> BoolArray:
        """Whether a score is better than the other by more than the tolerance."""
        slack = TOLERANCE * max(self.scale, abs(other)) if isfinite(other) else 0.0
        return np.asarray(self.merit(score) > self.merit(other) + slack)

    def merit(self, score: FloatArray | float) -> FloatArray:
        """The score in the direction in which more is better; under "mdl", no split saves nothing."""
        if self.criterion in PRICED:
            return np.maximum(score, 0.0)
        return np.asarray(score) * (-1.0 if self.criterion in MINIMISED else 1.0)

    @property
    def scale(self) -> float:
        """The size of scores to which the tolerance is relative at least."""
        return self.unit if self.criterion == "squared_error" else 1.0
