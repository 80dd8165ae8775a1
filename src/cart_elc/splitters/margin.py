"""The widest margin between two sets of points.

The separating plane of largest margin is the perpendicular bisector of the shortest segment
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

import numpy as np

from cart_elc.tree import FloatArray

EPS = float(np.finfo(np.float64).eps)
# Wolfe's algorithm ended within 8 (r + 1) steps on every table tried; the cap only bounds the time.
STEPS_PER_DIMENSION = 40
# A normal is taken as optimal when its band is narrower than the distance of the hulls by no more than this share.
OPTIMALITY = 1e-10


def widest_normal(above: FloatArray, below: FloatArray, start: FloatArray) -> FloatArray:
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


def _nearest_difference(above: FloatArray, below: FloatArray, direction: FloatArray) -> tuple[FloatArray, float]:
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

    def admit(self, vector: FloatArray) -> bool:
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

    def _retreat(self, shares: FloatArray) -> None:
        """Move from the current shares towards `shares` until one vanishes, and drop the vectors without a share."""
        falling = np.flatnonzero(shares <= 0)
        steps = self.shares[falling] / np.maximum(self.shares[falling] - shares[falling], np.finfo(np.float64).tiny)
        first = falling[np.argmin(steps)]
        moved = self.shares + steps.min() * (shares - self.shares)
        moved[first] = 0.0
        keep = moved > 0
        self.vectors, self.shares = self.vectors[keep], moved[keep] / moved[keep].sum()


def _affine_minimum(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
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
