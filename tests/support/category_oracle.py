"""The best split on a category by trying every subset of its levels, in plain Python of its own.

Scores are those of the definition: sums over rows, no sorting, no theorem.
"""

from itertools import combinations
from math import log2

import numpy as np


def impurity_of(y, weights, criterion):
    total = sum(weights)
    if criterion in ("squared_error", "mdl_squared_error"):
        mean = sum(w * v for w, v in zip(weights, y, strict=True)) / total
        return sum(w * (v - mean) ** 2 for w, v in zip(weights, y, strict=True)) / total
    shares = [sum(w for w, v in zip(weights, y, strict=True) if v == label) / total for label in sorted(set(y))]
    if criterion in ("information_gain", "mdl"):
        return -sum(p * log2(p) for p in shares if p > 0)
    return 1 - sum(p * p for p in shares)


def twoing(y, weights, left):
    sides = [[(v, w) for v, w, own in zip(y, weights, left, strict=True) if own == side] for side in (True, False)]
    totals = [sum(w for _, w in side) for side in sides]
    distance = sum(
        abs(
            sum(w for v, w in sides[0] if v == label) / totals[0]
            - sum(w for v, w in sides[1] if v == label) / totals[1]
        )
        for label in set(y)
    )
    return totals[0] * totals[1] / sum(totals) ** 2 / 4 * distance**2


def score_of(y, weights, left, criterion):
    """The score of a division of rows, without a price; larger is better for gains and bits."""
    if criterion == "twoing":
        return twoing(y, weights, left)
    total, after = sum(weights), 0.0
    for side in (True, False):
        rows = [(v, w) for v, w, own in zip(y, weights, left, strict=True) if own == side]
        after += sum(w for _, w in rows) / total * impurity_of(*zip(*rows, strict=True), criterion)
    before = impurity_of(y, weights, criterion)
    if criterion in ("gini", "squared_error"):
        return after
    if criterion == "mdl_squared_error":
        return -total / 2 * log2(max(after / before, total**-2.0))
    return (before - after) * (total if criterion == "mdl" else 1.0)


def divisions(values):
    """Every way to send the levels, and the missing values as one of them, to two sides."""
    units = sorted({"" if value is None else value for value in values})
    first, *others = units
    for size in range(len(others)):
        for chosen in combinations(others, size):
            taken = {first, *chosen}
            yield [("" if value is None else value) in taken for value in values]


def best_of_category(values, y, weights, criterion, min_rows=1):
    """The best score of all subsets, and whether there is one."""
    minimise = criterion in ("gini", "squared_error")
    scores = [
        score_of(y, weights, left, criterion)
        for left in divisions(values)
        if min_rows <= sum(left) <= len(left) - min_rows
    ]
    return (min if minimise else max)(scores) if scores else None


def bits_of_name(values, n_features):
    n_levels = len({value for value in values if value is not None})
    return log2(n_features) + log2(max(1, 2 ** (n_levels - 1) - 1))


def random_category(rng, n, n_levels, gaps=0.0):
    """Levels as text, some of them missing."""
    codes = rng.integers(0, n_levels, n)
    return [None if rng.random() < gaps else "abcdefghijklmnopqrstuvwxyz"[code] for code in codes]


def as_column(values):
    return np.array(values, dtype=object)
