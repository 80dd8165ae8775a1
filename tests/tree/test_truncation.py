"""A tree cut at a depth is the tree that a fit with that max_depth grows, so one growth serves a whole grid."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from cart_elc import ELCClassifier
from cart_elc.experiments.algorithms import ALGORITHMS
from cart_elc.tree.building import truncate
from cart_elc.tree.structure import DTYPES


def assert_same_tree(left, right):
    for name in DTYPES:
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)


@pytest.mark.parametrize("placement", ["through", "margin"])
@pytest.mark.parametrize("criterion", ["gini", "twoing", "information_gain"])
@pytest.mark.parametrize(("load", "r"), [(load_iris, 1), (load_iris, 2), (load_iris, 3), (load_wine, 2)])
def test_a_truncated_tree_equals_a_fresh_fit_at_that_depth(load, r, criterion, placement):
    X, y = load(return_X_y=True)
    deep = ELCClassifier(r=r, criterion=criterion, placement=placement, max_depth=5).fit(X, y).tree_
    for depth in range(1, 6):
        fresh = ELCClassifier(r=r, criterion=criterion, placement=placement, max_depth=depth).fit(X, y).tree_
        assert_same_tree(truncate(deep, depth), fresh)


@pytest.mark.parametrize("name", [name for name, algorithm in ALGORITHMS.items() if len(algorithm.depths) > 1])
def test_every_grid_of_the_protocol_can_be_read_off_its_deepest_tree(name):
    algorithm = ALGORITHMS[name]
    X, y = load_iris(return_X_y=True)
    X[::7, 2] = np.nan
    r = 2 if algorithm.searches_r else None
    trees = {
        depth: algorithm.make(algorithm.parameters(algorithm.criteria[0], r, depth, 71)).fit(X, y).tree_
        for depth in algorithm.depths
    }
    for depth, fresh in trees.items():
        assert_same_tree(truncate(trees[algorithm.depths[-1]], depth), fresh)


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
