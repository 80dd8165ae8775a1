"""Trees grown in compiled code are those of the loop in Python, with the same splitter."""

from dataclasses import fields

import numpy as np
import pytest

from cart_elc.compiled_growth import grow_compiled
from cart_elc.growing import Grower, Stopping
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.targets import Classes, Number
from cart_elc.tree.importances import feature_importances
from drawn_features import DrawnFeatures, drawn_features
from planted import FINE, draw_planted
from turned import FAMILIES, draw_turned

ROUNDED = ("impurity", "score", "bound", "n_candidates", "value", "weighted_n_node_samples")
"""Columns that logarithms and the order of summation may change in the last digits."""
WEIGHTS = {
    "ones": lambda rng, n: np.ones(n),
    "counts": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "any": lambda rng, n: rng.exponential(size=n) * (rng.random(n) > 0.2),
}
TABLES = {
    "normal": lambda rng, n, m: rng.normal(size=(n, m)),
    "lattice": lambda rng, n, m: rng.integers(0, 4, (n, m)).astype(float),
    "units": lambda rng, n, m: rng.normal(size=(n, m)) * 10.0 ** rng.integers(-6, 7, m) + 1e3,
    "binary": lambda rng, n, m: (rng.random((n, m)) < 0.4).astype(float),
    "missing": lambda rng, n, m: np.where(rng.random((n, m)) < 0.15, np.nan, np.round(rng.normal(size=(n, m)), 1)),
    "copied": lambda rng, n, m: np.repeat(rng.normal(size=(n, m // 2 + 1)), 2, axis=1)[:, :m].copy(),
}
STOPPINGS = {
    "none": Stopping(),
    "depth": Stopping(max_depth=3),
    "leaves": Stopping(max_leaf_nodes=6),
    "rows": Stopping(min_samples_leaf=4, min_samples_split=12),
    "weight": Stopping(min_weight_fraction_leaf=0.08),
    "decrease": Stopping(min_impurity_decrease=0.02),
}


def assert_same(tree, reference):
    assert tree.n_nodes == reference.n_nodes
    for field in fields(tree):
        ours, theirs = getattr(tree, field.name), getattr(reference, field.name)
        if field.name in ROUNDED:
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True), field.name
        else:
            assert np.array_equal(ours, theirs, equal_nan=field.name in ("thresholds", "margin")), field.name


def grown_both_ways(X, target, splitter, weights, stopping, max_features, seed):
    drawing = splitter if max_features is None else DrawnFeatures(splitter, max_features)
    reference = Grower(X, target, drawing, stopping, seed=seed)(weights)
    return grow_compiled(X, target, splitter, weights, stopping, max_features=max_features, seed=seed), reference


def labels(rng, X, kind):
    signal = np.nan_to_num((X - np.nanmean(X, axis=0)) / (np.nanstd(X, axis=0) + 1e-300)).sum(axis=1)
    noisy = signal + rng.normal(size=len(X))
    if kind == "number":
        return Number(np.round(noisy, int(rng.integers(0, 6))))
    edges = np.quantile(noisy, [0.3, 0.6])
    return Classes(np.digitize(noisy, edges).astype(np.int64), 4)


@pytest.mark.parametrize("criterion", ["gini", "information_gain", "twoing", "mdl"])
@pytest.mark.parametrize("table", TABLES)
def test_classes_give_the_same_tree(table, criterion):
    check_tables(table, "classes", criterion)


@pytest.mark.parametrize("criterion", ["squared_error", "mdl_squared_error"])
@pytest.mark.parametrize("table", TABLES)
def test_numbers_give_the_same_tree(table, criterion):
    check_tables(table, "number", criterion)


def check_tables(table, kind, criterion):
    rng = np.random.default_rng([len(table), len(criterion)])
    for trial, stopping in enumerate(STOPPINGS.values()):
        n, m = int(rng.integers(12, 90)), int(rng.integers(2, 7))
        X = TABLES[table](rng, n, m)
        target = labels(rng, X, kind)
        weights = list(WEIGHTS.values())[trial % 3](rng, n)
        missing = "right" if trial == 3 else "learn"
        splitter = ELCSplitter(int(rng.integers(1, 4)), criterion, missing=missing, min_saving=2.0 * (trial % 2))
        max_features = None if trial % 3 == 0 else int(rng.integers(1, m + 1))
        grown, reference = grown_both_ways(X, target, splitter, weights, stopping, max_features, seed=trial)
        assert_same(grown.tree, reference)
        rows = weights > 0
        expected = feature_importances(reference, X[rows], weights[rows], reference.node_rows(X[rows]))
        assert grown.feature_importances == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_gradients_and_hessians_are_numbers_with_weights():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(120, 4))
    probability = 1 / (1 + np.exp(-X[:, 0]))
    y = (rng.random(120) < probability).astype(float)
    hessian = probability * (1 - probability)
    target, splitter = Number((y - probability) / hessian), ELCSplitter(2, "squared_error")
    grown, reference = grown_both_ways(X, target, splitter, hessian, Stopping(max_depth=4), 2, 11)
    assert_same(grown.tree, reference)
    leaves = grown.tree.apply(X)
    for leaf in np.unique(leaves):
        step = (y - probability)[leaves == leaf].sum() / hessian[leaves == leaf].sum()
        assert grown.tree.value[leaf, 1] == pytest.approx(step)


def test_what_float64_cannot_express_is_not_proven_in_either_loop():
    X = np.array([[1.0, 1e16], [1.0, 1e16 + 2], [1.0 + 2**-52, 1e16], [1.0 + 2**-52, 1e16 + 2]] * 2)
    target = Classes(np.array([0, 1, 1, 0] * 2, dtype=np.int64), 2)
    grown, reference = grown_both_ways(X, target, ELCSplitter(2), np.ones(8), Stopping(), None, 0)
    assert_same(grown.tree, reference)


@pytest.mark.parametrize("seed", range(40))
def test_nearly_degenerate_tables_give_the_same_tree(seed):
    case, _ = draw_planted(np.random.default_rng([2117, seed]), FINE)
    check_case(case)


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_whose_best_split_float64_cannot_express_give_the_same_tree(family):
    """Rows within tolerances of each other: splits with fewer features, and with more, are then compared."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        check_case(draw_turned(random, family, int(random.integers(2, 4))))


def check_case(case):
    for target, criterion in (
        (Classes(case.y, 2), "gini"),
        (Classes(case.y, 2), "mdl"),
        (Number(case.y.astype(float)), "squared_error"),
    ):
        splitter = ELCSplitter(case.r, criterion, price=0.1)
        grown, reference = grown_both_ways(case.X, target, splitter, np.ones(len(case.X)), Stopping(), None, 0)
        assert_same(grown.tree, reference)


def test_features_are_drawn_alike_and_evenly():
    counts = np.zeros(9, dtype=int)
    for seed in range(2000):
        draws = list(drawn_features(seed, 9, 3))
        assert sorted(np.concatenate(draws)) == list(range(9))
        counts[draws[0]] += 1
    assert counts == pytest.approx(np.full(9, 2000 / 3), rel=0.15)


def test_a_node_without_a_split_on_the_drawn_features_draws_others():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.zeros((40, 9)), rng.normal(size=40)])
    target = Classes((X[:, 9] > 0).astype(np.int64), 2)
    grown, reference = grown_both_ways(X, target, ELCSplitter(2), np.ones(40), Stopping(), 3, 5)
    assert grown.tree.n_leaves == 2
    assert_same(grown.tree, reference)


def test_a_splitter_that_is_not_grown_so_is_refused():
    X, target = np.zeros((4, 2)), Classes(np.array([0, 1, 0, 1], dtype=np.int64), 2)
    with pytest.raises(ValueError, match="splitter must have planes 'any'"):
        grow_compiled(X, target, ELCSplitter(2, planes="through"), np.ones(4))
