"""The ONNX graph gives the model's labels and probabilities."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from cart_elc import ELCClassifier, datasets, export_onnx
from cart_elc.datasets.sources import IN_SCIKIT_LEARN, file_in
from inspection_models import NAMES, fitted
from paper_data import FOLDER

pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def run(model, X, path=None):
    proto = export_onnx(model, path)
    assert path is None or proto is None
    session = runtime.InferenceSession(path or proto.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"X": np.ascontiguousarray(X, dtype=np.float64)})


@pytest.mark.parametrize("name", NAMES)
def test_labels_and_probabilities_are_the_models(name):
    model, X, _ = fitted(name)
    labels, probabilities = run(model, X)
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-12)
    assert labels.tolist() == model.predict(X).tolist()


def all_data_sets():
    for loader in (load_iris, load_breast_cancer, load_wine, load_digits):
        yield pytest.param(lambda loader=loader: loader(return_X_y=True), id=loader.__name__)
    for name in datasets.NAMES:
        yield pytest.param(lambda name=name: paper_data(name), id=name)


def paper_data(name):
    """Return a data set from the folder or from scikit-learn; never from the network."""
    facts = datasets.CATALOGUE[name]
    if name not in IN_SCIKIT_LEARN and file_in(facts, FOLDER) is None:
        pytest.skip(f"{name} is not in {FOLDER}")
    data = datasets.load(name, FOLDER if FOLDER.is_dir() else None)
    return data.matrix, data.y


@pytest.mark.filterwarnings("ignore:time_limit=:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("load", list(all_data_sets()))
def test_all_data_sets_agree(load):
    X, y = load()
    X = np.asarray(X, dtype=np.float64)
    for r in (1, 2):
        model = ELCClassifier(r, criterion="gini", max_depth=3 if X.shape[1] < 40 else 1, time_limit=10).fit(
            X[:2000], y[:2000]
        )
        labels, probabilities = run(model, X)
        np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-6)
        assert labels.tolist() == model.predict(X).tolist()


def test_the_file_is_a_model_that_the_checker_accepts(tmp_path):
    import onnx

    model, X, _ = fitted("r = 2")
    path = str(tmp_path / "tree.onnx")
    run(model, X, path)
    stored = onnx.load(path)
    onnx.checker.check_model(stored, full_check=True)
    assert {entry.key for entry in stored.metadata_props} == {"features", "classes"}
