"""Points of whole numbers lie on each other; moved a little, they can be seen, and none changes its side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cart_elc.tree import BoolArray, FloatArray

IRRATIONAL = (0.6180339887, 0.7548776662)
"""Multiples of these, without their whole parts, fill the unit interval evenly."""
REACHES = (0.5, 0.25)


def jittered(points: FloatArray, side: Callable[[FloatArray], BoolArray]) -> FloatArray:
    """Return the points, those of whole numbers moved by at most a quarter, or less if ``side`` would change.

    Examples
    --------
    >>> crowd = np.zeros((4, 2))
    >>> len(np.unique(jittered(crowd, lambda points: points[:, 0] >= 0.0), axis=0)) > 1
    True
    >>> (jittered(crowd, lambda points: points[:, 0] >= 0.0)[:, 0] >= 0.0).all()
    np.True_
    """
    spread = np.array([1.0 if is_crowded(column) else 0.0 for column in points.T])
    if not spread.any():
        return points
    turn = np.arange(1, len(points) + 1)[:, None] * np.array(IRRATIONAL)
    shift = spread * (turn % 1.0 - 0.5)
    result, home, pending = points.copy(), side(points), np.ones(len(points), dtype=np.bool_)
    for reach in REACHES:
        moved = points + reach * shift
        keeps = pending & (side(moved) == home)
        result[keeps] = moved[keeps]
        pending &= ~keeps
    return result


def is_crowded(values: FloatArray) -> bool:
    """Whether all values are whole numbers and most of them come several times."""
    return bool(len(values) > 2 * len(np.unique(values)) and np.all(values == np.floor(values)))
