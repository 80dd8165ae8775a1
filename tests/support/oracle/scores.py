"""The scores of partitions in the paper's units, and the description length of a split in bits."""

from __future__ import annotations

from math import comb, lgamma, log, log2

import numpy as np
from numpy.typing import NDArray

from oracle.problem import PRICED, Problem

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def score_partitions(criterion: str, y: NDArray[np.generic], weights: Floats, left: Bools) -> Floats:
    """The scores of partitions, one per row of `left`; a price is not part of these."""
    if criterion == "squared_error":
        return (squared_errors(y, weights, left) + squared_errors(y, weights, ~left)) / weights.sum()
    per_class = np.zeros((len(y), int(y.max()) + 1))
    per_class[np.arange(len(y)), y] = weights
    left_counts = left.astype(np.float64) @ per_class
    right_counts = (~left).astype(np.float64) @ per_class
    return _SCORES[criterion](left_counts, right_counts)


def squared_errors(y: NDArray[np.generic], weights: Floats, chosen: Bools) -> Floats:
    """The weighted squared deviations of the chosen rows from their own mean, one sum per row of `chosen`."""
    shares = chosen * weights
    total = shares.sum(axis=1, keepdims=True)
    first = y[np.argmax(chosen, axis=1)][:, None]  # so that equal numbers deviate by nothing
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first + np.where(total > 0, (shares * (y - first)).sum(axis=1, keepdims=True) / total, 0.0)
    return (shares * (y - mean) ** 2).sum(axis=1)


def score_partition(criterion: str, y: NDArray[np.generic], weights: Floats, left: Bools) -> float:
    """The score of one partition."""
    return float(score_partitions(criterion, y, weights, left[None, :])[0])


def net_scores(
    problem: Problem, y: NDArray[np.generic], weights: Floats, left: Bools, size: int, n_features: int
) -> Floats:
    """The scores of partitions by splits on `size` of `n_features` features.

    Under "mdl" and "mdl_squared_error" this is what the split saves less what it costs, in bits.
    """
    if problem.criterion not in PRICED:
        return score_partitions(problem.criterion, y, weights, left)
    counted = description_weights(weights)
    n = float(counted.sum())
    if problem.criterion == "mdl":
        saving = n * score_partitions("information_gain", y, counted, left)
    else:
        saving = bits_saved(y, counted, left)
    return saving - problem.price * price_in_bits(n, n_features, size)


def bits_saved(y: NDArray[np.generic], counted: Floats, left: Bools) -> Floats:
    """The bits by which two means instead of one shorten the code of numbers.

    ``n/2 log2(1/q)`` of `n` rows and the share `q` of the squared error that is left, at least ``1/n^2``.
    """
    n = float(counted.sum())
    before = squared_errors(y, counted, np.ones((1, len(y)), dtype=bool))
    share = n * score_partitions("squared_error", y, counted, left) / before if before[0] > 0 else np.ones(len(left))
    return -n / 2 * np.log2(np.maximum(share, n**-2.0))


def description_weights(weights: Floats) -> Floats:
    """Weights as description length counts them: whole numbers are copies, others sum to the number of rows."""
    whole = bool((weights == np.round(weights)).all())
    return weights if whole else weights * (len(weights) / weights.sum())


def price_in_bits(n: float, n_features: int, size: int) -> float:
    """The bits that name a split: which of the samples define it, and which of the features it is on."""
    return log2_binomial(n, size) + log2(comb(n_features, size))


def log2_binomial(n: float, k: int) -> float:
    """The base-two logarithm of ``n`` over ``k``, by the gamma function where n is not whole; never below zero.

    A node whose weight is smaller than the number of samples that define a plane has nothing to choose from: 0 bits.
    """
    if n == round(n):
        return log2(max(comb(round(n), k), 1))
    if n <= k - 1:
        return 0.0
    return max((lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / log(2), 0.0)


def _proportions(counts: Floats) -> tuple[Floats, Floats]:
    total = counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total, np.where(total[:, None] > 0, counts / total[:, None], 0.0)


def _gini(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr) = _proportions(left), _proportions(right)
    return (nl * (1 - (pl**2).sum(axis=1)) + nr * (1 - (pr**2).sum(axis=1))) / (nl + nr)


def _twoing(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr) = _proportions(left), _proportions(right)
    return (nl / (nl + nr)) * (nr / (nl + nr)) / 4 * np.abs(pl - pr).sum(axis=1) ** 2


def _entropy(p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.where(p > 0, p * np.log2(p), 0.0).sum(axis=1)


def _information_gain(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr), (n, p) = _proportions(left), _proportions(right), _proportions(left + right)
    return _entropy(p) - (nl * _entropy(pl) + nr * _entropy(pr)) / n


def _error(left: Floats, right: Floats) -> Floats:
    return 1 - (left.max(axis=1) + right.max(axis=1)) / (left + right).sum(axis=1)


_SCORES = {"gini": _gini, "twoing": _twoing, "information_gain": _information_gain, "error": _error}
