"""Rules with few digits: what a split looks like when it is written."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import BoolArray, FloatArray, weighted_sums


@dataclass(frozen=True)
class RoundedRule:
    """A split as it is written: ``sum_j coefficients[j] * x[features[j]]`` against the threshold.

    Attributes
    ----------
    features : tuple of int
        Terms of weight zero are left out. A rounded rule has its positive terms first.
    coefficients : tuple of float
    at_least : bool
        Whether the left side is ``sum >= threshold``, otherwise ``sum <= threshold``.
    threshold : float
    """

    features: tuple[int, ...]
    coefficients: tuple[float, ...]
    at_least: bool
    threshold: float

    def sums(self, X: FloatArray) -> FloatArray:
        """Return the rows' sums, from left to right as written."""
        return weighted_sums(X[:, list(self.features)], self.coefficients)

    def holds(self, X: FloatArray) -> BoolArray:
        """Return which rows satisfy the rule; a row with a missing value does not."""
        sums = self.sums(X)
        return sums >= self.threshold if self.at_least else sums <= self.threshold


def decimals_of(value: float, digits: int) -> int:
    """Return how many decimals a number gets; negative where its last digits before the point are rounded too.

    Examples
    --------
    >>> [decimals_of(value, 2) for value in (5.31, 0.62, 0.0021, 123456.7)]
    [2, 2, 4, 0]
    """
    if value == 0.0 or not math.isfinite(value):
        return digits
    exponent = math.floor(math.log10(abs(value)))
    return max(digits, max(1, digits) - 1 - exponent) if exponent < 0 else digits - max(0, exponent - 3)


def rounded(value: float, digits: int, offset: int = 0) -> float:
    """Return the float nearest to the value in so many digits, shifted by ``offset`` units of the last one.

    Examples
    --------
    >>> rounded(5.3149, 2), rounded(5.3149, 2, offset=-1), rounded(0.00214, 2)
    (5.31, 5.3, 0.0021)
    """
    decimals = decimals_of(value, digits)
    # Through whole numbers of the last digit where they are exact, so that the result prints as its decimal.
    return float(round(round(value, decimals) + offset * 10.0**-decimals, decimals)) + 0.0


def scaled(weights: FloatArray, threshold: float) -> tuple[FloatArray, float, bool]:
    """Divide by the largest coefficient; also say whether the left side is still ``>=``."""
    largest = float(weights[int(np.argmax(np.abs(weights)))])
    with np.errstate(over="ignore", invalid="ignore"):
        return weights / largest, threshold / largest, largest > 0.0


def round_rule(
    features: NDArray[np.int32], weights: FloatArray, threshold: float, digits: int | None, offset: int = 0
) -> RoundedRule:
    """Return the rule with so many digits; None keeps the stored numbers as they are.

    Examples
    --------
    >>> round_rule(np.array([2, 3], np.int32), np.array([-0.5, -0.309]), -2.655, digits=2)
    RoundedRule(features=(2, 3), coefficients=(1.0, 0.62), at_least=False, threshold=5.31)
    """
    if digits is None:
        coefficients, bound, at_least = weights, threshold, True
    else:
        values, exact_bound, at_least = scaled(weights, threshold)
        coefficients = np.array([rounded(float(value), digits) for value in values])
        bound = rounded(exact_bound, digits, offset)
    order = [j for j, c in enumerate(coefficients) if c != 0]
    if digits is not None:  # stored numbers must be summed in the stored order
        order.sort(key=lambda j: coefficients[j] < 0)
    return RoundedRule(
        tuple(int(features[j]) for j in order), tuple(float(coefficients[j]) for j in order), at_least, float(bound)
    )
