"""Refined trees with splits on categories: never worse, and no subset of levels is better given the rest."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cart_elc import ELCClassifier, ELCRegressor
from cart_elc.tree import LEFT, UNKNOWN

LEVELS = list("abcde")


def table(seed: int, n: int = 240, gaps: float = 0.0):
    """A category whose levels behave in two ways, two numbers, and labels with noise."""
    random = np.random.default_rng(seed)
    kind, numbers = random.choice(LEVELS, n), random.normal(size=(n, 2))
    y = (np.isin(kind, ["a", "c"]) ^ (numbers[:, 0] + numbers[:, 1] > 0.3)).astype(int)
    y = np.where(random.random(n) < 0.15, 1 - y, y)
    kind = np.where(random.random(n) < gaps, None, kind)
    return pd.DataFrame({"kind": pd.Categorical(kind, LEVELS), "u": numbers[:, 0], "v": numbers[:, 1]}), y


def codes(frame: pd.DataFrame) -> np.ndarray:
    """The rows as the tree takes them: the codes of levels, NaN where there is none."""
    kind = frame["kind"].cat.codes.to_numpy(float)
    return np.ascontiguousarray(np.column_stack([np.where(kind < 0, np.nan, kind), frame[["u", "v"]]]))


def wrong_below(tree, node: int, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which rows the subtree would predict wrongly."""
    if tree.is_leaf[node]:
        return y != np.argmax(tree.value[node])
    rule = tree.rule(node)
    sides = rule.sides(X, np.arange(len(X)))
    left = np.where(sides == UNKNOWN, rule.missing_left, sides == LEFT)
    children = tree.children_left[node], tree.children_right[node]
    low, high = (wrong_below(tree, int(child), X, y) for child in children)
    return np.where(left, low, high)


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_no_subset_of_levels_is_better_given_the_rest(seed, gaps):
    frame, y = table(seed, gaps=gaps)
    model = ELCClassifier(r=2, criterion="gini", max_depth=3, refine=True).fit(frame, y)
    tree, X = model.tree_, codes(frame)
    assert model.refined_.proven
    assert model.refined_.after == pytest.approx((model.predict(frame) != y).sum(), rel=1e-6)
    reached = tree.decision_path(X).toarray().astype(bool)
    for node in tree.split_nodes():
        rows, labels = X[reached[:, node]], y[reached[:, node]]
        low, high = (
            wrong_below(tree, int(c), rows, labels) for c in (tree.children_left[node], tree.children_right[node])
        )
        present = wrong_below(tree, node, rows, labels).sum()
        kinds = np.where(np.isnan(rows[:, 0]), -1, rows[:, 0])
        for chosen in itertools.product([False, True], repeat=6):
            left = np.array(chosen)[kinds.astype(int)]
            assert present <= np.where(left, low, high).sum()


@pytest.mark.parametrize("criterion", ["mdl", "gini", "error"])
def test_refining_with_categories_never_raises_the_objective(criterion):
    frame, y = table(7, n=600, gaps=0.05)
    model = ELCClassifier(r=2, criterion=criterion, max_depth=4, refine=True, n_init=8).fit(frame, y)
    assert model.refined_.after <= model.refined_.before
    assert model.refined_.proven
    assert model.tree_.is_categorical.any()


@pytest.mark.parametrize("criterion", ["mdl", "squared_error"])
def test_regressors_with_categories_are_refined(criterion):
    frame, y = table(9, n=400)
    numbers = y + np.random.default_rng(1).normal(scale=0.2, size=len(y))
    model = ELCRegressor(r=2, criterion=criterion, max_depth=3, refine=True).fit(frame, numbers)
    assert model.refined_.after <= model.refined_.before
    assert model.refined_.proven
    if criterion == "squared_error":
        assert model.refined_.after == pytest.approx(np.square(model.predict(frame) - numbers).sum(), rel=1e-6)


def test_the_price_of_a_subset_is_that_of_growth():
    frame, _ = table(3, n=600)
    y = frame["kind"].isin(["a", "c"])
    grown = ELCClassifier(max_depth=1, r=1).fit(frame, y)
    refined = ELCClassifier(max_depth=1, r=1, refine=True).fit(frame, y)
    assert refined.tree_.is_categorical[0]
    assert refined.tree_.score[0] == pytest.approx(grown.tree_.score[0])
