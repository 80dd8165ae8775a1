"""Splits on categories in every output: what is printed, drawn, exported and explained is what the model does."""

import sqlite3
import warnings

import numpy as np
import pandas as pd
import pytest

from browser import By, needs_browser
from cart_elc import (
    ELCClassifier,
    ELCRegressor,
    explain,
    export_code,
    export_graphviz,
    export_html,
    export_onnx,
    export_text,
    plot_boundaries,
    plot_splits,
    plot_tree,
)
from compiled import COMPILER, run_c
from page_probes import LIT, click_node, pick, text

HOSTILE = ["red", "blue", 'it\'s "here"', "a}, b", "grün"]


def table(n=240, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "colour": rng.choice(HOSTILE, n),
            "flag": rng.random(n) < 0.5,
            "grade": pd.Categorical(rng.choice(["low", "mid", "top"], n), ["low", "mid", "top"], ordered=True),
            "size": rng.normal(size=n).round(2),
        }
    )
    score = X["colour"].isin(["red", "grün"]) * 2.0 + X["flag"] * X["size"] + X["grade"].cat.codes
    y = np.where(score + rng.normal(size=n) * 0.3 > 1.7, "yes", "no")
    X["colour"] = X["colour"].where(rng.random(n) > 0.08, None)
    X.loc[rng.random(n) < 0.05, "size"] = np.nan
    return X, y


def fitted(estimator=ELCClassifier):
    X, y = table()
    if estimator is ELCRegressor:
        return ELCRegressor(criterion="squared_error", max_depth=5).fit(X, (y == "yes") * 1.5), X, (y == "yes") * 1.5
    return ELCClassifier(criterion="gini", max_depth=5).fit(X, y), X, y


def with_unknown(X):
    """The rows, and some of their copies with a level that nobody has seen."""
    return pd.concat([X, X.head(40).assign(colour="unheard of")], ignore_index=True)


def as_python(X):
    return [[None if pd.isna(value) else value for value in row] for row in X.astype(object).to_numpy().tolist()]


def codes_of(model, X):
    return model._check_rows(X)


def test_the_model_has_splits_of_all_kinds():
    model, _, _ = fitted()
    used = {
        (bool(model.tree_.is_categorical[node]), j)
        for node in model.tree_.split_nodes()
        for j in model.tree_.split(node)[0]
    }
    assert (True, 0) in used and (True, 1) in used and {(False, 2), (False, 3)} & used


def test_text_names_the_levels():
    model, X, y = fitted()
    root = ELCClassifier(criterion="gini", max_depth=1).fit(X[["colour"]], y)
    assert "if colour in {'a}, b', blue, it's \"here\"}:" in export_text(root)
    assert export_text(model).endswith("Every rule keeps all training rows on their sides.")
    assert export_text(model, X=X).endswith("Every rule keeps all 240 rows of X on their sides.")
    assert "flag in {" in export_text(model, units="standard", X=X)
    assert "in {" in export_graphviz(model, special_characters=True)


@pytest.mark.parametrize("estimator", [ELCClassifier, ELCRegressor])
def test_python_predicts_exactly(estimator):
    model, X, _ = fitted(estimator)
    rows, namespace = with_unknown(X), {}
    exec(export_code(model), namespace)
    assert [namespace["predict"](row) for row in as_python(rows)] == model.predict(rows).tolist()


@pytest.mark.parametrize("estimator", [ELCClassifier, ELCRegressor])
def test_sql_predicts_exactly(estimator):
    model, X, _ = fitted(estimator)
    rows = with_unknown(X)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (colour TEXT, flag BOOLEAN, grade TEXT, size REAL)")
    database.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", as_python(rows))
    found = [row[0] for row in database.execute(f"SELECT {export_code(model, 'sql')}\nFROM t ORDER BY rowid")]
    assert found == model.predict(rows).tolist()


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_c_predicts_exactly_from_the_codes_that_it_lists(tmp_path):
    model, X, _ = fitted()
    rows, code = with_unknown(X), export_code(model, "c")
    assert "0 is a}, b" in code and "2 is top" in code
    found = run_c(code, codes_of(model, rows), tmp_path, "-O1")
    assert model.classes_[found].tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize("estimator", [ELCClassifier, ELCRegressor])
