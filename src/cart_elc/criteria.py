"""Splitting criteria: node impurity and split score on weighted class counts.

All three follow the paper, section "Splitting Criteria", and its units: Gini is the weighted impurity of the two sides
(to be minimised), twoing and information gain (in bits) are gains (to be maximised).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cart_elc.tree import FloatArray, IntArray


def proportions(counts: FloatArray) -> FloatArray:
    """Divide the counts by their sum along the last axis; a sum of zero gives zeros."""
    total = counts.sum(axis=-1, keepdims=True)
    shares: FloatArray = np.divide(counts, total, out=np.zeros_like(counts, dtype=np.float64), where=total > 0)
    return shares


def gini_impurity(counts: FloatArray) -> FloatArray:
    """Probability that two draws from the node differ in class: ``1 - sum_j p_j^2``."""
    impurity: FloatArray = 1.0 - np.square(proportions(counts)).sum(axis=-1)
    return impurity


def entropy(counts: FloatArray) -> FloatArray:
    """Entropy of the class in bits: ``-sum_j p_j log2 p_j``."""
    p = proportions(counts)
    bits: FloatArray = np.abs(p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum(axis=-1)
    return bits


def side_shares(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Share of the weight that goes to each side, ``p_L`` and ``p_R``."""
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    return n_left / (n_left + n_right), n_right / (n_left + n_right)


def gini_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Gini criterion: ``p_L gini(L) + p_R gini(R)``."""
    p_left, p_right = side_shares(left, right)
    return p_left * gini_impurity(left) + p_right * gini_impurity(right)


def twoing_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Twoing criterion: ``p_L p_R / 4 (sum_j |p_Lj - p_Rj|)^2``."""
    p_left, p_right = side_shares(left, right)
    distance = np.abs(proportions(left) - proportions(right)).sum(axis=-1)
    score: FloatArray = p_left * p_right / 4.0 * np.square(distance)
    return score


def information_gain(left: FloatArray, right: FloatArray) -> FloatArray:
    """Information gain in bits: ``H(S) - p_L H(L) - p_R H(R)``."""
    p_left, p_right = side_shares(left, right)
    return entropy(left + right) - p_left * entropy(left) - p_right * entropy(right)


@dataclass(frozen=True)
class Criterion:
    """A criterion: the impurity of a node and the score of a split.

    Attributes
    ----------
    name : str
    impurity : callable
        Weighted class counts ``(..., k)`` to impurities ``(...)``. Twoing has no node impurity and uses Gini.
    score : callable
        Counts of the left and of the right side to the score in the paper's units.
    minimise : bool
        Whether a smaller score is better.
    """

    name: str
    impurity: Callable[[FloatArray], FloatArray]
    score: Callable[[FloatArray, FloatArray], FloatArray]
    minimise: bool

    @property
    def worst(self) -> float:
        """Score of having no split at all."""
        return float("inf") if self.minimise else float("-inf")

    def better(self, score: float, than: float) -> bool:
        """Whether the first score is strictly better than the second."""
        return score < than if self.minimise else score > than


CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion("gini", gini_impurity, gini_score, minimise=True),
        Criterion("twoing", gini_impurity, twoing_score, minimise=False),
        Criterion("information_gain", entropy, information_gain, minimise=False),
    )
}
"""The criteria of the exact search by name."""


def minority(counts: FloatArray) -> FloatArray:
    """Share of the weight outside the largest class: ``1 - max_j p_j``."""
    share: FloatArray = 1.0 - proportions(counts).max(axis=-1)
    return share


def class_numbers(counts: FloatArray) -> IntArray:
    """Number the classes by frequency: 0 for the most frequent, the first among equals."""
    # Rounded, so that the order of summation does not decide between classes of equal weight.
    order = np.argsort(-np.round(proportions(counts), 9), axis=-1, kind="stable")
    numbers: IntArray = np.argsort(order, axis=-1, kind="stable").astype(np.int64, copy=False)
    return numbers


def number_variance(counts: FloatArray, numbers: IntArray) -> FloatArray:
    """Variance of the numbers that the classes have."""
    p = proportions(counts)
    variance: FloatArray = (p * np.square(numbers)).sum(axis=-1) - np.square((p * numbers).sum(axis=-1))
    return variance


def class_variance(counts: FloatArray) -> FloatArray:
    """Variance of the class taken as a number, `class_numbers`."""
    return number_variance(counts, class_numbers(counts))


def max_minority_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Max minority: ``max(p_L minority(L), p_R minority(R))``."""
    p_left, p_right = side_shares(left, right)
    score: FloatArray = np.maximum(p_left * minority(left), p_right * minority(right))
    return score


def sum_minority_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum minority: ``p_L minority(L) + p_R minority(R)``, the share of training errors."""
    p_left, p_right = side_shares(left, right)
    return p_left * minority(left) + p_right * minority(right)


def sum_of_variances_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum of variances: ``p_L Var(L) + p_R Var(R)`` of the classes taken as numbers, by frequency at the node."""
    p_left, p_right = side_shares(left, right)
    numbers = class_numbers(left + right)
    return p_left * number_variance(left, numbers) + p_right * number_variance(right, numbers)


MEASURES: dict[str, Criterion] = CRITERIA | {
    criterion.name: criterion
    for criterion in (
        Criterion("max_minority", minority, max_minority_score, minimise=True),
        Criterion("sum_minority", minority, sum_minority_score, minimise=True),
        Criterion("sum_of_variances", class_variance, sum_of_variances_score, minimise=True),
    )
}
"""All measures that a tree can be grown with: the criteria and those that OC1 adds to them."""
