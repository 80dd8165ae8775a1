"""Planes through selections of points: which points lie above, on and below each, and what float64 leaves open.

**Doubt.** A plane's side test is a comparison with 1e-9, and float64 gives a point's distance with an error. Where the
distance, with its error, reaches into ``[0.2e-9, 5e-9]``, two correct programs may disagree: the point is doubtful.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ON_PLANE = 1e-9
INDEPENDENT = 1e-7
FLAT = 1e-8
DOUBT = (0.2e-9, 5e-9)
# Error of a distance in units of eps, per unit of leverage. Two SVDs of the same selection, one of rows in another
# order, differ by up to about 4; other formulas for the scaling add a few more.
ROUNDING = 32 * np.finfo(np.float64).eps
CHUNK = 4096


@dataclass(frozen=True, eq=False)
class Sides:
    """All planes through independent selections of ``d`` points in ``d`` dimensions.

    Attributes
    ----------
    subsets : (n_planes, d) the points that define each plane.
    side : (n_planes, n) int8, +1 above, 0 on, -1 below.
    doubtful : (n_planes, n) bool, points whose side float64 does not settle.
    normals : (n_planes, d), the largest coefficient is 1 or -1.
    smallest : (n_planes,) the smallest leading singular value of the centred selection.
    leverage : (n_planes,) the sum of the reciprocals of the leading singular values.
    """

    subsets: NDArray[np.int64]
    side: NDArray[np.int8]
    doubtful: Bools
    normals: Floats
    smallest: Floats
    leverage: Floats

    def take(self, which: NDArray[np.generic]) -> Sides:
        """The planes of an index or a mask."""
        return Sides(*(getattr(self, field.name)[which] for field in fields(self)))


def planes_through(points: Floats, least_independence: float) -> Sides:
    """The planes through every selection whose smallest leading singular value is above `least_independence`."""
    n, d = points.shape
    parts = [_planes_of_chunk(points, subsets, least_independence) for subsets in _chunks(n, d)]
    if not parts:
        parts = [_planes_of_chunk(points, np.empty((0, d), dtype=np.int64), least_independence)]
    return Sides(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Sides)))


def flatness(points: Floats) -> float:
    """The largest distance of a point from the least-squares plane of the distinct ones (so copies change nothing)."""
    distinct = np.unique(points, axis=0)
    centred = distinct - distinct.mean(axis=0)
    normal = np.linalg.svd(centred, full_matrices=True)[2][-1]
    return float(np.abs(centred @ (normal / np.abs(normal).max())).max())


def in_doubt(size: Floats, error: Floats) -> Bools:
    """Whether a non-negative number with an error may lie on either side of the tolerance."""
    return (size + error >= DOUBT[0]) & (size - error <= DOUBT[1])


def all_choices(n: int) -> Bools:
    """Every way to say yes or no to n questions, one per row; the first row says no to all."""
    return np.array(list(itertools.product((False, True), repeat=n)), dtype=bool).reshape(2**n, n)


def _chunks(n: int, d: int) -> Iterator[NDArray[np.int64]]:
    subsets = itertools.combinations(range(n), d)
    while chunk := list(itertools.islice(subsets, CHUNK)):
        yield np.array(chunk, dtype=np.int64)


def _planes_of_chunk(points: Floats, subsets: NDArray[np.int64], least_independence: float) -> Sides:
    d = points.shape[1]
    corners = points[subsets]
    centres = corners.mean(axis=1, keepdims=True)
    _, spread, axes = np.linalg.svd(corners - centres)
    keep = spread[:, d - 2] > least_independence
    subsets, centres, spread, axes = (a[keep] for a in (subsets, centres, spread, axes))
    normals = axes[:, -1, :]
    normals = normals / np.abs(normals).max(axis=1, keepdims=True)
    offsets = points[None, :, :] - centres
    distance = np.einsum("knr,kr->kn", offsets, normals)
    # The normal is wrong by about eps/s_i along the i-th axis of the selection, so a point's distance is wrong by that
    # times its coordinate there. For the defining samples the coordinate is at most s_i: they are never in doubt.
    along = np.abs(np.einsum("knr,kir->kni", offsets, axes[:, :-1, :]))
    error = ROUNDING * (1 + np.einsum("kni,ki->kn", along, 1 / spread[:, :-1]))
    side = np.where(distance > ON_PLANE, 1, np.where(distance < -ON_PLANE, -1, 0)).astype(np.int8)
    np.put_along_axis(side, subsets, 0, axis=1)
    doubtful = in_doubt(np.abs(distance), error)
    np.put_along_axis(doubtful, subsets, False, axis=1)
    return Sides(subsets, side, doubtful, normals, spread[:, d - 2], (1 / spread[:, :-1]).sum(axis=1))