def test_onnx_predicts_from_codes(estimator):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    model, X, _ = fitted(estimator)
    rows = with_unknown(X)
    proto = export_onnx(model)
    assert repr(model.categories_) in {entry.value for entry in proto.metadata_props}
    session = runtime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, {"X": codes_of(model, rows)})
    expected = model.predict(rows)
    assert np.array_equal(np.asarray(found[0]).ravel(), expected)


@pytest.mark.parametrize("estimator", [ELCClassifier, ELCRegressor])
def test_explanations_follow_the_path_and_name_what_would_change_it(estimator):
    model, X, _ = fitted(estimator)
    rows = with_unknown(X)
    paths = model.decision_path(rows)
    for i, row in enumerate(as_python(rows)):
        explanation = explain(model, dict(zip(X.columns, row, strict=True)))
        assert [*(step.node for step in explanation.steps), *explanation.leaves] == paths[[i]].indices.tolist()
        assert explanation.label == model.predict(rows.iloc[[i]])[0]
    explanation = explain(model, X.iloc[[0]])
    step = next(step for step in explanation.steps if model.tree_.is_categorical[step.node])
    name = step.terms[0].name
    assert f"{name} is {X[name].iloc[0]}" in str(step) and f"crossed by {name} from {X[name].iloc[0]} to " in str(step)
    for change in step.changes:
        assert change.level == X[name].iloc[0]
        moved = X.iloc[[0]].astype({name: object}).assign(**{name: [change.new_level]})
        child = model.tree_.children_right if step.side == "left" else model.tree_.children_left
        assert model.decision_path(moved)[0, int(child[step.node])]
    assert "<td" in explanation._repr_html_()


def test_an_unknown_level_is_said_to_be_missing():
    model, X, _ = fitted()
    steps = explain(model, X.iloc[[0]].assign(colour="unheard of")).steps
    assert any(step.missing == ("colour",) for step in steps)


def test_pictures_of_categories():
    pytest.importorskip("matplotlib")
    model, X, y = fitted()
    assert plot_tree(model) is not None
    figure = plot_splits(model, X, y, nodes=np.flatnonzero(model.tree_.is_categorical).tolist())
    labels = {label.get_text() for panel in figure.subfigs for axes in panel.axes for label in axes.get_xticklabels()}
    assert "red" in labels and "True" in labels
    regressor, X, numbers = fitted(ELCRegressor)
    plot_splits(regressor, X, numbers)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "colour = " in plot_boundaries(model, X, y, ("grade", "size")).get_title()
    with pytest.raises(ValueError, match="features must be numbers, but 'colour' is a category"):
        plot_boundaries(model, X, y, ("colour", "size"))


def test_the_page_has_the_levels():
    model, X, y = fitted()
    page = export_html(model, X, y)
    assert '"categories":[["\'a}, b\'","blue",' in page and '"levels":{"left":[' in page


@needs_browser
def test_the_page_follows_categories_as_the_model_does(show):
    X, y = table()
    model = ELCClassifier(criterion="gini", max_depth=3).fit(X, y)
    browser = show(model, X, y)
    paths = model.decision_path(X)
    for row in range(0, len(X), 9):
        pick(browser, row)
        assert browser.run(LIT) == paths[[row]].indices.tolist()
    categorical = [node for node in model.tree_.split_nodes() if model.tree_.is_categorical[node]]
    for node in categorical:
        click_node(browser, node)
        assert "in {" in text(browser, ".rule-box code")
        assert browser.run("return document.querySelectorAll('#node-body .plot').length") == 1
    used = sorted({int(j) for j in model.tree_.features})
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, "#inputs select")) == len({0, 1, 2} & set(used))
