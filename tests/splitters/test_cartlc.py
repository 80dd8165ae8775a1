"""CART-LC: linear combinations, their local optima, deletion of features and invariances."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import naive_splits as naive
from cart_elc import CARTLCClassifier
from cart_elc.criteria import CRITERIA, PAPERS
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.cartlc import CARTLCSplitter, medians_and_spreads, weighted_quantiles

OFFSETS = (-0.25, 0.0, 0.25)


def overlapping(seed, n=60, m=3, k=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    X = rng.normal(size=(n, m)) + 0.8 * rng.normal(size=(k, m))[y]
    return X * rng.uniform(0.1, 100, m) + 50 * rng.normal(size=m), y


def scaled_values(node, split):
    """The node's rows in CART-LC's units and their values under the split, zero at the plane."""
    centre, scale = medians_and_spreads(node)
    features = list(split.features)
    points = (node.X - centre) / scale
    value = points[:, features] @ (split.weights * scale[features])
    return points, value - (split.threshold - split.weights @ centre[features])


@pytest.mark.parametrize("criterion", PAPERS)
@pytest.mark.parametrize("deletion", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(8))
def test_a_combination_is_a_local_optimum_of_every_coefficient_it_has(criterion, deletion, seed):
    node = naive.node_of(*overlapping(seed, k=2 + seed % 2))
    split = CARTLCSplitter(criterion, deletion=deletion)(node)
    points, value = scaled_values(node, split)
    own = naive.loss(value >= 0, node.target.y, node.weights, criterion)
    assert naive.in_units(own, criterion) == pytest.approx(split.score, abs=1e-12)
    slopes = [points[:, j] + offset for j in split.features for offset in OFFSETS]
    for slope in (*slopes, np.ones(len(points))):
        assert naive.best_step(value, slope, node.target.y, node.weights, criterion) >= own - 1e-9


def test_a_larger_tolerance_ends_the_search_earlier():
    scores, n_cuts = [], []
    for tolerance in (0.0, 1.0):
        splits = [CARTLCSplitter(tolerance=tolerance)(naive.node_of(*overlapping(seed, n=200))) for seed in range(8)]
        scores.append(sum(split.score for split in splits))
        n_cuts.append(sum(split.n_candidates for split in splits))
    assert scores[0] < scores[1] and n_cuts[0] > n_cuts[1]


@pytest.mark.parametrize("criterion", PAPERS)
@pytest.mark.parametrize("seed", range(10))
def test_it_is_never_worse_than_the_axis_parallel_split(criterion, seed):
    node = naive.node_of(*overlapping(seed, k=3))
    combined, axis_parallel = CARTLCSplitter(criterion)(node), AxisSplitter(criterion)(node)
    assert not CRITERIA[criterion].better(axis_parallel.score, combined.score)


@pytest.mark.parametrize("seed", range(10))
def test_shift_and_positive_scale_of_features_do_not_matter(seed):
    X, y = overlapping(seed, n=80, m=4)
    rng = np.random.default_rng(seed)
    moved = X * 2.0 ** rng.integers(-8, 8, 4) + rng.integers(-64, 64, 4)
    model = CARTLCClassifier(max_depth=3)
    np.testing.assert_array_equal(model.fit(X, y).apply(X), model.fit(moved, y).apply(moved))


def test_the_split_is_in_the_datas_own_units():
    X, y = overlapping(1)
    model = CARTLCClassifier(max_depth=1).fit(X, y)
    features, weights, threshold = model.tree_.split(0)
    left = X[:, features] @ weights >= threshold
    assert model.tree_.score[0] == pytest.approx(naive.loss(left, y, np.ones(len(y)), "gini"), abs=1e-12)


def test_features_that_do_not_help_are_deleted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = (X[:, 1] + X[:, 4] + 0.1 * rng.normal(size=400) > 0).astype(int)
    kept = CARTLCClassifier(max_depth=1).fit(X, y).tree_.split(0)[0]
    everything = CARTLCClassifier(max_depth=1, deletion=0.0).fit(X, y).tree_.split(0)[0]
    assert set(kept) == {1, 4}
    assert len(everything) > 2


def test_quantiles_count_weights_as_repeated_rows():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=(30, 2)), rng.integers(1, 5, 30)
    repeated = np.repeat(values, weights, axis=0)
    expected = np.quantile(repeated, (0.25, 0.5, 0.75), axis=0, method="inverted_cdf")
    np.testing.assert_array_equal(weighted_quantiles(values, weights.astype(float), (0.25, 0.5, 0.75)), expected)


def test_a_column_that_is_mostly_one_value_is_scaled_by_its_range():
    X = np.array([[0.0, 1.0]] * 9 + [[4.0, 1.0]])
    centre, scale = medians_and_spreads(naive.node_of(X, [0] * 5 + [1] * 5))
    assert centre.tolist() == [0.0, 1.0] and scale.tolist() == [2.0, 0.0]


def test_it_is_deterministic():
    X, y = load_wine(return_X_y=True)
    first, again = (CARTLCClassifier().fit(X, y).tree_ for _ in range(2))
    np.testing.assert_array_equal(first.weights, again.weights)


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_it_prunes_on_rows_kept_apart(pruning):
    X, y = overlapping(3, n=300)
    whole = CARTLCClassifier().fit(X, y).get_n_leaves()
    assert CARTLCClassifier(pruning=pruning, random_state=0).fit(X, y).get_n_leaves() < whole


def test_iris_is_learnt():
    X, y = load_iris(return_X_y=True)
    assert CARTLCClassifier().fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"tolerance": -1.0}, "tolerance must be a finite number >= 0, got -1.0"),
        ({"deletion": 1.5}, r"deletion must be a number in \[0, 1\], got 1.5"),
        ({"criterion": "sum_minority"}, "criterion must be one of"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        CARTLCClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
