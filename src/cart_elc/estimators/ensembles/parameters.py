"""Checks of the parameters that only forests have."""

from math import ceil
from typing import Any

import numpy as np

from cart_elc.estimators import parameters
from cart_elc.tree import FloatArray


def check_max_samples(value: Any, weights: FloatArray) -> int:  # noqa: ANN401
    """Return the draws of a tree: weights that are whole numbers count rows."""
    whole = np.array_equal(weights, np.round(weights))
    n_rows = int(weights.sum()) if whole else int(np.count_nonzero(weights))
    if value is None:
        return n_rows
    if parameters.is_int(value) and value >= 1:
        return int(value)
    if parameters.is_real(value) and not parameters.is_int(value) and 0.0 < value <= 1.0:
        return max(1, ceil(float(value) * n_rows))
    raise parameters.refusal("max_samples", "an int >= 1, a float in (0, 1] or None", value, parameters.is_real(value))
