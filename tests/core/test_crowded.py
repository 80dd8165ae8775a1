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
