"""SHAP values are the exact ones: by their definition, by the package shap, and for every model."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cart_elc import ELCClassifier, ELCRegressor, explain
from cart_elc.estimators import CLASSIFIERS

X, Y = load_iris(return_X_y=True)
BACKGROUND = X[::10]


def by_definition(output, x, background):
    """Shapley values of the mean output over background rows, features in a set replaced by the sample's."""
    n = len(x)

    def worth(chosen):
        rows = background.copy()
        rows[:, list(chosen)] = x[list(chosen)]
        return output(rows).mean(axis=0)

    values = []
    for j in range(n):
        others = [k for k in range(n) if k != j]
        sets = [chosen for size in range(n) for chosen in combinations(others, size)]
        shares = [factorial(len(s)) * factorial(n - len(s) - 1) / factorial(n) for s in sets]
        values.append(sum(share * (worth((*s, j)) - worth(s)) for share, s in zip(shares, sets, strict=True)))
    return worth(()), np.array(values)


def with_gaps(rows):
    rows = rows.copy()
    rows[np.random.default_rng(1).random(rows.shape) < 0.2] = np.nan
    return rows


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("missing", [False, True], ids=["", "missing"])
def test_values_are_those_of_the_definition(name, missing):
    rows = with_gaps(X) if missing else X
    model = CLASSIFIERS[name](max_depth=3).fit(rows, Y)
    for x in rows[[0, 70, 120]]:
        explanation = explain(model, x, X=rows[::10], values=True)
        base, values = by_definition(model.predict_proba, x, rows[::10])
        np.testing.assert_allclose(explanation.base_values, base, atol=1e-12)
        np.testing.assert_allclose(explanation.values, values, atol=1e-12)
        total = explanation.base_values + explanation.values.sum(axis=0)
        np.testing.assert_allclose(total, model.predict_proba(x[None])[0], atol=1e-12)


def test_values_of_numbers_have_one_output():
    X, y = load_diabetes(return_X_y=True)
    model = ELCRegressor(max_depth=2).fit(X, y)
    used = np.unique(model.tree_.features)
    explanation = explain(model, X[3], X=X[:50], values=True)
    assert explanation.values.shape == (10,)
    assert explanation.base_values == pytest.approx(model.predict(X[:50]).mean())
    assert explanation.base_values + explanation.values.sum() == pytest.approx(model.predict(X[3:4])[0])
    assert set(np.flatnonzero(explanation.values)) <= set(used)


def test_the_exact_explainer_of_shap_agrees():
    shap = pytest.importorskip("shap", reason="the package shap is not installed (extra: test)")
    X, y = load_diabetes(return_X_y=True)
    regressor = ELCRegressor(max_depth=2).fit(X, y)
    classifier = ELCClassifier(criterion="gini", max_depth=3).fit(*load_iris(return_X_y=True))
    for output, model, rows in (
        (regressor.predict, regressor, X[:40]),
        (classifier.predict_proba, classifier, BACKGROUND),
    ):
        explainer = shap.explainers.Exact(output, shap.maskers.Independent(rows, max_samples=len(rows)))
        theirs = explainer(rows[:3])
        for x, values, base in zip(rows[:3], theirs.values, theirs.base_values, strict=True):
            ours = explain(model, x, X=rows, values=True)
            np.testing.assert_allclose(ours.values, values, atol=1e-9 * np.abs(values).max())
            np.testing.assert_allclose(ours.base_values, base)


def test_levels_of_a_category_are_features_like_others():
    rows = np.array([["abc"[i % 3], i % 5, i % 7] for i in range(42)], dtype=object)
    y = [(row[0] in "ac") + (row[1] > 2) * (row[2] > 3) for row in rows]
    model = ELCClassifier(criterion="gini", max_depth=3, categorical_features=[0]).fit(rows, y)
    assert model.tree_.is_categorical.any()
    background, x = rows[::4], rows[5]
    base, values = by_definition(model.predict_proba, x, background)
    explanation = explain(model, x, X=background, values=True)
    np.testing.assert_allclose(explanation.values, values, atol=1e-12)
    np.testing.assert_allclose(explanation.base_values, base, atol=1e-12)


def test_a_pipeline_has_the_values_of_its_own_columns():
    model = make_pipeline(StandardScaler(), ELCClassifier()).fit(X, Y)
    base, values = by_definition(model.predict_proba, X[70], BACKGROUND)
    explanation = explain(model, X[70], X=BACKGROUND, values=True)
    np.testing.assert_allclose(explanation.values, values, atol=1e-12)
    np.testing.assert_allclose(explanation.base_values, base, atol=1e-12)


def test_values_are_printed_the_largest_first():
    model = ELCClassifier().fit(X, Y)
    last = str(explain(model, X[70], X=X, values=True)).splitlines()[-1]
    assert last == "from 0.3333 on average: x3 +0.3836, x2 +0.2264"
    assert explain(model, X[70], X=X).values is None
    lone = ELCClassifier(max_depth=1).fit(X, np.zeros(150))
    assert str(explain(lone, X[70], X=X, values=True)).splitlines()[-1] == "1 on average, whatever x is"


def test_values_need_rows_and_few_features_on_a_path():
    model = ELCClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="values=True needs X"):
        explain(model, X[0], values=True)
    wide = np.random.default_rng(0).normal(size=(60, 20))
    model = CLASSIFIERS["HHCARTClassifier"](max_depth=1).fit(wide, wide.sum(axis=1) > 0)
    with pytest.raises(ValueError, match="must have at most 16 features on the path to a leaf, got 20"):
        explain(model, wide[0], X=wide, values=True)
