"""Where the plane lies once its two sides are known.

The search decides a *partition*; many planes give it. `through_threshold` keeps the searched normal and sets the
threshold just below the left side, so that the plane still passes through its samples. `widest_margin` moves the plane
to the widest margin between the two sides in the same features.

Both return a rule ``w_0 x_0 + ... + w_{r-1} x_{r-1} >= threshold`` and check it exactly as prediction evaluates it: a
sum from left to right in float64, without fused multiply-add (`cart_elc.tree.weighted_sums`).

**The widest margin.** The separating plane of largest margin is the perpendicular bisector of the shortest segment
between the convex hulls of the two sides, which is the point of smallest norm in the hull of all differences
``l - r``. Wolfe's algorithm [1]_ finds it: it holds a *corral* of at most ``d + 1`` differences, steps to the point of
smallest norm in their affine hull, and lets in the difference that lies farthest below the plane of that point. A step
costs one product of the data with a vector, and the number of steps is capped, so the time is bounded on any data.
No step is trusted: each normal is judged by the empty band that it really leaves between the sides, and the best one,
the searched normal among them, is kept.

References
----------
.. [1] P. Wolfe, "Finding the nearest point in a polytope", Mathematical Programming 11 (1976), 128-149.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import weighted_sums

__all__ = ["Placement", "middle", "midway", "through_threshold", "widest_margin"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

EPS = float(np.finfo(np.float64).eps)
# Wolfe's algorithm ended within 8 (r + 1) steps on every table tried; the cap only bounds the time.
STEPS_PER_DIMENSION = 40
# A normal is taken as optimal when its band is narrower than the distance of the hulls by no more than this share.
OPTIMALITY = 1e-10


@dataclass(frozen=True, eq=False)
class Placement:
    """A plane with known sides.

    Attributes
    ----------
    weights : ndarray of shape (r,)
        Coefficients in the units of the data.
    threshold : float
        A row is left if its weighted sum reaches this value.
    margin : float
        Half the width of the empty band between the sides, in units of the weighted sum; nan if a side is empty.
    exact : bool
        Whether the rule gives the sides that were asked for. False where float64 cannot express them.
    """

    weights: Floats
    threshold: float
    margin: float
    exact: bool


def through_threshold(points: Floats, left: Bools, weights: Floats) -> Placement:
    """Keep the normal and put the threshold just below the left side.

    The slack is of the size of rounding, so that a BLAS product with another order of summation gives the same sides;
    where the sides are closer than twice that, the threshold is the middle between them.

    Parameters
    ----------
    points : ndarray of shape (n, r)
        The rows, without missing values.
    left : ndarray of shape (n,)
        The side of each row.
    weights : ndarray of shape (r,)
        The normal, pointing to the left side.

    Returns
    -------
    Placement
        With the given weights.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [2.0]])
    >>> placed = through_threshold(points, np.array([False, True, True]), np.array([1.0]))
    >>> bool(0.999 < placed.threshold < 1.0), placed.margin, placed.exact
    (True, 0.5, True)
    """
    values = weighted_sums(points, weights)
    slack = _rounding(points, weights)
    if left.all() or not left.any():
        threshold = values.min() - slack if left.all() else np.nextafter(values.max() + slack, np.inf)
        return Placement(weights, float(threshold), float("nan"), True)
    lowest_left, highest_right = float(values[left].min()), float(values[~left].max())
    if not lowest_left > highest_right:
        return Placement(weights, _least_wrong_threshold(values, left), 0.0, False)
    threshold = max(lowest_left - slack, middle(highest_right, lowest_left))
    return Placement(weights, threshold, (lowest_left - highest_right) / 2, True)


def widest_margin(points: Floats, left: Bools, weights: Floats, threshold: float) -> Placement:
    """Move the plane to the widest margin between its two sides.

    The margin is widest in coordinates scaled per feature to [-1, 1]. The partition is kept exactly. Where the widest
    plane cannot keep it in float64, the given normal with the threshold midway between the sides is used, and where
    that cannot either, the given plane.

    Parameters
    ----------
    points : ndarray of shape (n, r)
        The rows, without missing values.
    left : ndarray of shape (n,)
        The side of each row.
    weights : ndarray of shape (r,)
        The normal found by the search, pointing to the left side, in the units of the data.
    threshold : float
        The threshold found by the search.

    Returns
    -------
    Placement
        Its weights have the given weights' largest contribution ``max_j |w_j| (max x_j - min x_j)``.

    Examples
    --------
    >>> points = np.array([[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 2.0]])
    >>> left = np.array([False, False, True, True])
    >>> placed = widest_margin(points, left, np.array([1.0, 0.5]), 4.0)
    >>> placed.weights, placed.threshold, placed.margin
    (array([1., 0.]), 2.0, 2.0)
    """
    if left.all() or not left.any():
        return _as_given(points, left, weights, threshold)
    half = points.max(axis=0) / 2 - points.min(axis=0) / 2
    half = np.where(half > 0, half, 1.0)
    largest = float(np.abs(weights * half).max())
    if largest > 0 and np.isfinite(largest):
        scaled = 2 * ((points / 2 - points.min(axis=0) / 2) / half) - 1
        normal = _widest_normal(scaled[left], scaled[~left], weights * half / largest)
        with np.errstate(over="ignore"):
            widest = normal * (largest / np.abs(normal).max()) / half + 0.0
        for candidate in (widest, weights):
            placed = midway(points, left, candidate)
            if placed.exact:
                return placed
    return _as_given(points, left, weights, threshold)


# --- thresholds -------------------------------------------------------------------------------------------------------


def _as_given(points: Floats, left: Bools, weights: Floats, threshold: float) -> Placement:
    """The given plane, checked against the sides."""
    values = weighted_sums(points, weights)
    exact = bool((left == (values >= threshold)).all())
    if left.all() or not left.any():
        return Placement(weights, threshold, float("nan"), exact)
    gap = float(values[left].min()) - float(values[~left].max())
    return Placement(weights, threshold, max(gap, 0.0) / 2, exact)


def midway(points: Floats, left: Bools, weights: Floats) -> Placement:
    """The given normal with the threshold in the middle of the empty band."""
    values = weighted_sums(points, weights)
    lowest_left, highest_right = float(values[left].min()), float(values[~left].max())
    exact = lowest_left > highest_right
    return Placement(weights, middle(highest_right, lowest_left), max(lowest_left - highest_right, 0.0) / 2, exact)


def middle(low: float, high: float) -> float:
    """A number in (low, high], as near to the middle as float64 has."""
    middle = low + (high - low) / 2
    return middle if low < middle <= high else high


def _rounding(points: Floats, weights: Floats) -> float:
    """A bound on the error of a weighted sum in any order of summation."""
    largest = np.abs(points).max(axis=0) if len(points) else np.zeros(len(weights))
    with np.errstate(over="ignore", invalid="ignore"):
        return float((len(weights) + 1) * EPS * (np.abs(weights) * largest).sum())


def _least_wrong_threshold(values: Floats, left: Bools) -> float:
    """The threshold with two non-empty sides, if there is one, that sends the fewest rows to the wrong side."""
    order = np.argsort(values, kind="stable")
    ascending, is_left = values[order], left[order]
    # A threshold at position i sends rows [0, i) right and [i, n) left.
    wrong = np.concatenate(([0], np.cumsum(is_left)[:-1])) + np.cumsum(~is_left[::-1])[::-1]
    starts = np.flatnonzero(np.concatenate(([False], ascending[1:] > ascending[:-1])))
    return float(ascending[starts[np.argmin(wrong[starts])]]) if len(starts) else float(ascending[0])


# --- the nearest points of two convex hulls ---------------------------------------------------------------------------


def _widest_normal(above: Floats, below: Floats, start: Floats) -> Floats:
    """The direction with the widest empty band between `above` and `below`, by Wolfe's algorithm.

    `start` is a direction that separates them. Each direction met is judged by its band over all rows; the widest wins.
    """
    best, best_band = start, -np.inf
    direction = start / np.linalg.norm(start)
    corral = Corral(above.shape[1])
    for _ in range(STEPS_PER_DIMENSION * (above.shape[1] + 1)):
        difference, band = _nearest_difference(above, below, direction)
        if band > best_band:
            best, best_band = direction, band
        if band >= (1 - OPTIMALITY) * corral.distance or not corral.admit(difference) or corral.distance == 0.0:
            break
        direction = corral.point / corral.distance
    return best


def _nearest_difference(above: Floats, below: Floats, direction: Floats) -> tuple[Floats, float]:
    """The difference of a row above and a row below that is smallest along `direction`, and its length along it."""
    difference = above[np.argmin(above @ direction)] - below[np.argmax(below @ direction)]
    return difference, float(difference @ direction)


class Corral:
    """Affinely independent vectors with the point of smallest norm in their convex hull.

    Invariant between calls: `point` lies in the interior of the hull of `vectors` and is the point of smallest norm in
    their affine hull.
    """

    def __init__(self, dimension: int) -> None:
        self.vectors = np.empty((0, dimension))
        self.shares = np.empty(0)
        self.point = np.zeros(dimension)
        self.distance = np.inf

    def admit(self, vector: Floats) -> bool:
        """Take a vector in and step to the new point of smallest norm; False if that brings no progress."""
        before = self.distance
        self.vectors = np.vstack([self.vectors, vector])
        self.shares = np.append(self.shares, 1.0 if len(self.shares) == 0 else 0.0)
        # Each round but the last drops a vector, so the loop ends.
        for _ in range(len(self.vectors)):
            shares, point = _affine_minimum(self.vectors)
            if (shares > 0).all():
                break
            self._retreat(shares)
        else:
            return False
        self.shares, self.point, self.distance = shares, point, float(np.linalg.norm(point))
        return self.distance < before

    def _retreat(self, shares: Floats) -> None:
        """Move from the current shares towards `shares` until one vanishes, and drop the vectors without a share."""
        falling = np.flatnonzero(shares <= 0)
        steps = self.shares[falling] / np.maximum(self.shares[falling] - shares[falling], np.finfo(np.float64).tiny)
        first = falling[np.argmin(steps)]
        moved = self.shares + steps.min() * (shares - self.shares)
        moved[first] = 0.0
        keep = moved > 0
        self.vectors, self.shares = self.vectors[keep], moved[keep] / moved[keep].sum()


def _affine_minimum(vectors: Floats) -> tuple[Floats, Floats]:
    """The point of smallest norm in the affine hull of `vectors`, and the vectors' shares in it."""
    nearest = int(np.argmin((vectors**2).sum(axis=1)))
    others = np.delete(np.arange(len(vectors)), nearest)
    origin = vectors[nearest]
    if len(others) == 0:
        return np.ones(1), origin
    axes, lengths, mixing = np.linalg.svd((vectors[others] - origin).T, full_matrices=False)
    sound = lengths > len(vectors) * EPS * lengths[0]
    basis = axes[:, sound]
    steps = -(mixing[sound].T @ ((basis.T @ origin) / lengths[sound]))
    shares = np.empty(len(vectors))
    shares[others] = steps
    shares[nearest] = 1.0 - steps.sum()
    # The second projection makes the point orthogonal to the hull relative to its own length: hulls that nearly touch
    # leave a point of 1e-9, and one projection alone would turn its direction by 1e-7.
    point = origin - basis @ (basis.T @ origin)
    return shares, point - basis @ (basis.T @ point)
