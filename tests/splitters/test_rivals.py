"""What every estimator of the comparison shares, and CART-ELC against all of them."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

import naive_splits as naive
from cart_elc import best_split, export_code, export_graphviz, export_text, load
from cart_elc.criteria import PAPERS
from cart_elc.estimators import CLASSIFIERS
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.cartlc import CARTLCSplitter
from cart_elc.splitters.gain_ratio import GainRatioSplitter
from cart_elc.splitters.householder import HouseholderSplitter
from cart_elc.splitters.oc1 import OC1Splitter
from strategies import CI, cases

RIVALS = {name: estimator for name, estimator in CLASSIFIERS.items() if name != "ELCClassifier"}
SPLITTERS = {
    "CART": AxisSplitter,
    "HHCART(A)": lambda criterion: HouseholderSplitter("A", criterion),
    "HHCART(D)": lambda criterion: HouseholderSplitter("D", criterion),
    "OC1": lambda criterion: OC1Splitter(criterion, restarts=5),
    "CART-LC": CARTLCSplitter,
    "C4.5": lambda criterion: GainRatioSplitter(),
}


def make(estimator, **parameters):
    """The estimator with a fixed random state, if it has one."""
    names = estimator().get_params()
    fast = {"restarts": 3, "random_state": 0, "pruning": None}
    return estimator(**{name: value for name, value in fast.items() if name in names} | parameters)


@pytest.fixture(params=RIVALS.values(), ids=RIVALS)
def estimator(request):
    return request.param


def test_all_rivals_are_there():
    assert set(RIVALS) == {
        "HHCARTClassifier",
        "OC1Classifier",
        "CARTLCClassifier",
        "CARTClassifier",
        "C45Classifier",
    }


def test_two_fits_give_the_same_tree(estimator):
    X, y = load_wine(return_X_y=True)
    first, again = (make(estimator).fit(X, y).tree_ for _ in range(2))
    np.testing.assert_array_equal(first.weights, again.weights)
    np.testing.assert_array_equal(first.thresholds, again.thresholds)


@pytest.mark.parametrize(
    ("parameters", "holds"),
    [
        ({"max_depth": 2}, lambda tree, n: tree.max_depth <= 2),
        ({"min_samples_leaf": 12}, lambda tree, n: tree.n_node_samples[tree.is_leaf].min() >= 12),
        ({"min_samples_split": 70}, lambda tree, n: tree.n_node_samples[~tree.is_leaf].min() >= 70),
        ({"min_weight_fraction_leaf": 0.1}, lambda tree, n: tree.weighted_n_node_samples.min() >= 0.1 * n),
        ({"max_leaf_nodes": 3}, lambda tree, n: tree.n_leaves == 3),
        ({"min_impurity_decrease": 0.2}, lambda tree, n: tree.n_leaves <= 4),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_stopping_rules_are_kept(estimator, parameters, holds):
    X, y = load_wine(return_X_y=True)
    tree = make(estimator, **parameters).fit(X, y).tree_
    assert holds(tree, len(y)) and tree.n_leaves > 1


def test_the_stored_rules_give_the_training_counts(estimator):
    X, y = load_wine(return_X_y=True)
    tree = make(estimator).fit(X, y).tree_
    leaves, counts = np.unique(tree.apply(X), return_counts=True)
    np.testing.assert_array_equal(tree.n_node_samples[leaves], counts)
    np.testing.assert_array_equal(np.flatnonzero(tree.is_leaf), leaves)


def test_class_weights_move_the_predictions(estimator):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    counts = [
        np.count_nonzero(make(estimator, max_depth=2, class_weight={0: 1.0, 1: w}).fit(X, y).predict(X))
        for w in (0.05, 20.0)
    ]
    assert counts[0] < counts[1]


def test_names_missing_values_and_probabilities_survive_saving(estimator, tmp_path):
    iris = load_iris(as_frame=True)
    frame = iris.data.mask(np.random.default_rng(0).random(iris.data.shape) < 0.05)
    model = make(estimator, max_depth=3).fit(frame, iris.target_names[iris.target])
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert type(again) is estimator and again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1.0)
    assert list(again.feature_names_in_) == list(frame.columns)
    assert "petal" in export_text(again) and "virginica" in export_text(again)


def test_the_tree_as_a_program_predicts_the_same(estimator):
    X, y = load_iris(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    model = make(estimator, max_depth=3).fit(X, y)
    names: dict = {}
    exec(export_code(model), names)
    assert [names["predict"](row) for row in X.tolist()] == model.predict(X).tolist()
    assert export_graphviz(model).startswith("digraph")


def test_a_frame_is_fitted_like_its_matrix(estimator):
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    np.testing.assert_array_equal(
        make(estimator).fit(X, y).tree_.thresholds, make(estimator).fit(frame, y).tree_.thresholds
    )


def partitions_through_samples(X, y, r):
    """The left sides, as frozen sets, of all planes through r samples in r features."""
    sides = set()
    for features in itertools.combinations(range(X.shape[1]), r):
        Z = X[:, features]
        for chosen in itertools.combinations(range(len(X)), r):
            points = Z[list(chosen)]
            normal = np.linalg.svd(points[1:] - points[0] if r > 1 else np.zeros((1, 1)))[2][-1]
            height = (Z - points[0]) @ normal
            on = np.abs(height) < 1e-9
            for above in (height > 0, height < 0):
                for left in (above | on, above & ~on):
                    sides.add(frozenset(np.flatnonzero(left)))
    return sides


@pytest.mark.parametrize("criterion", PAPERS)
@pytest.mark.parametrize("rival", SPLITTERS)
@CI
@given(seed=st.integers(0, 10**6), m=st.integers(1, 3), n_classes=st.integers(2, 3))
def test_elc_is_never_worse_on_partitions_that_it_has_among_its_own(rival, criterion, seed, m, n_classes):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(9, m)), rng.integers(0, n_classes, 9)
    y[:n_classes] = range(n_classes)
    node = naive.node_of(X, y)
    split = SPLITTERS[rival](criterion)(node)
    if not split.found:
        return
    r = len(split.features)
    left = split.sides(X, node.rows) == 1
    if frozenset(np.flatnonzero(left)) in partitions_through_samples(X, y, r):
        exact = naive.in_units(best_split(X, y, r, criterion=criterion).score, criterion)
        assert exact <= naive.loss(left, y, node.weights, criterion) + 1e-9


@CI
@given(case=cases(2))
def test_nasty_tables_are_fitted(case):
    for estimator in RIVALS.values():
        model = make(estimator)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The number of unique classes")
            model.fit(case.X, case.y, case.sample_weight)
        np.testing.assert_allclose(model.predict_proba(case.X).sum(axis=1), 1.0)
        if estimator is not RIVALS["C45Classifier"]:  # whose rows may be in several leaves
            leaves, counts = np.unique(model.apply(case.X[case.kept()]), return_counts=True)
            np.testing.assert_array_equal(model.tree_.n_node_samples[leaves], counts)
            assert len(leaves) == model.get_n_leaves()
