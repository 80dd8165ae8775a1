"""Groups of features, excluded features, directions and whole coefficients: kept, and exact over the rest."""

from itertools import combinations, product
from math import gcd

import numpy as np
import pandas as pd
import pytest

from cart_elc import ELCClassifier, ELCRegressor, best_split, export_code, export_text, load
from monotone_oracle import admissible_partitions, gini, squared_error


def table(rng, n, m, kind):
    """Rows in general position, on a small grid, of zeros for the most part, or with missing values."""
    if kind == "general":
        return rng.normal(size=(n, m))
    if kind == "gaps":
        return np.where(rng.random((n, m)) < 0.15, np.nan, rng.normal(size=(n, m)))
    X = rng.integers(0, 3, (n, m)).astype(float)
    return X if kind == "grid" else np.where(rng.random((n, m)) < 0.5, 0.0, rng.normal(size=(n, m)).round(1))


@pytest.mark.parametrize("kind", ["general", "grid", "zeros", "gaps"])
@pytest.mark.parametrize("signs", [(1, 0, 0), (1, 1, 0), (1, -1, 1)])
@pytest.mark.parametrize("numbers", [False, True])
def test_the_root_is_the_best_of_all_splits_that_keep_the_directions(kind, signs, numbers):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X = table(rng, 6, 3, kind)
        y = rng.normal(size=6).round(1) if numbers else rng.permutation([0, 0, 0, 1, 1, 1])
        score = squared_error if numbers else gini
        scores = [score(y, above) for _, above in admissible_partitions(X, y, signs, 3)]
        estimator, criterion = (ELCRegressor, "squared_error") if numbers else (ELCClassifier, "gini")
        model = estimator(r=3, criterion=criterion, max_depth=1, monotonic_cst=signs).fit(X, y)
        if not scores:
            assert model.get_n_leaves() == 1
            continue
        assert model.tree_.score[0] == pytest.approx(min(scores), abs=1e-9)
        assert model.tree_.proven[0]


def assert_monotone(model, X, signs, predict):
    """Predictions along each feature with a direction, from every row and from random ones."""
    rng = np.random.default_rng(0)
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    rows = np.vstack([X[:40], rng.uniform(low - 0.2, high + 0.2, (40, X.shape[1]))])
    for feature, sign in enumerate(signs):
        if not sign:
            continue
        grid = np.unique(np.concatenate([np.linspace(low[feature] - 1, high[feature] + 1, 41), X[:, feature]]))
        grid = grid[~np.isnan(grid)]
        for row in rows:
            line = np.tile(row, (len(grid), 1))
            line[:, feature] = grid
            assert (sign * np.diff(predict(line)) >= -1e-9).all()


@pytest.mark.parametrize("r", [1, 2])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("whole", [None, 3])
def test_predictions_never_go_against_a_direction(r, numbers, gaps, whole):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(150, 2)), rng.integers(0, 4, 150)])
    signal = X[:, 0] - X[:, 1] + np.sin(2 * X[:, 0]) + 0.4 * X[:, 2] + rng.normal(size=150)
    y = signal if numbers else (signal > 0).astype(int)
    X[rng.random(X.shape) < gaps] = np.nan
    signs = (1, -1, 1)
    estimator, criterion = (ELCRegressor, "squared_error") if numbers else (ELCClassifier, "gini")
    options = {"r": r, "criterion": criterion, "monotonic_cst": signs, "max_depth": 5, "coefficients": whole}
    model = estimator(**options).fit(X, y)
    assert model.get_n_leaves() > 4
    predict = model.predict if numbers else lambda rows: model.predict_proba(rows)[:, 1]
    assert_monotone(model, X, signs, predict)
    free = estimator(**options | {"monotonic_cst": None}).fit(X, y)
    with pytest.raises(AssertionError):
        assert_monotone(free, X, signs, free.predict if numbers else lambda rows: free.predict_proba(rows)[:, 1])


