"""Saved models are readable, come back to the last bit, and whatever is wrong with a file is said clearly."""

import json
import os

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from cart_elc import load
from cart_elc.estimators import CLASSIFIERS, stored_values
from cart_elc.tree.fields import Field
from cart_elc.tree.structure import DTYPES

X, Y = load_iris(return_X_y=True)


@pytest.fixture(params=CLASSIFIERS.values(), ids=CLASSIFIERS)
def model(request):
    return request.param(max_depth=3).fit(X, Y)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def test_a_loaded_model_is_the_same_to_the_last_bit(model, path):
    model.save(path)
    loaded = load(path)
    assert type(loaded) is type(model)
    assert loaded.get_params() == model.get_params()
    for name, dtype in DTYPES.items():
        ours, theirs = getattr(model.tree_, name), getattr(loaded.tree_, name)
        assert ours.tobytes() == theirs.tobytes()
        assert theirs.dtype == dtype
    rows = np.random.default_rng(0).uniform(0, 8, (500, 4))
    rows[::7, 1] = np.nan
    assert model.predict_proba(rows).tobytes() == loaded.predict_proba(rows).tobytes()
    assert model.feature_importances_.tobytes() == loaded.feature_importances_.tobytes()
    assert (model.predict(rows) == loaded.predict(rows)).all()


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["setosa", "versicolor", "virgínica"]),
        np.array(["a", "b", "c"], dtype=object),
        np.array([-1, 0, 2**40]),
        np.array([0, 1, 2], dtype=np.uint8),
        np.array([-1.0, 0.0, 3.0]),
        np.array([False, True, True]),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_of_any_plain_type_come_back(labels, path):
    model = CLASSIFIERS["ELCClassifier"](r=1).fit(X, labels[Y])
    model.save(path)
    loaded = load(path)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_labels_that_json_has_no_word_for_are_refused(path):
    dates = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="datetime64[D]")
    model = CLASSIFIERS["ELCClassifier"](r=1).fit(X, Y)
    model.classes_ = dates
    with pytest.raises(TypeError, match="classes_ must be str, int, float or bool"):
        model.save(path)
    assert not path.exists()


def test_names_and_parameters_come_back(path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "ü", "d"])
    parameters = {"r": np.int64(1), "class_weight": {0: 1.0, 1: 2.0, 2: 0.5}, "time_limit": float("inf")}
    model = CLASSIFIERS["ELCClassifier"](**parameters).fit(frame, Y)
    model.save(path)
    loaded = load(path)
    assert loaded.get_params() == model.get_params()
    assert loaded.feature_names_in_.tolist() == ["a", "b", "ü", "d"]
    assert (loaded.predict(frame) == model.predict(frame)).all()
    assert (clone(loaded).fit(frame, Y).predict(frame) == model.predict(frame)).all()


def same(left, right):
    """Whether two plain values are equal and of one type; NaN equals NaN."""
    return type(left) is type(right) and (left == right or (left != left and right != right))


WORDS = ["inf", "-inf", "nan", "None", "null", "true", "1", "1.0", "", "pairs", "text", "ü"]
NUMBERS = [0, 1, -7, 2**70, 0.5, 1e-300, -0.0, float("inf"), float("-inf"), float("nan"), True, False, None]


@pytest.mark.parametrize("label", WORDS + NUMBERS, ids=repr)
def test_a_class_weight_comes_back_with_its_key_and_its_value_as_they_were(label, path):
    text = stored_values.dumps(
        stored_values.encode_params({"class_weight": {label: 2.0, "other": label}, "plain": label})
    )
    params = stored_values.decode_params(Field(json.loads(text), "params"))
    key, other = params["class_weight"]
    assert (same(key, label), other) == (True, "other")
    assert same(params["class_weight"]["other"], label)
    assert same(params["plain"], label)
    assert params["class_weight"][key] == 2.0


@pytest.mark.parametrize(
    "labels",
    [["inf", "nan", "-inf"], ["None", "null", "true"], [-1.0, 0.0, 2.0], [True, False, True], [3, 5, 7]],
    ids=str,
)
def test_a_loaded_model_with_class_weights_is_fitted_alike(labels, path):
    y = np.array(labels)[Y]
    weights = {label: 1.0 + i for i, label in enumerate(dict.fromkeys(labels))}
    model = CLASSIFIERS["ELCClassifier"](r=1, class_weight=weights).fit(X, y)
    model.save(path)
    loaded = load(path)
    assert loaded.class_weight == weights
    assert [type(key) for key in loaded.class_weight] == [type(key) for key in weights]
    assert clone(loaded).fit(X, y).predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_infinite_parameters_of_older_files_are_numbers(path):
    CLASSIFIERS["ELCClassifier"](r=1).fit(X, Y).save(path)
    document = json.loads(path.read_text())
    document["params"]["time_limit"] = "inf"
    path.write_text(json.dumps(document))
    assert load(path).time_limit == float("inf")


def test_the_file_is_readable_by_eye(model, path):
    model.save(path)
    text = path.read_text()
    document = json.loads(text)
    assert list(document)[:3] == ["format", "version", "estimator"]
    assert len(document["nodes"]) == model.tree_.n_nodes
    node_lines = [line for line in text.splitlines() if line.startswith('    {"n_samples"')]
    assert len(node_lines) == model.tree_.n_nodes


