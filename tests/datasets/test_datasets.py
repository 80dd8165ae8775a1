"""The loaders find, prepare and check the paper's data sets, and say clearly what is wrong with a wrong file."""

import sys
import urllib.error

import numpy as np
import pytest
from sklearn.utils import Bunch

from cart_elc import datasets
from cart_elc.datasets import CATALOGUE, DatasetUnavailableError, load, sources
from paper_data import FOLDER, needs_paper_data


@pytest.fixture(autouse=True)
def no_folder_and_no_network(monkeypatch):
    monkeypatch.delenv("CART_ELC_DATA", raising=False)

    def unreachable(**_):
        raise urllib.error.URLError("no network in tests")

    monkeypatch.setattr(sources.sklearn_datasets, "fetch_openml", unreachable)


def write(path, X, target, names=None):
    names = names or [f"x{j}" for j in range(X.shape[1])]
    rows = [
        ",".join([*("" if np.isnan(v) else repr(float(v)) for v in row), str(t)])
        for row, t in zip(X, target, strict=True)
    ]
    path.write_text("\n".join([",".join([*names, "target"]), *rows]) + "\n")


def pima_like(counts=(500, 268)):
    rng = np.random.default_rng(0)
    return rng.random((sum(counts), 8)), np.repeat([0, 1], counts)


@pytest.mark.parametrize(
    ("name", "shape", "counts"),
    [
        ("iris", (150, 4), [50, 50, 50]),
        ("wine", (178, 13), [59, 71, 48]),
        ("wdbc", (569, 30), [212, 357]),
    ],
)
def test_what_ships_with_scikit_learn_is_loaded_without_a_folder(name, shape, counts):
    data = load(name)
    assert data.X.shape == shape
    assert np.bincount(data.y).tolist() == counts
    assert data.place == "scikit-learn"
    assert list(data.X.columns) == list(data.feature_names)
    assert data.licence and data.description and data.source


@needs_paper_data
@pytest.mark.parametrize(
    ("name", "shape", "counts", "n_missing"),
    [
        ("cancer", (683, 9), [444, 239], 0),
        ("diabetes", (768, 8), [500, 268], 0),
        ("housing", (506, 13), [246, 260], 120),
    ],
)
def test_the_papers_files_give_the_papers_counts(name, shape, counts, n_missing):
    data = load(name, FOLDER)
    assert data.X.shape == shape
    assert np.bincount(data.y).tolist() == counts
    assert int(np.isnan(data.matrix).sum()) == n_missing


@needs_paper_data
def test_the_environment_variable_names_the_folder(monkeypatch):
    monkeypatch.setenv("CART_ELC_DATA", str(FOLDER))
    assert load("diabetes").place == str(FOLDER / "pima.csv")
    assert "120 values missing" in load("housing").copy


@needs_paper_data
def test_the_complete_copy_of_housing_is_labelled(tmp_path):
    (tmp_path / "housing.csv").write_bytes((FOLDER / "housing.csv").read_bytes())
    assert "complete copy" in load("housing", tmp_path).copy


def test_without_pandas_the_features_are_an_array(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    data = load("iris")
    assert isinstance(data.X, np.ndarray)
    assert data.matrix.shape == (150, 4)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"name must be one of 'bright', .* got 'moons'"):
        load("moons")


def test_a_folder_that_is_not_there_is_refused(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="data_dir must be an existing folder"):
        load("diabetes", tmp_path / "none")
    monkeypatch.setenv("CART_ELC_DATA", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="CART_ELC_DATA must be an existing folder"):
        load("diabetes")


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((499, 268), r"shape \(767, 8\), expected \(768, 8\)"),
        ((400, 368), r"rows per class \[400, 368\], expected \[500, 268\]"),
    ],
)
def test_a_file_with_other_rows_is_not_the_papers(tmp_path, counts, message):
    write(tmp_path / "pima.csv", *pima_like(counts))
    with pytest.raises(ValueError, match=f"diabetes from .*pima.csv is not the paper's data: .*{message}"):
        load("diabetes", tmp_path)


def test_a_file_with_missing_cells_that_the_paper_does_not_have_is_refused(tmp_path):
    X, y = pima_like()
    X[3, 2] = np.nan
    write(tmp_path / "pima.csv", X, y)
    with pytest.raises(ValueError, match="missing cells 1, expected 0"):
        load("diabetes", tmp_path)


def test_incomplete_rows_of_cancer_are_dropped(tmp_path):
    X, y = np.random.default_rng(0).random((699, 9)), np.repeat([2, 4], [458, 241])
    X[:14, 5], X[-2:, 5] = np.nan, np.nan
    write(tmp_path / "cancer.csv", X, y)
    assert load("cancer", tmp_path).X.shape == (683, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has no column 'target'"),
        ("", "has no rows"),
        ("a,target\n1,0\n2\n", "row 2: 2 values are expected, got 1"),
        ("a,target\nx,0\n", "row 1: column 'a' must be a number, got 'x'"),
        ("a,target\n1,\n", "row 1: the label 'target' is missing"),
        ("a,target\n1,7\n", "the classes must be among"),
    ],
)
def test_a_wrong_file_is_an_error_that_says_what_is_wrong(tmp_path, text, message):
    (tmp_path / "pima.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        load("diabetes", tmp_path)


@pytest.mark.parametrize("name", ["bright", "dim", "cancer", "diabetes", "housing"])
def test_a_set_that_cannot_be_had_says_in_one_line_how_to_get_it(name, tmp_path):
    with pytest.raises(DatasetUnavailableError) as error:
        load(name, tmp_path)
    message = str(error.value)
    assert "\n" not in message
    assert f"put {CATALOGUE[name].file}" in message
    assert "--data-dir or CART_ELC_DATA" in message


def test_openml_is_the_last_place_to_look(monkeypatch):
    X, y = pima_like()
    answer = Bunch(
        data=X,
        target=np.where(y == 0, "tested_negative", "tested_positive"),
        categories={},
        feature_names=[f"x{j}" for j in range(8)],
    )
    calls = []
    monkeypatch.setattr(sources.sklearn_datasets, "fetch_openml", lambda **given: calls.append(given) or answer)
    data = load("diabetes")
    assert (data.place, data.target_names, calls[0]["data_id"]) == ("OpenML 37", ("negative", "positive"), 37)


def test_openmls_boston_is_complete_and_its_nominal_columns_are_decoded(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.random((506, 13))
    X[:, 8] = rng.integers(0, 3, 506)
    names = ["CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT"]
    medv = np.repeat([20.9, 21.0], [246, 260])
    answer = Bunch(data=X, target=medv, categories={"RAD": ["4", "5", "24"]}, feature_names=names)
    monkeypatch.setattr(sources.sklearn_datasets, "fetch_openml", lambda **_: answer)
    data = load("housing")
    assert set(data.matrix[:, 8]) == {4.0, 5.0, 24.0}
    assert data.copy == "the complete copy; the paper's lacks 120 values"
    assert np.bincount(data.y).tolist() == [246, 260]


def test_every_set_of_the_catalogue_has_a_way_to_be_had():
    for facts in datasets.CATALOGUE.values():
        assert facts.name in sources.IN_SCIKIT_LEARN or facts.file