def test_directions_by_name_beside_categories_and_after_pruning():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"dose": rng.normal(size=200), "sex": rng.choice(["f", "m"], 200), "age": rng.normal(size=200)})
    y = np.where(X["dose"] + (X["sex"] == "f") + rng.normal(size=200) > 0.5, "well", "ill")
    for pruning in (None, "cv", "holdout"):
        model = ELCClassifier(criterion="gini", monotonic_cst={"dose": 1}, pruning=pruning, random_state=0).fit(X, y)
        for sex in "fm":
            for age in (-1.0, 0.0, 1.0):
                line = pd.DataFrame({"dose": np.linspace(-4, 4, 81), "sex": sex, "age": age})
                assert (np.diff(model.predict_proba(line)[:, 1]) >= -1e-12).all()


def test_directions_are_refused_where_there_are_none():
    X, y = np.zeros((4, 2)), [0, 1, 2, 0]
    with pytest.raises(ValueError, match="monotonic_cst needs two classes or numbers, got 3 classes"):
        ELCClassifier(monotonic_cst=[1, 0]).fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst must have -1, 0 or 1 for each of 2 features"):
        ELCClassifier(monotonic_cst=[1, 0, 1]).fit(X, [0, 1, 1, 0])
    with pytest.raises(ValueError, match="monotonic_cst must have -1, 0 or 1 for each of 2 features"):
        ELCClassifier(monotonic_cst=["up", 0]).fit(X, [0, 1, 1, 0])
    with pytest.raises(ValueError, match="monotonic_cst must have -1, 0 or 1"):
        ELCClassifier(monotonic_cst=[2, 0]).fit(X, [0, 1, 1, 0])
    with pytest.raises(ValueError, match=r"monotonic_cst must be 0 for categories, which have no direction.*'x'"):
        ELCClassifier(monotonic_cst={"x": 1}).fit(pd.DataFrame({"x": list("abab")}), [0, 1, 1, 0])
    with pytest.raises(ValueError, match="monotonic_cst must be None where planes='through'"):
        ELCClassifier(monotonic_cst=[1, 0], planes="through").fit(X, [0, 1, 1, 0])


def used_sets(model):
    return {tuple(model.tree_.split(node)[0].tolist()) for node in model.tree_.split_nodes()}


@pytest.mark.parametrize("whole", [None, 2])
def test_splits_stay_in_groups_and_are_the_best_there(whole):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    y = (X[:, 0] + X[:, 3] + X[:, 1] - X[:, 2] > 0).astype(int)
    groups = [[0, 1], [1, 2]]
    allowed = [{0, 1}, {1, 2}, {3, 4}]
    model = ELCClassifier(r=3, criterion="gini", feature_groups=groups, coefficients=whole, max_depth=4).fit(X, y)
    assert all(any(set(used) <= group for group in allowed) for used in used_sets(model))
    if whole is None:
        best = min(best_split(X[:, sorted(group)], y, r=3).score for group in allowed)
        assert model.tree_.score[0] == pytest.approx(best, abs=1e-12)
    assert model.tree_.proven[0]
    free = ELCClassifier(r=3, criterion="gini", max_depth=1).fit(X, y)
    assert free.tree_.score[0] < model.tree_.score[0]


def test_groups_by_name_and_features_alone():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    y = (X["a"] + X["b"] > 0).astype(int)
    alone = ELCClassifier(criterion="gini", feature_groups=[["a"], ["b"], ["c"]]).fit(X, y)
    assert max(map(len, used_sets(alone))) == 1
    pair = ELCClassifier(criterion="gini", feature_groups=[["a", "b"]]).fit(X, y)
    assert used_sets(pair) == {(0, 1)}
    with pytest.raises(ValueError, match="feature_groups must name columns of X, got 'd'"):
        ELCClassifier(feature_groups=[["a", "d"]]).fit(X, y)
    with pytest.raises(TypeError, match="feature_groups must be a list of lists of features, got 'a'"):
        ELCClassifier(feature_groups="a").fit(X, y)


@pytest.mark.parametrize("criterion", ["gini", "mdl"])
def test_excluded_features_are_as_good_as_absent(criterion):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 4)), columns=list("abcd"))
    y = (X["a"] - X["c"] + rng.normal(size=100) * 0.3 > 0).astype(int)
    without = ELCClassifier(criterion=criterion).fit(X.drop(columns="a"), y)
    model = ELCClassifier(criterion=criterion, excluded_features=["a"]).fit(X, y)
    assert 0 not in model.tree_.features
    assert (model.predict_proba(X) == without.predict_proba(X.drop(columns="a"))).all()
    assert model.tree_.score[0] == without.tree_.score[0]
    with pytest.raises(ValueError, match="excluded_features must leave a feature"):
        ELCClassifier(excluded_features=list("abcd")).fit(X, y)


