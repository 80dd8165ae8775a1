"""Categories: which columns have them, their best splits against every subset, and what becomes of unknown levels."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from cart_elc import ELCClassifier, ELCRegressor, best_split, load
from cart_elc.estimators.registry import ESTIMATORS
from cart_elc.tree import LEFT
from cart_elc.verification.verify import verify
from category_oracle import best_of_category, bits_of_name, random_category

TAKES_CATEGORIES = {"ELCClassifier", "ELCRegressor"}
RIVALS = {name: estimator for name, estimator in ESTIMATORS.items() if name not in TAKES_CATEGORIES}


def frame(seed=0, n=120, gaps=0.0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"colour": random_category(rng, n, 5, gaps), "size": rng.normal(size=n), "weight": rng.normal(size=n)}
    )
    y = np.where(table["colour"].isin(["a", "d"]), 1, 0) ^ (rng.random(n) < 0.1)
    return table, y


@pytest.mark.parametrize("criterion", ["gini", "twoing", "information_gain", "mdl"])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_subset_is_the_best_of_all(criterion, n_classes, gaps):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = random_category(rng, 40, int(rng.integers(2, 7)), gaps)
        y = rng.integers(0, n_classes, 40)
        weights = rng.integers(1, 4, 40).astype(float)
        split = best_split(pd.DataFrame({"x": values}), y, criterion=criterion, sample_weight=weights)
        expected = best_of_category(values, y.tolist(), weights.tolist(), criterion)
        if criterion == "mdl":
            expected -= bits_of_name(values, 1)
            if expected <= 0:
                assert not split.found and split.proven
                continue
        assert split.score == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert split.proven and split.bound == split.score


@pytest.mark.parametrize("criterion", ["squared_error", "mdl_squared_error"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_subset_for_numbers_is_the_best_of_all(criterion, gaps):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        values = random_category(rng, 40, int(rng.integers(2, 8)), gaps)
        y = rng.normal(size=40) + 1000.0 + np.array([0.0 if value in (None, "a", "d") else 2.0 for value in values])
        weights = rng.integers(1, 4, 40).astype(float)
        split = best_split(pd.DataFrame({"x": values}), y, criterion=criterion, sample_weight=weights)
        expected = best_of_category(values, y.tolist(), weights.tolist(), criterion)
        if criterion == "mdl_squared_error":
            expected -= bits_of_name(values, 1)
        if split.found:
            assert split.score == pytest.approx(expected, rel=1e-9)
        else:
            assert criterion == "mdl_squared_error" and expected <= 0


@pytest.mark.parametrize("least", [5, 9, 14])
def test_limits_on_the_sides_leave_the_best_of_the_rest(least):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        values = random_category(rng, 40, 6)
        y = rng.integers(0, 2, 40)
        model = ELCClassifier(criterion="gini", max_depth=1, min_samples_leaf=least).fit(pd.DataFrame({"x": values}), y)
        expected = best_of_category(values, y.tolist(), [1.0] * 40, "gini", least)
        if expected is None:
            assert model.get_n_leaves() == 1
            continue
        assert model.tree_.score[0] == pytest.approx(expected, abs=1e-12)
        assert model.tree_.proven[0]
        assert model.tree_.n_node_samples[1:].min() >= least


def test_many_levels_and_classes_are_searched_without_a_claim_of_proof():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 20, 400)
    y = np.where(rng.random(400) < 0.8, codes % 3, rng.integers(0, 3, 400))
    split = best_split(pd.DataFrame({"x": [f"level {code}" for code in codes]}), y)
    assert not split.proven
    assert split.bound <= split.score
    one_class_apart = min(
        best_split(pd.DataFrame({"x": np.isin(codes % 3, [k])}), y).score for k in range(3)
    )  # the divisions that the labels were made from are reached or beaten
    assert split.score <= one_class_apart + 1e-12


def test_two_classes_with_many_levels_are_proven():
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 40, 500)
    split = best_split(pd.DataFrame({"x": [f"level {code}" for code in codes]}), rng.integers(0, 2, 500))
    assert split.proven


@pytest.mark.parametrize("criterion", ["gini", "mdl"])
def test_a_category_competes_with_the_numbers(criterion):
    table, y = frame()
    numbers = table.drop(columns="colour")
    alone = best_split(table[["colour"]], y, criterion=criterion)
    planes = best_split(numbers, y, criterion=criterion)
    both = best_split(table, y, criterion=criterion)
    assert both.features == (0,) and both.left_levels == ("b", "c", "e")
    if criterion == "gini":
        assert alone.score < planes.score and both.score == alone.score
    rng = np.random.default_rng(1)
    y = (table["size"] + table["weight"] > 0).to_numpy() ^ (rng.random(len(y)) < 0.02)
    assert best_split(table, y, criterion=criterion).features == (1, 2)


def test_the_price_names_the_subset_and_the_feature_among_all():
    table, y = frame()
    free, paid = (best_split(table, y, criterion=criterion) for criterion in ("information_gain", "mdl"))
    assert paid.features == free.features == (0,)
    assert paid.score == pytest.approx(len(y) * free.score - bits_of_name(table["colour"].tolist(), 3))


def test_planes_are_priced_among_all_features():
    table, y = frame()
    y = (table["size"] > 0).to_numpy()
    with_category, alone = (best_split(part, y, criterion="mdl") for part in (table, table[["size", "weight"]]))
    assert alone.score - with_category.score == pytest.approx(np.log2(3) - 1)


def test_equal_splits_take_the_category_and_the_first_of_them():
    y = np.array([0, 0, 1, 1])
    table = pd.DataFrame({"number": [0.0, 0.1, 5.0, 6.0], "text": list("aabb"), "again": list("ccdd")})
    assert best_split(table, y).features == (1,)


COLUMNS = {
    "pandas text": pd.DataFrame({"x": ["a", "b", "a", None], "n": [1.0, 2.0, 3.0, 4.0]}),
    "pandas object": pd.DataFrame({"x": pd.Series(["a", "b", "a", None], dtype=object), "n": [1.0, 2.0, 3.0, 4.0]}),
    "pandas category": pd.DataFrame({"x": pd.Categorical(["a", "b", "a", None]), "n": [1.0, 2.0, 3.0, 4.0]}),
    "pandas boolean": pd.DataFrame({"x": pd.array([True, False, True, None], "boolean"), "n": [1.0, 2.0, 3.0, 4.0]}),
    "pandas bool": pd.DataFrame({"x": [True, False, True, False], "n": [1.0, 2.0, 3.0, 4.0]}),
    "polars text": pl.DataFrame({"x": ["a", "b", "a", None], "n": [1.0, 2.0, 3.0, 4.0]}),
    "polars enum": pl.DataFrame(
        {"x": pl.Series(["a", "b", "a", None], dtype=pl.Enum(["b", "a", "z"])), "n": [1.0, 2.0, 3.0, 4.0]}
    ),
    "polars category": pl.DataFrame(
        {"x": pl.Series(["a", "b", "a", None], dtype=pl.Categorical), "n": [1.0, 2.0, 3.0, 4.0]}
    ),
    "polars bool": pl.DataFrame({"x": [True, False, True, None], "n": [1.0, 2.0, 3.0, 4.0]}),
}


@pytest.mark.parametrize("table", COLUMNS.values(), ids=COLUMNS)
def test_the_type_of_a_column_says_what_it_is(table):
    model = ELCClassifier(criterion="gini").fit(table, [0, 1, 0, 1])
    assert model.is_categorical_.tolist() == [True, False]
    assert model.categories_[1] is None
    assert set(model.categories_[0]) in ({"a", "b"}, {True, False})
    assert model.predict(table).tolist() == [0, 1, 0, 1]
    assert model.n_features_in_ == 2 and model.feature_names_in_.tolist() == ["x", "n"]


def test_numbers_in_an_object_column_stay_numbers():
    table = pd.DataFrame({"x": pd.Series([1, 2, 3, None], dtype=object)})
    assert not ELCClassifier(criterion="gini").fit(table, [0, 0, 1, 1]).is_categorical_.any()


def test_arrays_have_categories_where_they_are_listed():
    X = np.array([[3.0, 1.0], [7.0, 2.0], [3.0, 3.0], [9.0, 4.0], [7.0, 5.0]])
    y = [1, 0, 1, 1, 0]
    for chosen in ([0], [True, False], np.array([True, False])):
        model = ELCClassifier(criterion="gini", categorical_features=chosen).fit(X, y)
        assert model.is_categorical_.tolist() == [True, False] and model.categories_[0] == [3.0, 7.0, 9.0]
        assert model.tree_.is_categorical[0] and (model.predict(X) == y).all()
    assert not ELCClassifier(criterion="gini").fit(X, y).is_categorical_.any()
    text = np.array([["a", 1.0], ["b", 2.0], ["a", 3.0]], dtype=object)
    assert ELCClassifier(criterion="gini", categorical_features=[0]).fit(text, [0, 1, 0]).categories_[0] == ["a", "b"]


def test_names_and_mistakes_in_the_list_of_categories():
    table = pd.DataFrame({"a": [1, 2, 1, 2], "b": [1.0, 2.0, 3.0, 4.0]})
    assert ELCClassifier(categorical_features=["a"]).fit(table, [0, 1, 0, 1]).is_categorical_.tolist() == [True, False]
    with pytest.raises(ValueError, match="categorical_features must name columns of X, got 'c'; they are a, b"):
        ELCClassifier(categorical_features=["c"]).fit(table, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"categorical_features must be names of columns or positions in \[0, 1\]"):
        ELCClassifier(categorical_features=[2]).fit(table, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="as a mask must have 2 entries, got 3"):
        ELCClassifier(categorical_features=[True, False, True]).fit(table, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="categorical_features must be one of 'from_dtype', got 'auto'"):
        ELCClassifier(categorical_features="auto").fit(table, [0, 1, 0, 1])


def test_ordered_categories_are_numbers_in_order():
    grades = pd.CategoricalDtype(["low", "middle", "high", "top"], ordered=True)
    table = pd.DataFrame({"grade": pd.Series(["low", "middle", "top", "low", "top"], dtype=grades), "n": [0.0] * 5})
    model = ELCClassifier(criterion="gini").fit(table, [0, 0, 1, 0, 1])
    assert not model.is_categorical_.any() and model.categories_[0] == ["low", "middle", "high", "top"]
    assert not model.tree_.is_categorical.any() and abs(model.tree_.thresholds[0]) == 2.0
    other = pd.DataFrame({"grade": ["top", "low", "unheard of", None], "n": [0.0] * 4})
    assert model.predict(other).tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("missing_like", [0, 1])
def test_unknown_levels_and_levels_a_node_has_not_seen_go_with_the_missing(missing_like):
    table = pd.DataFrame({"x": ["a"] * 6 + ["b"] * 6 + [None] * 3})
    y = np.array([0] * 6 + [1] * 6 + [missing_like] * 3)
    model = ELCClassifier(criterion="gini").fit(table, y)
    assert model.predict(pd.DataFrame({"x": ["never", None, float("nan")]})).tolist() == [missing_like] * 3
    sides = model.tree_.rule(0)
    assert (model.categories_[0].index("ab"[missing_like]) in sides.levels_of(LEFT)) == sides.missing_left


def test_a_level_that_a_node_below_has_not_seen_goes_with_its_missing_values():
    rng = np.random.default_rng(0)
    table, _ = frame(n=300)
    y = np.where(table["colour"] == "a", 0, np.where(table["colour"].isin(["b", "c"]), 1, 2))
    y = np.where(rng.random(300) < 0.05, 0, y)
    model = ELCClassifier(criterion="gini", max_depth=3).fit(table, y)
    below = [node for node in np.flatnonzero(model.tree_.is_categorical) if node]
    assert below
    for node in below:
        rule = model.tree_.rule(node)
        seen = {int(code) for code in model.tree_.node_rows(model._check_rows(table))[node].tolist()}
        assert seen
        unseen = np.flatnonzero(rule.levels == 2)
        X = np.full((len(unseen), 3), np.nan)
        X[:, 0] = unseen
        assert (rule.sides(X, np.arange(len(unseen))) == 2).all()


@pytest.mark.parametrize("estimator", [ELCClassifier, ELCRegressor])
def test_training_rows_go_where_the_tree_says(estimator):
    table, y = frame(gaps=0.1)
    model = estimator(max_depth=4, criterion="gini" if estimator is ELCClassifier else "squared_error").fit(table, y)
    leaves = model.apply(table)
    assert (
        (np.bincount(leaves, minlength=model.tree_.n_nodes)[model.tree_.is_leaf]).tolist()
        == model.tree_.n_node_samples[model.tree_.is_leaf].tolist()
    )
    assert model.decision_path(table).sum(axis=1).min() >= 2
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_a_saved_model_knows_its_levels(tmp_path):
    table, y = frame(gaps=0.1)
    table["flag"] = table["size"] > 0
    model = ELCClassifier(criterion="gini", categorical_features=["colour", "flag"]).fit(table, y)
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.categories_ == model.categories_ and again.categorical_features == ["colour", "flag"]
    assert again.is_categorical_.tolist() == model.is_categorical_.tolist()
    assert (again.predict_proba(table) == model.predict_proba(table)).all()
    assert (again.tree_.levels == model.tree_.levels).all()


@pytest.mark.parametrize(
    "change", [('"left_levels": [', '"left_levels": [99, '), ('"left_levels": [', '"left_levels": [-1, ')]
)
def test_a_damaged_list_of_levels_is_refused(tmp_path, change):
    table, y = frame()
    path = tmp_path / "model.json"
    ELCClassifier().fit(table, y).save(path)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(ValueError, match="damaged"):
        load(path)


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_pruning_and_categories(pruning):
    table, y = frame(n=300, gaps=0.05)
    model = ELCClassifier(criterion="gini", pruning=pruning, random_state=0).fit(table, y)
    assert model.get_n_leaves() < 20
    assert model.tree_.is_categorical[0]
    path = ELCClassifier(criterion="gini").cost_complexity_pruning_path(table, y)
    assert len(path.ccp_alphas) > 2


@pytest.mark.parametrize("name", RIVALS)
def test_rivals_refuse_categories_and_their_advice_works(name):
    table, y = frame()
    table["colour"] = table["colour"].astype("category")
    estimator = RIVALS[name]
    with pytest.raises(
        TypeError, match=r"categorical columns \['colour'\].*OrdinalEncoder or OneHotEncoder\(sparse_output=False\)"
    ):
        estimator().fit(table, y)
    for encoder in (OrdinalEncoder(), OneHotEncoder(sparse_output=False)):
        columns = make_column_transformer((encoder, ["colour"]), remainder="passthrough")
        model = make_pipeline(columns, estimator(max_depth=3)).fit(table, y)
        assert model.score(table, y) > 0.5 if "Classifier" in name else model.score(table, y) > 0.3


@pytest.mark.parametrize("planes", ["any", "through", "canonical"])
def test_categories_alone_and_under_all_kinds_of_planes(planes):
    table, y = frame()
    assert ELCClassifier(criterion="gini", planes=planes, max_depth=2).fit(table, y).tree_.is_categorical[0]
    model = ELCClassifier(criterion="gini", planes=planes).fit(table[["colour"]], y)
    assert model.tree_.is_categorical[0] and model.score(table[["colour"]], y) > 0.85


@pytest.mark.parametrize("criterion", ["gini", "twoing", "mdl", "squared_error", "mdl_squared_error"])
def test_splits_on_categories_are_verified_and_false_claims_are_not(criterion):
    table, y = frame(n=24, gaps=0.1)
    split = best_split(table, y, r=1, criterion=criterion)
    assert split.features == (0,)
    assert verify(split, table, y, r=1).ok
    wrong = replace(split, levels=np.where(split.levels == 2, 2, 1 - split.levels)[::-1].astype(np.int8))
    assert not verify(wrong, table, y, r=1).ok
    assert not verify(best_split(table.drop(columns="colour"), y, r=1, criterion=criterion), table, y, r=1).ok
