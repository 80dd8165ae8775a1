"""At r = 1 the tree is CART's: node by node scikit-learn's, with its importances, its pruning path and pruned trees.

Equal scores may be broken either way, so the data leave none: labels are noisy, leaves hold ten rows, and weights make
every partition's score its own. Values are exact in float32, which is what scikit-learn's trees compute in.
"""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier

from cart_elc import ELCClassifier

THEIR_NAMES = {"gini": "gini", "information_gain": "entropy"}
LEAST = 10


def exact(X):
    return np.asarray(X, dtype=np.float32).astype(np.float64)


def random_table(seed):
    """Noisy classes on 400 rows; weights are multiples of 2^-10, so that their sums are exact."""
    generator = np.random.default_rng(seed)
    X = exact(generator.normal(size=(400, 5)))
    scores = X[:, :3] @ generator.normal(size=(3, 3)) + generator.normal(size=(400, 3))
    return X, scores.argmax(axis=1), 0.5 + generator.integers(0, 1024, 400) / 1024


def shuffled_labels(load, columns, seed=0):
    """Columns of a data set of scikit-learn that are not copies of each other, a fifth of the labels drawn anew."""
    X, y = load(return_X_y=True)
    X = X[:, columns]
    generator = np.random.default_rng(seed)
    y = np.where(generator.random(len(y)) < 0.2, generator.integers(0, y.max() + 1, len(y)), y)
    return exact(X), y, 0.5 + generator.integers(0, 1024, len(y)) / 1024


TABLES = {f"random {seed}": random_table(seed) for seed in range(4)} | {
    "wine": shuffled_labels(load_wine, slice(None)),
    "breast cancer": shuffled_labels(load_breast_cancer, [1, 4, 5, 8, 9, 18]),
}


def both(table, criterion, **parameters):
    X, y, weights = table
    ours = ELCClassifier(1, criterion=criterion, min_samples_leaf=LEAST, **parameters).fit(X, y, weights)
    theirs = DecisionTreeClassifier(
        criterion=THEIR_NAMES[criterion], min_samples_leaf=LEAST, random_state=0, **parameters
    ).fit(X, y, weights)
    return ours, theirs


def matched_nodes(ours, theirs):
    """Pairs of nodes in the same place: their left side is "at most", ours where the weight is negative."""
    pairs, pending = [], [(0, 0)]
    while pending:
        mine, other = pending.pop()
        pairs.append((mine, other))
        assert ours.is_leaf[mine] == (theirs.children_left[other] < 0)
        if not ours.is_leaf[mine]:
            sides = [theirs.children_left[other], theirs.children_right[other]]
            at_least = bool(ours.weights[ours.indptr[mine]] > 0)
            pending.append((ours.children_left[mine], sides[at_least]))
            pending.append((ours.children_right[mine], sides[not at_least]))
    return np.array(pairs).T


tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
criteria = pytest.mark.parametrize("criterion", THEIR_NAMES)


@tables
@criteria
def test_the_tree_is_scikit_learns_node_by_node(table, criterion):
    ours, theirs = (model.tree_ for model in both(table, criterion))
    assert ours.n_leaves > 5
    mine, other = matched_nodes(ours, theirs)
    assert len(mine) == ours.n_nodes == theirs.node_count
    assert np.array_equal(ours.n_node_samples[mine], theirs.n_node_samples[other])
    assert ours.impurity[mine] == pytest.approx(theirs.impurity[other], abs=1e-12)
    assert ours.value[mine] == pytest.approx(
        theirs.value[other, 0] * theirs.weighted_n_node_samples[other, None], abs=1e-9
    )
    inner = ~ours.is_leaf[mine]
    assert np.array_equal(ours.features[ours.indptr[mine[inner]]], theirs.feature[other[inner]])
    thresholds = ours.thresholds[mine[inner]] / ours.weights[ours.indptr[mine[inner]]]
    assert thresholds == pytest.approx(theirs.threshold[other[inner]], abs=1e-12)


@tables
@criteria
def test_importances_are_scikit_learns(table, criterion):
    ours, theirs = both(table, criterion)
    assert np.count_nonzero(ours.feature_importances_) > 1
    assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_, abs=1e-12)


@tables
@criteria
def test_the_pruning_path_is_scikit_learns(table, criterion):
    X, y, weights = table
    ours, theirs = (model.cost_complexity_pruning_path(X, y, weights) for model in both(table, criterion))
    assert len(ours.ccp_alphas) > 4
    assert ours.ccp_alphas == pytest.approx(theirs.ccp_alphas, abs=1e-12)
    assert ours.impurities == pytest.approx(theirs.impurities, abs=1e-12)


@tables
@criteria
def test_pruned_trees_are_scikit_learns_between_the_alphas(table, criterion):
    X, y, weights = table
    alphas = both(table, criterion)[0].cost_complexity_pruning_path(X, y, weights).ccp_alphas
    for alpha in ((alphas[:-1] + alphas[1:]) / 2)[::3]:
        ours, theirs = both(table, criterion, ccp_alpha=alpha)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-12)
        assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_, abs=1e-12)
