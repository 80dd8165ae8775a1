"""Nearly degenerate tables with a planted split of score zero, decided in exact arithmetic.

Coordinates are whole multiples of ``2**-52`` in [-1, 1], and every column has both ends, so that scaling changes no
bit. Some rows are others moved by as little as ``2**-50``. A plane through some of the rows is solved in rationals; the
labels are its sides. Every correct search finds a score of zero. There are two grades:

`SETTLED`
    the exact distances leave no doubt by the oracle's own generous measure;
`FINE`
    they are clear of the tolerance by a tenth and by what the best arithmetic in float64 must get wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from agreement import Case
from oracle import FLAT, INDEPENDENT, ON_PLANE, exact_points
from oracle.separable import Point, null_vector
from oracle.sides import DOUBT, ROUNDING, flatness

Floats = NDArray[np.float64]
Random = np.random.Generator

MOST_ROWS = {2: 10, 3: 9, 4: 9}
WELL_APART = 1e-5


@dataclass(frozen=True)
class Grade:
    """What counts as decided: distances up to `on` or from `off`, with an error of `rounding` per unit of leverage."""

    on: float
    off: float
    rounding: float


SETTLED = Grade(*DOUBT, ROUNDING)
FINE = Grade(0.9 * ON_PLANE, 1.1 * ON_PLANE, float(np.finfo(np.float64).eps))


def draw_planted(random: Random, grade: Grade = SETTLED) -> tuple[Case, str]:
    """A table, and the candidates, "any" or "through", that hold a split of score zero."""
    while (planted := _try_to_plant(random, grade)) is None:
        continue
    return planted


def _try_to_plant(random: Random, grade: Grade) -> tuple[Case, str] | None:
    r = int(random.choice([2, 3, 3, 4]))
    X = nearly_degenerate(random, int(random.integers(r + 2, MOST_ROWS[r] + 1)), r)
    chosen = _selection(random, X)
    distances = decided_distances(X, chosen, grade)
    if distances is None:
        return None
    side = np.where(np.abs(distances) <= ON_PLANE, 0, np.sign(distances))
    planes = "any" if random.random() < 0.5 and can_be_divided(X, chosen, side) else "through"
    left = side >= 0 if random.random() < 0.5 else side > 0
    if planes == "any":
        left[chosen] = random.random(r) < 0.5
    if left.all() or not left.any():
        return None
    return Case(X, left.astype(np.int64), None, r), planes


def nearly_degenerate(random: Random, n: int, r: int) -> Floats:
    """Rows on a lattice of quarters, often all but two on a plane; some moved from others by tiny dyadic steps."""
    X = random.integers(-4, 5, size=(n, r)) / 4.0
    coplanar = random.random() < 0.7
    if coplanar:
        X[2:, r - 1] = 0.0
    X[0], X[1] = -1.0, 1.0
    for i in range(2, n):
        if random.random() < 0.3:
            base = X[random.integers(2, i + 1)]
            X[i] = base + random.integers(-8, 9, size=r) * _steps(random, r, coplanar)
    return np.clip(X, -1.0, 1.0)


def _steps(random: Random, r: int, tilting: bool) -> Floats:
    """A tiny step along each feature; a tilting one leaves a plane by rounding only, but on a base of a millionth."""
    exponents = random.integers(16, 53, size=r)
    if tilting and random.random() < 0.7:
        exponents = np.append(np.full(r - 1, random.integers(17, 27)), random.integers(47, 53))
    return 2.0 ** -exponents.astype(np.float64)


def _selection(random: Random, X: Floats) -> NDArray[np.int64]:
    """Rows to put the plane through: any, or two neighbours and others."""
    n, r = X.shape
    chosen = random.choice(n, size=r, replace=False)
    if random.random() < 0.5:
        distance = np.linalg.norm(X - X[chosen[0]], axis=1)
        neighbour = int(np.argmin(np.where(np.arange(n) == chosen[0], np.inf, distance)))
        others = random.permutation(np.setdiff1d(np.arange(n), [chosen[0], neighbour]))
        chosen = np.array([chosen[0], neighbour, *others[: r - 2]])
    return chosen


def decided_distances(X: Floats, chosen: NDArray[np.int64], grade: Grade) -> Floats | None:
    """Each row's distance from the plane through the chosen ones, rounded from the exact one; None if in doubt."""
    centre = X[chosen].mean(axis=0)
    _, spread, axes = np.linalg.svd(X[chosen] - centre)
    leading = X.shape[1] - 1
    if spread[leading - 1] <= 1.05 * INDEPENDENT or flatness(X) <= 1.1 * FLAT:
        return None
    distances = np.array([float(value) for value in exact_distances(exact_points(X), chosen.tolist())])
    leverage = 1 + np.abs((X - centre) @ axes[:leading].T) @ (1 / spread[:leading])
    size, error = np.abs(distances), grade.rounding * leverage
    decided = (size + error < grade.on) | (size - error > grade.off)
    decided[chosen] = True
    return distances if decided.all() else None


def exact_distances(points: list[Point], chosen: list[int]) -> list[Fraction]:
    """The signed distances of all points from the plane through the chosen ones, its largest coefficient being one."""
    normal = null_vector([[a - b for a, b in zip(points[i], points[chosen[0]], strict=True)] for i in chosen[1:]])
    assert normal is not None, "the chosen points fix no plane"
    largest = max(abs(value) for value in normal)
    offset = _dot(normal, points[chosen[0]])
    return [(_dot(normal, point) - offset) / largest for point in points]


def can_be_divided(X: Floats, chosen: NDArray[np.int64], side: Floats) -> bool:
    """Whether only the chosen rows are on the plane, and far enough apart to be divided in every way."""
    spread = np.linalg.svd(X[chosen] - X[chosen].mean(axis=0), compute_uv=False)
    return bool((side == 0).sum() == len(chosen) and spread[X.shape[1] - 2] > WELL_APART)


def _dot(a: list[Fraction], b: Point) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
