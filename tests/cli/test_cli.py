"""The command line: models in and out of files, one-line errors with exit code 2."""

import csv
import json
import os
import subprocess

import numpy as np
import pytest

from cart_elc import ELCClassifier, load
from cart_elc.cli import extensions
from cart_elc.cli.main import build_parser
from cart_elc.datasets import load as load_dataset
from cart_elc.estimators import CLASSIFIERS, ENSEMBLES
from program import command, run, run_program


@pytest.fixture
def table(tmp_path):
    iris = load_dataset("iris")
    frame = iris.X.assign(species=np.array(iris.target_names)[iris.y])
    frame.iloc[3, 0] = np.nan
    path = tmp_path / "iris.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def model(table, tmp_path):
    path = tmp_path / "model.json"
    assert run("fit", table, "--target", "species", "--max-depth", 2, "-o", path) == 0
    return path


def test_fit_prints_the_rules_and_saves_the_model(table, tmp_path, capsys):
    assert run("fit", table, "--target", "species", "--max-depth", 2, "-o", tmp_path / "m.json") == 0
    out, err = capsys.readouterr()
    assert "petal_" in out
    assert "3 leaves, depth 2" in out
    assert "2 of 2 splits proven" in out
    assert err == ""
    assert list(load(tmp_path / "m.json").feature_names_in_) == list(load_dataset("iris").feature_names)


def test_every_option_of_fit_reaches_the_estimator(table, tmp_path):
    options = [
        "--r",
        1,
        "--criterion",
        "twoing",
        "--max-depth",
        3,
        "--min-samples-leaf",
        5,
        "--ccp-alpha",
        0.001,
        "--planes",
        "canonical",
        "--price",
        0.5,
        "--missing",
        "right",
        "--time-limit",
        60,
    ]
    options += ["--jobs", 1]
    assert run("fit", table, "--target", "species", "-o", tmp_path / "m.json", *options) == 0
    params = load(tmp_path / "m.json").get_params()
    expected = {
        "r": 1,
        "criterion": "twoing",
        "max_depth": 3,
        "min_samples_leaf": 5,
        "ccp_alpha": 0.001,
        "n_jobs": 1,
        "planes": "canonical",
        "price": 0.5,
        "missing": "right",
        "time_limit": 60.0,
    }
    assert expected.items() <= params.items()


def test_a_fit_that_time_cut_short_says_so_in_one_line(table, tmp_path):
    result = run_program("fit", table, "--target", "species", "--time-limit", 1e-9, "-o", tmp_path / "m.json")
    assert result.returncode == 0
    assert "1 of 2 splits proven" in result.stdout  # one feature parts setosa, and no more can be parted
    assert result.stderr.startswith("cart-elc: time_limit=1e-09 cut the fit short: ")
    assert len(result.stderr.splitlines()) == 1


def test_predict_finds_columns_by_name_and_equals_the_estimator(model, table, tmp_path, capsys):
    import pandas as pd

    shuffled = tmp_path / "shuffled.csv"
    frame = pd.read_csv(table)
    frame[frame.columns[::-1]].assign(comment="x").to_csv(shuffled, index=False)
    capsys.readouterr()
    assert run("predict", model, shuffled) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    fitted = ELCClassifier(r=2, max_depth=2).fit(frame.drop(columns="species"), frame["species"])
    assert rows[0] == ["prediction"]
    assert [row[0] for row in rows[1:]] == fitted.predict(frame.drop(columns="species")).tolist()


def test_predict_writes_probabilities_to_a_file(model, table, tmp_path):
    out = tmp_path / "p.csv"
    assert run("predict", model, table, "--proba", "-o", out) == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert list(rows[0]) == ["prediction", "p(setosa)", "p(versicolor)", "p(virginica)"]
    assert all(abs(sum(float(row[name]) for name in list(row)[1:]) - 1.0) < 1e-12 for row in rows)


