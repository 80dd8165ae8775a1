"""The candidates of planes="any": every linear split of a feature set, by the definition itself.

A plane passes through ``d`` independent points in ``d`` dimensions. The points above it go to one side, those below to
the other, and those on it are divided in every way that is a linear split of them within the plane: the same
definition one dimension down, in the coordinates that remain when the one of the largest coefficient (the first among
equals) is left out. On a line, a linear split is a threshold. All on one side is always one of the ways. Points at
the same place stay together. A partition and its mirror image are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from oracle.sides import DOUBT, FLAT, INDEPENDENT, Bools, Floats, Sides, all_choices, flatness, planes_through

MOST_DOUBTFUL = 6
"""More doubtful points than these are not placed in every way; the answer is then open."""
WELL_APART = 1e-5
"""A selection with larger singular values is divided in all ways, whatever coordinates are left out."""
WITHIN = 2.5
"""Independence within a plane depends on the coordinates left out by at most this factor, for up to six features."""


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways to divide points in two: `left` (n_ways, n) with the first point never left; `sure` (n_ways,).

    A way is sure if float64 settles that it is a linear split. Where `open` is true there may be any others.
    """

    left: Bools
    sure: Bools
    open: bool = False


@dataclass(frozen=True, eq=False)
class Partitions:
    """The linear splits of one feature set.

    Attributes
    ----------
    features : the feature set.
    left : (n_partitions, n) bool over the rows of positive weight; missing rows are not left.
    sure : (n_partitions,) bool, float64 settles that the partition is a candidate.
    absent : (n,) bool, rows with a missing value on these features.
    open : there may be any other partitions, because too much is in doubt.
    one_value : a single feature that has one value apart from missing ones; it splits present from missing.
    """

    features: tuple[int, ...]
    left: Bools
    sure: Bools
    absent: Bools
    open: bool = False
    one_value: bool = False


def partitions_of(X: Floats, Z: Floats, features: tuple[int, ...]) -> Partitions | None:
    """The linear splits of one feature set that are not those of its subsets alone; None if it is flat."""
    absent = np.isnan(X[:, features]).any(axis=1)
    if absent.all():
        return None
    values = (X if len(features) == 1 else Z)[~absent][:, features]
    places, place_of = np.unique(values, axis=0, return_inverse=True)
    if len(features) == 1:
        one_value = len(places) == 1
        if one_value and not absent.any():
            return None
        ways = Ways(_thresholds(len(places)), np.ones(len(places), dtype=bool))
    else:
        thickness = flatness(places)
        if len(places) <= len(features) or thickness <= 0.9 * FLAT:
            return None
        one_value = False
        ways = linear_ways(places)
        if thickness <= 1.1 * FLAT:
            ways = Ways(ways.left, np.zeros_like(ways.sure), ways.open)
    left = np.zeros((len(ways.left), len(X)), dtype=bool)
    left[:, ~absent] = ways.left[:, place_of.ravel()]
    return Partitions(features, left, ways.sure, absent, ways.open, one_value)


def linear_ways(points: Floats, within_plane: bool = False) -> Ways:
    """Every linear split of the points, each once; all on one side is the first."""
    n, d = points.shape
    if d == 1:
        return _ways_on_a_line(points[:, 0])
    slack = WITHIN if within_plane else 1.01
    planes = planes_through(points, INDEPENDENT / slack)
    if len(planes.side) == 0:
        return _undecided(n) if within_plane else _together(n)
    simple = _simple(planes)
    parts = [_together(n), _ways_of_simple_planes(planes.take(simple))]
    parts += _ways_of_other_planes(points, planes.take(~simple), slack)
    return _distinct(parts)


def _simple(planes: Sides) -> Bools:
    """Planes with only their own points on them, far apart and without doubt."""
    only_own = (planes.side == 0).sum(axis=1) == planes.subsets.shape[1]
    return only_own & ~planes.doubtful.any(axis=1) & (planes.smallest > WELL_APART)


