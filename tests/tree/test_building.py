"""The one writer of trees: what it makes of nodes and of other trees."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from cart_elc import ELCClassifier, MissingPolicy, best_split
from cart_elc.criteria import CRITERIA
from cart_elc.estimators import CLASSIFIERS
from cart_elc.targets import Classes
from cart_elc.tree.building import NodeRecord, collapse, from_nodes, preorder_children, refreshed, with_split
from cart_elc.tree.structure import DTYPES
from stand_in import AxisSplitter, grown

X, y = load_iris(return_X_y=True)
LABELS = Classes(y.astype(np.int64), 3)


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name != "proven") for name in DTYPES)


@pytest.mark.parametrize("estimator", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_a_tree_knows_its_criterion(estimator):
    assert estimator(max_depth=2).fit(X, y).tree_.criterion == estimator().criterion


def test_refreshing_with_the_training_rows_changes_nothing():
    for missing in MissingPolicy:
        gaps = X.copy()
        gaps[::7, 2] = np.nan
        tree = grown(gaps, y, AxisSplitter(missing=missing), max_depth=4)
        assert same(refreshed(tree, gaps, LABELS, np.ones(150), CRITERIA["gini"].impurity), tree)


def test_a_replaced_split_and_refreshed_statistics_are_the_tree_that_the_split_makes():
    tree = ELCClassifier(r=1, max_depth=1).fit(X, y).tree_
    other = best_split(X, y, r=2)
    changed = with_split(tree, 0, other.columns())
    assert changed.features.tolist() == list(other.features)
    assert changed.thresholds[0] == other.threshold
    assert changed.value.tolist() == tree.value.tolist()
    fresh = refreshed(changed, X, LABELS, np.ones(150), CRITERIA["gini"].impurity)
    left = other.sides(X, np.arange(150)) == 1
    assert fresh.value[1].tolist() == np.bincount(y[left], minlength=3).tolist()
    assert fresh.n_node_samples.tolist() == [150, left.sum(), 150 - left.sum()]


def test_a_split_of_more_features_moves_the_weights_of_those_after_it():
    tree = ELCClassifier(r=1, max_depth=3).fit(X, y).tree_
    other = best_split(X, y, r=2)
    changed = with_split(tree, 0, other.columns())
    for node in list(tree.split_nodes())[1:]:
        assert changed.rule(node).features == tree.rule(node).features
        assert changed.rule(node).threshold == tree.rule(node).threshold


def test_a_leaf_has_no_split_to_replace():
    tree = ELCClassifier(r=1, max_depth=1).fit(X, y).tree_
    with pytest.raises(ValueError, match="node must be one that has a split, got the leaf 1"):
        with_split(tree, 1, best_split(X, y).columns())


def test_a_node_that_no_row_reaches_keeps_its_statistics():
    tree = grown(X, y, max_depth=3)
    only = np.where(tree.apply(X) == tree.apply(X)[0], 1.0, 0.0)
    fresh = refreshed(tree, X, LABELS, only, CRITERIA["gini"].impurity)
    passed = np.zeros(tree.n_nodes, dtype=bool)
    passed[tree.decision_path(X[:1]).indices] = True
    assert fresh.n_node_samples[passed].tolist() == [int(only.sum())] * passed.sum()
    assert fresh.value[~passed].tolist() == tree.value[~passed].tolist()


def test_nodes_that_do_not_make_one_tree_are_refused():
    for leaves in ([], [True, True], [False, True], [False]):
        with pytest.raises(ValueError, match="not those of one tree"):
            preorder_children(np.array(leaves, dtype=bool))


def test_collapsing_nothing_is_the_tree_itself():
    tree = grown(X, y, max_depth=2)
    assert collapse(tree, []) is tree


def test_a_record_without_an_entry_takes_the_value_of_a_leaf():
    tree = grown(X, y, max_depth=1)
    split = best_split(X, y, r=1).columns()
    del split["margin"]
    records = [NodeRecord(tree.value[i], 1, 1.0, 0.0, split if i == 0 else None) for i in range(3)]
    assert np.isnan(from_nodes(records, n_features=4, criterion="gini").margin).all()