@pytest.mark.parametrize("name", ENSEMBLES)
def test_predict_and_show_take_many_trees_or_say_what_to_do(name, table, tmp_path, capsys):
    import pandas as pd

    frame = pd.read_csv(table)
    rows, labels = frame.drop(columns="species"), frame["species"]
    ensemble = ENSEMBLES[name](2, random_state=0).fit(rows, labels if "Classifier" in name else rows.sum(axis=1))
    ensemble.save(tmp_path / "many.npz")
    assert run("predict", tmp_path / "many.npz", table, "-o", tmp_path / "p.csv") == 0
    predicted = pd.read_csv(tmp_path / "p.csv")["prediction"].tolist()
    assert predicted == ensemble.predict(rows).tolist()
    capsys.readouterr()
    assert run("show", tmp_path / "many.npz") == 2
    assert "without tree_; pass one of its estimators_" in capsys.readouterr().err


def test_parquet_is_read_like_csv(model, table, tmp_path, capsys):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.read_csv(table).to_parquet(tmp_path / "iris.parquet")
    capsys.readouterr()
    answers = []
    for path in (table, tmp_path / "iris.parquet"):
        assert run("predict", model, path, "--proba") == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


def test_show_prints_rules_or_writes_a_page(model, tmp_path, capsys):
    capsys.readouterr()
    assert run("show", model) == 0
    assert "petal_" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert run("show", model, "--html", page) == 0
    assert page.read_text().lstrip().lower().startswith("<!doctype html>")


def test_datasets_lists_all_with_a_way_to_get_them(capsys, monkeypatch):
    monkeypatch.delenv("CART_ELC_DATA", raising=False)
    assert run("datasets") == 0
    out = capsys.readouterr().out
    for name in ("bright", "dim", "cancer", "iris", "housing", "diabetes", "wine", "wdbc"):
        assert f"\n{name} " in "\n" + out
    assert "licence" in out
    assert "Black residents" in out
    assert out.count("here: scikit-learn") == 3


