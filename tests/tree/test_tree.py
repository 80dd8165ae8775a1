"""The structure of arrays: read-only, copied whole, and descended by the rule that the docs state."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from cart_elc.tree import MissingPolicy
from cart_elc.tree.structure import DTYPES
from stand_in import AxisSplitter, ObliqueSplitter, grown

X, Y = load_iris(return_X_y=True)
TREES = {"axis": grown(X, Y), "oblique": grown(X, Y, ObliqueSplitter())}


def descend(tree, row):
    """Follow the rule as the documentation states it."""
    node = 0
    while not tree.is_leaf[node]:
        total = 0.0
        features, weights, threshold = tree.split(node)
        for feature, weight in zip(features, weights, strict=True):
            total += float(weight) * float(row[feature])
        left = tree.missing[node] == MissingPolicy.LEFT if np.isnan(total) else total >= threshold
        node = int(tree.children_left[node] if left else tree.children_right[node])
    return node


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_apply_follows_the_documented_rule(tree, seed):
    generator = np.random.default_rng(seed)
    rows = generator.uniform(0, 8, (30, 4)).round(1)
    rows[generator.random(rows.shape) < 0.1] = np.nan
    assert tree.apply(rows).tolist() == [descend(tree, row) for row in rows]


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_decision_path_ends_at_the_leaf_and_has_a_node_per_depth(tree):
    path, depths = tree.decision_path(X).tocsr(), tree.node_depths()
    leaves = tree.apply(X)
    assert np.array_equal(np.asarray(path.sum(axis=1)).ravel(), depths[leaves] + 1)
    assert path[np.arange(len(X)), leaves].all()
    assert path[:, [0]].toarray().all()


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_predicted_values_are_the_proportions_of_the_leaf(tree):
    assert np.array_equal(tree.predict_value(X), tree.proportions[tree.apply(X)])


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_are_equal_and_read_only(copier):
    tree = TREES["oblique"]
    other = copier(tree)
    for name in DTYPES:
        assert np.array_equal(getattr(tree, name), getattr(other, name), equal_nan=name != "proven")
        with pytest.raises(ValueError, match="read-only"):
            getattr(other, name)[0] = 0


def test_the_tree_is_frozen():
    with pytest.raises(FrozenInstanceError):
        TREES["axis"].thresholds = np.zeros(1)


def test_rows_of_another_width_are_refused():
    with pytest.raises(ValueError, match=r"X must have shape \(n, 4\), got \(2, 3\)"):
        TREES["axis"].apply(np.zeros((2, 3)))


def test_no_rows_give_no_leaves():
    tree = TREES["axis"]
    assert tree.apply(np.zeros((0, 4))).shape == (0,)
    assert tree.predict_value(np.zeros((0, 4))).shape == (0, 3)
    assert tree.decision_path(np.zeros((0, 4))).shape == (0, tree.n_nodes)


def test_overflow_is_not_a_missing_value():
    tree = grown(np.array([[0.0, 0.0], [1.0, 1.0]]), [0, 1], ObliqueSplitter())
    huge = np.array([[1.7e308, 1.7e308], [1.7e308, -1.7e308]])
    assert set(tree.apply(huge)) <= {1, 2}


def test_both_policies_sum_to_one_in_nested_splits():
    generator = np.random.default_rng(0)
    values = generator.normal(size=(80, 3))
    labels = (values.sum(axis=1) > 0).astype(int)
    values[generator.random(values.shape) < 0.3] = np.nan
    tree = grown(values, labels, AxisSplitter(missing=MissingPolicy.BOTH), max_depth=4)
    assert tree.predict_value(values).sum(axis=1) == pytest.approx(np.ones(80))
    for node in tree.split_nodes():
        children = tree.value[[tree.children_left[node], tree.children_right[node]]].sum(axis=0)
        assert children == pytest.approx(tree.value[node])


def test_scikit_learns_names_mean_what_they_mean_there():
    ours, theirs = TREES["axis"], DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y).tree_
    assert (ours.node_count, theirs.node_count) == (ours.n_nodes, len(theirs.children_left))
    for tree in (ours, theirs):
        leaves = tree.children_left == -1
        assert ((tree.feature == -2) == leaves).all()
        assert ((tree.threshold == -2.0) == leaves).all()
    for node, rows in enumerate(ours.node_rows(X)):
        if not ours.is_leaf[node]:
            left = np.isin(rows, ours.node_rows(X)[ours.children_left[node]])
            values, is_above = X[rows, ours.feature[node]], ours.split(node)[1][0] > 0
            said = values >= ours.threshold[node] if is_above else values <= ours.threshold[node]
            assert (said == left).all()


def test_a_split_on_several_features_has_none_by_scikit_learns_names():
    tree = TREES["oblique"]
    several = np.diff(tree.indptr) > 1
    assert several.any()
    assert (tree.feature[several] == -1).all()
    assert np.isnan(tree.threshold[several]).all()
