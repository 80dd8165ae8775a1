"""Tables from files: what is missing is missing however it is written, and a damaged file is one clear line."""

import numpy as np
import pytest

from cart_elc.datasets.tabular import read_table

ROWS = 4


def parquet(path, **columns):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": range(ROWS), "y": ["no", "no", "yes", "yes"]}).assign(**columns)
    frame.to_parquet(path)
    return path


@pytest.mark.parametrize("word", ["", " ", "NA", "nan", "NaN", "null", "None", "?", "<NA>"])
def test_words_for_nothing_are_missing_values(tmp_path, word):
    (tmp_path / "t.csv").write_text(f"a,y\n1,no\n{word},yes\n")
    assert np.isnan(read_table(tmp_path / "t.csv").numbers(["a"])[:, 0]).tolist() == [False, True]


@pytest.mark.parametrize("kind", ["Int64", "Float64", "boolean", "float64", "object"])
def test_pandas_own_missing_values_are_missing(tmp_path, kind):
    pd = pytest.importorskip("pandas")
    path = parquet(tmp_path / "t.parquet", a=pd.Series([None, 1, 0, 1], dtype=kind))
    assert np.isnan(read_table(path).numbers(["a"])[:, 0]).tolist() == [True, False, False, False]


@pytest.mark.parametrize(("kind", "values"), [("Int64", [1, None, 0, 0]), ("string", ["x", None, "z", "z"])])
def test_a_label_that_pandas_has_as_missing_is_refused(tmp_path, kind, values):
    pd = pytest.importorskip("pandas")
    table = read_table(parquet(tmp_path / "t.parquet", y=pd.Series(values, dtype=kind)))
    with pytest.raises(ValueError, match=r"row 2: the label 'y' is missing"):
        table.labels("y")


def test_a_column_that_pandas_keeps_as_the_index_is_a_column(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.DataFrame({"a": range(ROWS), "y": range(ROWS)}).set_index("a").to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").names == ["a", "y"]


def test_labels_that_no_int_of_64_bits_holds_are_texts(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,99999999999999999999\n2,5\n")
    assert read_table(tmp_path / "t.csv").labels("y").tolist() == ["99999999999999999999", "5"]


def test_dates_and_lists_are_no_numbers(tmp_path):
    pd = pytest.importorskip("pandas")
    for values in (pd.date_range("2020", periods=ROWS), [[1]] * ROWS):
        with pytest.raises(ValueError, match=r"row 1: column 'a' must be a number"):
            read_table(parquet(tmp_path / "t.parquet", a=values)).numbers(["a"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", "", "has no rows"),
        ("t.csv", "a,y\n", "has no rows"),
        ("t.csv", "a,y\n1,no\n2\n", "row 2: 2 values are expected, got 1"),
        ("t.csv", "a,a,y\n1,2,no\n", "the header names a column twice"),
        ("t.csv", "a,y\n" + "9" * 200_000 + ",no\n", "is not a table of comma-separated values"),
        ("t.csv", "a,y\n1,caf\xe9\n".encode("latin-1"), "is not text in UTF-8"),
        ("t.parquet", "PAR1 and then nothing", "Parquet"),
        ("t.xls", "", "the name must end in one of .csv"),
    ],
)
def test_a_damaged_file_is_an_error_that_says_so(tmp_path, name, content, message):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=message):
        read_table(tmp_path / name)


def test_row_numbers_that_pandas_wrote_are_no_feature_but_do_not_hinder_a_prediction(tmp_path):
    (tmp_path / "t.csv").write_text(",a,y\n0,1,no\n1,2,yes\n")
    table = read_table(tmp_path / "t.csv")
    with pytest.raises(ValueError, match="column 1 has no name; if it numbers the rows, leave it out"):
        table.without("y")
    assert table.numbers(["a"])[:, 0].tolist() == [1.0, 2.0]


def test_a_target_alone_is_no_table_to_learn_from(tmp_path):
    (tmp_path / "t.csv").write_text("y\nno\nyes\n")
    with pytest.raises(ValueError, match="has no column beside 'y'"):
        read_table(tmp_path / "t.csv").without("y")


def test_an_empty_parquet_has_no_rows(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.DataFrame({"a": [], "y": []}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="has no rows"):
        read_table(tmp_path / "t.parquet")
