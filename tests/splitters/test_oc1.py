"""OC1: climbing, its local optima, its randomness and its pruning."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

import naive_splits as naive
from cart_elc import CARTClassifier, OC1Classifier
from cart_elc.criteria import CRITERIA, OF_OC1
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.heuristic_split import placed_split
from cart_elc.splitters.node import Limits
from cart_elc.splitters.oc1 import OC1Splitter, has_few_points, own_units, unit_ranges

ORDERS = ("sequential", "best", "random")


def separated(seed, n_features, low, high):
    """200 points of a cube in two classes on either side of a plane, with an empty band of a tenth of its side."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=n_features)
    normal /= np.linalg.norm(normal)
    threshold = 0.5 * normal.sum() + random.uniform(-0.25, 0.25)
    X = random.random((4000, n_features))
    X = X[np.abs(X @ normal - threshold) >= 0.05][:200]
    return low + (high - low) * X, (X @ normal > threshold).astype(np.int64)


def n_pure(n_features, cube):
    """Number of seeds, of 100, whose root split separates the classes."""
    tables = (separated(seed, n_features, *cube) for seed in range(100))
    models = (OC1Classifier(max_depth=1, random_state=seed) for seed in range(100))
    return sum(model.fit(X, y).score(X, y) == 1.0 for model, (X, y) in zip(models, tables, strict=True))


