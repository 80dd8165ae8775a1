"""The linear splits of a table a second time, without planes and in exact arithmetic.

By Kirchberger's theorem two finite sets are strictly separable if and only if all their subsets of ``d + 2`` points
together are, and by Radon's theorem a set of so many points is inseparable only through an affine dependence. A
*circuit* is a smallest set of affinely dependent points; it has one dependence, ``sum c_i x_i = 0`` with
``sum c_i = 0``, up to a factor. Two sets are inseparable if and only if some circuit has all its points with positive
``c`` in one and all those with negative ``c`` in the other: their hulls then share a point. So the separable
partitions are those that no circuit forbids. Rationals make each dependence exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Point = tuple[Fraction, ...]
Masks = NDArray[np.int64]


def exact_points(X: Iterable[Iterable[float]]) -> list[Point]:
    """The rows as rationals; a float is one exactly."""
    return [tuple(Fraction(value) for value in row) for row in X]


def separable_masks(points: Sequence[Point]) -> Masks:
    """All strictly separable partitions of distinct points, as bit masks of one side; each with its mirror image.

    All points on one side counts as separable. Takes ``2**n`` masks: for at most some 16 points.
    """
    masks = np.arange(2 ** len(points), dtype=np.int64)
    for positive, negative in circuits(points):
        masks = masks[~_divides(masks, positive, negative) & ~_divides(masks, negative, positive)]
    return masks


def is_separable(points: Sequence[Point], left: Iterable[bool]) -> bool:
    """Whether two sets of points are strictly separable; points at one place must be in one set."""
    places = sorted(set(points))
    sides = {place: {side for point, side in zip(points, left, strict=True) if point == place} for place in places}
    if any(len(side) == 2 for side in sides.values()):
        return False
    mask = np.array([sum(1 << k for k, place in enumerate(places) if sides[place] == {True})])
    return not any(_divides(mask, p, q)[0] or _divides(mask, q, p)[0] for p, q in circuits(places))


def _divides(masks: Masks, inside: int, outside: int) -> NDArray[np.bool_]:
    return ((masks & inside) == inside) & ((masks & outside) == 0)


def circuits(points: Sequence[Point]) -> list[tuple[int, int]]:
    """The points of positive and of negative coefficient of every smallest affine dependence, as bit masks."""
    found = []
    for size in range(3, len(points[0]) + 3 if points else 0):
        for chosen in itertools.combinations(range(len(points)), size):
            dependence = _dependence([points[i] for i in chosen])
            if dependence is not None:
                found.append(_masks(chosen, dependence))
    return found


def _masks(chosen: tuple[int, ...], dependence: list[Fraction]) -> tuple[int, int]:
    pairs = list(zip(chosen, dependence, strict=True))
    return sum(1 << i for i, c in pairs if c > 0), sum(1 << i for i, c in pairs if c < 0)


def _dependence(points: list[Point]) -> list[Fraction] | None:
    """The coefficients of the one affine dependence of a circuit; None if the points are not a circuit."""
    coordinates = [list(column) for column in zip(*points, strict=True)]
    coefficients = null_vector([[Fraction(1)] * len(points), *coordinates])
    return coefficients if coefficients is not None and all(coefficients) else None


def null_vector(matrix: list[list[Fraction]]) -> list[Fraction] | None:
    """The one vector, up to a factor, that every row of the matrix is orthogonal to; None if there are more or none."""
    matrix = [list(row) for row in matrix]
    columns = len(matrix[0])
    pivots: list[int] = []
    for column in range(columns):
        row = next((i for i in range(len(pivots), len(matrix)) if matrix[i][column] != 0), None)
        if row is not None:
            _eliminate(matrix, len(pivots), row, column)
            pivots.append(column)
    if len(pivots) != columns - 1:
        return None
    free = next(j for j in range(columns) if j not in pivots)
    vector = [Fraction(0)] * columns
    vector[free] = Fraction(1)
    for i, column in enumerate(pivots):
        vector[column] = -matrix[i][free]
    return vector


def _eliminate(matrix: list[list[Fraction]], to: int, row: int, column: int) -> None:
    matrix[to], matrix[row] = matrix[row], matrix[to]
    pivot = matrix[to][column]
    matrix[to] = [value / pivot for value in matrix[to]]
    for i, other in enumerate(matrix):
        if i != to and other[column] != 0:
            factor = other[column]
            matrix[i] = [a - factor * b for a, b in zip(other, matrix[to], strict=True)]
