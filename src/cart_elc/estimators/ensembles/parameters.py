"""Checks of the parameters that only ensembles have."""

from collections.abc import Callable
from math import ceil, log2, sqrt
from typing import Any

import numpy as np

from cart_elc.estimators import parameters
from cart_elc.tree import FloatArray

SHARES: dict[str, Callable[[int], float]] = {"sqrt": sqrt, "log2": log2}


def check_max_features(value: Any, n_features: int) -> int:  # noqa: ANN401
    """Return the number of features that is given as a number, a share or the name of a function of their number."""
    if value is None:
        return n_features
    if isinstance(value, str) and value in SHARES:
        return max(1, int(SHARES[value](n_features)))
    if parameters.is_int(value) and value >= 1:
        return min(int(value), n_features)
    if parameters.is_share(value):
        return max(1, int(value * n_features))
    expected = "'sqrt', 'log2', an int >= 1, a float in (0, 1] or None"
    raise parameters.refusal("max_features", expected, value, isinstance(value, str) or parameters.is_real(value))


def check_max_samples(value: Any, weights: FloatArray) -> int:  # noqa: ANN401
    """Return the draws of a tree: weights that are whole numbers count rows."""
    whole = np.array_equal(weights, np.round(weights))
    n_rows = int(weights.sum()) if whole else int(np.count_nonzero(weights))
    if value is None:
        return n_rows
    if parameters.is_int(value) and value >= 1:
        return int(value)
    if parameters.is_share(value):
        return max(1, ceil(float(value) * n_rows))
    raise parameters.refusal("max_samples", "an int >= 1, a float in (0, 1] or None", value, parameters.is_real(value))
