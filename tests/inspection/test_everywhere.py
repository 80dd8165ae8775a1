"""Every way of looking works for every estimator of the library, and for whatever names people give."""

import json
import re
import sqlite3

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cart_elc import CARTClassifier, ELCClassifier, explain, export_code, export_graphviz, export_html, export_text
from cart_elc.estimators import CLASSIFIERS
from inspection_models import iris

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
# A database takes no NUL in a statement, and a lone surrogate has no UTF-8 form.
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame, pl.from_pandas], ids=["array", "pandas", "polars"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_estimator_can_be_looked_at(name, frame):
    X, y = iris(0.1)
    X = frame(X)
    model = CLASSIFIERS[name](max_depth=3).fit(X, y)
    assert export_text(model).endswith("Every rule keeps all training rows on their sides.")
    assert export_text(model, X=X).endswith("Every rule keeps all 150 rows of X on their sides.")
    assert export_html(model, X, y).startswith("<!doctype html>")
    assert "<iframe" in model._repr_html_()
    assert export_graphviz(model).startswith("digraph")
    rows = np.asarray(iris(0.1)[0])
    namespace = {}
    exec(export_code(model), namespace)
    assert [namespace["predict"](row) for row in rows] == model.predict(X).tolist()
    assert [explain(model, row).label for row in rows[::10]] == model.predict(X).tolist()[::10]


def looks(model, X, y):
    return [export_html(model, X, y), export_text(model, X=X), export_text(model, units="standard", X=X)]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_columns_are_found_by_name_in_any_order(frame):
    X, y = iris(0.1)
    model = ELCClassifier(r=2, criterion="gini", max_depth=3).fit(X, y)
    expected = looks(model, X, y)
    assert looks(model, frame(X[X.columns[::-1]].assign(species=0.0)), y) == expected
    names = ["a", "b", "c", "d"]
    renamed = X.set_axis(names, axis=1)
    text = export_text(model, X=renamed, feature_names=names)
    assert text == export_text(model, X=X, feature_names=names)
    with pytest.raises(ValueError, match="X lacks the features 'sepal_length', 'sepal_width'"):
        export_html(model, frame(renamed), y)


def test_infinite_values_are_refused_with_their_place():
    X, y = iris()
    model = ELCClassifier(r=1, criterion="gini").fit(X, y)
    with pytest.raises(ValueError, match="X must be finite or missing, got -inf in row 7, column 2"):
        export_html(model, X.assign(petal_length=np.where(X.index == 7, -np.inf, 1.0)), y)


def test_classes_can_be_given_other_names_and_numbers_are_called_classes():
    X, y = iris()
    model = ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X, (y == "setosa").astype(int))
    assert "\n  class 1 (50 of 50" in export_text(model)
    assert "class = 1" in export_graphviz(model)
    renamed = {"class_names": ["other", "setosa"]}
    assert "\n  setosa (50 of 50" in export_text(model, **renamed)
    assert '"classes":["other","setosa"]' in export_html(model, X, model.predict(X), **renamed)
    with pytest.raises(ValueError, match="class_names must have 2 entries, got 1"):
        export_text(model, class_names=["setosa"])


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        (make_pipeline(StandardScaler(), RidgeClassifier()), r"got Pipeline without tree_; pass its last step"),
        (GridSearchCV(CARTClassifier(), {"max_depth": [1]}), r"got GridSearchCV without tree_; pass its best_"),
    ],
    ids=["pipeline", "search"],
)
def test_a_model_around_the_tree_says_where_the_tree_is(model, hint):
    with pytest.raises(ValueError, match=hint):
        export_text(model.fit(*iris()))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(WORDS, min_size=2, max_size=2, unique_by=str.lower), st.lists(WORDS, min_size=2, max_size=2, unique=True)
)
def test_any_name_is_only_a_name(names, labels):
    X = pd.DataFrame([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 0.0]], columns=names)
    model = ELCClassifier(r=2, criterion="gini").fit(X, np.array(labels, dtype=object)[[0, 0, 1, 1]])
    page = export_html(model, X, model.predict(X), title=names[0])
    assert page.count("<script") == page.count("</script") == 2
    json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert len(export_text(model).splitlines()) == 6
    namespace = {}
    exec(export_code(model), namespace)
    assert [namespace["predict"](row) for row in X.to_numpy()] == model.predict(X).tolist()
    compile(export_code(model, name="other"), "model", "exec")
    if all(names):
        database = sqlite3.connect(":memory:")
        columns = ", ".join('"' + name.replace('"', '""') + '" REAL' for name in names)
        database.execute(f"CREATE TABLE t ({columns})")
        database.executemany("INSERT INTO t VALUES (?, ?)", X.to_numpy().tolist())
        found = database.execute(f"SELECT {export_code(model, 'sql')}\nFROM t ORDER BY rowid").fetchall()
        assert [row[0] for row in found] == model.predict(X).tolist()
