"""Rules with few digits: what a split looks like when it is written."""

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import BoolArray, FloatArray, weighted_sums

POWERS_OF_TEN = (1.0, 10.0, 100.0, 1000.0, 10000.0)
MOST_SCALED = 5
"""Terms of a rule that is still read as arithmetic; with more, the largest coefficient is a power of ten."""
LARGEST_FACTOR = 1e9


@dataclass(frozen=True)
class RoundedRule:
    """A split as it is written: ``sum_j coefficients[j] * x[features[j]] >= threshold`` if ``at_least``, otherwise <=.

    Terms of weight zero are left out. A rounded rule has its positive terms first.
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

    >>> [decimals_of(value, 2) for value in (5.31, 0.62, 0.0021, 123456.7)]
    [2, 2, 4, 0]
    """
    if value == 0.0 or not math.isfinite(value):
        return digits
    exponent = math.floor(math.log10(abs(value)))
    return max(digits, max(1, digits) - 1 - exponent) if exponent < 0 else digits - max(0, exponent - 3)


@dataclass(frozen=True, eq=False)
class ScaledSplit:
    """A split divided by its largest coefficient, its threshold as ``bound``; it is written ``factor`` times as large.

    The power of ten in the factor takes as many decimals from every number, so that a split is written equally well, or
    a little better, with a larger one.
    """

    coefficients: FloatArray
    bound: float
    at_least: bool
    factor: float = 1.0

    @classmethod
    def of(cls, weights: FloatArray, threshold: float) -> Self:
        largest = float(weights[int(np.argmax(np.abs(weights)))])
        with np.errstate(over="ignore", invalid="ignore"):
            return cls(weights / largest, threshold / largest, largest > 0.0)

    def scales(self) -> list[Self]:
        """Return the split in all scales: times powers of ten, and so that another coefficient is 1.

        A threshold of one feature is best read in the feature's own unit.
        """
        if len(self.coefficients) == 1:
            return [self]
        few = len(self.coefficients) <= MOST_SCALED
        smaller = np.sort(np.abs(self.coefficients))[-2::-1].tolist() if few else []
        factors = [*POWERS_OF_TEN, *(1.0 / size for size in smaller if 1.0 / LARGEST_FACTOR <= size < 1.0)]
        return [replace(self, factor=factor) for factor in factors]

    def decimals(self, value: float, digits: int) -> int:
        """Return how many decimals a coefficient or the bound gets where it is written."""
        return decimals_of(value, digits) - math.floor(math.log10(self.factor))

    def rounded(self, value: float, digits: int, offset: int = 0) -> float:
        """Return a coefficient or the bound as it is written, shifted by ``offset`` units of its last digit.

        >>> split = ScaledSplit(np.array([0.000136703, 1.0]), 0.152886, True)
        >>> [replace(split, factor=factor).rounded(split.bound, 3, offset=1) for factor in (1.0, 7315.1)]
        [0.154, 1119.0]
        """
        decimals = self.decimals(value, digits)
        # Through whole numbers of the last digit where they are exact, so that the result prints as its decimal.
        shifted = round(value * self.factor, decimals) + offset * 10.0**-decimals
        return float(round(shifted, decimals)) + 0.0

    def rule(self, features: NDArray[np.int32], digits: int, offset: int = 0) -> RoundedRule:
        """Return the split as it is written, the threshold moved by ``offset`` units of its last digit."""
        coefficients = [self.rounded(value, digits) for value in self.coefficients.tolist()]
        order = sorted((j for j, c in enumerate(coefficients) if c != 0), key=lambda j: coefficients[j] < 0)
        return RoundedRule(
            tuple(int(features[j]) for j in order),
            tuple(coefficients[j] for j in order),
            self.at_least,
            self.rounded(self.bound, digits, offset),
        )


def stored_rule(features: NDArray[np.int32], weights: FloatArray, threshold: float) -> RoundedRule:
    """Return the rule with its stored numbers, in their order."""
    used = np.flatnonzero(weights)
    return RoundedRule(tuple(features[used].tolist()), tuple(weights[used].tolist()), True, threshold)


def whole_rule(features: NDArray[np.int32], weights: FloatArray, threshold: float) -> RoundedRule:
    """Return a rule of whole coefficients as it is stored, turned so that most of them are positive.

    Examples
    --------
    >>> whole_rule(np.array([0, 3], dtype=np.int32), np.array([-2.0, -5.0]), -140.0)
    RoundedRule(features=(0, 3), coefficients=(2.0, 5.0), at_least=False, threshold=140.0)
    """
    sign = -1.0 if weights.sum() < 0 or (weights.sum() == 0 and weights[0] < 0) else 1.0
    turned = stored_rule(features, sign * weights, sign * threshold)
    return replace(turned, at_least=sign > 0)


def by_effort(rules: list[RoundedRule]) -> list[int]:
    """Return the numbers of a split's rules in its scales, the one with the fewest digits to read first.

    Of equal ones, powers of ten come last.

    >>> def rules(split, digits):
    ...     return [scale.rule(np.arange(2, dtype=np.int32), digits) for scale in split.scales()]
    >>> by_effort(rules(ScaledSplit(np.array([0.4, 1.0]), 3.49, True), digits=2))
    [0, 5, 1, 2, 3, 4]
    >>> by_effort(rules(ScaledSplit(np.array([0.000136703, 1.0]), 0.152886, True), digits=3))[0]
    5
    """
    efforts = list(map(effort, rules)) if len(rules) > 1 else [0]
    return sorted(range(len(rules)), key=lambda i: (efforts[i], 0 < i < len(POWERS_OF_TEN), i))


def effort(rule: RoundedRule) -> int:
    """Return how many digits are read; zeros after the point count twice, and a coefficient of 1 is not written."""
    return sum(map(digits_read, [*(c for c in rule.coefficients if abs(c) != 1.0), rule.threshold]))


def digits_read(value: float) -> int:
    """Return how many digits of a number are read.

    >>> digits_read(-7310.0), digits_read(0.4), digits_read(0.002), digits_read(2e-07)
    (4, 2, 6, 14)
    """
    text = repr(value)
    text = (f"{Decimal(text):f}" if "e" in text else text.removesuffix(".0")).lstrip("-").replace(".", "")
    return len(text) + max(0, len(text) - len(text.lstrip("0")) - 1)
