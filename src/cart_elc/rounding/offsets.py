"""How far a rounded threshold must move so that every row stays on its side."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cart_elc.rounding.rule import RoundedRule, ScaledSplit, by_effort, decimals_of
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
    coefficients, bound, scales = split.coefficients, split.bound, split.scales()
    if not (np.isfinite(bound) and np.isfinite(coefficients).all()):
        return offsets
    above, below = (points[left], points[~left]) if split.at_least else (points[~left], points[left])
    with np.errstate(over="ignore", invalid="ignore"):  # values near 1e308: no digits are then found to be safe
        sure = sure_levels(coefficients, bound, above, below)
        offsets[sure] = SURE
        for digits in np.flatnonzero(~sure).tolist():
            slack = tilt(coefficients, digits, points)
            above, below = nearest(above, coefficients, slack, True), nearest(below, coefficients, slack, False)
            offsets[digits] = first_that_keeps(scales, digits, above, below)
    return offsets


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


def sure_levels(coefficients: FloatArray, bound: float, above: FloatArray, below: FloatArray) -> BoolArray:
    """Return the levels at which no rounding of coefficients and threshold can reach a row: their offset is 0."""
    lowest = float(np.min(above @ coefficients, initial=np.inf))
    highest = float(np.max(below @ coefficients, initial=-np.inf))
    reach = np.maximum(*(np.max(np.abs(side), axis=0, initial=0.0) for side in (above, below)))
    slack = 1e-12 * (np.abs(coefficients) @ reach) + reach @ np.where(reach[:, None] > 0, last_units(coefficients), 0.0)
    moved = slack + last_units(np.array([bound]))[0]
    sure: BoolArray = moved < min(bound - highest, lowest - bound)
    return sure


def tilt(coefficients: FloatArray, digits: int, points: FloatArray) -> float:
    """Bound how far rounding the coefficients can move a row's sum; it shrinks as digits grow."""
    units = 10.0 ** -np.array([decimals_of(float(value), digits) for value in coefficients], dtype=np.float64)
    reach = np.max(np.abs(points), axis=0, initial=0.0)
    # The second term is the rounding of the sums themselves.
    return float(units @ reach + 1e-12 * (np.abs(coefficients) @ reach))


def nearest(points: FloatArray, coefficients: FloatArray, slack: float, lowest: bool) -> FloatArray:
    """Keep the rows that can have the lowest (or highest) sum once every sum has moved by at most ``slack``."""
    if len(points) == 0:
        return points
    sums = points @ coefficients
    near: BoolArray = sums <= sums.min() + 2 * slack if lowest else sums >= sums.max() - 2 * slack
    return points[near]


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