def test_nothing_is_saved_before_fit(path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        CLASSIFIERS["ELCClassifier"]().save(path)
    assert not path.exists()


def test_saving_leaves_no_other_files_and_replaces_the_old_one(model, path):
    path.write_text("old")
    model.save(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["model.json"]
    assert load(path).get_depth() == model.get_depth()


def test_a_path_may_be_a_string(model, path):
    model.save(str(path))
    assert load(str(path)).get_n_leaves() == model.get_n_leaves()


def test_every_truncation_is_an_error(model, path):
    model.save(path)
    content = path.read_bytes()
    for size in [0, 1, 10, *range(50, len(content) - 3, 97)]:
        path.write_bytes(content[:size])
        with pytest.raises(ValueError, match="is not a complete cart-elc model file"):
            load(path)


@pytest.mark.parametrize("content", [b"{}", b"[]", b"3", b'{"format": "other"}', b'"cart-elc"', b"null"])
def test_a_foreign_file_is_an_error(content, path):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a cart-elc model file"):
        load(path)


@pytest.mark.parametrize("content", [b"\x80\x04\x95pickle", b"PK\x03\x04", b"\xff\xfe\x00"])
def test_a_binary_file_is_an_error(content, path):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="model file"):
        load(path)


@pytest.mark.parametrize("version", [2, 99, 0, -1, "1", None, 1.0])
def test_another_version_is_an_error_that_names_it(model, path, version):
    model.save(path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"version": version}))
    with pytest.raises(ValueError, match=f"has version {version!r} and this cart-elc reads versions 1 to 1"):
        load(path)


def test_a_file_that_is_not_there_is_the_usual_error(path):
    with pytest.raises(FileNotFoundError):
        load(path)


def damage(document, change):
    document = json.loads(json.dumps(document))
    change(document)
    return document


DAMAGES = {
    "no tree": lambda d: d.pop("nodes"),
    "no nodes": lambda d: d["nodes"].clear(),
    "a node missing": lambda d: d["nodes"].pop(),
    "a node too many": lambda d: d["nodes"].append(d["nodes"][-1]),
    "unknown estimator": lambda d: d.update(estimator="os.system"),
    "unhashable estimator": lambda d: d.update(estimator=["ELCClassifier"]),
    "unknown parameter": lambda d: d["params"].update(evil=1),
    "parameters a list": lambda d: d.update(params=[1]),
    "a child that is its parent": lambda d: d["nodes"][0].update(left=0),
    "a child out of range": lambda d: d["nodes"][0].update(right=10**6),
    "a child beyond int32": lambda d: d["nodes"][0].update(right=10**30),
    "a feature out of range": lambda d: d["nodes"][0].update(features=[99, 100], weights=[1.0, 1.0]),
    "a negative feature": lambda d: d["nodes"][0].update(features=[-1], weights=[1.0]),
    "fewer weights than features": lambda d: d["nodes"][0]["weights"].pop(),
    "no threshold": lambda d: d["nodes"][0].pop("threshold"),
    "threshold a word": lambda d: d["nodes"][0].update(threshold="high"),
    "a policy unknown": lambda d: d["nodes"][0].update(missing="up"),
    "too few counts": lambda d: d["nodes"][-1]["value"].pop(),
    "counts of another width": lambda d: [node["value"].append(1.0) for node in d["nodes"]],
    "counts that are all zero": lambda d: d["nodes"][-1].update(value=[0.0, 0.0, 0.0]),
    "a negative count": lambda d: d["nodes"][0].update(value=[-1.0, 50.0, 50.0]),
    "a count that is not a number": lambda d: d["nodes"][0].update(value=["nan", 50.0, 50.0]),
    "an infinite count": lambda d: d["nodes"][0].update(value=["inf", 50.0, 50.0]),
    "a weight that is not a number": lambda d: d["nodes"][0].update(weights=["nan", 1.0]),
    "weights that are all zero": lambda d: d["nodes"][0].update(weights=[0.0, 0.0]),
    "a threshold that is not a number": lambda d: d["nodes"][0].update(threshold="nan"),
    "a split without features": lambda d: d["nodes"][0].update(features=[], weights=[]),
    "a parameter that is a list": lambda d: d["params"].update(max_depth=[3]),
    "a parameter that is an unknown object": lambda d: d["params"].update(max_depth={"value": 3}),
    "a node that is a number": lambda d: d["nodes"].__setitem__(0, 7),
    "labels of another number": lambda d: d["classes"]["values"].pop(),
    "labels of a strange dtype": lambda d: d["classes"].update(dtype="datetime64[D]"),
    "fewer features than used": lambda d: d.update(n_features=0),
    "features a word": lambda d: d.update(n_features="four"),
    "names of another number": lambda d: d.update(feature_names=["a"]),
    "importances of another number": lambda d: d.update(feature_importances=[1.0]),
}


@pytest.mark.parametrize("change", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_an_error(change, path):
    model = CLASSIFIERS["ELCClassifier"](max_depth=2).fit(X, Y)
    model.save(path)
    path.write_text(json.dumps(damage(json.loads(path.read_text()), change)))
    with pytest.raises(ValueError, match="is a damaged cart-elc model file"):
        load(path)


def test_a_model_is_written_through_a_link(path, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(path)
    for depth in (1, 2):
        CLASSIFIERS["ELCClassifier"](max_depth=depth).fit(X, Y).save(link)
        assert link.is_symlink()
        assert load(path).get_depth() == depth


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_model_is_written_into_a_pipe_and_does_not_take_its_place(path):
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        CLASSIFIERS["ELCClassifier"](max_depth=1).fit(X, Y).save(path)
        assert path.is_fifo()
        assert json.loads(os.read(reader, 65536))["format"] == "cart-elc"
    finally:
        os.close(reader)


def test_a_model_whose_progress_was_shown_by_a_callable_is_saved_without_it(path):
    model = CLASSIFIERS["ELCClassifier"](r=1, verbose=print).fit(X, Y)
    model.save(path)
    assert load(path).verbose == 0
    assert model.verbose is print
    assert load(path).predict(X).tolist() == model.predict(X).tolist()
