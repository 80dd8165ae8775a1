"""What the page says of the model as a whole: parameters, importances, how often it is right."""

from __future__ import annotations

from typing import Any

import numpy as np

from cart_elc.inspection.named_tree import FittedTree, NamedTree
from cart_elc.inspection.wording import one_line, shortened
from cart_elc.tree import FloatArray, IntArray

LONGEST_VALUE = 60
Json = dict[str, Any]


def about(model: FittedTree, named: NamedTree, X: FloatArray | None, codes: IntArray | None) -> Json:
    """Return everything about the model; what is not known is None."""
    return {
        "parameters": parameters(model),
        "importances": importances(model, named),
        "training": training_share(named),
        "given": None if X is None or codes is None else judged(named, X, codes),
    }


def parameters(model: FittedTree) -> list[list[str]]:
    """Return the names and values of the parameters of a model that tells them."""
    tell = getattr(model, "get_params", None)
    given = {} if tell is None else tell(deep=False)
    return [[one_line(str(name)), shortened(one_line(repr(value)), LONGEST_VALUE)] for name, value in given.items()]


def importances(model: FittedTree, named: NamedTree) -> list[list[float]] | None:
    """Return the features with an importance, the largest first, as pairs of position and share."""
    values = getattr(model, "feature_importances_", None)
    if values is None or len(values) != named.tree.n_features:
        return None
    order = np.argsort(-np.asarray(values), kind="stable").tolist()
    return [[j, float(values[j])] for j in order if values[j] > 0]


def training_share(named: NamedTree) -> float:
    """Return how much of the training weight has the class that its leaf predicts."""
    value = named.tree.value[named.tree.is_leaf]
    return float(value.max(axis=1).sum() / value.sum())


def judged(named: NamedTree, X: FloatArray, codes: IntArray) -> Json:
    """Return how many rows of each class are predicted as which: a row of the matrix is a true class."""
    predicted = np.argmax(named.tree.predict_value(X), axis=1)
    confusion = np.zeros((named.tree.n_classes, named.tree.n_classes), dtype=np.int64)
    np.add.at(confusion, (codes, predicted), 1)
    right = int(np.trace(confusion))
    return {"n": len(codes), "right": right, "confusion": confusion.tolist()}
