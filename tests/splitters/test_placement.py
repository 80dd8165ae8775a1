"""The two placements of a plane whose sides are known."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from cart_elc import best_split
from cart_elc.criteria import CRITERIA
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.placement import Placement, through_threshold, widest_margin
from cart_elc.tree import weighted_sums
from naive_splits import node_of
from paper_data import FOLDER

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

HOUSING = FOLDER / "housing.csv"


def half_spans(points: Floats) -> Floats:
    half = np.ptp(points, axis=0) / 2
    return np.where(half > 0, half, 1.0)


def scaled_margin(points: Floats, placed: Placement) -> float:
    """Half the band, as a distance in coordinates scaled to [-1, 1]."""
    return placed.margin / float(np.linalg.norm(placed.weights * half_spans(points)))


def keeps(points: Floats, left: Bools, placed: Placement) -> bool:
    return placed.exact and np.array_equal(left, weighted_sums(points, placed.weights) >= placed.threshold)


def separable(rng: np.random.Generator, n: int, r: int) -> tuple[Floats, Bools, Floats]:
    """Rows in ugly units, a partition that a random plane gives, and that plane's normal."""
    points = rng.normal(size=(n, r)) * 10.0 ** rng.integers(-4, 5, size=r) + 100.0 * rng.integers(0, 2, size=r)
    weights = rng.normal(size=r) / half_spans(points)
    values = weighted_sums(points, weights)
    left = values >= np.sort(values)[rng.integers(1, n)]
    return points, left, weights


def place(points: Floats, left: Bools, weights: Floats) -> Placement:
    return widest_margin(points, left, weights, through_threshold(points, left, weights).threshold)


@pytest.mark.parametrize("r", [1, 2, 3, 5, 10])
def test_the_margin_is_as_wide_as_a_hard_margin_support_vector_machine_finds(r: int) -> None:
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(r)
    for _ in range(15):
        points, left, weights = separable(rng, int(rng.integers(3, 60)), r)
        placed = place(points, left, weights)
        assert keeps(points, left, placed)
        scaled = (points - points.min(axis=0)) / half_spans(points) - 1
        machine = svm.SVC(kernel="linear", C=1e6, tol=1e-7, max_iter=1_000_000).fit(scaled, left)
        normal = machine.coef_[0] / np.linalg.norm(machine.coef_[0])
        values = scaled @ normal
        assert scaled_margin(points, placed) >= (values[left].min() - values[~left].max()) / 2 - 1e-9


@pytest.mark.parametrize("r", [1, 2, 4])
def test_no_direction_nearby_leaves_a_wider_band(r: int) -> None:
    rng = np.random.default_rng(10 + r)
    points, left, weights = separable(rng, 40, r)
    placed = place(points, left, weights)
    scaled = (points - points.min(axis=0)) / half_spans(points) - 1
    normal = placed.weights * half_spans(points)
    normals = normal / np.linalg.norm(normal) + rng.normal(size=(2000, r)) * 10.0 ** rng.uniform(-8, 0, size=(2000, 1))
    values = (normals / np.linalg.norm(normals, axis=1, keepdims=True)) @ scaled.T
    bands = values[:, left].min(axis=1) - values[:, ~left].max(axis=1)
    assert bands.max() / 2 <= scaled_margin(points, placed) + 1e-12


