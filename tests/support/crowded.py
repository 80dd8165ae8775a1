"""Tables in which many rows lie within tolerances of each other, and the linear splits that a search must not miss.

In sets of more than 40 places the search has a finer tolerance than brute force, which would leave nearly all splits in
doubt there. What holds however rows lie: a linear split that keeps more than `KEPT` between its sides is not better
than what is found. The splits here are the sides of planes through r rows, computed in long double, with those rows on
either side; whether a band is empty is seen in float64.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

import oracle
from agreement import Case, Floats

Random = np.random.Generator
Bools = NDArray[np.bool_]

KEPT = 1e-7
MOST_LOOKED_AT = 40


def noisy_levels(random: Random, n: int, r: int) -> Floats:
    """Levels with noise in some columns, numbers in the others."""
    X = random.normal(size=(n, r))
    with_levels = random.random(r) < 0.6
    levels = random.integers(0, 3, (n, r)) + 10.0 ** random.uniform(-15, -5) * random.integers(-3, 4, (n, r))
    return np.where(with_levels, levels, X)


def heavy_tails(random: Random, n: int, r: int) -> Floats:
    """Log-normal columns: half of the rows are within tolerances of one place."""
    return np.exp(random.uniform(2, 8) * random.normal(size=(n, r)))


def far_rows(random: Random, n: int, r: int) -> Floats:
    """A few rows, or cells, are so far away that all others are close together."""
    X = random.normal(size=(n, r))
    X[random.random((n, r)) < random.choice([0.01, 0.1])] = 10.0 ** random.uniform(4, 11)
    return X


def near_a_plane(random: Random, n: int, r: int) -> Floats:
    """Most rows are near one plane that is no axis's."""
    X = random.normal(size=(n, r))
    near = random.random(n) < 0.8
    X[near, -1] = X[near, :-1] @ random.normal(size=r - 1)
    X[near] += 10.0 ** random.uniform(-13, -6) * random.normal(size=(near.sum(), r))
    return X


def clusters(random: Random, n: int, r: int) -> Floats:
    """A few places, each with many rows near it."""
    places = random.normal(size=(random.integers(2, 6), r))
    return places[random.integers(0, len(places), n)] + 10.0 ** random.uniform(-12, -3) * random.normal(size=(n, r))


def far_from_zero(random: Random, n: int, r: int) -> Floats:
    """A decimal grid, or rows near a plane, whose values are large for their range."""
    grid = 0.1 * random.integers(0, 6, (n, r))
    X = grid if random.random() < 0.5 else near_a_plane(random, n, r)
    return X + 10.0 ** random.uniform(1, 8, r)


Family = Callable[[Random, int, int], Floats]
FAMILIES: tuple[Family, ...] = (noisy_levels, heavy_tails, far_rows, near_a_plane, clusters, far_from_zero)


def draw_crowded(random: Random, family: Family, r: int) -> Case:
    """Labels are drawn, or are the sides of a plane through some rows with a few of them wrong."""
    n = int(random.integers(45, 80 if r == 2 else 60))
    X = family(random, n, r)
    y = random.integers(0, 2, n)
    if random.random() < 0.5:
        scaled = oracle.scale(X)
        sides = next(sides_of_planes(scaled, random.choice(n, (1, r), replace=False)))[0]
        y = np.where(random.random(n) < 0.1, y, sides).astype(np.int64)
    return Case(X, y, None, r)


def missed_splits(case: Case, **options: object) -> Iterator[str]:
    """Linear splits that are better than what was found, though they keep more than `KEPT` between their sides."""
    split = case.split(oracle.Problem("gini", "any"), **options)
    points = oracle.scale(case.X)
    planes = np.array(list(itertools.combinations(range(len(points)), case.r)))
    better: dict[bytes, tuple[float, Bools]] = {}
    for some in np.array_split(planes, max(1, len(planes) // 4096)):
        for sides in sides_of_planes(points, some):
            losses = _gini(sides, case.y)
            for at in np.flatnonzero(losses < split.score - 1e-9):
                better[sides[at].tobytes()] = losses[at], sides[at]
    for loss, left in sorted(better.values(), key=lambda found: found[0])[:MOST_LOOKED_AT]:
        kept = oracle.widest_band(points, left).half_width
        if kept > KEPT:
            yield f"score {split.score!r}, proven={split.proven}, but {loss!r} with {kept:.2g} to either side"


def sides_of_planes(points: Floats, planes: NDArray[np.int64]) -> Iterator[Bools]:
    """The rows above each plane, once for every way to put the rows that define it on a side."""
    values = _values(points.astype(np.longdouble), planes)
    for above in itertools.product([False, True], repeat=planes.shape[1]):
        sides = values > 0
        np.put_along_axis(sides, planes, np.broadcast_to(above, planes.shape), axis=1)
        yield sides


def _values(points: NDArray[np.longdouble], planes: NDArray[np.int64]) -> NDArray[np.longdouble]:
    first = points[planes[:, 0]]
    if planes.shape[1] == 2:
        step = points[planes[:, 1]] - first
        normals = np.stack([-step[:, 1], step[:, 0]], axis=1)
    else:
        normals = np.cross(points[planes[:, 1]] - first, points[planes[:, 2]] - first)
    return normals @ points.T - (normals * first).sum(axis=1)[:, None]


def _gini(sides: Bools, y: NDArray[np.int64]) -> Floats:
    n, ones = len(y), y.sum()
    left, left_ones = sides.sum(axis=1), sides @ y
    right, right_ones = n - left, ones - left_ones
    with np.errstate(invalid="ignore", divide="ignore"):
        impurity = 2 * (left_ones * (1 - left_ones / left) + right_ones * (1 - right_ones / right)) / n
    return np.where((left == 0) | (right == 0), np.inf, impurity)
