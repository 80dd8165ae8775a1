"""CART: the axis-parallel search, agreement with scikit-learn's tree, and pruning on rows kept apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import naive_splits as naive
from cart_elc import CARTClassifier
from cart_elc.criteria import OF_OC1
from cart_elc.pruning.cost_complexity import weakest_links
from cart_elc.pruning.validated import CrossValidated, HeldOut, Sequence, errors_at, node_values, stratified_folds
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.node import Limits
from cart_elc.targets import Classes
from strategies import CI, cases

SKLEARN = {"gini": "gini", "information_gain": "entropy"}


@pytest.mark.parametrize("criterion", OF_OC1)
@CI
@given(case=cases(1))
def test_the_split_scores_as_well_as_a_plain_search(case, criterion):
    kept = case.kept()
    X, y = case.X[kept], np.unique(case.y[kept], return_inverse=True)[1]
    weights = np.ones(len(kept)) if case.sample_weight is None else case.sample_weight[kept]
    split = AxisSplitter(criterion)(naive.node_of(X, y, weights))
    expected = naive.best_axis_cut(X, y, weights, criterion)
    if np.isinf(expected):
        assert not split.found
    else:
        assert split.score == pytest.approx(naive.in_units(expected, criterion), abs=1e-12)
        left = np.where(
            np.isnan(X[:, split.features[0]]), split.missing_left, X[:, split.features[0]] >= split.threshold
        )
        assert naive.loss(left, y, weights, criterion) == pytest.approx(expected, abs=1e-12)


@CI
@given(case=cases(1, complete=True), least=st.integers(1, 4))
def test_both_sides_have_the_rows_that_are_asked_for(case, least):
    node = naive.node_of(case.X, case.y, limits=Limits(min_samples_leaf=least))
    split = AxisSplitter()(node)
    expected = naive.best_axis_cut(case.X, case.y, node.weights, "gini", least)
    assert split.score == pytest.approx(expected, abs=1e-12)


def test_the_threshold_is_midway_between_neighbouring_values():
    model = CARTClassifier(max_depth=1).fit([[0.0], [1.0], [4.0], [9.0]], [0, 0, 1, 1])
    assert model.tree_.thresholds[0] == 2.5
    assert model.tree_.margin[0] == 1.5


def test_ties_go_to_the_smallest_feature_and_threshold():
    X = np.array([[0, 0], [1, 1], [2, 2], [3, 3]], dtype=float)
    split = AxisSplitter()(naive.node_of(X, [0, 1, 0, 1]))
    assert (split.features, split.threshold) == ((0,), 0.5)


@pytest.mark.parametrize("criterion", SKLEARN)
@pytest.mark.parametrize("seed", range(20))
def test_root_score_is_that_of_scikit_learns_tree(criterion, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, size=(80, 4)) / 4 if seed % 2 else rng.normal(size=(80, 4)).astype(np.float32)
    y = rng.integers(0, 2 + seed % 3, size=80)
    ours = CARTClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
    theirs = DecisionTreeClassifier(criterion=SKLEARN[criterion], max_depth=1, random_state=0).fit(X, y).tree_
    assert leaf_impurity(ours) == pytest.approx(leaf_impurity(theirs), abs=1e-12)


def leaf_impurity(tree):
    leaf = np.asarray(tree.children_left) < 0
    return float((tree.impurity * tree.weighted_n_node_samples)[leaf].sum() / tree.weighted_n_node_samples[0])


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("criterion", SKLEARN)
def test_training_scores_are_those_of_scikit_learns_tree(load, criterion):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)  # scikit-learn rounds to it
    whole = CARTClassifier(criterion=criterion).fit(X, y)
    assert whole.score(X, y) == DecisionTreeClassifier(criterion=SKLEARN[criterion]).fit(X, y).score(X, y) == 1.0
    for depth in (1, 2, 3):
        ours = CARTClassifier(criterion=criterion, max_depth=depth).fit(X, y)
        theirs = DecisionTreeClassifier(criterion=SKLEARN[criterion], max_depth=depth, random_state=0).fit(X, y)
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-12)


def noisy(seed, n=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(rng.random(n) < 0.2, 1, 0) ^ (X[:, 0] + X[:, 1] > 0)


class Rows:
    def __init__(self, X, y, weights=None):
        self.X, self.target = np.ascontiguousarray(X, dtype=float), Classes(np.asarray(y, dtype=np.int64), 2)
        self.weights = np.ones(len(X)) if weights is None else weights


@pytest.mark.parametrize("seed", range(5))
def test_errors_of_the_nested_trees_are_those_that_they_make(seed):
    X, y = noisy(seed)
    tree = CARTClassifier(max_depth=6).fit(X[:200], y[:200]).tree_
    sequence, rows = Sequence.of(tree), Rows(X, y)
    errors = sequence.errors(node_values(tree, rows, np.arange(200, 300)))
    sizes = [sequence.subtree(i).n_leaves for i in range(len(errors))]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] == 1
    for position, expected in enumerate(errors):
        predicted = np.argmax(sequence.subtree(position).predict_value(X[200:]), axis=1)
        assert (predicted != y[200:]).sum() == expected


def test_the_sequence_prices_leaves_by_training_errors():
    X, y = noisy(3)
    tree = CARTClassifier(max_depth=5).fit(X, y).tree_
    sequence = Sequence.of(tree)
    risk = errors_at(tree, tree.value) / tree.weighted_n_node_samples[0]
    totals = sequence.errors(tree.value) / len(y) + sequence.alphas * np.array(
        [sequence.subtree(i).n_leaves for i in range(len(sequence.alphas))]
    )
    links = list(weakest_links(tree, risk))
    assert np.all(np.diff(sequence.alphas) > 0)
    assert len(links) == sequence.lengths[-1]
    # At its own price a subtree costs no more than any other of the sequence.
    for position, alpha in enumerate(sequence.alphas):
        sizes = np.array([sequence.subtree(i).n_leaves for i in range(len(sequence.alphas))])
        costs = sequence.errors(tree.value) / len(y) + alpha * sizes
        assert totals[position] <= costs.min() + 1e-12


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_pruning_makes_smaller_trees_and_one_standard_error_smaller_ones_still(pruning):
    X, y = noisy(0, 600)
    fit = {"pruning": pruning, "holdout_fraction": 0.3, "random_state": 0}
    sizes = [
        CARTClassifier(**options).fit(X[:400], y[:400]).get_n_leaves()
        for options in ({}, fit, fit | {"standard_errors": 1.0})
    ]
    assert sizes[0] > 2 * sizes[1] >= 2 * sizes[2]
    whole, pruned = CARTClassifier().fit(X[:400], y[:400]), CARTClassifier(**fit).fit(X[:400], y[:400])
    assert pruned.score(X[400:], y[400:]) > whole.score(X[400:], y[400:])


def test_the_held_out_part_is_not_grown_on():
    X, y = noisy(1, 200)
    model = CARTClassifier(pruning="holdout", holdout_fraction=0.25, random_state=0).fit(X, y)
    assert model.tree_.n_node_samples[0] == 150
    assert CARTClassifier(pruning="cv", random_state=0).fit(X, y).tree_.n_node_samples[0] == 200


def test_cross_validation_takes_the_price_of_least_error():
    X, y = noisy(2, 150)
    rows = Rows(X, y)

    def grow(weights):
        return CARTClassifier(max_depth=4).fit(X, y, weights).tree_

    sequence = Sequence.of(grow(rows.weights))
    prices = np.append(np.sqrt(sequence.alphas[:-1] * sequence.alphas[1:]), np.inf)
    errors = np.zeros(len(prices))
    folds = stratified_folds(rows, 5, 7)
    assert sorted(np.concatenate(folds)) == list(range(150))
    for fold in folds:
        part = Sequence.of(grow(np.where(np.isin(np.arange(150), fold), 0.0, 1.0)))
        for i, price in enumerate(prices):
            subtree = part.subtree(max(j for j, alpha in enumerate(part.alphas) if alpha <= price))
            errors[i] += (np.argmax(subtree.predict_value(X[fold]), axis=1) != y[fold]).sum()
    expected = sequence.subtree(int(np.flatnonzero(errors == errors.min())[-1]))
    chosen = CrossValidated(5, 0.0, 7)(grow(rows.weights), rows, grow)
    assert chosen.n_leaves == expected.n_leaves


def test_a_part_of_no_rows_prunes_nothing():
    X, y = noisy(0, 8)
    model = CARTClassifier(pruning="holdout", holdout_fraction=0.01, random_state=0).fit(X, y)
    assert model.get_n_leaves() == CARTClassifier().fit(X, y).get_n_leaves()
    assert HeldOut(0.0, 0.0, 0).fraction == 0.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"pruning": "none"}, "pruning must be one of 'cv', 'holdout', got 'none'"),
        ({"pruning": "cv", "ccp_alpha": 0.1}, "ccp_alpha must be 0 where pruning='cv' chooses the tree, got 0.1"),
        ({"standard_errors": -1}, "standard_errors must be a finite number >= 0, got -1"),
        ({"n_folds": 1}, "n_folds must be an int >= 2, got 1"),
        ({"holdout_fraction": 1.0}, r"holdout_fraction must be a number in \[0, 0.9\], got 1.0"),
        ({"criterion": "sum_minority"}, "criterion must be one of 'gini', 'twoing', 'information_gain'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        CARTClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
