"""The ways in which planes divide points in two: together with the points on the plane, or in every linear way.

All that a score needs of a division is how much of each class it has on the left side. So points come with tallies, and
a division is a sum of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cart_elc.tree import FloatArray
from cart_elc.verification.planes import DOUBT, FLAT, ROUNDED, Planes, planes_through, thickness

ROUNDING_OF_FLAT = 1.1  # factor within which rounding decides whether a feature set lies in one plane
WELL_APART = 1e-5  # the points of a thicker selection are divided in all ways, whatever coordinates are left out
WITHIN_PLANE = 2.5
"""Factor within which independence within a plane is unsure: it depends on the coordinates that are left out."""
SURE, UNSURE, OPEN = 0.0, 1.0, 2.0
"""A division; one only if rounding has it so; one of many unclear points, which stands for any other."""
FEW_PLACES, MOST_FINE = 40, 3
"""With more points than so many, in at most so many features, the tolerance is finer."""
MOST_UNCLEAR = 8  # unclear points up to this number are placed in all ways


@dataclass(frozen=True, eq=False)
class Divisions:
    """Divisions of some planes: tallies of the left side (n_planes, n_ways, n_tallies), and their doubt."""

    left: FloatArray
    doubt: FloatArray


def candidates(places: FloatArray, tallies: FloatArray, kind: str) -> Iterator[Divisions]:
    """The divisions of the points of a feature set, in order; none where they lie in one plane."""
    canonical = kind == "canonical"
    if places.shape[1] == 1:
        yield divisions_by_value(tallies, canonical)
        return
    thick = thickness(places)
    if thick <= FLAT / ROUNDING_OF_FLAT:
        return
    unsure = thick <= FLAT * ROUNDING_OF_FLAT
    if kind == "any":
        yield together(tallies)
        fine = len(places) > FEW_PLACES and places.shape[1] <= MOST_FINE
        yield from linear_divisions(places, tallies, unsure=unsure, fine=fine)
        return
    for planes in planes_through(places):
        yield from divisions_together(planes, tallies, canonical, unsure)


def divisions_by_value(tallies: FloatArray, canonical: bool) -> Divisions:
    """The points of one feature, in its order, from each value upwards and, unless `canonical`, downwards."""
    upwards, downwards = np.cumsum(tallies[::-1], axis=0), np.cumsum(tallies, axis=0)
    left = np.stack([upwards] if canonical else [upwards, downwards], axis=1)
    return Divisions(left, np.full(left.shape[:2], SURE))


def divisions_together(planes: Planes, tallies: FloatArray, canonical: bool, unsure: bool) -> Iterator[Divisions]:
    """The points on a plane go to one side together, either of them or, if `canonical`, the one that is above."""
    if canonical:
        yield from sides_of(planes.take(~planes.sign_unsure), tallies, [True], unsure)
        planes, unsure = planes.take(planes.sign_unsure), True
    yield from sides_of(planes, tallies, [True, False], unsure)


def sides_of(planes: Planes, tallies: FloatArray, joins_above: list[bool], unsure: bool) -> Iterator[Divisions]:
    """One division for each side that the points on the plane may join; planes with unclear points one by one."""
    below = ~(planes.above | planes.on | planes.unclear)
    sides = [(planes.above if above else below) | planes.on for above in joins_above]
    left = np.stack([side @ tallies for side in sides], axis=1)
    doubt = np.repeat(np.where(planes.unsure[:, None] | unsure, UNSURE, SURE), len(sides), axis=1)
    unclear = planes.unclear.any(axis=1)
    yield Divisions(left[~unclear], doubt[~unclear])
    for k in np.flatnonzero(unclear):
        yield with_unclear(left[k], doubt[k], tallies[planes.unclear[k]])


def linear_divisions(
    points: FloatArray, tallies: FloatArray, slack: float = ROUNDED, unsure: bool = False, fine: bool = False
) -> Iterator[Divisions]:
    """The points on each plane, taken once for all its selections, are divided in every way that is linear in it."""
    seen: set[bytes] = set()
    for planes in planes_through(points, slack, fine=fine):
        alone = planes.on.sum(axis=1) == points.shape[1]
        simple = alone & ~planes.unclear.any(axis=1) & (planes.thinnest > WELL_APART) & (not unsure)
        yield all_divisions(planes.take(simple), tallies)
        others = planes.take(~simple)
        patterns = np.concatenate([others.above, others.on, others.unclear, others.unsure[:, None]], axis=1)
        for k, pattern in enumerate(np.packbits(patterns, axis=1)):
            if (key := pattern.tobytes()) not in seen:
                seen.add(key)
                yield divisions_of_plane(points, tallies, others, k, unsure, fine)


def all_divisions(planes: Planes, tallies: FloatArray) -> Divisions:
    """Independent points on a plane are divided in all ways."""
    choices = all_choices(planes.selections.shape[1])
    left = (planes.above @ tallies)[:, None] + np.einsum("wi,kic->kwc", choices, tallies[planes.selections])
    return Divisions(left, np.full(left.shape[:2], SURE))


def divisions_of_plane(
    points: FloatArray, tallies: FloatArray, planes: Planes, k: int, unsure: bool, fine: bool
) -> Divisions:
    """The points on the plane are projected along the axis of its largest coefficient, the first among equals."""
    on, size = planes.on[k], np.abs(planes.normals[k])
    projected = np.delete(points[on], np.argmax(size > size.max() - 1e-9), axis=1)
    within = divisions_within(projected, tallies[on], fine)
    doubt = np.maximum(within.doubt, UNSURE if planes.unsure[k] or unsure else SURE)
    return with_unclear(planes.above[k] @ tallies + within.left[0], doubt[0], tallies[planes.unclear[k]])


def with_unclear(left: FloatArray, doubt: FloatArray, unclear: FloatArray) -> Divisions:
    """The divisions of one plane with its unclear points, given by their tallies, on either side."""
    if len(unclear) > MOST_UNCLEAR:
        return Divisions(left[None], np.full((1, len(left)), OPEN))
    placed = all_choices(len(unclear)) @ unclear
    doubt = np.maximum(doubt, UNSURE if len(unclear) else SURE)
    return Divisions(np.concatenate(left + placed[:, None])[None], np.tile(doubt, len(placed))[None])


def divisions_within(points: FloatArray, tallies: FloatArray, fine: bool) -> Divisions:
    """Every linear division of the points within a plane, both ways round; all together is one of them."""
    if points.shape[1] == 1:
        parts = [divisions_on_line(points[:, 0], tallies)]
    else:
        parts = list(linear_divisions(points, tallies, WITHIN_PLANE, fine=fine))
        if not any(len(part.left) for part in parts):
            parts = [with_unclear(np.zeros((1, tallies.shape[1])), np.zeros(1), tallies)]
    ways = joined([together(tallies), *parts])
    return joined([ways, Divisions(tallies.sum(axis=0) - ways.left, ways.doubt)])


def divisions_on_line(values: FloatArray, tallies: FloatArray) -> Divisions:
    """Thresholds; rounding decides whether values that are closer than the tolerance are told apart."""
    order = np.argsort(values, kind="stable")
    gaps = np.diff(values[order])
    below = np.cumsum(tallies[order], axis=0)[:-1][gaps > 0]
    return Divisions(below[None], np.where(gaps[gaps > 0] > DOUBT[1], SURE, UNSURE)[None])


def together(tallies: FloatArray) -> Divisions:
    """All points on one side."""
    return Divisions(np.zeros((1, 1, tallies.shape[1])), np.full((1, 1), SURE))


def all_choices(n: int) -> FloatArray:
    """Every choice among `n` points, one in each row."""
    return np.asarray((np.arange(2**n)[:, None] >> np.arange(n)) % 2.0)


def joined(parts: list[Divisions]) -> Divisions:
    """The divisions of all parts as those of one plane, without repetition."""
    rows = [np.concatenate([part.left, part.doubt[..., None]], axis=2) for part in parts]
    distinct = np.unique(np.concatenate([row.reshape(-1, row.shape[2]) for row in rows]), axis=0)[None]
    return Divisions(distinct[..., :-1], distinct[..., -1])
