"""Places where the next capabilities enter: numbers as labels, features that a node may use, seeds of nodes."""

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeRegressor

from cart_elc.criteria import CRITERIA
from cart_elc.estimators import CLASSIFIERS
from cart_elc.estimators import base as estimators_base
from cart_elc.growing import Grower, Stopping
from cart_elc.splitters.axis import AxisSplitter as CompiledAxisSplitter
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import Node, child_seed
from cart_elc.splitters.split import find_split
from cart_elc.targets import Classes, Number
from cart_elc.tree.building import refreshed
from stand_in import AxisSplitter, grown

IRIS_X, IRIS_Y = load_iris(return_X_y=True)
IRIS = Classes(IRIS_Y.astype(np.int64), 3)


def test_a_tree_of_numbers_grows_in_the_same_loop_and_predicts_scikit_learns_means():
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    tree = grown(X, y, AxisSplitter("squared_error"), target=Number(y), max_depth=2, min_samples_leaf=5)
    reference = DecisionTreeRegressor(max_depth=2, min_samples_leaf=5, random_state=0).fit(X, y)
    assert tree.target == "number"
    assert tree.predict_value(X)[:, 0] == pytest.approx(reference.predict(X), rel=1e-12)
    assert tree.impurity[0] == pytest.approx(y.var())
    weights = np.ones(len(y))
    assert refreshed(tree, X, Number(y), weights, CRITERIA["squared_error"].impurity).value == pytest.approx(tree.value)


def test_numbers_far_from_zero_keep_their_spread():
    y = 1e9 + np.array([0.0, 1.0, 2.0, 3.0])
    weight, mean, squares = Number(y).statistics(np.arange(4), np.ones(4))
    assert (weight, mean - 1e9, squares) == (4.0, 1.5, 5.0)


def test_equal_numbers_are_pure():
    target = Number(np.array([0.1, 0.1, 0.1, 0.2]))
    assert target.is_pure(target.statistics(np.arange(3), np.array([0.3, 0.7, 1.9])))
    assert not target.is_pure(target.statistics(np.arange(4), np.ones(4)))


@pytest.mark.parametrize("splitter", [ELCSplitter(r=2), CompiledAxisSplitter()])
def test_a_node_is_split_on_the_features_that_it_allows(splitter):
    node = Node(IRIS_X, IRIS, np.arange(150), np.ones(150), features=np.array([0, 1, 3]))
    split = find_split(splitter, node)
    alone = splitter(Node(np.ascontiguousarray(IRIS_X[:, [0, 1, 3]]), IRIS, np.arange(150), np.ones(150)))
    assert set(split.features) <= {0, 1, 3}
    assert split.features == tuple([0, 1, 3][j] for j in alone.features)
    assert split.score == alone.score


def test_a_grower_may_name_the_features_of_each_node():
    def by_depth(node):
        return np.array([node.depth % 2])

    tree = Grower(IRIS_X, IRIS, CompiledAxisSplitter(), Stopping(max_depth=3), features=by_depth)(np.ones(150))
    depths = tree.node_depths()
    assert all(tree.rule(node).features == (depths[node] % 2,) for node in tree.split_nodes())


@dataclass(frozen=True)
class SeedKeeper:
    """Splits as CART does and keeps the seeds of the nodes that it was given, by their rows."""

    seeds: dict
    criterion: str = "gini"
    goes_on_without_time: bool = False

    def __call__(self, node):
        self.seeds[tuple(node.rows)] = node.seed
        return CompiledAxisSplitter()(node)


def test_a_nodes_seed_depends_on_its_place_and_not_on_the_order_of_opening():
    depth_first, best_first = SeedKeeper({}), SeedKeeper({})
    Grower(IRIS_X, IRIS, depth_first, Stopping(), seed=7)(np.ones(150))
    Grower(IRIS_X, IRIS, best_first, Stopping(max_leaf_nodes=50), seed=7)(np.ones(150))
    assert depth_first.seeds == best_first.seeds
    assert len(set(depth_first.seeds.values())) == len(depth_first.seeds)
    assert depth_first.seeds[tuple(range(150))] == 7


def test_seeds_of_children_do_not_collide():
    seeds, generation = {3}, [3]
    for _ in range(10):
        generation = [child_seed(seed, turn) for seed in generation for turn in (0, 1)]
        seeds.update(generation)
    assert len(seeds) == 2**11 - 1


@pytest.mark.parametrize("estimator", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_growing_alone_pays_for_neither_digits_nor_importances(estimator, monkeypatch):
    """A forest grows its trees by an estimator's grower; what nobody asks of them is not computed."""

    def refuse(*arguments):
        raise AssertionError("computed though nobody asked")

    monkeypatch.setattr(estimators_base, "rounding_table", refuse)
    monkeypatch.setattr(estimators_base, "feature_importances", refuse)
    model = estimator(max_depth=2)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    tree = model.grown_tree(IRIS_X, IRIS_Y)
    assert tree.n_leaves >= 2
    assert not hasattr(model, "tree_")
    monkeypatch.undo()
    assert clone(model).fit(IRIS_X, IRIS_Y).tree_.thresholds == pytest.approx(tree.thresholds, nan_ok=True)
