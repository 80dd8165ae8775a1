"""Tables as people have them: other separators, encodings, decimals and words for nothing, and columns of all kinds."""

import csv
import gzip
import io
import sys

import pytest

from cart_elc import load
from program import run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


TABLE = "id,size,price,kind\n007,1.5,2,low\n008,2.5,3,low\n009,7.5,9,high\n010,8.5,8,high\n"


def fit(*options, table="t.csv", target="kind"):
    return run("fit", table, "--target", target, "-o", "m.json", "--criterion", "gini", *options)


def predictions(capsys, *arguments):
    capsys.readouterr()
    assert run("predict", "m.json", *arguments) == 0
    return capsys.readouterr().out


def error(capsys):
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def names():
    return load("m.json").feature_names_in_.tolist()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--drop", "id"], ["size", "price"]),
        (["--drop", "id,price"], ["size"]),
        (["--drop", "id", "--drop", "price"], ["size"]),
        (["--id", "id"], ["size", "price"]),
        (["--features", "price"], ["price"]),
        (["--features", "price,size"], ["price", "size"]),
    ],
)
def test_columns_are_chosen_and_dropped(folder, options, expected):
    (folder / "t.csv").write_text(TABLE)
    assert fit(*options) == 0
    assert names() == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--drop", "no"], "t.csv has no column 'no'; its columns are 'id', 'size'"),
        (["--features", "no"], "t.csv has no column 'no'"),
        (["--features", "kind"], "--features names 'kind', which is the target"),
        (["--features", "id", "--drop", "id"], "--features names 'id', which is the target or left out"),
        (["--drop", "id,size,price"], "t.csv has no column beside 'kind', 'id', 'size', 'price'"),
    ],
)
def test_a_choice_that_cannot_be_is_one_line(folder, options, message, capsys):
    (folder / "t.csv").write_text(TABLE)
    assert fit(*options) == 2
    assert message in error(capsys)


def test_a_name_with_a_comma_is_one_column(folder):
    (folder / "t.csv").write_text('"a,b",c,kind\n1,1,low\n2,2,high\n')
    assert fit("--drop", "a,b") == 0
    assert names() == ["c"]


def test_an_id_is_passed_through_to_the_predictions(folder, capsys):
    (folder / "t.csv").write_text(TABLE)
    assert fit("--id", "id") == 0
    lines = predictions(capsys, "t.csv", "--id", "id").splitlines()
    assert lines == ["id,prediction", "007,low", "008,low", "009,high", "010,high"]
    lines = predictions(capsys, "t.csv", "--id", "price,id", "--proba").splitlines()
    assert lines[:2] == ["price,id,prediction,p(high),p(low)", "2,007,low,0.0,1.0"]


FORMS = {
    "semicolons": (TABLE.replace(",", ";").encode(), ["--sep", ";"]),
    "tabs": (TABLE.replace(",", "\t").encode(), ["--sep", "tab"]),
    "bars": (TABLE.replace(",", "|").encode(), ["--sep", "|"]),
    "decimal commas": (TABLE.replace(",", ";").replace(".", ",").encode(), ["--sep", ";", "--decimal", ","]),
    "latin-1": (TABLE.replace("price", "größe").encode("latin-1"), ["--encoding", "latin-1"]),
    "utf-16": (TABLE.encode("utf-16"), ["--encoding", "utf-16"]),
    "a mark of UTF-8": (b"\xef\xbb\xbf" + TABLE.encode(), []),
    "lines of Windows": (TABLE.replace("\n", "\r\n").encode(), []),
}


