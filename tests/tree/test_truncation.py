"""A tree cut at a depth is the tree that a fit with that max_depth grows, so one growth serves a whole grid."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from cart_elc import ELCClassifier
from cart_elc.criteria import EXACT
from cart_elc.tree.building import truncate
from cart_elc.tree.structure import DTYPES


def assert_same_tree(left, right):
    for name in DTYPES:
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)


@pytest.mark.parametrize("planes", ["through", "any"])
@pytest.mark.parametrize("criterion", EXACT)
@pytest.mark.parametrize(("load", "r"), [(load_iris, 1), (load_iris, 2), (load_iris, 3), (load_wine, 2)])
def test_a_truncated_tree_equals_a_fresh_fit_at_that_depth(load, r, criterion, planes):
    X, y = load(return_X_y=True)
    deep = ELCClassifier(r=r, criterion=criterion, planes=planes, max_depth=5).fit(X, y).tree_
    for depth in range(1, 6):
        fresh = ELCClassifier(r=r, criterion=criterion, planes=planes, max_depth=depth).fit(X, y).tree_
        assert_same_tree(truncate(deep, depth), fresh)


def test_missing_values_do_not_change_that():
    X, y = load_iris(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    deep = ELCClassifier(r=2, max_depth=5).fit(X, y).tree_
    for depth in range(1, 6):
        assert_same_tree(truncate(deep, depth), ELCClassifier(r=2, max_depth=depth).fit(X, y).tree_)


def test_depth_zero_leaves_the_root_and_a_large_depth_the_tree():
    X, y = load_iris(return_X_y=True)
    tree = ELCClassifier(r=1).fit(X, y).tree_
    assert truncate(tree, 0).n_nodes == 1
    assert truncate(tree, 100) is tree


def test_a_negative_depth_is_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="max_depth must be an int >= 0, got -1"):
        truncate(ELCClassifier(r=1).fit(X, y).tree_, -1)
