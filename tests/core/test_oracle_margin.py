"""The oracle's margins: by least squares, by support points, by a general solver and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import oracle
from nasty_tables import draw

SQUARE = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])


@pytest.mark.parametrize(
    ("points", "left", "expected"),
    [
        ([[-1.0], [0.5], [1]], [True, False, False], 0.75),
        (SQUARE, [True, True, False, False], 1.0),
        (SQUARE, [True, False, False, False], np.sqrt(2) / 2),
        (SQUARE, [True, True, True, True], 0.0),
        (SQUARE, [True, False, False, True], 0.0),
        ([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [True, False, False, False], 1 / np.sqrt(12)),
    ],
)
def test_margins_known_by_hand(points: list[list[float]], left: list[bool], expected: float) -> None:
    assert oracle.margin(np.array(points), np.array(left)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_to_measure_a_margin_agree(seed: int) -> None:
    random = np.random.default_rng([9, seed])
    case = draw(random)
    table = oracle.make_table(np.nan_to_num(case.X), case.y, case.r)
    for part in table.partitions[-3:]:
        points = table.scaled[:, part.features]
        for k in random.integers(0, len(part.left), size=4):
            left = part.left[k]
            if left.any() and part.sure[k]:
                assert oracle.margin(points, left) == pytest.approx(oracle.margin_by_supports(points, left), abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_a_general_solver_finds_the_same_margin(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.uniform(-1, 1, size=(12, 3))
    left = points @ random.normal(size=3) > 0
    sign = np.where(left, 1.0, -1.0)
    band = oracle.widest_band(points, left)
    assert band.half_width == pytest.approx(band.bound, abs=1e-10)
    start = np.append(band.normal, 0.0) + 0.1 * random.normal(size=4)
    constraint = {"type": "ineq", "fun": lambda plane: sign * (points @ plane[:3] - plane[3]) - 1}
    constraint["jac"] = lambda plane: sign[:, None] * np.column_stack([points, -np.ones(len(points))])
    solved = minimize(
        lambda plane: (plane[:3] @ plane[:3], np.append(2 * plane[:3], 0.0)),
        start,
        jac=True,
        constraints=[constraint],
        method="SLSQP",
        tol=1e-10,
    )
    assert solved.success
    assert band.half_width == pytest.approx(1 / np.linalg.norm(solved.x[:3]), abs=1e-6)


def test_the_widest_band_is_empty_and_points_to_the_left_side() -> None:
    band = oracle.widest_band(SQUARE, np.array([False, False, True, True]))
    assert band.normal == pytest.approx([1.0, 0.0], abs=1e-12)
    assert band.half_width == pytest.approx(1.0)
