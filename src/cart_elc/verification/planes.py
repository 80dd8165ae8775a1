"""Every plane through r points, made by singular vectors, with the rows above and on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from cart_elc.tree import BoolArray, FloatArray, IntArray

ON_PLANE, INDEPENDENT, FLAT = 1e-9, 1e-7, 1e-8
"""The rules of the node problem: on a plane, an independent selection, a feature set in one plane."""
DOUBT = (0.2e-9, 5e-9)
"""A row whose distance may lie here could be on or off the plane by rounding alone; its plane proves nothing."""
CHUNK_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Planes:
    """Some planes of a feature set: the rows above and on each, and whether its first coefficient is positive.

    `doubtful` marks planes with a row, `sign_doubtful` planes with a sign, that hangs on rounding.
    """

    above: BoolArray
    on: BoolArray
    positive: BoolArray
    doubtful: BoolArray
    sign_doubtful: BoolArray


def planes_through(points: FloatArray) -> Iterator[Planes]:
    """All planes through ``r`` of the points, in chunks."""
    n, r = points.shape
    if n < r or lie_in_one_plane(points):
        return
    subsets = itertools.combinations(range(n), r)
    while chunk := list(itertools.islice(subsets, max(1, CHUNK_CELLS // (n * r)))):
        selections = np.array(chunk, dtype=np.int64)
        yield axis_planes(points[:, 0], selections[:, 0]) if r == 1 else oblique_planes(points, selections)


def lie_in_one_plane(points: FloatArray) -> bool:
    """Whether no selection of these points can be trusted to fix a plane of its own."""
    if points.shape[1] == 1:
        return bool(points.min() == points.max())
    distinct = np.unique(points, axis=0)
    centred = distinct - distinct.mean(axis=0)
    normal = np.linalg.svd(centred)[2][-1]
    return bool(np.abs(centred @ normal).max() <= FLAT * np.abs(normal).max())


def axis_planes(values: FloatArray, selections: IntArray) -> Planes:
    """Return the planes of one feature: its cuts, where nothing hangs on rounding."""
    cuts = values[selections][:, None]
    no = np.zeros(len(selections), dtype=bool)
    return Planes(values > cuts, values == cuts, ~no, no, no)


def oblique_planes(points: FloatArray, selections: IntArray) -> Planes:
    """The planes of the independent selections; distances are measured from the first sample of each."""
    corners = points[selections]
    _, lengths, axes = np.linalg.svd(corners - corners.mean(axis=1, keepdims=True))
    independent = lengths[:, -2] > INDEPENDENT
    selections, corners, thinnest = selections[independent], corners[independent], lengths[independent, -2]
    normals = axes[independent, -1]
    normals = normals / np.abs(normals).max(axis=1, keepdims=True)
    distances = np.einsum("kj,knj->kn", normals, points - corners[:, :1])
    on = np.abs(distances) <= ON_PLANE
    np.put_along_axis(on, selections, True, axis=1)
    doubtful = is_doubtful(points, corners, distances, thinnest)
    return Planes((distances > 0) & ~on, on, is_positive(normals), doubtful, sign_in_doubt(normals, thinnest))


def is_doubtful(points: FloatArray, corners: FloatArray, distances: FloatArray, thinnest: FloatArray) -> BoolArray:
    """Whether a row of the plane has a distance that rounding may move across the tolerance.

    A plane of a thin selection is wrong by eps over its thinnest extent for each unit away from its samples.
    """
    away = np.full(distances.shape, inf)
    for corner in corners.transpose(1, 0, 2):
        np.minimum(away, np.abs(points - corner[:, None, :]).max(axis=2), out=away)
    error = 64 * np.finfo(np.float64).eps * (1 + away / thinnest[:, None])
    size = np.abs(distances)
    return any_in_row((size + error >= DOUBT[0]) & (size - error <= DOUBT[1]) & (away > 0))


def is_positive(normals: FloatArray) -> BoolArray:
    """Whether the first coefficient that is not zero is positive."""
    first = (np.abs(normals) > ON_PLANE).argmax(axis=1)
    return np.take_along_axis(normals, first[:, None], axis=1)[:, 0] > 0


def sign_in_doubt(normals: FloatArray, thinnest: FloatArray) -> BoolArray:
    """Whether a coefficient is so near to 1e-9 that the canonical sign may hang on rounding."""
    error = 64 * np.finfo(np.float64).eps * (1 + 1 / thinnest[:, None])
    size = np.abs(normals)
    return any_in_row((size + error >= DOUBT[0]) & (size - error <= DOUBT[1]))


def any_in_row(rows: BoolArray) -> BoolArray:
    """Whether any entry of each row is true."""
    return np.asarray(rows.any(axis=1))
