"""Slow twins of the rivals' searches, in plain NumPy, apart from the package's kernels."""

import numpy as np

from cart_elc.splitters import Node
from cart_elc.targets import Classes


def node_of(X, y, weights=None, **fields):
    """A root node of all rows."""
    X = np.ascontiguousarray(X, dtype=np.float64)
    y = np.ascontiguousarray(y, dtype=np.int64)
    weights = np.ones(len(X)) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    return Node(X, Classes(y, int(y.max()) + 1), np.arange(len(X)), weights, **fields)


def shares(y, weights, n_classes):
    counts = np.array([weights[y == label].sum() for label in range(n_classes)])
    return counts / counts.sum()


def by_frequency(y, weights):
    """Class codes in the order of frequency, the most frequent first; equal ones keep their order."""
    totals = [weights[y == label].sum() for label in range(int(y.max()) + 1)]
    ranked = sorted(range(len(totals)), key=lambda label: -totals[label])
    return np.array([ranked.index(label) for label in y])


def impurity(y, weights, criterion, n_classes):
    p = shares(y, weights, n_classes)
    if criterion == "gini":
        return 1 - (p**2).sum()
    if criterion == "information_gain":
        return -sum(q * np.log2(q) for q in p if q > 0)
    if criterion in ("max_minority", "sum_minority"):
        return 1 - p.max()
    codes = np.arange(n_classes)
    return (p * codes**2).sum() - (p * codes).sum() ** 2


def loss(left, y, weights, criterion):
    """The criterion of a partition, turned so that less is better; infinite if a side is empty."""
    if left.all() or not left.any():
        return np.inf
    k = int(y.max()) + 1
    if criterion == "sum_of_variances":
        y = by_frequency(y, weights)
    share = weights[left].sum() / weights.sum()
    if criterion == "twoing":
        difference = np.abs(shares(y[left], weights[left], k) - shares(y[~left], weights[~left], k)).sum()
        return -share * (1 - share) / 4 * difference**2
    sides = [impurity(y[side], weights[side], criterion, k) for side in (left, ~left)]
    if criterion == "max_minority":
        return max(share * sides[0], (1 - share) * sides[1])
    mean = share * sides[0] + (1 - share) * sides[1]
    return mean - impurity(y, weights, criterion, k) if criterion == "information_gain" else mean


def in_units(value, criterion):
    """A loss in the criterion's own units, or the other way round."""
    return -value if criterion in ("twoing", "information_gain") else value


def midpoints(values):
    distinct = np.unique(values[~np.isnan(values)])
    return (distinct[1:] + distinct[:-1]) / 2


def best_cut(values, y, weights, criterion, least_rows=1):
    """The least loss over all midpoints of one column, missing values on either side."""
    best = np.inf
    missing = np.isnan(values)
    for threshold in midpoints(values):
        for missing_left in (True, False) if missing.any() else (True,):
            left = np.where(missing, missing_left, values >= threshold)
            if min(left.sum(), (~left).sum()) >= least_rows:
                best = min(best, loss(left, y, weights, criterion))
    return best


def best_axis_cut(X, y, weights, criterion, least_rows=1):
    return min(best_cut(column, y, weights, criterion, least_rows) for column in X.T)


def best_step(value, slope, y, weights, criterion):
    """The least loss of ``value + t slope >= 0`` over the middles between neighbouring critical values of ``t``."""
    turning = np.abs(slope) > 1e-12
    critical = np.unique(-value[turning] / slope[turning])
    return min((loss(value + t * slope >= 0, y, weights, criterion) for t in (critical[1:] + critical[:-1]) / 2),
               default=np.inf)  # fmt: skip
