"""OpenML, by scikit-learn's own `fetch_openml` on a cache of it: prepared, checked, labelled, or told in one line."""

import gzip
import http.client
import urllib.error
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import _openml

from cart_elc.datasets import DatasetUnavailableError, load
from openml_cache import write_openml
from paper_data import FOLDER, needs_paper_data
from program import run

BOSTON = ["CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT"]
RAD = ["24", "4", "5", "1"]


@pytest.fixture
def openml(tmp_path, monkeypatch):
    """An empty cache, no folder of files, and no network."""

    def unreachable(*_, **__):
        raise urllib.error.URLError("no network\nin tests")

    monkeypatch.delenv("CART_ELC_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr(_openml, "urlopen", unreachable)
    monkeypatch.setattr(_openml, "time", SimpleNamespace(sleep=lambda seconds: None))
    return tmp_path / "cache"


def numbers(rng, n_rows, n_columns):
    return [[str(value) for value in row] for row in rng.integers(1, 11, (n_rows, n_columns))]


def breast_w(openml, n_missing=16):
    """OpenML 15: the 699 rows with 16 missing cells, classes by name."""
    rows = numbers(np.random.default_rng(0), 699, 9)
    labels = ["benign"] * 458 + ["malignant"] * 241
    for i in [*range(14), *range(697, 697 + n_missing - 14)]:
        rows[i][5] = "?"
    columns = [(f"x{j}", None) for j in range(9)] + [("Class", ["benign", "malignant"])]
    write_openml(openml, 15, columns, [[*row, label] for row, label in zip(rows, labels, strict=True)])


def boston(openml, n_below=246):
    """OpenML 531: complete, CHAS and RAD nominal, the target a price."""
    rng = np.random.default_rng(0)
    rows = numbers(rng, 506, 13)
    for i, row in enumerate(rows):
        row[3], row[8] = "01"[i % 2], RAD[i % len(RAD)]
    prices = [20.9] * n_below + [21.0] * (506 - n_below)
    nominal = {"CHAS": ["0", "1"], "RAD": RAD}
    columns = [(name, nominal.get(name)) for name in BOSTON] + [("MEDV", None)]
    write_openml(openml, 531, columns, [[*row, str(price)] for row, price in zip(rows, prices, strict=True)])


def test_cancer_of_openml_loses_the_rows_that_the_paper_dropped(openml):
    breast_w(openml)
    data = load("cancer")
    assert (data.X.shape, np.bincount(data.y).tolist()) == ((683, 9), [444, 239])
    assert (data.place, data.target_names) == ("OpenML 15", ("benign", "malignant"))
    assert not np.isnan(data.matrix).any()


def test_boston_of_openml_is_labelled_as_the_complete_copy_and_its_nominal_columns_are_numbers(openml):
    boston(openml)
    data = load("housing")
    assert data.copy == "the complete copy; the paper's lacks 120 values"
    assert data.target_names == ("MEDV < 21", "MEDV >= 21")
    assert set(data.matrix[:, 3]) == {0.0, 1.0}
    assert [data.matrix[i, 8] for i in range(4)] == [24.0, 4.0, 5.0, 1.0]


@needs_paper_data
def test_diabetes_of_openml_equals_the_file(openml):
    lines = (FOLDER / "pima.csv").read_text().splitlines()
    labels = ["tested_negative", "tested_positive"]
    columns = [(name, None) for name in lines[0].split(",")[:-1]] + [("class", labels)]
    rows = [[*line.split(",")[:-1], labels[int(line.split(",")[-1])]] for line in lines[1:]]
    write_openml(openml, 37, columns, rows)
    fetched, read = load("diabetes"), load("diabetes", FOLDER)
    assert fetched.place == "OpenML 37"
    assert np.array_equal(fetched.matrix, read.matrix)
    assert np.array_equal(fetched.y, read.y)
    assert fetched.target_names == read.target_names


def test_a_set_of_openml_that_is_not_the_papers_is_refused(openml):
    boston(openml, n_below=200)
    with pytest.raises(
        ValueError, match=r"housing from OpenML 531 is not the paper's data: rows per class \[200, 306\]"
    ):
        load("housing")
    breast_w(openml, n_missing=15)
    with pytest.raises(ValueError, match=r"cancer from OpenML 15 .* shape \(684, 9\), expected \(683, 9\)"):
        load("cancer")


def refused(name):
    with pytest.raises(DatasetUnavailableError) as error:
        load(name)
    assert "\n" not in str(error.value)
    assert f"{name} is not here: a network connection fetches it from OpenML" in str(error.value)
    return str(error.value)


def test_without_a_network_one_line_says_how_to_get_it(openml):
    for name in ("cancer", "housing", "diabetes"):
        assert "no network in tests" in refused(name)


@pytest.mark.parametrize(
    "failure",
    [http.client.IncompleteRead(b""), TimeoutError("timed out"), ConnectionResetError("reset")],
    ids=lambda failure: type(failure).__name__,
)
def test_a_network_that_fails_half_way_is_no_traceback(openml, monkeypatch, failure):
    def failing(*_, **__):
        raise failure

    monkeypatch.setattr(_openml, "urlopen", failing)
    refused("cancer")


DAMAGES = {
    "empty": lambda whole: b"",
    "text": lambda whole: b"not gzip",
    "cut short": lambda whole: whole[: len(whole) // 2],
    "other rows": lambda whole: gzip.compress(gzip.decompress(whole)[:-20]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_no_traceback(openml, damage):
    breast_w(openml)
    path = next(openml.rglob("data.arff.gz"))
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    refused("cancer")


def test_the_report_says_which_copy_it_used_and_what_is_missing(openml, tmp_path, capsys):
    boston(openml)
    options = ("--dataset", "housing", "cancer", "--algorithm", "c4.5", "--trials", 1, "--jobs", 1)
    assert run("reproduce", "table2", *options, "--out", tmp_path / "out") == 0
    skipped = [line for line in capsys.readouterr().err.splitlines() if line.startswith("skipped: ")]
    assert len(skipped) == 1
    assert skipped[0].startswith("skipped: cancer is not here")
    text = (tmp_path / "out" / "report.md").read_text()
    assert "- Housing: the complete copy; the paper's lacks 120 values." in text
    assert "- Cancer is missing: cancer is not here" in text