@pytest.mark.parametrize(("content", "options"), FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("way", ["file", "gzip", "standard input", "unknown ending"])
def test_a_table_in_another_form_gives_the_same_model_and_predictions(
    folder, content, options, way, capsys, monkeypatch
):
    (folder / "t.csv").write_text(TABLE)
    assert fit("--drop", "id") == 0
    expected, wanted = load("m.json").tree_.thresholds.tolist(), predictions(capsys, "t.csv")
    name = {"file": "o.csv", "gzip": "o.csv.gz", "standard input": "-", "unknown ending": "o.data"}[way]
    options = options if way != "unknown ending" or "--sep" in options else [*options, "--sep", ","]

    def offer():
        if name == "-":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        else:
            (folder / name).write_bytes(gzip.compress(content) if way == "gzip" else content)

    offer()
    assert fit("--drop", "id", *options, table=name) == 0
    assert str(load("m.json").tree_.thresholds.tolist()) == str(expected)
    offer()
    assert predictions(capsys, name, *options) == wanted


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (TABLE.replace(",", ";").encode(), [], "if ';' separates values, say --sep ';'"),
        (TABLE.replace(",", "\t").encode(), [], "if tab separates values, say --sep tab"),
        (TABLE.replace(",", ";").replace(".", ",").encode(), ["--sep", ";"], "after a comma: --decimal ,"),
        (
            TABLE.replace(",", ";").encode(),
            ["--sep", ";", "--decimal", ","],
            "column 'size' must be a number, got '1.5'",
        ),
        (TABLE.replace("low", "größe").encode("latin-1"), [], "is not text in UTF-8: name its encoding"),
        (TABLE.encode(), ["--encoding", "klingon"], "--encoding must name an encoding of text, got 'klingon'"),
        (TABLE.replace("2.5", "1_000").encode(), [], "row 2: column 'size' must be a number, got '1_000'"),
        (
            TABLE.replace("size", "").encode(),
            [],
            "column 2 has no name; if it numbers the rows, leave it out: --drop ''",
        ),
        (
            TABLE.replace("008,2.5,3,low", "008,2.5,3,None").encode(),
            [],
            "row 2: the label 'kind' is missing ('None'; --na",
        ),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_the_option_that_mends_it(folder, content, options, message, capsys):
    (folder / "t.csv").write_bytes(content)
    assert fit("--drop", "id", *options) == 2
    assert message in error(capsys)


def test_a_gzip_file_that_is_cut_is_named(folder, capsys):
    (folder / "t.csv.gz").write_bytes(gzip.compress(TABLE.encode())[:-10])
    assert fit(table="t.csv.gz") == 2
    assert "t.csv.gz is not a complete gzip file" in error(capsys)


@pytest.mark.parametrize("sep", ["ab", "", '"'])
def test_a_separator_is_one_character(folder, sep, capsys):
    (folder / "t.csv").write_text(TABLE)
    assert fit("--sep", sep) == 2
    assert "must be one character, or tab" in error(capsys)


def test_words_for_nothing_can_be_chosen(folder, capsys):
    (folder / "t.csv").write_text("a,kind\n-999,none\n1,none\n2,some\nunknown,some\n")
    assert fit("--na", "-999", "--na", "unknown") == 0
    assert load("m.json").classes_.tolist() == ["none", "some"]
    assert load("m.json").tree_.n_node_samples[0] == 4
    (folder / "n.csv").write_text("a\n-999.0\n2\n")
    assert len(predictions(capsys, "n.csv", "--na", "-999").splitlines()) == 3


@pytest.mark.parametrize("word", ["N/A", "n/a", "#N/A", "NA", "NaN", "null", "?"])
def test_words_for_nothing_are_known(folder, word):
    (folder / "t.csv").write_text(f"a,kind\n{word},low\n1,low\n2,high\n")
    assert fit() == 0


@pytest.mark.parametrize(("yes", "no"), [("True", "False"), ("TRUE", "FALSE"), ("true", "false")])
def test_truths_are_read_as_meant(folder, yes, no, capsys):
    (folder / "t.csv").write_text(f"a,kind\n{yes},{yes}\n{yes},{yes}\n{no},{no}\n")
    assert fit() == 0
    assert load("m.json").tree_.rule(0).features == (0,)
    assert predictions(capsys, "t.csv").splitlines() == ["prediction", yes, yes, no]
    kinds = {type(label) for label in load("m.json").classes_.tolist()}
    assert kinds == ({bool} if yes == "True" else {str})


def test_007_and_7_stay_two_labels(folder, capsys):
    (folder / "t.csv").write_text("a,kind\n1,007\n2,007\n8,7\n9,7\n")
    assert fit() == 0
    assert load("m.json").classes_.tolist() == ["007", "7"]
    assert predictions(capsys, "t.csv").split() == ["prediction", "007", "007", "7", "7"]


def test_plain_whole_labels_are_ints(folder):
    (folder / "t.csv").write_text("a,kind\n1,0\n2,0\n8,-1\n9,-1\n")
    assert fit() == 0
    assert load("m.json").classes_.tolist() == [-1, 0]


def test_blank_lines_keep_their_place_in_predictions(folder, capsys):
    (folder / "t.csv").write_text(TABLE)
    assert fit("--drop", "id") == 0
    head, *rows = TABLE.splitlines()
    (folder / "n.csv").write_text("\n".join([head, rows[0], "", rows[3], "   ", rows[1], ""]) + "\n")
    out = predictions(capsys, "n.csv", "--id", "id")
    assert out == "id,prediction\n007,low\n\n010,high\n\n008,low\n\n"
    (folder / "t.csv").write_text((folder / "n.csv").read_text())
    assert fit("--drop", "id") == 0
    assert load("m.json").tree_.n_node_samples[0] == 3
    (folder / "t.csv").write_text("a,kind\n1,low\n\nx,high\n")
    assert fit() == 2
    assert "t.csv, row 3: column 'a' must be a number, got 'x'" in error(capsys)


def test_numbers_with_decimals_are_no_classes(folder, capsys):
    (folder / "t.csv").write_text(TABLE)
    assert fit("--drop", "id,kind", target="size") == 2
    assert "'size' has numbers such as 1.5 and no classes: add --regression" in error(capsys)


CATEGORIES = "sex,stage,age,kind\n" + "m,II,50,low\nf,I,40,high\nf,II,45,low\nm,I,70,high\nf,,30,high\n" * 6


def test_text_is_a_category_where_the_algorithm_takes_them(folder, capsys):
    (folder / "t.csv").write_text(CATEGORIES)
    assert fit("--cv", 3) == 0
    assert "if stage in {I" in capsys.readouterr().out
    assert load("m.json").categories_ == [["f", "m"], ["I", "II"], None]
    (folder / "n.csv").write_text("age,stage,sex\n50,II,m\n40,I,f\n45,,m\n45,IV,m\n")
    assert predictions(capsys, "n.csv").split() == ["prediction", "low", "high", "high", "high"]
    assert fit("--algorithm", "cart") == 2
    assert "column 'sex' must be a number, got 'm'; --drop leaves the column out" in error(capsys)
    assert fit("--categorical-features", "none") == 2


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["2020-01-01", "2020-02-01"], "column 'a' has dates: give days since one that matters, or --drop it"),
        ([f"patient {i}" for i in range(30)], "column 'a' has 30 texts in 30 rows: --drop it"),
        (["red", "5"], "row 1: column 'a' must be a number, got 'red'"),
        (["1,5", "2,5"], "if decimals stand after a comma: --decimal ,"),
    ],
)
def test_text_that_is_no_category_is_refused(folder, cells, message, capsys):
    rows = [f'"{cell}",{kind}' for cell, kind in zip(cells, ["low", "high"] * 15, strict=False)]
    (folder / "t.csv").write_text("\n".join(["a,kind", *rows]) + "\n")
    assert fit() == 2
    assert message in error(capsys)


def test_numbers_can_be_named_as_categories(folder, capsys):
    (folder / "t.csv").write_text("code,size,kind\n1,5,low\n2,6,high\n3,7,low\n4,8,high\n")
    assert fit("--categorical-features", "code") == 0
    assert load("m.json").categories_ == [[1, 2, 3, 4], None]
    assert predictions(capsys, "t.csv").split()[1:] == ["low", "high", "low", "high"]
    assert fit("--categorical-features", '["code"]') == 0
    assert fit("--categorical-features", "[0]") == 0
    assert load("m.json").categories_ == [[1, 2, 3, 4], None]
    capsys.readouterr()
    assert fit("--categorical-features", "no") == 2
    assert "t.csv has no column 'no'" in error(capsys)


def test_predictions_are_a_table_that_reads_back(folder, capsys):
    (folder / "t.csv").write_text('a,kind\n1,"low, or less"\n2,"low, or less"\n8,"say ""high"""\n9,"say ""high"""\n')
    assert fit() == 0
    rows = list(csv.reader(predictions(capsys, "t.csv").splitlines()))
    assert rows == [["prediction"], ["low, or less"], ["low, or less"], ['say "high"'], ['say "high"']]
