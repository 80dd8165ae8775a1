"""The candidates of planes="through" and "canonical": planes through exactly r samples in exactly r features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oracle.problem import Problem
from oracle.sides import FLAT, INDEPENDENT, ON_PLANE, ROUNDING, Bools, Floats, Sides, flatness, in_doubt, planes_through


@dataclass(frozen=True, eq=False)
class Planes:
    """All candidates of one feature set, over the rows of positive weight.

    Attributes
    ----------
    features : the feature set.
    samples : (n_planes, r) indices into the original rows.
    side : (n_planes, n) int8, +1 above, 0 on, -1 below; 0 for rows that are missing.
    doubtful : (n_planes, n) bool, rows whose side float64 does not settle.
    absent : (n,) bool, rows with a missing value on these features.
    positive : (n_planes,) bool, the first non-zero coefficient is positive.
    sign_unsure : (n_planes,) bool, float64 does not settle `positive`.
    unsure : (n_planes,) bool, float64 does not settle whether the selection is a candidate.
    one_value : a single feature that has one value apart from missing ones; it splits present from missing.
    """

    features: tuple[int, ...]
    samples: NDArray[np.int64]
    side: NDArray[np.int8]
    doubtful: Bools
    absent: Bools
    positive: Bools
    sign_unsure: Bools
    unsure: Bools
    one_value: bool = False


def planes_of(X: Floats, Z: Floats, rows: NDArray[np.int64], features: tuple[int, ...]) -> Planes | None:
    """The planes of one feature set, or None where it has none; `Z` is `X` scaled, `rows` their original indices."""
    absent = np.isnan(X[:, features]).any(axis=1)
    complete = np.flatnonzero(~absent)
    r = len(features)
    if len(complete) < r:
        return None
    if r == 1:
        return _axis_planes(X[:, features[0]], rows, features, absent)
    points = Z[complete][:, features]
    thickness = flatness(points)
    if thickness <= 0.9 * FLAT:
        return None
    planes = planes_through(points, 0.99 * INDEPENDENT)
    positive, sign_unsure = _signs(planes)
    return Planes(
        features,
        rows[complete[planes.subsets]],
        _spread(planes.side, complete, len(X)),
        _spread(planes.doubtful, complete, len(X)),
        absent,
        positive,
        sign_unsure,
        (planes.smallest <= 1.01 * INDEPENDENT) | (thickness <= 1.1 * FLAT),
    )


def _spread(values: NDArray[np.generic], columns: NDArray[np.int64], width: int) -> NDArray[np.generic]:
    spread = np.zeros((len(values), width), dtype=values.dtype)
    spread[:, columns] = values
    return spread


def _axis_planes(column: Floats, rows: NDArray[np.int64], features: tuple[int, ...], absent: Bools) -> Planes | None:
    """At r = 1 a plane is a value, and on it is what equals it."""
    complete = np.flatnonzero(~absent)
    values = column[complete]
    one_value = bool(values.min() == values.max())
    if one_value and not absent.any():
        return None
    side = np.sign(values[None, :] - values[:, None]).astype(np.int8)
    no = np.zeros(len(values), dtype=bool)
    return Planes(
        features,
        rows[complete][:, None],
        _spread(side, complete, len(column)),
        np.zeros((len(values), len(column)), dtype=bool),
        absent,
        ~no,
        no,
        no,
        one_value,
    )


def _signs(planes: Sides) -> tuple[Bools, Bools]:
    """Whether the first coefficient above 1e-9 is positive, and whether rounding could change that."""
    normals = planes.normals
    size = np.abs(normals)
    first = np.argmax(size > ON_PLANE, axis=1)
    error = ROUNDING * (1 + planes.leverage)
    before = np.arange(normals.shape[1])[None, :] <= first[:, None]
    unsure = (in_doubt(size, error[:, None]) & before).any(axis=1)
    return normals[np.arange(len(normals)), first] > 0, unsure


def admitted(planes: Planes, problem: Problem) -> bool:
    """Whether the feature set is searched: present against missing alone only where sides are learnt."""
    return problem.missing == "learn" or not planes.one_value


def unsure_planes(planes: Planes, problem: Problem) -> Bools:
    """The planes that a correct program may leave out or divide in another way."""
    unsure = planes.unsure | planes.doubtful.any(axis=1)
    return unsure | planes.sign_unsure if problem.planes == "canonical" else unsure


def left_sides(planes: Planes, problem: Problem, either_sign: bool = False) -> Iterator[Bools]:
    """Batches of left sides, one row per plane."""
    on_or_above, on_or_below = planes.side >= 0, planes.side <= 0
    lefts = [on_or_above, on_or_below]
    if problem.planes == "canonical" and not either_sign:
        lefts = [np.where(planes.positive[:, None], on_or_above, on_or_below)]
    for left in lefts:
        yield left & ~planes.absent
        if problem.missing == "learn" and planes.absent.any():
            yield left | planes.absent