def test_the_dual_quadratic_program_gives_the_same_margin() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(3)
    for _ in range(5):
        points, left, weights = separable(rng, 12, 2)
        placed = place(points, left, weights)
        scaled = (points - points.min(axis=0)) / half_spans(points) - 1
        signs = np.where(left, 1.0, -1.0)[:, None] * scaled
        result = optimize.minimize(
            lambda shares, signs=signs: float(((shares @ signs) ** 2).sum()),
            np.where(left, 1 / left.sum(), 1 / (~left).sum()),
            jac=lambda shares, signs=signs: 2 * signs @ (shares @ signs),
            bounds=[(0, None)] * len(points),
            constraints=[
                {"type": "eq", "fun": lambda shares, side=side: shares[side].sum() - 1} for side in (left, ~left)
            ],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        assert scaled_margin(points, placed) == pytest.approx(np.sqrt(result.fun) / 2, abs=1e-6)


def test_in_one_dimension_the_plane_is_the_midpoint() -> None:
    points = np.array([[3.0], [1.0], [7.0], [1.0]])
    placed = widest_margin(points, np.array([False, False, True, False]), np.array([2.0]), 14.0)
    assert placed.threshold / placed.weights[0] == 5.0
    assert placed.margin / placed.weights[0] == 2.0


def test_two_parallel_lines_of_points_get_the_line_between_them() -> None:
    x = np.arange(20.0)
    points = np.column_stack([np.tile(x, 2), np.repeat([0.0, 1.0], 20)])
    placed = widest_margin(points, points[:, 1] > 0.5, np.array([0.01, 1.0]), 0.9)
    assert placed.weights[0] == pytest.approx(0.0, abs=1e-12)
    assert placed.threshold / placed.weights[1] == pytest.approx(0.5)


def test_collinear_points_are_separated_along_their_line() -> None:
    t = np.arange(10.0)
    points = np.column_stack([t, 2 * t, -t])
    placed = place(points, t >= 6, np.array([1.0, 0.1, 0.0]))
    assert keeps(points, t >= 6, placed)
    assert scaled_margin(points, placed) == pytest.approx(np.sqrt(3) / 9)


def test_a_constant_feature_gets_no_weight() -> None:
    points = np.column_stack([np.arange(6.0), np.full(6, 1e6)])
    placed = place(points, points[:, 0] > 2, np.array([1.0, 0.5]))
    assert placed.weights[1] == 0.0
    assert placed.threshold / placed.weights[0] == pytest.approx(2.5)


def test_duplicated_points_change_nothing() -> None:
    points, left, weights = separable(np.random.default_rng(5), 30, 3)
    once, often = place(points, left, weights), place(np.repeat(points, 50, axis=0), np.repeat(left, 50), weights)
    np.testing.assert_allclose(often.weights, once.weights, rtol=1e-9)


@pytest.mark.parametrize("r", [2, 3, 5, 10])
@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-11, 1e-13])
def test_hulls_that_nearly_touch_are_separated_in_bounded_time(r: int, gap: float) -> None:
    """Two clouds that face each other across a tilted slit, each with many points at its edge."""
    rng = np.random.default_rng(r)
    tangents, normal = rng.normal(size=(r, r)), rng.normal(size=r)
    normal /= np.linalg.norm(normal)
    tangents -= np.outer(tangents @ normal, normal)
    edge = rng.normal(size=(400, r)) @ tangents
    depth = np.where(np.arange(400) % 2 == 0, 1.0, -1.0) * (gap / 2 + np.maximum(0, rng.normal(size=400)))
    points = edge + depth[:, None] * normal
    left = depth > 0
    threshold = through_threshold(points, left, normal)
    start = time.perf_counter()
    placed = widest_margin(points, left, normal, threshold.threshold)
    assert time.perf_counter() - start < 2.0
    assert keeps(points, left, placed) or not threshold.exact
    if gap >= 1e-11:
        assert placed.margin / np.linalg.norm(placed.weights) >= 0.49 * gap


def dependence(points: Floats) -> list[Fraction]:
    """Of d + 2 points in general position, the exact numbers that they and 1 add up to zero with; the largest is 1.

    By Radon's theorem the points with positive numbers and those with negative ones are the one partition that no plane
    makes.
    """
    n = len(points)
    rows = [[Fraction(float(x)) for x in column] for column in points.T] + [[Fraction(1)] * n]
    for i in range(n - 1):
        swap = next(q for q in range(i, n - 1) if rows[q][i] != 0)
        rows[i], rows[swap] = rows[swap], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for q in range(n - 1):
            if q != i:
                rows[q] = [x - rows[q][i] * z for x, z in zip(rows[q], rows[i], strict=True)]
    numbers = [-row[-1] for row in rows] + [Fraction(1)]
    return [x / max(map(abs, numbers)) for x in numbers]


