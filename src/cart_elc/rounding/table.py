"""Rules rounded for people, without moving a training row to the other side.

A split ``w.x >= b`` is written with few digits, and in the scale in which there is least to read: one of its
coefficients is 1, or the largest is a power of ten. Rounding the coefficients tilts the plane, so a row near it could
change sides. Whether one does is known only while the training rows are at hand: fitting therefore tries every number
of digits once and keeps the answer, a few bytes per split, as the estimator's ``rounding_``. No training row has to be
kept for it.

**Digits.** Divided by its largest coefficient, a split has with ``d`` digits ``d`` decimals in every number below
10,000, fewer in a larger one (it has digits enough before the point), and more in one below 0.1, so that ``d`` of them
are significant. Written ``s`` times as large, every number has as many decimals fewer as ``s`` has digits after its
first.

**Entries.** The threshold may be any number of that many digits between the two sides of the rounded sum, the nearest
to ``b`` of them. ``rounding_[node, d]`` is its distance from the rounded ``b`` in units of its last digit, plus 256
times the number of the scale (0 is that of the largest coefficient, and all there was in models of version 0.1);
`SURE` if no rounding can reach a row, so that the scale is free and the distance 0; `MOVES` if no rule of so many
digits keeps all rows on their sides.
"""

import math

import numpy as np
from numpy.typing import NDArray

from cart_elc.rounding.rule import RoundedRule, ScaledSplit, by_effort, effort
from cart_elc.tree import BoolArray, FloatArray, IntArray, Tree, weighted_sums
from cart_elc.tree.fields import Field

LEVELS = 16
MOVES = 127  # entry of a rounding table: with so many digits, some row changes sides
SURE = 126  # entry of a rounding table: with so many digits, no row changes sides in any scale
LARGEST_OFFSET = 100
SCALE = 256  # an entry is the offset and so many times the number of the scale
DIGITS = np.arange(LEVELS)
Offsets = NDArray[np.int16]


def rounding_table(tree: Tree, X: FloatArray, node_rows: list[IntArray]) -> Offsets:
    """Return the entries of all splits for these rows: an array of shape (n_nodes, LEVELS), `MOVES` at leaves.

    ``node_rows`` is what `Tree.node_rows` says of ``X``. Costs about three passes over each node's rows.
    """
    table = np.full((tree.n_nodes, LEVELS), MOVES, dtype=np.int16)
    for node in tree.split_nodes():
        _, weights, threshold = tree.split(node)
        points = tree.rule(node).points(X, node_rows[node])
        points = points[~np.isnan(points).any(axis=1)]
        table[node] = split_offsets(weights, threshold, points, weighted_sums(points, weights) >= threshold)
    return table


def decode_table(rounding: Field, tree: Tree) -> Offsets:
    """Return the table of a file; entries are those that `rule_of_entry` can read."""
    rows = [[entry.integer(-SCALE, 32767) for entry in row.items(LEVELS)] for row in rounding.items(tree.n_nodes)]
    table = np.array(rows, dtype=np.int16)
    for node in tree.split_nodes():
        _, weights, threshold = tree.split(node)
        split = ScaledSplit.of(weights, threshold)
        scale, shifted = np.divmod(table[node].astype(np.int64) + SCALE // 2, SCALE)
        known = (scale >= 0) & (scale < len(split.scales())) & (np.abs(shifted - SCALE // 2) <= LARGEST_OFFSET)
        known = np.isin(table[node], (SURE, MOVES)) | known
        known &= (table[node] == MOVES) | bool(np.isfinite(split.bound) and np.isfinite(split.coefficients).all())
        if not known.all():
            rounding.items()[node].refuse("entries of the table of `cart_elc.rounding.table`")
    return table


def split_offsets(weights: FloatArray, threshold: float, points: FloatArray, left: BoolArray) -> Offsets:
    """Return the entry of a split for each number of digits.

    ``points`` are the node's training rows on the split's features, without missing values; ``left`` says their sides.
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
            offsets[digits] = shortest_that_keeps(scales, digits, near_above, near_below)
    return offsets


def slacks(coefficients: FloatArray, reach: FloatArray) -> FloatArray:
    """Bound for each number of digits how far rounding can move the sum of a row whose values reach so far."""
    if len(coefficients) == 1:  # the coefficient is 1 at any number of digits
        return np.zeros(LEVELS)
    units = np.where(reach[:, None] > 0, last_units(coefficients), 0.0)
    return np.asarray(reach @ units + 1e-12 * (np.abs(coefficients) @ reach))  # the sums themselves are rounded too


def shortest_that_keeps(scales: list[ScaledSplit], digits: int, above: FloatArray, below: FloatArray) -> int:
    """Return the entry of the rule with the least to read that keeps the rows on their sides, or `MOVES`.

    A threshold that has to be moved may have more digits than that of another scale; the first that need not be moved
    ends the search.
    """
    columns = np.arange(len(scales[0].coefficients), dtype=np.int32)
    rules = [scale.rule(columns, digits) for scale in scales]
    entry, least = MOVES, math.inf
    for number in by_effort(rules):
        rule = rules[number]
        lowest = float(np.min(rule.sums(above), initial=np.inf))
        highest = float(np.max(rule.sums(below), initial=-np.inf))
        offset = offset_between(scales[number], digits, highest, lowest)
        if offset == MOVES:
            continue
        reading = effort(scales[number].rule(columns, digits, offset) if offset else rule)
        if reading < least:
            entry, least = SCALE * number + offset, reading
        if offset == 0:
            break
    return entry


def rule_of_entry(
    features: NDArray[np.int32], weights: FloatArray, threshold: float, digits: int, entry: int
) -> RoundedRule:
    scales = ScaledSplit.of(weights, threshold).scales()
    if entry == SURE:
        rules = [scale.rule(features, digits) for scale in scales]
        return rules[by_effort(rules)[0]]
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