def whole_planes(m, r, largest):
    for size in range(1, r + 1):
        for features in combinations(range(m), size):
            for vector in product(range(-largest, largest + 1), repeat=size):
                if all(vector) and gcd(*vector) == 1 and vector[0] > 0:
                    yield features, np.array(vector, dtype=float)


def best_whole(X, y, r, largest, score):
    """The best score, then features, then sum of coefficients, of every cut of every plane."""
    found = []
    for features, vector in whole_planes(X.shape[1], r, largest):
        sums = X[:, features] @ vector
        scores = [round(score(y, sums >= cut - 1e-9), 12) for cut in np.unique(sums)[1:]]
        found += [(own, len(features), int(np.abs(vector).sum())) for own in scores]
    return min(found)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("largest", [1, 3])
def test_whole_coefficients_are_the_best_of_all_that_are_allowed(numbers, largest):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 9, (24, 3)).astype(float)
        y = rng.normal(size=24).round(2) if numbers else rng.integers(0, 2, 24)
        estimator, criterion = (ELCRegressor, "squared_error") if numbers else (ELCClassifier, "gini")
        model = estimator(r=3, criterion=criterion, coefficients=largest, max_depth=1).fit(X, y)
        features, weights, threshold = model.tree_.split(0)
        score, n_features, total = best_whole(X, y, 3, largest, squared_error if numbers else gini)
        assert model.tree_.score[0] == pytest.approx(score, abs=1e-9)
        assert (len(features), int(np.abs(weights).sum())) == (n_features, total)
        assert np.abs(weights).max() <= largest and (weights == np.round(weights)).all()
        assert threshold == np.round(threshold) and model.tree_.proven[0]


def test_a_scorecard_reads_as_whole_numbers(tmp_path):
    age, stage = (grid.ravel() for grid in np.meshgrid(np.arange(20, 90), np.arange(1, 5)))
    X = pd.DataFrame({"age": age, "stage": stage, "noise": np.random.default_rng(0).normal(size=len(age))})
    y = np.where(2 * X["age"] + 5 * X["stage"] >= 140, "high", "low")
    model = ELCClassifier(coefficients="integer", max_depth=1).fit(X, y)
    assert "if 2·age + 5·stage >= 140:" in export_text(model)
    assert model.score(X, y) == 1.0
    namespace = {}
    exec(export_code(model), namespace)
    assert [namespace["predict"](row) for row in X.to_numpy().tolist()] == y.tolist()
    model.save(tmp_path / "card.json")
    again = load(tmp_path / "card.json")
    assert export_text(again) == export_text(model) and again.coefficients == "integer"


def test_mistakes_in_coefficients():
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 1, 0]
    with pytest.raises(ValueError, match="coefficients must be one of 'integer', got 'whole'"):
        ELCClassifier(coefficients="whole").fit(X, y)
    with pytest.raises(ValueError, match="coefficients must be an int >= 1, got 0"):
        ELCClassifier(coefficients=0).fit(X, y)
    with pytest.raises(ValueError, match="coefficients must be None where planes='through'"):
        ELCClassifier(coefficients=3, planes="through").fit(X, y)


def test_all_constraints_are_saved(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    y = (X["a"] + X["b"] > 0).astype(int)
    options = {"feature_groups": [["a", "b"]], "monotonic_cst": {"a": 1}, "excluded_features": ["c"]}
    ELCClassifier(**options).fit(X, y).save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert {name: getattr(again, name) for name in options} == options


@pytest.mark.parametrize(
    "constraint",
    [{"excluded_features": [0]}, {"feature_groups": [[0, 1]]}, {"monotonic_cst": [1, 0]}, {"coefficients": "integer"}],
    ids=lambda constraint: next(iter(constraint)),
)
def test_refining_knows_no_constraints_and_says_so(constraint):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match=f"refine must be False where {next(iter(constraint))} is given"):
        ELCClassifier(refine=True, **constraint).fit(X, X[:, 0] > 0)