@pytest.mark.parametrize("d", [2, 3, 4])
def test_partitions_that_differ_in_one_point_from_one_that_no_plane_makes(d: int) -> None:
    """The hulls of such sides nearly touch, by as little as the point's number in the dependence."""
    random = np.random.default_rng(d)
    delicate = 0
    for _ in range(300):
        points = random.integers(0, 3, (d + 2, d)) + 10.0 ** random.uniform(-9, -3) * random.normal(size=(d + 2, d))
        numbers = dependence(points)
        for i, number in enumerate(numbers):
            left = np.array([x > 0 for x in numbers])
            left[i] = not left[i]
            if left.all() or not left.any() or abs(number) < 1e-14:
                continue
            delicate += abs(number) < 1e-6
            assert keeps(points, left, widest_margin(points, left, random.normal(size=d), 0.0))
    assert delicate > 50


def test_a_share_of_the_nearest_point_that_rounding_hides() -> None:
    X = [
        [0.999999979013525, 0.0, 4.0],
        [-6.931281189610004e-09, 1.0, 4.0],
        [4.576816363335015e-09, 0.0, 4.0],
        [0.999999979013525, 0.0, 4.0],
        [0.9999999987816683, 0.0, 4.1],
        [0.9999999794488195, 1.0, 4.1],
    ]
    split = best_split(X, [1, 1, 0, 0, 1, 0], 3)
    assert split.proven and split.score == 0.25


def test_touching_hulls_keep_the_given_plane() -> None:
    """Float64 rounds the sides of this partition together along every normal but the given one."""
    points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [1.0, 1.0 + 2**-52]])
    left = np.array([False, False, False, True])
    placed = widest_margin(points, left, np.array([-1.0, 1.0]), 2.0**-53)
    assert keeps(points, left, placed)


def test_inseparable_sides_are_reported() -> None:
    points = np.array([[0.0], [1.0], [2.0], [3.0]])
    left = np.array([False, True, False, True])
    for placed in (widest_margin(points, left, np.array([1.0]), 1.0), through_threshold(points, left, np.array([1.0]))):
        assert not placed.exact
    assert placed.threshold in (1.0, 3.0)


@pytest.mark.skipif(not HOUSING.exists(), reason=f"housing.csv is not in {FOLDER}")
def test_housing_columns_take_bounded_time() -> None:
    """LIBSVM with a very large C did not end on such splits."""
    table = np.genfromtxt(HOUSING, delimiter=",", skip_header=1)[:, :-1]
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    for _ in range(100):
        r = int(rng.integers(1, 5))
        points = np.ascontiguousarray(table[:, rng.choice(13, size=r, replace=False)])
        weights = rng.normal(size=r) / half_spans(points)
        values = weighted_sums(points, weights)
        left = values >= values[rng.integers(len(values))]
        if left.all():
            continue
        assert keeps(points, left, place(points, left, weights))
    assert time.perf_counter() - start < 10.0


def test_a_million_rows_take_seconds() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(1_000_000, 2))
    left = weighted_sums(points, np.array([1.0, -0.7])) >= 0.3
    start = time.perf_counter()
    placed = widest_margin(points, left, np.array([1.0, -0.7]), 0.3)
    assert time.perf_counter() - start < 4.0
    assert keeps(points, left, placed)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
