"""Tables with structure on several scales open few more boxes than ordinary ones of the same size."""

from __future__ import annotations

import numpy as np
import pytest
import tables

from cart_elc import best_split


def boxes(table: tables.Table, r: int) -> int:
    """The boxes of a complete search."""
    split = best_split(*table, r, n_jobs=1, time_limit=60)
    assert split.proven
    return split.n_boxes


def noisy_level(n: int, noise: float) -> tables.Table:
    """Labels do not depend on the noise."""
    return tables.noisy_level(n, noise), tables.noisy_halves(tables.noisy_level(n, 0.0))


@pytest.mark.parametrize("n", [300, 1000, 5000])
@pytest.mark.parametrize("exponent", range(-16, 0))
def test_a_level_column_with_noise_beside_a_continuous_one(n: int, exponent: int) -> None:
    assert boxes(noisy_level(n, 10.0**exponent), 2) <= 10 * boxes(noisy_level(n, 0.0), 2)


@pytest.mark.parametrize("exponent", range(-16, 0))
def test_the_same_with_labels_that_nothing_explains(exponent: int) -> None:
    """Time counts here: few boxes are of no use if each has thousands of planes with hundreds of rows on them."""
    y = np.random.default_rng(5).integers(0, 2, 2000)
    assert seconds(tables.noisy_level(2000, 10.0**exponent), y) <= 10 * seconds(tables.noisy_level(2000, 0.0), y)


def seconds(X: tables.Floats, y: np.ndarray) -> float:
    """Of a complete search, the best of three, and a hundredth for what disturbs it."""
    splits = [best_split(X, y, 2, n_jobs=1, time_limit=20) for _ in range(3)]
    assert splits[0].proven
    return 0.01 + min(split.seconds for split in splits)


def test_one_hot_columns_rotated_and_back() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 10, 3000)
    turn = np.linalg.qr(random.normal(size=(10, 10)))[0]
    y = (random.random(3000) < 0.2 + 0.06 * codes).astype(np.int64)
    clean = np.eye(10)[codes]
    assert boxes((clean @ turn @ turn.T, y), 2) <= 10 * boxes((clean, y), 2)


@pytest.mark.parametrize(("noise", "most"), [(1e-2, 5), (1e-4, 9), (1e-6, 13)])
def test_three_levels_with_noise_in_every_column(noise: float, most: int) -> None:
    clean = np.random.default_rng(7).integers(0, 3, (768, 4))
    X = clean + noise * np.random.default_rng(8).normal(size=clean.shape)
    assert boxes((X, tables.noisy_halves(clean)), 3) <= most * boxes(ordinary(), 3)


def test_very_heavy_tails_are_proven() -> None:
    X = tables.very_skewed(768)
    assert best_split(X, tables.noisy_halves(X), 2, n_jobs=1, time_limit=60).proven


def test_one_row_at_ten_millions() -> None:
    X, y = ordinary()
    X[0] = 1e7
    assert boxes((X, y), 3) <= 3 * boxes(ordinary(), 3)


@pytest.mark.parametrize(("value", "share", "most"), [(-99, 0.1, 3), (-99999, 0.1, 4), (-999999, 0.2, 5)])
def test_a_sentinel_in_some_cells(value: float, share: float, most: int) -> None:
    X, y = ordinary()
    X[np.random.default_rng(9).random(X.shape) < share] = value
    assert boxes((X, y), 3) <= most * boxes(ordinary(), 3)


def test_six_cities() -> None:
    X = tables.cities(768)
    assert boxes((X, tables.noisy_halves(X)), 3) <= 3 * boxes(ordinary(), 3)


def ordinary() -> tables.Table:
    X = np.random.default_rng(0).normal(size=(768, 4))
    return X, tables.noisy_halves(X)


@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_rows_in_two_clusters_and_one_far_row(seed: int) -> None:
    """There are 4,950 lines through two of them."""
    random = np.random.default_rng(seed)
    X = 1e-3 * random.normal(size=(100, 2)) + np.repeat([[0.0], [1.0]], 50, axis=0)
    X[99] = 1e6
    assert boxes((X, random.integers(0, 2, 100)), 2) <= 4950
