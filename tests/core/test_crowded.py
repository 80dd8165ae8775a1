"""Tables of more rows than brute force by the tolerance can judge: no linear split with a margin is missed."""

from __future__ import annotations

import numpy as np
import pytest

from cart_elc import best_split
from cart_elc.verification.verify import verify
from crowded import FAMILIES, draw_crowded, missed_splits


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@pytest.mark.parametrize(("r", "n_tables"), [(2, 20), (3, 4)])
def test_no_linear_split_with_a_margin_is_missed(family, r: int, n_tables: int) -> None:
    for seed in range(n_tables):
        case = draw_crowded(np.random.default_rng([r, seed]), family, r)
        assert list(missed_splits(case)) == [], case


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_check_by_the_tolerance_refutes_nothing(family) -> None:
    """Where rows are on planes by the tolerance alone, what they could decide is left open."""
    for seed in range(6):
        case = draw_crowded(np.random.default_rng([7, seed]), family, 2)
        split = best_split(case.X, case.y, 2)
        assert verify(split, case.X, case.y, r=2).bound_holds or not split.proven, case


def noisy_level(noise: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    levels, numbers, steps = random.integers(0, 3, 1000), random.normal(size=1000), random.integers(-3, 4, 1000)
    return np.column_stack([levels + noise * steps, numbers]), random.integers(0, 2, 1000)


@pytest.mark.parametrize("exponent", range(-16, -8))
def test_noise_hides_no_split(exponent: int) -> None:
    """With random labels, dividing the rows of a level in other ways than planes do would be better."""
    clean, noisy = (best_split(*noisy_level(noise), 2) for noise in (0.0, 10.0**exponent))
    assert noisy.proven
    assert noisy.score <= clean.score + 1e-12


def noisy_lines_with_decoys(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, classes, weights, and the sides of a split whose cell three noisy lines bound.

    On each line lies a heavy row of the wrong class beside another: to get both right would be better, but no plane
    does.
    """
    random = np.random.default_rng(seed)
    noise, gap, k = 3e-11, 3e-10, 25
    a, c = np.array([-0.3, 0.0]), np.array([0.05, 0.5])
    b = (a + c) / 2 + [0.002, -0.001]  # just off the segment from a to c
    rows: list[tuple[float, ...]] = []

    def add_line(start, along, inward, places, side) -> None:
        points = [start + place * along + random.uniform(-noise, noise) * inward for place in places]
        rows.extend((*point, side, 1, side) for point in points)

    def add_decoy(start, along, inward, place=0.02) -> None:
        rows.append((*(start + place * along + noise * inward), 1, 20, 0))
        rows.append((*(start + (place + gap) * along - noise * inward), 0, 40, 0))
        rows.append((*(start + place / 2 * along + 0.02 * place * inward), 0, 60, 0))

    def across(along, towards):
        normal = np.array([-along[1], along[0]])
        return normal * np.sign(normal @ towards)

    for start, other in ((a, c), (c, a)):
        along = (start - b) / np.hypot(*(start - b))
        inward = across(along, other - b)
        add_line(start, along, inward, [0, *random.uniform(0.05, 0.4, k)], 0)
        add_line(b, -along, inward, random.uniform(0.05, 0.4, k), 1)
        add_decoy(start, along, inward)
    rows.append((*b, 1, 1, 1))
    along = (c - a) / np.hypot(*(c - a))
    inward = across(along, a - b)
    add_line(a, along, inward, random.uniform(0.05, 0.55, 2 * k), 0)
    add_decoy(a, along, inward)
    table = np.array(rows)
    return table[:, :2], table[:, 2].astype(np.int64), table[:, 3], table[:, 4] == 0


def test_divisions_that_no_plane_makes_hide_no_other() -> None:
    for seed in range(20):
        X, y, weights, left = noisy_lines_with_decoys(seed)
        impurity = 0.0
        for side in (left, ~left):
            share = weights[side & (y == 1)].sum() / weights[side].sum()
            impurity += weights[side].sum() / weights.sum() * 2 * share * (1 - share)
        assert best_split(X, y, 2, sample_weight=weights).score <= impurity + 1e-9


@pytest.mark.parametrize("far", [1e5, 1e6, 3e6])
def test_one_far_row_hides_no_split(far: float) -> None:
    """All other rows are close together then, and many within 1e-9 of the plane that separates the classes."""
    random = np.random.default_rng(1)
    X = random.normal(size=(2000, 2))
    X[0] = far
    split = best_split(X, (X @ [1, 2] > 0.1).astype(np.int64), 2)
    assert split.proven
    assert split.score == 0


@pytest.mark.parametrize("offset", [1e2, 1e4, 1e5, 1e6])
def test_a_grid_far_from_zero_is_a_grid(offset: float) -> None:
    """Its rows are not told apart by rounding, and what rounding makes of its best split is not worse than others."""
    for seed in range(4):
        random = np.random.default_rng([3, seed])
        grid, y = random.integers(0, 5, (120, 3)), random.integers(0, 2, 120)
        near, far = best_split(grid.astype(float), y, 3), best_split(offset + 0.1 * grid, y, 3)
        assert far.score == pytest.approx(near.score, abs=1e-9)


def test_what_float64_cannot_express_is_searched_for_among_what_it_can() -> None:
    """On this lattice of noise the best division is of rows that are on a line up to rounding alone."""
    random = np.random.default_rng([1, 2040])
    case = draw_crowded(random, FAMILIES[0], 2)
    split = best_split(case.X, case.y, 2)
    assert not split.proven
    assert split.bound < split.score < 0.4328
