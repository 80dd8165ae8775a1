"""How far a rounded threshold must move so that every row stays on its side."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cart_elc.rounding.rule import RoundedRule, ScaledSplit, by_effort
from cart_elc.tree import BoolArray, FloatArray

LEVELS = 16
MOVES = 127
"""Entry of a rounding table: with so many digits, some row changes sides."""
SURE = 126
"""Entry of a rounding table: with so many digits, no row changes sides in any scale."""
LARGEST_OFFSET = 100
SCALE = 256
"""An entry is the offset and so many times the number of the scale."""
DIGITS = np.arange(LEVELS)
Offsets = NDArray[np.int16]


def split_offsets(weights: FloatArray, threshold: float, points: FloatArray, left: BoolArray) -> Offsets:
    """Return the entry of a split for each number of digits, see `cart_elc.rounding.table`.

    Parameters
    ----------
    weights : ndarray of shape (r,)
    threshold : float
    points : ndarray of shape (n, r)
        The node's training rows on the split's features, without missing values.
    left : ndarray of shape (n,)
        Their sides.
    """
    offsets = np.full(LEVELS, MOVES, dtype=np.int16)
    split = ScaledSplit.of(weights, threshold)
    if not (np.isfinite(split.bound) and np.isfinite(split.coefficients).all()):
        return offsets
    with np.errstate(over="ignore", invalid="ignore"):  # values near 1e308: no digits are then found to be safe
        sums, above = points @ split.coefficients, left == split.at_least
        lowest = float(np.min(sums, where=above, initial=np.inf))
        highest = float(np.max(sums, where=~above, initial=-np.inf))
        slack = slacks(split.coefficients, np.max(np.abs(points), axis=0, initial=0.0))
        reach = slack + last_units(np.array([split.bound]))[0]
        sure = reach < min(split.bound - highest, lowest - split.bound)
        offsets[sure] = SURE
        scales = [] if sure.all() else split.scales()
        for digits in np.flatnonzero(~sure).tolist():
            if len(weights) == 1:
                offsets[digits] = offset_between(split, digits, highest, lowest)
                continue
            near_above = points[above & (sums <= lowest + 2 * slack[digits])]
            near_below = points[~above & (sums >= highest - 2 * slack[digits])]
            offsets[digits] = first_that_keeps(scales, digits, near_above, near_below)
    return offsets


def slacks(coefficients: FloatArray, reach: FloatArray) -> FloatArray:
    """Bound for each number of digits how far rounding can move the sum of a row whose values reach so far."""
    if len(coefficients) == 1:  # the coefficient is 1 at any number of digits
        return np.zeros(LEVELS)
    units = np.where(reach[:, None] > 0, last_units(coefficients), 0.0)
    moved: FloatArray = reach @ units + 1e-12 * (np.abs(coefficients) @ reach)  # the sums themselves are rounded too
    return moved


def first_that_keeps(scales: list[ScaledSplit], digits: int, above: FloatArray, below: FloatArray) -> int:
    """Return the entry of the rule with the least to read that keeps the rows on their sides, or `MOVES`."""
    columns = np.arange(len(scales[0].coefficients), dtype=np.int32)
    for number in by_effort(scales, digits):
        rule = scales[number].rule(columns, digits)
        lowest = float(np.min(rule.sums(above), initial=np.inf))
        highest = float(np.max(rule.sums(below), initial=-np.inf))
        offset = offset_between(scales[number], digits, highest, lowest)
        if offset != MOVES:
            return SCALE * number + offset
    return MOVES


def rule_of_entry(
    features: NDArray[np.int32], weights: FloatArray, threshold: float, digits: int, entry: int
) -> RoundedRule:
    """Return the rule that an entry of a rounding table stands for."""
    scales = ScaledSplit.of(weights, threshold).scales()
    if entry == SURE:
        return scales[by_effort(scales, digits)[0]].rule(features, digits)
    number, shifted = divmod(entry + SCALE // 2, SCALE)
    return scales[number].rule(features, digits, shifted - SCALE // 2)


def offset_between(split: ScaledSplit, digits: int, highest: float, lowest: float) -> int:
    """Return the smallest shift that puts the rounded threshold between the sides, or `MOVES`."""
    unit = 10.0 ** -split.decimals(split.bound, digits)
    start = split.rounded(split.bound, digits)
    wanted = min(max(start, highest), lowest)
    first = 0 if wanted == start or not math.isfinite(wanted) else round((wanted - start) / unit)
    for offset in sorted(range(first - 1, first + 2), key=abs):
        threshold = split.rounded(split.bound, digits, offset)
        keeps = highest < threshold <= lowest if split.at_least else highest <= threshold < lowest
        if abs(offset) <= LARGEST_OFFSET and keeps:
            return offset
    return MOVES


def last_units(values: FloatArray) -> FloatArray:
    """Return ten times the unit of the last digit of each value at each level: more than rounding moves it.

    The factor covers a logarithm that rounding put on the wrong side of a whole number; infinite where unknown.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))[:, None]
        small = np.maximum(DIGITS, np.maximum(1, DIGITS) - 1 - exponent)
        decimals = np.where(exponent < 0, small, DIGITS - np.maximum(0, exponent - 3))
        units: FloatArray = np.where(np.isfinite(decimals), 10.0 ** (1 - decimals), np.inf)
    return units
