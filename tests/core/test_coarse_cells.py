"""Feature sets of large nodes, dismissed by coarse cells: the best of all sets is the best of the sets one by one."""

import itertools

import numpy as np
import pytest

from cart_elc import best_split

ROWS = {2: 4200, 3: 66000}  # enough for coarse cells


def continuous(random, n, m):
    return random.normal(size=(n, m))


def of_levels(random, n, m):
    return np.round(random.normal(size=(n, m)), 1)


def mostly_zero(random, n, m):
    return np.where(random.random((n, m)) < 0.7, 0, random.normal(size=(n, m)))


def far_apart(random, n, m):
    return np.exp(3 * random.normal(size=(n, m)))


def table(make, n, m, k, seed, noise=0.7):
    """Columns of a kind, with labels that the first two tell in part."""
    random = np.random.default_rng(seed)
    X = make(random, n, m)
    value = np.argsort(np.argsort(X[:, 0])) + np.argsort(np.argsort(X[:, 1])) + noise * n * random.normal(size=n)
    return X, np.digitize(value, np.quantile(value, np.linspace(0, 1, k + 1)[1:-1]))


def assert_best_of_sets(X, y, r, **options):
    split = best_split(X, y, r, **options)
    alone = {
        features: best_split(X[:, features], y, r, **options)
        for features in itertools.combinations(range(X.shape[1]), r)
    }
    assert split.proven and split.score == min(one.score for one in alone.values())
    assert any(set(split.features) <= set(features) and split.score == one.score for features, one in alone.items())


@pytest.mark.parametrize("make", [continuous, of_levels, mostly_zero, far_apart])
@pytest.mark.parametrize("k", [2, 3, 8])
@pytest.mark.parametrize("planes", ["any", "through"])
def test_two_features_of_a_large_node(make, k, planes):
    assert_best_of_sets(*table(make, ROWS[2], 5, k, 1), 2, planes=planes)


def test_three_features_of_a_large_node():
    assert_best_of_sets(*table(continuous, ROWS[3], 4, 2, 2, noise=0.05), 3)


def test_rows_with_weights():
    X, y = table(continuous, ROWS[2], 4, 2, 3)
    weights = np.random.default_rng(3).integers(1, 4, len(y)).astype(float)
    assert_best_of_sets(X, y, 2, sample_weight=weights)


def test_columns_with_missing_values_are_searched_without_them():
    X, y = table(continuous, ROWS[2], 4, 2, 4)
    X[::7, 2] = np.nan
    assert_best_of_sets(X, y, 2)


def test_every_number_of_threads_gives_the_same_split():
    X, y = table(continuous, ROWS[2], 8, 3, 5)
    one, two = (best_split(X, y, 2, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert (one.features, one.score, one.threshold, one.samples) == (
        two.features,
        two.score,
        two.threshold,
        two.samples,
    )
