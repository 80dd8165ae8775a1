"""Rules rounded for people, without moving a training row to the other side.

A split ``w.x >= b`` is written with its largest coefficient scaled to 1 and with few digits. Rounding the coefficients
tilts the plane, so a row near it could change sides. Whether one does is known only while the training rows are
at hand: fitting therefore tries every number of digits once and keeps the answer, a few bytes per split, as the
estimator's ``rounding_``. No training row has to be kept for it.

**Digits.** With ``d`` digits a number below 10,000 gets ``d`` decimals, a larger one fewer (it has digits enough before
the point), and one below 0.1 more, so that ``d`` of them are significant. The threshold may be any number of that many
digits between the two sides of the rounded sum, the nearest to ``b`` of them; ``rounding_[node, d]`` is its distance
from the rounded ``b`` in units of its last digit, or `MOVES` if there is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from cart_elc.tree import BoolArray, FloatArray, IntArray, Tree

LEVELS = 16
MOVES = 127
"""Entry of a rounding table: with so many digits, some row changes sides."""
LARGEST_OFFSET = 100
DIGITS = np.arange(LEVELS)
Offsets = NDArray[np.int8]


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
        total = np.zeros(len(X))
        for feature, coefficient in zip(self.features, self.coefficients, strict=True):
            total += coefficient * X[:, feature]
        return total

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


def split_offsets(weights: FloatArray, threshold: float, points: FloatArray, left: BoolArray) -> Offsets:
    """Return the threshold's offset for each number of digits, see the module's text.

    Parameters
    ----------
    weights : ndarray of shape (r,)
    threshold : float
    points : ndarray of shape (n, r)
        The node's training rows on the split's features, without missing values.
    left : ndarray of shape (n,)
        Their sides.
    """
    offsets = np.full(LEVELS, MOVES, dtype=np.int8)
    coefficients, bound, at_least = scaled(weights, threshold)
    if not (np.isfinite(bound) and np.isfinite(coefficients).all()):
        return offsets
    above, below = (points[left], points[~left]) if at_least else (points[~left], points[left])
    columns = np.arange(len(weights), dtype=np.int32)
    with np.errstate(over="ignore", invalid="ignore"):  # values near 1e308: no digits are then found to be safe
        sure = sure_levels(coefficients, bound, above, below)
        offsets[sure] = 0
        for digits in np.flatnonzero(~sure).tolist():
            rule = round_rule(columns, weights, threshold, digits)
            slack = tilt(coefficients, digits, points)
            above, below = nearest(above, coefficients, slack, True), nearest(below, coefficients, slack, False)
            lowest = float(np.min(rule.sums(above), initial=np.inf))
            highest = float(np.max(rule.sums(below), initial=-np.inf))
            offsets[digits] = offset_between(bound, digits, highest, lowest, at_least)
    return offsets


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


def offset_between(bound: float, digits: int, highest: float, lowest: float, at_least: bool) -> int:
    """Return the smallest shift that puts the rounded threshold between the sides, or `MOVES`."""
    unit = 10.0 ** -decimals_of(bound, digits)
    start = rounded(bound, digits)
    wanted = min(max(start, highest), lowest)
    first = 0 if wanted == start or not math.isfinite(wanted) else round((wanted - start) / unit)
    for offset in sorted(range(first - 1, first + 2), key=abs):
        threshold = rounded(bound, digits, offset)
        keeps = highest < threshold <= lowest if at_least else highest <= threshold < lowest
        if abs(offset) <= LARGEST_OFFSET and keeps:
            return offset
    return MOVES


def rounding_table(tree: Tree, X: FloatArray) -> Offsets:
    """Return the offsets of all splits for these rows: an array of shape (n_nodes, LEVELS), `MOVES` at leaves.

    Costs about three passes over each node's rows; splits on one feature are treated together, as most of their
    levels need no trial.
    """
    table = np.full((tree.n_nodes, LEVELS), MOVES, dtype=np.int8)
    paths = tree.decision_path(X).tocsc()
    alone = np.diff(tree.indptr) == 1
    if alone.any():
        table[alone] = one_feature_offsets(tree, np.flatnonzero(alone), X, paths)
    for node in tree.split_nodes():
        if alone[node]:
            continue
        features, weights, threshold = tree.split(node)
        points = X[np.ix_(paths.indices[paths.indptr[node] : paths.indptr[node + 1]], features)]
        points = points[~np.isnan(points).any(axis=1)]
        table[node] = split_offsets(weights, threshold, points, sums_of(points, weights) >= threshold)
    return table


def one_feature_offsets(tree: Tree, nodes: IntArray, X: FloatArray, paths: csc_matrix) -> Offsets:
    """Return the offsets of splits on one feature, whose coefficient is 1 at every level.

    A threshold that is farther from both sides than half a unit of its last digit stays between them when it is
    rounded: its offset is 0. Only the other levels are tried one by one.
    """
    first = tree.indptr[nodes]
    features, weights = tree.features[first], tree.weights[first]
    bounds, at_least = tree.thresholds[nodes] / weights, weights > 0
    highest, lowest = sides_on_one_feature(features, bounds, at_least, [column_rows(paths, node) for node in nodes], X)
    sure = last_units(bounds) < np.minimum(bounds - highest, lowest - bounds)[:, None]
    offsets = np.zeros((len(nodes), LEVELS), dtype=np.int8)
    for i, level in np.argwhere(~sure).tolist():
        bound, high, low = float(bounds[i]), float(highest[i]), float(lowest[i])
        finite = math.isfinite(bound)
        offsets[i, level] = offset_between(bound, level, high, low, bool(at_least[i])) if finite else MOVES
    return offsets


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


def column_rows(paths: csc_matrix, node: int) -> NDArray[np.int32]:
    """Return the rows that pass through the node."""
    rows: NDArray[np.int32] = paths.indices[paths.indptr[node] : paths.indptr[node + 1]]
    return rows


def sides_on_one_feature(
    features: NDArray[np.int32], bounds: FloatArray, at_least: BoolArray, rows: list[NDArray[np.int32]], X: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the largest value below each bound and the smallest above it, infinite where there is none."""
    highest, lowest = np.full(len(bounds), -np.inf), np.full(len(bounds), np.inf)
    for i, feature in enumerate(features):
        values = X[rows[i], feature]
        above = values >= bounds[i] if at_least[i] else values > bounds[i]
        highest[i] = np.max(values, where=~above & (values == values), initial=-np.inf)
        lowest[i] = np.min(values, where=above, initial=np.inf)
    return highest, lowest


def sums_of(points: FloatArray, weights: FloatArray) -> FloatArray:
    """Return ``w.x`` of the rows, summed from left to right as prediction does."""
    total = np.zeros(len(points))
    for column, weight in zip(points.T, weights, strict=True):
        total += weight * column
    return total


def decode_table(rows: list[list[int]], n_nodes: int) -> Offsets:
    """Return a table read from a file, checked."""
    table = np.array(rows, dtype=np.int8)
    if table.shape != (n_nodes, LEVELS):
        raise ValueError(f"rounding must have shape ({n_nodes}, {LEVELS}), got {table.shape}")
    return table
