"""What the defaults promise: the simplest of the best, a tree that stops by itself, and parameters with clear names."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier

from cart_elc import CARTClassifier, ELCClassifier, best_split
from cart_elc.criteria import bits_to_name
from cart_elc.estimators.elc import MIN_SAVING

IRIS = load_iris(return_X_y=True)
LOADERS = [load_iris, load_wine, load_breast_cancer]


@pytest.mark.parametrize("r", [1, 2, 3, 4, 9])
def test_setosa_is_told_by_one_petal_feature_whatever_r_is(r):
    split = best_split(*IRIS, r)
    assert (split.features, split.threshold / split.weights[0]) == ((2,), pytest.approx(2.45))


@pytest.mark.parametrize("load", LOADERS)
@pytest.mark.parametrize("criterion", ["gini", "twoing", "information_gain", "mdl"])
def test_more_features_never_make_the_score_worse(load, criterion):
    X, y = load(return_X_y=True)
    scores = [best_split(X[:, :8], y, r, criterion=criterion).score for r in (1, 2, 3)]
    assert scores == sorted(scores, reverse=criterion == "gini")


@pytest.mark.parametrize("load", LOADERS)
def test_permuting_columns_permutes_the_tree(load):
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(X.shape[1])
    tree, permuted = ELCClassifier(r=2).fit(X, y).tree_, ELCClassifier(r=2).fit(X[:, order], y).tree_
    assert tree.value.tolist() == permuted.value.tolist()
    for node in tree.split_nodes():
        assert set(tree.rule(node).features) == {int(order[j]) for j in permuted.rule(node).features}


def test_one_feature_is_enough_for_the_default_r():
    model = ELCClassifier().fit([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]] * 5, [0, 0, 0, 1, 1, 1] * 5)
    assert model.get_n_leaves() == 2


@pytest.mark.parametrize(("n", "m", "k"), [(30, 3, 2), (50, 4, 2), (150, 5, 2), (200, 8, 2), (60, 4, 3), (100, 5, 10)])
def test_at_most_five_of_a_hundred_tables_of_noise_are_split(n, m, k):
    split = 0
    for seed in range(100):
        generator = np.random.default_rng([3, seed])
        X, y = generator.normal(size=(n, m)), generator.integers(0, k, n)
        split += ELCClassifier().fit(X, y).get_n_leaves() > 1
    assert split <= 5


@pytest.mark.parametrize("load", LOADERS)
def test_every_split_pays_its_price(load):
    X, y = load(return_X_y=True)
    tree = ELCClassifier().fit(X, y).tree_
    bits = tree.impurity * tree.weighted_n_node_samples
    for node in tree.split_nodes():
        saved = bits[node] - bits[tree.children_left[node]] - bits[tree.children_right[node]]
        price = bits_to_name(float(tree.weighted_n_node_samples[node]), X.shape[1], len(tree.rule(node).features))
        assert tree.score[node] == pytest.approx(saved - price)
        assert tree.score[node] > MIN_SAVING * np.count_nonzero(tree.value[node])


def test_a_higher_price_makes_no_larger_tree():
    X, y = load_breast_cancer(return_X_y=True)
    leaves = [ELCClassifier(price=price).fit(X, y).get_n_leaves() for price in (0.0, 0.5, 1.0, 2.0, 1000.0)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1


def test_whole_weights_are_copies_and_shares_are_scaled_to_the_rows():
    X, y = IRIS
    weights = np.random.default_rng(0).integers(1, 4, 150).astype(float)
    heavy = ELCClassifier().fit(X, y, weights).tree_
    copied = ELCClassifier().fit(np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int))).tree_
    assert heavy.value.tolist() == copied.value.tolist()
    assert ELCClassifier().fit(X, y, np.full(150, 1 / 150)).tree_.score == pytest.approx(
        ELCClassifier().fit(X, y).tree_.score, nan_ok=True
    )


def test_boosting_goes_on_with_weights_that_sum_to_one():
    X, y = load_breast_cancer(return_X_y=True)
    boosted = AdaBoostClassifier(ELCClassifier(max_depth=1), n_estimators=5, random_state=0).fit(X, y)
    assert len(boosted.estimators_) == 5
    assert all(stump.get_n_leaves() == 2 for stump in boosted.estimators_)


def test_scikit_learns_names_of_information_gain_are_known():
    for name in ("entropy", "log_loss"):
        assert best_split(*IRIS, criterion=name).score == best_split(*IRIS, criterion="information_gain").score
        assert CARTClassifier(criterion=name).fit(*IRIS).tree_.criterion == "information_gain"


@pytest.mark.parametrize("name", ["placement", "orientation"])
def test_a_parameter_that_is_gone_names_the_new_one(name):
    for call in (lambda: ELCClassifier(**{name: "both"}), lambda: best_split(*IRIS, **{name: "both"})):
        with pytest.raises(TypeError, match=f"^{name} is gone, use planes"):
            call()


def test_cross_validation_with_one_standard_error_prunes():
    X, y = load_breast_cancer(return_X_y=True)
    whole = ELCClassifier(1, criterion="gini").fit(X, y)
    pruned = ELCClassifier(1, criterion="gini", pruning="cv", standard_errors=1.0, random_state=0).fit(X, y)
    assert 1 < pruned.get_n_leaves() < whole.get_n_leaves() / 2
