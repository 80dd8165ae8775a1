"""Exported code predicts exactly what the model predicts: it is run, as Python, in SQLite and from the C compiler."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from cart_elc import ELCClassifier, MissingPolicy, export_code, load
from cart_elc.inspection.export.code.sql import double, ratio
from compiled import COMPILER, run_c
from inspection_models import NAMES, fitted, iris, policies

GOLDEN = Path(__file__).parents[1] / "golden"


def run_python(code, X, tmp_path):
    (tmp_path / "model.py").write_text(code, encoding="utf-8")
    rows = [[None if np.isnan(v) else v for v in row] for row in X.tolist()]
    script = (
        "import json, sys; from model import predict; print(json.dumps([predict(x) for x in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, input=json.dumps(rows), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def run_sql(code, X, names):
    columns = ", ".join('"' + name.replace('"', '""') + '" REAL' for name in names)
    rows = [[None if np.isnan(v) else v for v in row] for row in X.tolist()]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE t ({columns})")
        database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", rows)
        return [row[0] for row in database.execute(f"SELECT {code}\nFROM t ORDER BY rowid")]


@pytest.fixture(params=NAMES)
def case(request):
    model, X, _ = fitted(request.param)
    return model, X, np.asarray(X, dtype=np.float64)


def names_of(model):
    return [str(name) for name in getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])]


def test_python_predicts_exactly(case, tmp_path):
    model, X, values = case
    assert run_python(export_code(model, "python"), values, tmp_path) == model.predict(X).tolist()


def test_sql_predicts_exactly(case):
    model, X, values = case
    assert run_sql(export_code(model, "sql"), values, names_of(model)) == model.predict(X).tolist()


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_c_predicts_exactly(case, tmp_path):
    model, X, values = case
    codes = run_c(export_code(model, "c"), values, tmp_path, "-O1")
    assert model.classes_[codes].tolist() == model.predict(X).tolist()


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_c_predicts_exactly_where_the_compiler_may_fuse_and_reorder(tmp_path):
    model, X, _ = fitted("r = 2")
    codes = run_c(export_code(model, "c"), X.to_numpy(), tmp_path, "-O3", "-march=native")
    assert model.classes_[codes].tolist() == model.predict(X).tolist()


def test_the_cases_have_every_policy_for_missing_values():
    assert policies(fitted("missing, divided")[0]) >= {MissingPolicy.BOTH}
    learnt = policies(fitted("missing, learnt")[0]) | policies(fitted("missing, r = 1")[0])
    assert learnt == {MissingPolicy.LEFT, MissingPolicy.RIGHT}


def test_rows_that_lack_everything_are_predicted_too(tmp_path):
    for name in ("missing, learnt", "missing, divided", "missing, filled"):
        model, X, _ = fitted(name)
        rows = np.full((1, X.shape[1]), np.nan)
        expected = model.predict(X.iloc[:1].mask(X.iloc[:1] == X.iloc[:1])).tolist()
        assert run_python(export_code(model), rows, tmp_path) == expected
        assert run_sql(export_code(model, "sql"), rows, names_of(model)) == expected


@pytest.mark.parametrize(("language", "suffix"), [("python", "py"), ("sql", "sql"), ("c", "c")])
def test_the_golden_rendering(language, suffix):
    code = export_code(load(GOLDEN / "model.json"), language)
    assert code.rstrip("\n") + "\n" == (GOLDEN / f"code.{suffix}.txt").read_text(encoding="utf-8")


def test_sql_numbers_are_read_back_to_the_last_bit():
    random = np.random.default_rng(0)
    values = random.normal(size=500) * 10.0 ** random.integers(-30, 30, 500)
    with closing(sqlite3.connect(":memory:")) as database:
        for value in [*values.tolist(), 0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1]:
            assert database.execute(f"SELECT {double(value)}").fetchone()[0] == value
            assert database.execute(f"SELECT {ratio(value)}").fetchone()[0] == value


@pytest.mark.parametrize(
    "bad", [{"language": "cobol"}, {"name": "no name"}, {"name": "class"}, {"name": "float"}, {"name": "max"}]
)
def test_bad_options_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        export_code(load(GOLDEN / "model.json"), **bad)


@pytest.mark.parametrize("name", ["int", "double", "main", "totals", "x"])
def test_a_name_that_c_has_taken_is_refused(name):
    with pytest.raises(ValueError, match="name must be a free name for a function"):
        export_code(load(GOLDEN / "model.json"), "c", name=name)


def test_labels_that_are_neither_text_nor_numbers_become_text(tmp_path):
    X, _ = iris()
    days = np.array(["2020-01-01", "2021-05-01", "2022-09-30"], dtype="datetime64[D]")
    model = ELCClassifier(r=1, criterion="gini").fit(X, days[np.arange(150) // 50])
    expected = [str(label) for label in model.predict(X)]
    assert run_python(export_code(model), X.to_numpy(), tmp_path) == expected
    assert run_sql(export_code(model, "sql"), X.to_numpy(), list(X)) == expected
