"""Every way of looking works for every estimator of the library, and for whatever names people give."""

import json
import re
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cart_elc import ELCClassifier, explain, export_code, export_graphviz, export_html, export_text
from cart_elc.estimators import ESTIMATORS
from cart_elc.inspection.svg import tree_svg
from inspection_models import iris

# A database takes no NUL in a statement, and a lone surrogate has no UTF-8 form.
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame, pl.from_pandas], ids=["array", "pandas", "polars"])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_can_be_looked_at(name, frame):
    X, y = iris(0.1)
    X = frame(X)
    model = ESTIMATORS[name](max_depth=3).fit(X, y)
    assert export_text(model).endswith("Every rule keeps all training rows on their sides.")
    assert export_text(model, X=X).endswith("Every rule keeps all 150 rows of X on their sides.")
    assert export_html(model, X, y).startswith("<!doctype html>")
    assert "<iframe" in model._repr_html_()
    assert export_graphviz(model).startswith("digraph")
    assert tree_svg(model).startswith("<svg")
    rows = np.asarray(iris(0.1)[0])
    namespace = {}
    exec(export_code(model), namespace)
    assert [namespace["predict"](row) for row in rows] == model.predict(X).tolist()
    assert [explain(model, row).label for row in rows[::10]] == model.predict(X).tolist()[::10]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(WORDS, min_size=2, max_size=2, unique_by=str.lower), st.lists(WORDS, min_size=2, max_size=2, unique=True)
)
def test_any_name_is_only_a_name(names, labels):
    X = pd.DataFrame([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 0.0]], columns=names)
    model = ELCClassifier(r=2).fit(X, np.array(labels, dtype=object)[[0, 0, 1, 1]])
    page = export_html(model, X, model.predict(X), title=names[0])
    assert page.count("<script") == page.count("</script") == 2
    json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert len(export_text(model).splitlines()) == 5
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
