"""The best split under monotonic constraints by brute force: every partition, and a linear program for each.

A partition is admissible on some features if a plane divides the rows so whose coefficients have the signs that the
constraints ask for, seen from the side with the larger value; the values of both sides lie between the limits.
"""

from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog


def separates(points, above, signs):
    """Whether a plane with these signs (0 is any) has the rows `above` on its upper side and the others below."""
    n, s = points.shape
    side = np.where(above, 1.0, -1.0)
    rows = -side[:, None] * np.column_stack([points, -np.ones(n)])
    bounds = [{1: (0, None), -1: (None, 0), 0: (None, None)}[int(sign)] for sign in signs] + [(None, None)]
    return linprog(np.zeros(s + 1), A_ub=rows, b_ub=-np.ones(n), bounds=bounds, method="highs").status == 0


def admissible_partitions(X, y, signs, r, limits=(-np.inf, np.inf)):
    """Every admissible partition: rows that lack a value on the features go to either side together."""
    for size in range(1, r + 1):
        for features in combinations(range(X.shape[1]), size):
            own = np.array([signs[j] for j in features])
            for above, complete in divisions(X[:, features], own):
                upper, lower = np.mean(y[above]), np.mean(y[~above])
                if not all(limits[0] - 1e-12 <= value <= limits[1] + 1e-12 for value in (upper, lower)):
                    continue
                turns = [own] if upper > lower else [-own] if upper < lower else [own, -own]
                points, side = X[np.ix_(complete, features)], above[complete]
                one_sided = side.all() or not side.any()
                if not one_sided and not any(separates(points, side, turn) for turn in turns):
                    continue
                if complete.all() or needs_all(points, side, own):
                    yield features, above


def needs_all(points, side, signs):
    """Whether the sides cannot be told apart without any one of the features that have a direction."""
    free = np.zeros(points.shape[1] - 1)
    without = [np.delete(points, j, axis=1) for j in np.flatnonzero(signs) if points.shape[1] > 1]
    return not any(separates(others, side, free) for others in without)


def divisions(points, signs):
    """Every way to divide the rows that have all values, with the others on either side; as masks of all rows.

    All that have values against all that have none is one, where no feature has a direction.
    """
    complete = ~np.isnan(points).any(axis=1)
    n_complete = int(complete.sum())
    for bits in product((False, True), repeat=n_complete):
        one_sided = not any(bits) or all(bits)
        if one_sided and (signs.any() or complete.all() or not n_complete):
            continue
        for missing_above in (False, True) if not complete.all() else (False,):
            above = np.full(len(points), missing_above)
            above[complete] = bits
            if above.any() and not above.all():
                yield above, complete


def gini(y, above):
    return sum(len(part) * (1 - np.mean(part) ** 2 - (1 - np.mean(part)) ** 2) for part in (y[above], y[~above])) / len(
        y
    )


def squared_error(y, above):
    return sum(((part - part.mean()) ** 2).sum() for part in (y[above], y[~above])) / len(y)