def broken(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "none.csv", "--target", "y", "-o", "m.json"], "none.csv: no such file"),
        (["fit", "data.xyz", "--target", "y", "-o", "m.json"], "the name must end in one of .csv"),
        (["fit", "words.csv", "--target", "y", "-o", "m.json"], "row 1: column 'a' must be a number, got 'red'"),
        (["fit", "good.csv", "--target", "z", "-o", "m.json"], "has no column 'z'; its columns are 'a', 'b', 'y'"),
        (["fit", "good.csv", "--target", "y", "--r", "0", "-o", "m.json"], "r must be an int >= 1"),
        (["fit", "good.csv", "--target", "y", "--criterion", "x", "-o", "m.json"], "criterion must be one of 'gini'"),
        (
            ["fit", "good.csv", "--target", "y", "--algorithm", "c45", "--price", "2", "-o", "m.json"],
            "--price is no option of --algorithm c45, which has max-depth",
        ),
        (["export", "none.json", "onnx"], "onnx is no text: name a file to write with -o"),
        (["fit", "good.csv", "--target", "y", "-o", "nowhere/m.json"], "nowhere/m.json: there is no folder nowhere"),
        (["fit", "none.csv", "--target", "y", "-o", "nowhere/m.json"], "nowhere/m.json: there is no folder nowhere"),
        (["fit", "good.csv", "--target", "y", "-o", "."], ". is a folder: name a file to write"),
        (["predict", "none.json", "none.csv", "-o", "nowhere/p.csv"], "nowhere/p.csv: there is no folder nowhere"),
        (["show", "none.json", "--html", "nowhere/p.html"], "nowhere/p.html: there is no folder nowhere"),
        (
            ["fit", "good.csv", "--target", "y", "--jobs", "0", "-o", "m.json"],
            "n_jobs must be None or an int other than 0",
        ),
        (["fit", "twice.csv", "--target", "y", "-o", "m.json"], "the header names a column twice"),
        (["predict", "good.csv", "good.csv"], "is not a complete cart-elc model file"),
        (["predict", "none.json", "good.csv"], "none.json: No such file or directory"),
        (["show", "half.json"], "is not a complete cart-elc model file"),
        (["datasets", "--data-dir", "nowhere"], "data_dir must be an existing folder"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken(tmp_path, "words.csv", "a,y\nred,1\n5,2\n")
    broken(tmp_path, "good.csv", "a,b,y\n1,2,no\n3,1,yes\n4,,yes\n")
    broken(tmp_path, "twice.csv", "a,a,y\n1,2,3\n")
    broken(tmp_path, "half.json", '{"format": "cart-')
    broken(tmp_path, "data.xyz", "")
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if line.startswith("cart-elc:")]
    assert len(lines) == 1
    assert message in lines[0]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments", [[], ["fit"], ["fly"], ["fit", "a", "--target", "y", "-o", "m", "--algorithm", "x"]]
)
def test_wrong_usage_is_exit_code_2_too(arguments, capsys):
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("cart-elc")
    assert err.endswith("--help)\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [[], ["fit"], ["predict"], ["show"], ["export"], ["datasets"]])
def test_help_explains_every_option(command, capsys):
    assert run(*command, "--help") == 0
    out = "".join(capsys.readouterr().out.split())  # lines may be broken after a hyphen
    assert out.startswith("usage:cart-elc")
    parser = build_parser()
    for name in command:
        parser = next(action for action in parser._actions if action.choices and name in action.choices).choices[name]
    for action in parser._actions:
        for name in action.option_strings:
            assert name in out
        if action.nargs != "A...":  # the list of commands
            assert "".join(action.help.split()) in out


@pytest.mark.parametrize("arguments", [[], ["--help"], ["table5", "--trials", "2"]])
def test_a_command_of_a_package_that_is_not_installed_says_how_to_install_it(arguments, monkeypatch, capsys):
    monkeypatch.setattr(extensions, "entry_points", lambda **_: ())
    assert run("reproduce", *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("cart-elc: reproduce needs the package cart-elc-reproduction: pip install ./reproduction")


def test_a_command_of_another_package_gets_its_arguments_when_it_is_called(monkeypatch, capsys):
    def add_arguments(parser):
        parser.add_argument("--times", type=int)
        parser.set_defaults(run=lambda options: print("ran", options.times))

    class EntryPoint:
        def load(self):
            return add_arguments

    asked = []
    monkeypatch.setattr(extensions, "entry_points", lambda **names: asked.append(names) or (EntryPoint(),))
    assert run("datasets") == 0
    assert asked == []
    assert run("reproduce", "--times", 3) == 0
    assert asked == [{"group": "cart_elc.commands", "name": "reproduce"}]
    assert capsys.readouterr().out.endswith("ran 3\n")


def test_a_model_saved_by_the_command_line_is_plain_json(model):
    document = json.loads(model.read_text())
    assert document["feature_names"][2] == "petal_length"


def test_it_runs_as_a_program(model):
    done = run_program("show", model)
    assert (done.returncode, done.stderr) == (0, "")
    assert "petal" in done.stdout


@pytest.mark.parametrize("unbuffered", [True, False])
def test_a_closed_pipe_is_no_error(unbuffered):
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command("datasets"),
            stdout=writer,
            stderr=subprocess.PIPE,
            env=surroundings | ({"PYTHONUNBUFFERED": "1"} if unbuffered else {}),
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_predict_answers_as_the_model_does_where_values_are_missing(name, tmp_path):
    iris = load_dataset("iris")
    frame = iris.X.mask(np.random.default_rng(0).random(iris.X.shape) < 0.15)
    fitted = CLASSIFIERS[name](max_depth=3).fit(frame, np.array(iris.target_names)[iris.y])
    fitted.save(tmp_path / "model.json")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    assert run("predict", tmp_path / "model.json", tmp_path / "rows.csv", "--proba", "-o", tmp_path / "out.csv") == 0
    lines = list(csv.reader((tmp_path / "out.csv").read_text().splitlines()))[1:]
    assert [line[0] for line in lines] == fitted.predict(frame).tolist()
    np.testing.assert_array_equal(np.array([line[1:] for line in lines], dtype=float), fitted.predict_proba(frame))


def test_without_pandas_a_table_is_read_and_parquet_asks_for_it(table, tmp_path, monkeypatch, capsys):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    assert run("fit", table, "--target", "species", "--max-depth", 1, "-o", tmp_path / "m.json") == 0
    assert run("predict", tmp_path / "m.json", table) == 0
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    capsys.readouterr()
    assert run("predict", tmp_path / "m.json", tmp_path / "x.parquet") == 2
    assert "pip install pandas pyarrow" in capsys.readouterr().err
