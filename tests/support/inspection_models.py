"""Fitted models of every kind, for the tests of pictures, rules and code."""

from copy import copy
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from cart_elc import C45Classifier, CARTClassifier, ELCClassifier, HHCARTClassifier, MissingPolicy

pd = pytest.importorskip("pandas")
HOSTILE_NAMES = [
    "<script>window.hacked = 1</script>",
    "</script><img src=x onerror='window.hacked = 2'>",
    "a\"b'c\\d`{{data}}",
    "new\nline\u2028 /* */ -- $x$",
    "ünï 数据 😀 &lt;",
    "SELECT",
]
HOSTILE_CLASSES = np.array(["<b>bold</b>", "'; DROP TABLE t; --\\", ']]> "x" ??/ %s\n'])


@cache
def iris(missing=0.0):
    data = load_iris(as_frame=True)
    X = data.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_"))
    X = X.mask(np.random.default_rng(0).random(X.shape) < missing)
    return X, data.target_names[data.target]


def blobs(n=300, n_features=6, n_classes=3, seed=0):
    return make_classification(
        n, n_features, n_informative=n_features - 1, n_redundant=0, n_classes=n_classes, flip_y=0.1, random_state=seed
    )


def hostile():
    X, y = blobs(seed=3)
    return pd.DataFrame(X, columns=HOSTILE_NAMES), HOSTILE_CLASSES[y]


def wide(r=10):
    """Ten features in a split; the exact search is not needed for that."""
    X, y = blobs(n_features=r, n_classes=2, seed=5)
    return X, y


def fitted(name):
    """Return a model with the data that it was fitted on; the model may be changed, the data not."""
    model, X, y = fitted_once(name)
    return copy(model), X, y


@cache
def fitted_once(name):
    X, y = DATA.get(name, iris)()
    weights = np.random.default_rng(1).uniform(0.5, 3, len(X)) if name == "weighted" else None
    return MODELS[name]().fit(X, y, sample_weight=weights), X, y


DATA = {
    "missing, learnt": lambda: iris(0.15),
    "missing, right": lambda: iris(0.15),
    "missing, r = 1": lambda: iris(0.3),
    "missing, divided": lambda: iris(0.15),
    "missing, filled": lambda: iris(0.15),
    "one leaf": lambda: (iris()[0][:20], iris()[1][:20]),
    "hostile names": hostile,
    "ten features": wide,
    "arrays, int labels": lambda: blobs(),
    "float labels": lambda: (blobs()[0], blobs()[1] - 1.0),
    "bool labels": lambda: (blobs()[0], blobs()[1] == 1),
    "deep": lambda: (np.arange(200.0)[:, None], np.arange(200) % 2),
}
MODELS = {
    "r = 1": lambda: ELCClassifier(r=1, criterion="gini"),
    "r = 2": lambda: ELCClassifier(r=2, criterion="gini", planes="through"),
    "r = 3": lambda: ELCClassifier(r=3, criterion="gini", planes="through"),
    "any": lambda: ELCClassifier(r=3, criterion="gini"),
    "description length": lambda: ELCClassifier(),
    "information gain": lambda: ELCClassifier(r=2, criterion="information_gain"),
    "weighted": lambda: ELCClassifier(r=2, criterion="gini", max_depth=3),
    "missing, learnt": lambda: ELCClassifier(r=2, criterion="gini"),
    "missing, right": lambda: ELCClassifier(r=2, criterion="gini", missing="right"),
    "missing, r = 1": lambda: ELCClassifier(r=1, criterion="gini"),
    "missing, divided": lambda: C45Classifier(pruning=None),
    "missing, filled": lambda: HHCARTClassifier(),
    "one leaf": lambda: ELCClassifier(r=2, criterion="gini"),
    "hostile names": lambda: ELCClassifier(r=2, criterion="gini", max_depth=4),
    "ten features": lambda: HHCARTClassifier(max_depth=3),
    "arrays, int labels": lambda: CARTClassifier(max_depth=5),
    "float labels": lambda: CARTClassifier(max_depth=3),
    "bool labels": lambda: CARTClassifier(max_depth=3),
    "deep": lambda: CARTClassifier(),
}
NAMES = list(MODELS)


def policies(model):
    """Return the missing-value policies of the splits."""
    return {MissingPolicy(p) for p in model.tree_.missing[~model.tree_.is_leaf]}
