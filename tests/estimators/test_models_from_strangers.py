"""A model file that somebody else wrote is one that predicts, or an error that names the file and the field."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from cart_elc import ELCClassifier, explain, export_text, load
from cart_elc.estimators import ESTIMATORS, REGRESSORS

X, Y = load_iris(return_X_y=True)
ROWS = np.random.default_rng(0).uniform(0, 8, (40, 4))
ROWS[::3, 2] = np.nan
LABELS = {
    "numbers": np.array([3, 5, 9]),
    "texts": np.array(["a", "bb", "ü"]),
    "objects": np.array(["x", "y", "z"], object),
}


@cache
def saved(name, labels, folder):
    """Return the text of a saved model."""
    with_missing = X.copy()
    with_missing[::9, 2] = np.nan
    path = folder / f"{name}-{labels}.json"
    y = 0.5 * Y if name in REGRESSORS else LABELS[labels][Y]
    ESTIMATORS[name](max_depth=3).fit(with_missing, y).save(path)
    return path.read_text()


@cache
def saved_special(kind, folder):
    """Return the text of a saved model with categories, or of a refined one."""
    path = folder / f"{kind}.json"
    if kind == "refined":
        ELCClassifier(r=1, criterion="gini", max_depth=2, refine=True).fit(X, Y).save(path)
    else:
        rows = np.array([["abcd"[i % 4], i % 5, i % 3 == 0] for i in range(60)], dtype=object)
        y = [int(row[0] in "ac") + int(row[1] > 2) for row in rows]
        ELCClassifier(criterion="gini", max_depth=3, categorical_features=[0, 2]).fit(rows, y).save(path)
    return path.read_text()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


def node(number, **changes):
    return lambda document: document["nodes"][number].update(changes)


def entry(**changes):
    return lambda document: document.update(changes)


def param(**changes):
    return lambda document: document["params"].update(changes)


def classes(**changes):
    return lambda document: document["classes"].update(changes)


# Node 0 of the model is a split of one feature, node 1 a leaf, node 2 a split of two features.
DAMAGES = [
    (node(0, proven="false"), "nodes[0].proven must be true or false, got 'false'"),
    (node(0, proven=1), "nodes[0].proven must be true or false, got 1"),
    (node(0, left=1.0), "nodes[0].left must be a whole number in [0, 5], got 1.0"),
    (node(0, left=2.5), "nodes[0].left must be a whole number in [0, 5], got 2.5"),
    (node(0, right=3), "nodes[0].right must be 2, as the nodes are in preorder, got 3"),
    (node(0, features=[0.9]), "nodes[0].features[0] must be a whole number in [0, 3], got 0.9"),
    (node(0, features=[True]), "nodes[0].features[0] must be a whole number in [0, 3], got True"),
    (node(0, features=[4]), "nodes[0].features[0] must be a whole number in [0, 3], got 4"),
    (node(0, features=[2, 2], weights=[1.0, 1.0]), "nodes[0].features must be ascending, and at least one"),
    (node(0, features="2"), "nodes[0].features must be a list, got '2'"),
    (node(0, weights=["inf"]), "nodes[0].weights[0] must be a finite number, got 'inf'"),
    (node(0, weights=[1e999]), "Infinity is no number of JSON"),
    (node(0, weights=[10**400]), "nodes[0].weights[0] must be a finite number, got 1000"),
    (node(0, weights=["1"]), "nodes[0].weights[0] must be a finite number, got '1'"),
    (node(0, weights=[0.0]), "nodes[0].weights must be other than all zero, got [0.0]"),
    (node(0, weights=[1.0, 1.0]), "nodes[0].weights must be a list of 1 entries, got [1.0, 1.0]"),
    (node(0, threshold="inf"), "nodes[0].threshold must be a finite number, got 'inf'"),
    (node(0, missing="up"), "nodes[0].missing must be one of right, left, both, got 'up'"),
    (node(0, bound=-1.0), "nodes[0].bound must be the score of a split that is proven"),
    (node(0, n_candidates=-1.0), "nodes[0].n_candidates must be a number >= 0, got -1.0"),
    (node(0, margin=-0.5), "nodes[0].margin must be a number >= 0, got -0.5"),
    (node(0, score="best"), "nodes[0].score must be a finite number, got 'best'"),
    (node(1, n_samples=-50), "nodes[1].n_samples must be a whole number in [1, "),
    (node(1, n_samples=50.0), "nodes[1].n_samples must be a whole number in [1, "),
    (node(1, weight=-50.0), "nodes[1].weight must be a number >= 0, got -50.0"),
    (node(1, weight=7.0), "nodes[1].value must be of the node's weight, 7, which is more than 0"),
    (node(1, value=[-50.0, 50.0, 50.0]), "nodes[1].value[0] must be a number >= 0, got -50.0"),
    (node(1, value=[50.0, 0.0]), "nodes[1].value must be a list of 3 entries, got [50.0, 0.0]"),
    (node(1, value=[0.0, 0.0, 0.0], weight=0.0), "nodes[1].value must be of the node's weight, 0"),
    (node(1, impurity="nan"), "nodes[1].impurity must be a finite number, got 'nan'"),
    (node(1, features=[0]), "nodes[1] must be a leaf, which has no 'features'"),
    (node(0, evil=1), "nodes[0] must be a split, which has no 'evil'"),
    (lambda document: document["nodes"].pop(), "nodes: the nodes are not those of one tree"),
    (lambda document: document["nodes"][0].pop("threshold"), "it lacks nodes[0].threshold"),
    (entry(nodes={}), "nodes must be a list, got {}"),
    (entry(nodes=[]), "nodes: the nodes are not those of one tree"),
    (entry(estimator="os.system"), "estimator must be one of ELCClassifier, "),
    (entry(n_features=10**9), "feature_importances must be a list of 1000000000 entries"),
    (entry(n_features=4.0), "n_features must be a whole number in [1, "),
    (entry(n_features=0), "n_features must be a whole number in [1, "),
    (entry(feature_names=["a", "b", "c", 4]), "feature_names[3] must be a text, got 4"),
    (entry(feature_names=["a"]), "feature_names must be a list of 4 entries, got ['a']"),
    (entry(feature_importances=[1.0, 1.0, 0.0, 0.0]), "feature_importances must be shares that sum to 1 or 0"),
    (entry(feature_importances=[2.0, -1.0, 0.0, 0.0]), "feature_importances must be shares that sum to 1 or 0"),
    (entry(rounding=[[0] * 16]), "rounding must be a list of 5 entries"),
    (lambda document: document["rounding"][0].__setitem__(3, 25600), "rounding[0] must be entries of the table"),
    (lambda document: document["rounding"][0].__setitem__(3, 0.5), "rounding[0][3] must be a whole number"),
    (classes(dtype="<U1"), "classes.values must be different labels of type <U1, got [3, 5, 9]"),
    (classes(dtype="V9"), "classes.dtype must be a type of labels, such as '<i8' or '<U6', got 'V9'"),
    (classes(dtype="(9,)<i8"), "classes.dtype must be a type of labels"),
    (classes(values=[3, 3, 9]), "classes.values must be different labels of type int64, got [3, 3, 9]"),
    (classes(values=[5, 3, 9]), "classes.values must be in ascending order, got [5, 3, 9]"),
    (classes(values=[3, 5, 9.5]), "classes.values must be different labels of type int64, got [3, 5, 9.5]"),
    (classes(values=[3, 5, 10**30]), "classes.values must be labels of type int64"),
    (classes(values=[3, 5, None]), "classes.values[2] must be a label, got None"),
    (classes(values=[]), "classes.values must be different labels of type int64, got []"),
    (param(evil=1), "params must be those of ELCClassifier, which has no 'evil'"),
    (param(r=0), "params.r must be an int >= 1, got 0"),
    (param(max_depth=[3]), "params.max_depth must be a plain value, got [3]"),
    (param(criterion="best"), "params.criterion must be one of 'gini'"),
    (param(class_weight={"pairs": [[3]]}), "params.class_weight.pairs[0] must be a list of 2 entries, got [3]"),
    (param(class_weight={"pairs": [[3, "much"]]}), "params.class_weight must have finite non-negative values"),
    (entry(params=[1]), "params must be an object, got [1]"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), DAMAGES, ids=[message for _, message in DAMAGES])
def test_a_wrong_field_is_named_with_the_file(change, message, path):
    ELCClassifier(max_depth=2).fit(X, LABELS["numbers"][Y]).save(path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="model file: ") as caught:
        load(path)
    assert str(caught.value).startswith(f"{path} is ")
    assert message in str(caught.value)


def test_a_key_that_stands_twice_is_refused(path):
    ELCClassifier(max_depth=1).fit(X, Y).save(path)
    path.write_text(path.read_text().replace('"n_features": 4', '"n_features": 3, "n_features": 4'))
    with pytest.raises(ValueError, match="an object has 'n_features' twice"):
        load(path)


def test_a_number_of_more_digits_than_python_reads_is_refused(path):
    ELCClassifier(max_depth=1).fit(X, Y).save(path)
    path.write_text(path.read_text().replace('"n_features": 4', f'"n_features": {"4" * 5000}'))
    with pytest.raises(ValueError, match=r"model\.json is not a complete cart-elc model file"):
        load(path)


def test_the_type_of_labels_takes_no_more_than_the_labels_do(path):
    ELCClassifier(max_depth=1).fit(X, LABELS["texts"][Y]).save(path)
    path.write_text(path.read_text().replace("<U2", "<U200000000"))
    assert load(path).classes_.dtype == np.dtype("<U2")


def test_labels_of_a_wide_type_are_saved_as_they_are(path):
    ELCClassifier(max_depth=1).fit(X, LABELS["texts"].astype("<U50")[Y]).save(path)
    assert json.loads(path.read_text())["classes"]["dtype"] == "<U2"
    assert load(path).predict(X).tolist() == load(path).classes_[load(path).predict_proba(X).argmax(axis=1)].tolist()


def test_loading_draws_no_random_number(path):
    ELCClassifier(pruning="cv", random_state=None).fit(X, Y).save(path)
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    load(path)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**400, 127, 126, 300, 25_700]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "nan", "inf", "-inf", "left", "object", "<U9", "<f8", "|b1", "true", "elc", "balanced", "cv"]),
    st.sampled_from([[], {}, [1], [[1]], {"text": "inf"}, {"pairs": []}, {"pairs": [[1, 2]]}, {"a": 1}]),
)


def places(value, here=()):
    """Yield the way to every value inside a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*here, key)
        yield from places(item, (*here, key))