@pytest.mark.parametrize("r", [1, 2, 3, 10])
def test_the_threshold_through_the_samples_is_robust_to_the_order_of_summation(r: int, offset: float) -> None:
    rng = np.random.default_rng(r)
    for _ in range(50):
        points = rng.normal(size=(30, r)) + offset
        weights = rng.normal(size=r)
        values = weighted_sums(points, weights)
        left = values >= np.sort(values)[rng.integers(1, 30)]
        placed = through_threshold(points, left, weights)
        assert keeps(points, left, placed)
        lowest_left = values[left].min()
        assert placed.threshold <= lowest_left
        assert lowest_left - placed.threshold <= 1e-14 * r * (1 + offset) * np.abs(weights).sum() * 4
        if placed.margin > 1e-15 * r * (1 + offset) * np.abs(weights).sum() * 4:
            assert np.array_equal(left, points @ weights >= placed.threshold)
            backwards = weighted_sums(points[:, ::-1], weights[::-1])
            assert np.array_equal(left, backwards >= placed.threshold)


def test_one_side_may_be_empty() -> None:
    points = np.array([[1.0], [2.0]])
    for left in (np.ones(2, dtype=bool), np.zeros(2, dtype=bool)):
        placed = through_threshold(points, left, np.array([1.0]))
        assert keeps(points, left, placed)
        assert np.isnan(placed.margin)
        assert np.isnan(widest_margin(points, left, np.array([1.0]), placed.threshold).margin)


def test_neighbouring_floats_are_told_apart() -> None:
    low = 0.1
    points = np.array([[low], [np.nextafter(low, 1)]])
    left = np.array([False, True])
    assert keeps(points, left, through_threshold(points, left, np.array([1.0])))
    assert keeps(points, left, widest_margin(points, left, np.array([1.0]), points[1, 0]))


def test_weights_that_overflow_are_reported_not_raised() -> None:
    points = np.array([[1e-310, 0.0], [3e-310, 1.0], [5e-310, 0.0]])
    left = np.array([False, True, True])
    weights = np.array([np.inf, 1.0])
    assert not through_threshold(points, left, weights).exact
    assert not widest_margin(points, left, weights, 0.0).exact


def test_extreme_units_are_placed_without_overflow() -> None:
    points = np.array([[-1e308, 1e-300], [1e308, 3e-300], [1e308, -1e-300], [-1e308, 2e-300]])
    left = points[:, 0] > 0
    placed = place(points, left, np.array([1.0, 0.0]))
    assert keeps(points, left, placed)


def coarse_table(seed: int) -> tuple[Floats, NDArray[np.int64], int]:
    """Columns whose spread is so small for their magnitude that sums of products lose most of it."""
    generator = np.random.default_rng(seed)
    n, m = int(generator.integers(4, 14)), int(generator.integers(2, 4))
    offsets, steps = 10.0 ** generator.integers(6, 12, m), 10.0 ** generator.integers(-5, -1, m)
    return offsets + generator.integers(0, 5, (n, m)) * steps, np.arange(n) % 2, int(generator.integers(2, m + 1))


def test_a_plane_that_float64_cannot_put_through_its_samples_takes_the_widest_margin() -> None:
    moved = 0
    for seed in range(400):
        X, y, r = coarse_table(seed)
        node = node_of(X, y)
        through, margin = (ELCSplitter(r, planes="through", wide=wide)(node) for wide in (False, True))
        assert (through.proven, through.score, through.features) == (margin.proven, margin.score, margin.features)
        if through.found and through.proven:
            left = weighted_sums(X[:, list(through.features)], through.weights) >= through.threshold
            counts = [np.bincount(y[side], minlength=2).astype(float) for side in (left, ~left)]
            assert CRITERIA["gini"].score(*counts) == pytest.approx(through.score, abs=1e-12)
            moved += np.array_equal(through.weights, margin.weights) and through.threshold == margin.threshold
    assert moved > 5


def test_a_plane_that_float64_can_express_stays_on_its_samples() -> None:
    for seed in range(50):
        X = np.random.default_rng(seed).normal(size=(12, 3))
        split = best_split(X, np.arange(12) % 2, 3, planes="through")
        samples = X[list(split.samples)][:, list(split.features)]
        assert weighted_sums(samples, split.weights) == pytest.approx(split.threshold, abs=1e-12)