def _ways_of_simple_planes(planes: Sides) -> Ways:
    """Independent points on a plane are divided in all ways."""
    choices = all_choices(planes.subsets.shape[1])
    left = np.repeat(planes.side > 0, len(choices), axis=0)
    np.put_along_axis(
        left, np.repeat(planes.subsets, len(choices), axis=0), np.tile(choices, (len(planes.side), 1)), axis=1
    )
    return Ways(left, np.ones(len(left), dtype=bool))


def _ways_of_other_planes(points: Floats, planes: Sides, slack: float) -> Iterator[Ways]:
    """Planes with more points on them, or in doubt, one after the other; planes that divide alike are one."""
    unsure = planes.smallest <= slack * INDEPENDENT
    pattern = np.concatenate([planes.side, planes.doubtful, unsure[:, None]], axis=1, dtype=np.int8)
    _, first = np.unique(pattern, axis=0, return_index=True)
    for k in first:
        yield _ways_of_plane(points, planes.take(np.array([k])), bool(unsure[k]))


def _ways_of_plane(points: Floats, plane: Sides, unsure: bool) -> Ways:
    side, doubtful = plane.side[0], plane.doubtful[0]
    on, free = (side == 0) & ~doubtful, np.flatnonzero(doubtful)
    within = linear_ways(np.delete(points[on], _largest(plane.normals[0]), axis=1), within_plane=True)
    both = np.concatenate([within.left, ~within.left])
    sure = np.concatenate([within.sure, within.sure]) & (not unsure and len(free) == 0)
    if len(free) > MOST_DOUBTFUL:
        return Ways(np.zeros((0, len(points)), dtype=bool), np.zeros(0, dtype=bool), True)
    choices = all_choices(len(free))
    left = np.tile(side > 0, (len(both) * len(choices), 1))
    left[:, on] = np.repeat(both, len(choices), axis=0)
    left[:, free] = np.tile(choices, (len(both), 1))
    return Ways(left, np.repeat(sure, len(choices)), within.open)


def _largest(normal: Floats) -> int:
    """The feature of the largest coefficient, the first among equals up to rounding."""
    return int(np.argmax(np.abs(normal) > np.abs(normal).max() - 1e-9))


def _ways_on_a_line(values: Floats) -> Ways:
    """Thresholds; values closer than the tolerance may be told apart or not."""
    places, place_of = np.unique(values, return_inverse=True)
    gaps = np.diff(places)
    return _distinct([Ways(_thresholds(len(places))[:, place_of], np.append(True, gaps > DOUBT[1]))])


def _thresholds(n: int) -> Bools:
    """The ways to cut a row of n places: nothing on the left, then the last n - 1, n - 2, ... places."""
    cut = np.arange(n)[:, None]
    return (np.arange(n)[None, :] >= cut) & (cut > 0)


def _together(n: int) -> Ways:
    return Ways(np.zeros((1, n), dtype=bool), np.ones(1, dtype=bool))


def _undecided(n: int) -> Ways:
    """All points together for sure; whatever else there may be is in doubt."""
    if n > MOST_DOUBTFUL:
        return Ways(_together(n).left, np.ones(1, dtype=bool), True)
    left = all_choices(n - 1)
    left = np.concatenate([np.zeros((len(left), 1), dtype=bool), left], axis=1)
    return Ways(left, np.arange(len(left)) == 0)


def _distinct(parts: list[Ways]) -> Ways:
    """The ways without repetition and mirror images; one that is sure anywhere is sure."""
    left = np.concatenate([part.left for part in parts])
    sure = np.concatenate([part.sure for part in parts])
    left = left ^ left[:, :1]
    packed = np.packbits(left, axis=1)
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    any_sure = np.zeros(len(first), dtype=bool)
    np.logical_or.at(any_sure, group.ravel(), sure)
    order = np.argsort(first)
    return Ways(left[first[order]], any_sure[order], any(part.open for part in parts))