def mixed(seed, n=60, m=3, k=3):
    """Overlapping clouds, with a column of integers among them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    X = rng.normal(size=(n, m)) + 0.8 * rng.normal(size=(k, m))[y]
    X[:, 0] = np.round(2 * X[:, 0])
    return X * rng.uniform(0.1, 100, m) + rng.normal(size=m) * 50, y


@pytest.mark.parametrize("cube", [(0.0, 1.0), (-5.0, 5.0), (100.0, 103.0)])
@pytest.mark.parametrize("n_features", [2, 3, 4, 5])
def test_a_plane_with_a_gap_of_a_tenth_is_found_in_nine_of_ten_runs(n_features, cube):
    assert n_pure(n_features, cube) >= 90


@pytest.mark.parametrize("criterion", OF_OC1)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_never_worse_than_the_axis_parallel_split(criterion, order, seed):
    node = naive.node_of(*mixed(seed))
    oblique = OC1Splitter(criterion, restarts=3, order=order, seed=seed)(node)
    axis_parallel = AxisSplitter(criterion)(node)
    assert not CRITERIA[criterion].better(axis_parallel.score, oblique.score)
    left = oblique.sides(node.X, node.rows) == 1
    assert oblique.score == pytest.approx(
        naive.in_units(naive.loss(left, node.target.y, node.weights, criterion), criterion), abs=1e-12
    )


@pytest.mark.parametrize("scaled", [True, False], ids=["scaled", "own units"])
@pytest.mark.parametrize("criterion", OF_OC1)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(4))
def test_a_plane_is_a_local_optimum_of_every_coefficient(criterion, order, seed, scaled):
    node = naive.node_of(*mixed(seed, k=2 + seed % 2))
    split = OC1Splitter(criterion, restarts=4, order=order, seed=seed, scaled=scaled)(node)
    origin, scale = unit_ranges(node) if scaled else own_units(node)
    points = (node.X - origin) / scale
    features, weights = list(split.features), split.weights * scale[list(split.features)]
    value = points[:, features] @ weights - (split.threshold - split.weights @ origin[features])
    own = naive.loss(value >= 0, node.target.y, node.weights, criterion)
    assert naive.in_units(own, criterion) == pytest.approx(split.score, abs=1e-12)
    for slope in (*points.T, np.ones(len(points))):
        assert naive.best_step(value, slope, node.target.y, node.weights, criterion) >= own - 1e-9


def test_the_same_random_state_gives_the_same_tree():
    X, y = load_wine(return_X_y=True)
    first, again, other = (OC1Classifier(restarts=5, random_state=seed).fit(X, y).tree_ for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.weights, again.weights)
    np.testing.assert_array_equal(first.thresholds, again.thresholds)
    assert len(first.weights) != len(other.weights) or (first.weights != other.weights).any()


def test_best_first_growth_finds_the_same_splits_as_depth_first():
    X, y = load_wine(return_X_y=True)
    depth_first = OC1Classifier(restarts=3, random_state=0).fit(X, y)
    best_first = OC1Classifier(restarts=3, random_state=0, max_leaf_nodes=100).fit(X, y)
    np.testing.assert_array_equal(depth_first.tree_.thresholds, best_first.tree_.thresholds)


def test_order_of_rows_does_not_matter_and_a_weight_of_two_is_a_repeated_row():
    X, y = mixed(5, n=90)
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, len(X))
    repeated = rng.permutation(np.repeat(np.arange(len(X)), weights))
    weighted = OC1Classifier(random_state=0, restarts=4, max_depth=3).fit(X, y, weights)
    longer = OC1Classifier(random_state=0, restarts=4, max_depth=3).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(weighted.tree_.thresholds, longer.tree_.thresholds)
    np.testing.assert_allclose(weighted.tree_.weights, longer.tree_.weights)


def test_a_plane_whose_rule_leaves_a_side_too_small_is_none():
    node = naive.node_of([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 1], limits=Limits(min_samples_leaf=2))
    cut = [placed_split(node, np.ones(1), low + 0.5, 0.5, "gini", 1, missing_left=False) for low in (0.0, 1.0)]
    assert [split.found for split in cut] == [False, True]


def test_features_are_normalised_to_be_positive():
    node = naive.node_of([[-2.0, 3.0, 1.0], [2.0, 5.0, 1.0]], [0, 1])
    origin, scale = unit_ranges(node)
    assert (origin.tolist(), scale.tolist()) == ([-2.0, 3.0, 1.0], [4.0, 2.0, 0.0])
    origin, scale = own_units(node)
    assert (origin.tolist(), scale.tolist()) == ([-2.0, 0.0, 0.0], [1.0, 1.0, 0.0])


@pytest.mark.parametrize("scaled", [True, False])
def test_ranges_too_large_for_a_float_do_no_harm(scaled):
    X = np.random.default_rng(0).uniform(-1.7, 1.7, (60, 2)) * 1e308
    node = naive.node_of(X, X[:, 0] / 2 + X[:, 1] / 2 > 0)
    split = OC1Splitter("gini", restarts=3, scaled=scaled)(node)
    assert np.isfinite(split.weights).all()
    assert split.score <= AxisSplitter("gini")(node).score


def test_units_and_origin_of_the_features_do_not_matter():
    X, y = mixed(6)
    factors, shifts = np.array([0.25, 8.0, 1024.0]), np.array([0.5, -4.0, 3072.0])
    model = OC1Classifier(random_state=0, restarts=4, max_depth=2)
    np.testing.assert_array_equal(
        model.fit(X, y).apply(X), model.fit(X * factors + shifts, y).apply(X * factors + shifts)
    )


@pytest.mark.parametrize("axis_parallel", [False, True])
def test_names_of_the_classes_do_not_matter_to_the_sum_of_variances(axis_parallel):
    X, y = load_wine(return_X_y=True)
    model = OC1Classifier(axis_parallel, criterion="sum_of_variances", max_depth=3, restarts=3, random_state=0)
    leaves = [model.fit(X, np.array(list(names))[y]).apply(X) for names in ("abc", "bca", "cba")]
    np.testing.assert_array_equal(leaves[0], leaves[1])
    np.testing.assert_array_equal(leaves[0], leaves[2])


@pytest.mark.parametrize("criterion", ["gini", "twoing", "information_gain"])
def test_oc1_ap_is_axis_parallel(criterion):
    X, y = load_breast_cancer(return_X_y=True)
    ours = OC1Classifier(axis_parallel=True, criterion=criterion, max_depth=3).fit(X, y).tree_
    cart = CARTClassifier(criterion=criterion, max_depth=3).fit(X, y).tree_
    np.testing.assert_array_equal(ours.thresholds, cart.thresholds)
    assert np.diff(ours.indptr).max() == 1


def test_holdout_grows_on_nine_tenths_and_prunes():
    X, y = mixed(7, n=300, k=2)
    whole = OC1Classifier(restarts=2, random_state=0).fit(X, y)
    pruned = OC1Classifier(restarts=2, random_state=0, pruning="holdout").fit(X, y)
    assert whole.tree_.n_node_samples[0] == 300 and pruned.tree_.n_node_samples[0] == 270
    assert pruned.get_n_leaves() < whole.get_n_leaves()


def test_few_distinct_points_are_split_along_an_axis():
    X = np.random.default_rng(0).normal(size=(7, 4))
    y = np.array([0, 1, 0, 1, 0, 1, 1])
    assert has_few_points(naive.node_of(X, y))
    assert has_few_points(naive.node_of(np.repeat(X, 5, axis=0), np.repeat(y, 5)))
    assert len(OC1Splitter(seed=0)(naive.node_of(X, y)).features) == 1
    assert not has_few_points(naive.node_of(np.concatenate([X, X + 1]), np.tile(y, 2)))


def test_constant_features_get_no_weight():
    X, y = separated(1, 2, 0.0, 1.0)
    model = OC1Classifier(random_state=0, max_depth=1).fit(np.insert(X, 1, 7.0, axis=1), y)
    assert model.score(np.insert(X, 1, 7.0, axis=1), y) == 1.0
    assert 1 not in model.tree_.features


def test_a_time_limit_is_kept():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 8)), rng.integers(0, 2, 20_000)
    start = time.monotonic()
    with pytest.warns(ConvergenceWarning, match=r"^time_limit=0\.3 cut the fit short: "):
        model = OC1Classifier(restarts=1000, time_limit=0.3, random_state=0).fit(X, y)
    assert time.monotonic() - start < 3.0
    assert model.tree_.n_nodes >= 1


def test_iris_is_learnt_with_few_leaves():
    X, y = load_iris(return_X_y=True)
    model = OC1Classifier(random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0 and model.get_n_leaves() <= 6


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"order": "R-50"}, "order must be one of 'sequential', 'best', 'random', got 'R-50'"),
        ({"restarts": 0}, "restarts must be an int >= 1, got 0"),
        ({"jumps": -1}, "jumps must be an int >= 0, got -1"),
        ({"stagnation": 2}, r"stagnation must be a number in \[0, 1\], got 2"),
        ({"criterion": "error"}, "criterion must be one of 'gini'"),
        ({"axis_parallel": "yes"}, "axis_parallel must be True or False, got 'yes'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        OC1Classifier(**parameters).fit([[0.0], [1.0]], [0, 1])
