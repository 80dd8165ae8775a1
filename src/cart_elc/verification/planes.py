"""Every plane through d points in d dimensions, made by singular vectors, with the points above and on it."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import sqrt

import numpy as np

from cart_elc.tree import BoolArray, FloatArray, IntArray

ON_PLANE, INDEPENDENT, FLAT = 1e-9, 1e-7, 1e-8
"""The rules of the node problem: on a plane, an independent selection, a feature set in one plane."""
DOUBT = (0.2e-9, 5e-9)  # a point whose distance may lie here could be on or off the plane by rounding alone
ROUNDING = 32 * np.finfo(np.float64).eps  # error of a distance, for each unit of leverage that the selection has on it
ROUNDED = 1.01  # factor within which rounding decides whether a selection is independent
CHUNK_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Planes:
    """Some planes, the first coefficient of each positive.

    Attributes
    ----------
    selections : (n_planes, d) the points that define each plane.
    above, on, unclear : (n_planes, n) bool; a point that is neither is below. Rounding decides the side of the unclear.
    normals : (n_planes, d), the largest coefficient is 1 or -1.
    thinnest : (n_planes,) the smallest leading singular value of the selection.
    unsure : (n_planes,) bool, rounding decides whether the selection is independent.
    sign_unsure : (n_planes,) bool, rounding decides which is the first coefficient that is not zero.
    """

    selections: IntArray
    above: BoolArray
    on: BoolArray
    unclear: BoolArray
    normals: FloatArray
    thinnest: FloatArray
    unsure: BoolArray
    sign_unsure: BoolArray

    def take(self, which: BoolArray) -> "Planes":
        return Planes(*(getattr(self, field.name)[which] for field in fields(self)))


def planes_through(points: FloatArray, slack: float = ROUNDED, *, fine: bool = False) -> Iterator[Planes]:
    """All planes of several dimensions, in chunks; independence is unsure within the factor `slack`.

    If `fine`, a point that is on a plane by the tolerance alone is unclear.
    """
    n, d = points.shape
    subsets = itertools.combinations(range(n), d)
    while chunk := list(itertools.islice(subsets, max(1, CHUNK_CELLS // (n * d)))):
        yield planes_of(points, np.array(chunk, dtype=np.int64), slack, fine)


def thickness(points: FloatArray) -> float:
    """Return the largest distance of a point from the plane that is nearest to all of them."""
    centred = points - points.mean(axis=0)
    normal = np.linalg.svd(centred)[2][-1]
    return float(np.abs(centred @ normal).max() / np.abs(normal).max())


def planes_of(points: FloatArray, selections: IntArray, slack: float, fine: bool) -> Planes:
    """The planes of the independent selections; distances are measured from the middle of each."""
    corners = points[selections]
    middles = corners.mean(axis=1)
    _, lengths, axes = np.linalg.svd(corners - middles[:, None])
    kept = lengths[:, -2] > INDEPENDENT / slack
    selections, middles, lengths, axes = selections[kept], middles[kept], lengths[kept, :-1], axes[kept]
    normals, sign_unsure = signed(axes[:, -1], lengths)
    distances = normals @ points.T - np.einsum("kj,kj->k", normals, middles)[:, None]
    unclear = unclear_points(points, distances, middles, lengths, axes[:, :-1], fine)
    np.put_along_axis(unclear, selections, False, axis=1)
    on = np.abs(distances) <= ON_PLANE
    np.put_along_axis(on, selections, True, axis=1)
    on, above = on & ~unclear, (distances > 0) & ~on & ~unclear
    unsure = lengths[:, -1] <= INDEPENDENT * slack
    return Planes(selections, above, on, unclear, normals, lengths[:, -1], unsure, sign_unsure)


def unclear_points(
    points: FloatArray, distances: FloatArray, middles: FloatArray, lengths: FloatArray, axes: FloatArray, fine: bool
) -> BoolArray:
    """Whether rounding, or a finer tolerance, may decide if a point is on a plane.

    A normal is wrong by about eps over the selection's length along each axis, for each unit that a point is away.
    """
    farthest = ROUNDING * (1 + 2 * sqrt(points.shape[1]) * (1 / lengths).sum(axis=1, keepdims=True))
    plane, point = np.nonzero(np.abs(distances) <= DOUBT[1] + farthest)
    along = np.abs(np.einsum("kij,kj->ki", axes[plane], points[point] - middles[plane]))
    unclear = np.zeros(distances.shape, dtype=bool)
    error = ROUNDING * (1 + (along / lengths[plane]).sum(axis=1))
    size = np.abs(distances[plane, point])
    unclear[plane, point] = in_doubt(size, error) | (fine & (size > error))
    return unclear


def signed(normals: FloatArray, lengths: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the normals, scaled, with the first coefficient that is not zero positive, and where that is unsure."""
    normals = normals / np.abs(normals).max(axis=1, keepdims=True)
    size = np.abs(normals)
    first = (size > ON_PLANE).argmax(axis=1)[:, None]
    normals = normals * np.sign(np.take_along_axis(normals, first, axis=1))
    error = ROUNDING * (1 + (1 / lengths).sum(axis=1, keepdims=True))
    return normals, np.asarray((in_doubt(size, error) & (np.arange(size.shape[1]) <= first)).any(axis=1))


def in_doubt(size: FloatArray, error: FloatArray) -> BoolArray:
    """Whether a size that is known up to an error may be on either side of the tolerance."""
    return (size + error >= DOUBT[0]) & (size - error <= DOUBT[1])
