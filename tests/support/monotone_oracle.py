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


def admissible_partitions(X, y, signs, r, value=np.mean, groups=None):
    """Every admissible partition with its features, smallest sets first."""
    n, m = X.shape
    for size in range(1, r + 1):
        for features in combinations(range(m), size):
            if groups is not None and not any(set(features) <= set(group) for group in groups):
                continue
            for bits in product((False, True), repeat=n - 1):
                above = np.array([True, *bits])
                if above.all():
                    continue
                upper, lower = value(y[above]), value(y[~above])
                own = np.array([signs[j] for j in features])
                turns = [own] if upper > lower else [-own] if upper < lower else [own, -own]
                if any(separates(X[:, features], above, turn) for turn in turns):
                    yield features, above


def gini(y, above):
    return sum(len(part) * (1 - np.mean(part) ** 2 - (1 - np.mean(part)) ** 2) for part in (y[above], y[~above])) / len(
        y
    )


def squared_error(y, above):
    return sum(((part - part.mean()) ** 2).sum() for part in (y[above], y[~above])) / len(y)