def inside(document, way):
    for key in way:
        document = document[key]
    return document


def mutate(draw, document):
    """Change one value anywhere in a document."""
    *way, key = draw(st.sampled_from(list(places(document))))
    holder = inside(document, way)
    kind = draw(st.sampled_from(["junk", "junk", "delete", "double", "other", "shift"]))
    if kind == "delete":
        del holder[key]
    elif kind == "double" and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif kind == "other":
        holder[key] = json.loads(json.dumps(inside(document, draw(st.sampled_from(list(places(document)))))))
    elif kind == "shift" and type(holder[key]) in (int, float) and abs(holder[key]) < 2**63:
        holder[key] = draw(st.sampled_from([-1, 0.5, 2, 1e200])) * holder[key] + draw(st.sampled_from([0, 1, -1]))
    else:
        holder[key] = draw(JUNK)


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_mutated_model_predicts_or_is_refused(name, folder, data):
    document = json.loads(saved(name, data.draw(st.sampled_from(sorted(LABELS))), folder))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(data.draw, document)
    check_loading(folder / "mutated.json", document)


def check_loading(path, document):
    """Check that a document is refused with the name of its file, or is a model that works."""
    path.write_text(json.dumps(document))
    try:
        model = load(path)
    except ValueError as error:
        assert str(error).startswith(f"{path} ")
        assert "cart-elc" in str(error)
        return
    check_that_it_works(model)


@pytest.mark.parametrize("kind", ["categories", "refined"])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_mutated_model_of_another_kind_predicts_or_is_refused(kind, folder, data):
    document = json.loads(saved_special(kind, folder))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(data.draw, document)
    check_loading(folder / "mutated.json", document)


def check_that_it_works(model):
    rows = ROWS[:, np.arange(model.n_features_in_) % 4]
    for j, levels in enumerate(getattr(model, "categories_", [])):
        if levels:
            rows = rows.astype(object)
            rows[:, j] = [[*levels, "no level", None][i % (len(levels) + 2)] for i in range(len(rows))]
    if hasattr(model, "feature_names_in_"):
        del model.feature_names_in_
    if type(model).__name__ in REGRESSORS:
        assert np.isfinite(model.predict(rows)).all()
    else:
        proportions = model.predict_proba(rows)
        assert np.all((proportions >= 0) & (proportions <= 1))
        np.testing.assert_allclose(proportions.sum(axis=1), 1.0)
        assert set(model.predict(rows).tolist()) <= set(model.classes_.tolist())
    assert len(model.apply(rows)) == len(rows)
    assert export_text(model)
    assert str(explain(model, rows[0]))
