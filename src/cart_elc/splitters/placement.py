"""Where the plane lies once its two sides are known.

The search decides a *partition*; many planes give it. `through_threshold` keeps the searched normal and sets the
threshold just below the left side, so that the plane still passes through its samples. `widest_margin` moves the plane
to the widest margin between the two sides in the same features.

Both return a rule ``w_0 x_0 + ... + w_{r-1} x_{r-1} >= threshold`` and check it exactly as prediction evaluates it: a
sum from left to right in float64, without fused multiply-add (``src/core/growth/placement.hpp``).
"""

from dataclasses import dataclass

import numpy as np

from cart_elc import _core
from cart_elc.tree import BoolArray, FloatArray, weighted_sums


@dataclass(frozen=True, eq=False)
class Placement:
    """A plane with known sides: a row is left if its weighted sum reaches the threshold.

    ``margin`` is half the width of the empty band between the sides, in units of the weighted sum; nan if a side is
    empty. ``exact`` is false where float64 cannot express the sides that were asked for.
    """

    weights: FloatArray
    threshold: float
    margin: float
    exact: bool


def through_threshold(points: FloatArray, left: BoolArray, weights: FloatArray) -> Placement:
    """Keep the normal, which points to the left side, and put the threshold just below that side.

    The slack is of the size of rounding, so that a BLAS product with another order of summation gives the same sides;
    where the sides are closer than twice that, the threshold is the middle between them. The rows ``points`` have no
    missing values.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [2.0]])
    >>> placed = through_threshold(points, np.array([False, True, True]), np.array([1.0]))
    >>> bool(0.999 < placed.threshold < 1.0), placed.margin, placed.exact
    (True, 0.5, True)
    """
    return Placement(*_core.place_through(*_contiguous(points, left, weights)))


def widest_margin(
    points: FloatArray, left: BoolArray, weights: FloatArray, threshold: float, half: FloatArray | None = None
) -> Placement:
    """Move the plane to the widest margin between its two sides, in coordinates scaled per feature to a range of 2.

    The partition is kept exactly. Where the widest plane cannot keep it in float64, the given normal with the threshold
    midway between the sides is used, and where that cannot either, the given plane. The rows ``points`` have no missing
    values; ``half`` is half the range that each feature is scaled by, the rows' own if not given. The largest
    contribution ``max_j |w_j| (max x_j - min x_j)`` stays that of the given weights.

    Examples
    --------
    >>> points = np.array([[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 2.0]])
    >>> left = np.array([False, False, True, True])
    >>> placed = widest_margin(points, left, np.array([1.0, 0.5]), 4.0)
    >>> placed.weights, placed.threshold, placed.margin
    (array([1., 0.]), 2.0, 2.0)
    """
    if left.all() or not left.any():
        return Placement(weights, threshold, float("nan"), keeps(points, left, weights, threshold))
    half = points.max(axis=0) / 2 - points.min(axis=0) / 2 if half is None else half
    return Placement(*_core.place_widest(*_contiguous(points, left, weights), threshold, half))


def in_direction(placed: Placement, points: FloatArray, left: BoolArray, signs: FloatArray) -> Placement:
    """Return the placement with weights that have the wrong sign, by rounding, set to zero; not exact if that fails."""
    wrong = signs * placed.weights < 0
    if not wrong.any():
        return placed
    return midway(points, left, np.where(wrong, 0.0, placed.weights))


def keeps(points: FloatArray, left: BoolArray, weights: FloatArray, threshold: float) -> bool:
    return bool((left == (weighted_sums(points, weights) >= threshold)).all())


def midway(points: FloatArray, left: BoolArray, weights: FloatArray) -> Placement:
    """The given normal with the threshold in the middle of the empty band; neither side is empty."""
    values = weighted_sums(points, weights)
    lowest_left, highest_right = float(values[left].min()), float(values[~left].max())
    exact = lowest_left > highest_right
    return Placement(weights, middle(highest_right, lowest_left), max(lowest_left - highest_right, 0.0) / 2, exact)


def middle(low: float, high: float) -> float:
    """A number in (low, high], as near to the middle as float64 has."""
    middle = low + (high - low) / 2
    return middle if low < middle <= high else high


def _contiguous(points: FloatArray, left: BoolArray, weights: FloatArray) -> tuple[FloatArray, BoolArray, FloatArray]:
    return np.ascontiguousarray(points), np.ascontiguousarray(left), np.ascontiguousarray(weights, dtype=np.float64)
