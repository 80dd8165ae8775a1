"""Tables with structure on several scales open few more boxes than ordinary ones of the same size."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
import tables

from cart_elc import ELCClassifier, best_split


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
    clean, noisy = (tables.noisy_level(2000, noise) for noise in (0.0, 10.0**exponent))
    assert seconds((noisy, y), 2) <= 10 * seconds((clean, y), 2)


def seconds(table: tables.Table, r: int) -> float:
    """Of a complete search, the best of three, and a hundredth for what disturbs it."""
    splits = [best_split(*table, r, n_jobs=1, time_limit=20) for _ in range(3)]
    assert splits[0].proven
    return 0.01 + min(split.seconds for split in splits)


@pytest.mark.parametrize("columns", [[0, 1], [1, 0]])
def test_the_same_with_many_rows(columns: list[int]) -> None:
    y = np.random.default_rng(5).integers(0, 2, 20000)
    clean, noisy = (tables.noisy_level(20000, noise)[:, columns] for noise in (0.0, 1e-13))
    assert seconds((noisy, y), 2) <= 10 * seconds((clean, y), 2)


@pytest.mark.parametrize("exponent", [-15, -12, -10, -9])
def test_the_same_with_weights_and_leaves_of_many_rows(exponent: int) -> None:
    """Rows are then counted apart from their weights."""
    random = np.random.default_rng(6)
    y, weights = random.integers(0, 2, 2000), random.integers(1, 4, 2000)

    def fitted_in(noise: float) -> float:
        model = ELCClassifier(r=2, criterion="gini", max_depth=1, min_samples_leaf=250, time_limit=20)
        began = perf_counter()
        model.fit(tables.noisy_level(2000, noise), y, sample_weight=weights)
        took = perf_counter() - began
        assert model.tree_.proven[0]
        return 0.02 + took

    assert min(fitted_in(10.0**exponent) for _ in range(3)) <= 10 * min(fitted_in(0.0) for _ in range(3))


def test_one_hot_columns_rotated_and_back() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 10, 3000)
    turn = np.linalg.qr(random.normal(size=(10, 10)))[0]
    y = (random.random(3000) < 0.2 + 0.06 * codes).astype(np.int64)
    clean = np.eye(10)[codes]
    assert boxes((clean @ turn @ turn.T, y), 2) <= 10 * boxes((clean, y), 2)


@pytest.mark.parametrize(("noise", "most"), [(1e-2, 3), (1e-4, 3), (1e-6, 4)])
def test_three_levels_with_noise_in_every_column(noise: float, most: int) -> None:
    clean = np.random.default_rng(7).integers(0, 3, (768, 4))
    X = clean + noise * np.random.default_rng(8).normal(size=clean.shape)
    assert boxes((X, tables.noisy_halves(clean)), 3) <= most * boxes(ordinary(), 3)


@pytest.mark.parametrize("exponent", [-13, -12, -11.5, -11, -10.5, -10, -9.5, -9, -8.5, -8, -7, -6])
def test_the_same_in_seconds(exponent: float) -> None:
    """About the tolerance many rows are on many planes, and a box may take as long as thousands elsewhere."""
    clean = np.random.default_rng(7).integers(0, 3, (768, 4))
    X = clean + 10.0**exponent * np.random.default_rng(8).normal(size=clean.shape)
    assert seconds((X, tables.noisy_halves(clean)), 3) <= 20 * seconds(ordinary(), 3)


@pytest.mark.parametrize("exponent", [-10, -8, -6, -4, -2])
def test_levels_with_labels_that_nothing_explains(exponent: float) -> None:
    X = np.random.default_rng(7).integers(0, 3, (768, 4)) + 10.0**exponent * np.random.default_rng(8).normal(
        size=(768, 4)
    )
    assert seconds((X, random_labels()), 3) <= 40 * seconds((ordinary()[0], random_labels()), 3)


def test_sentinels_with_labels_that_nothing_explains() -> None:
    X = ordinary()[0]
    clean = X.copy()
    X[np.random.default_rng(9).random(X.shape) < 0.2] = -999999
    assert seconds((X, random_labels()), 3) <= 20 * seconds((clean, random_labels()), 3)


@pytest.mark.parametrize("seed", range(3))
def test_sentinels_in_columns_whose_difference_tells(seed: int) -> None:
    """Rows with them lie in planes and on lines, so that of the selections that a box leaves few have a plane in it."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(768, 4))
    clean = X.copy()
    y = ((X[:, 0] > X[:, 1]) ^ (random.random(768) < 0.15)).astype(np.int64)
    X[random.random(X.shape) < 0.2] = -999999
    assert seconds((X, y), 3) <= 20 * seconds((clean, random_labels()), 3)


def random_labels() -> tables.Labels:
    return np.random.default_rng(10).integers(0, 2, 768)


@pytest.mark.parametrize("sigma", [3, 4, 5, 6])
def test_heavy_tails_with_labels_that_they_explain(sigma: float) -> None:
    logs = np.random.default_rng(13).normal(size=(768, 4))
    assert seconds((np.exp(sigma * logs), tables.noisy_halves(logs)), 3) <= 20 * seconds(ordinary(), 3)


@pytest.mark.parametrize("r", [2, 3])
def test_very_heavy_tails_are_proven(r: int) -> None:
    """Labels follow the few largest values, so that nothing explains those of most rows."""
    X = tables.very_skewed(768)
    assert best_split(X, tables.noisy_halves(X), r, n_jobs=1, time_limit=60).proven


def test_one_row_at_ten_millions() -> None:
    X, y = ordinary()
    X[0] = 1e7
    assert boxes((X, y), 3) <= 3 * boxes(ordinary(), 3)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("far", "most"), [(1e8, 20), (1e9, 3), (1e10, 3)])
def test_a_few_rows_so_far_away_that_no_two_others_fix_a_plane(far: float, most: int, seed: int) -> None:
    """At 1e8 a few pairs do."""
    X, y = ordinary()
    X[:3] = far * np.random.default_rng(seed).normal(size=(3, 4))
    assert boxes((X, y), 3) <= most * boxes(ordinary(), 3)


def test_a_sentinel_of_a_billion() -> None:
    X, y = ordinary()
    X[np.random.default_rng(9).random(X.shape) < 0.02] = -1e9
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
