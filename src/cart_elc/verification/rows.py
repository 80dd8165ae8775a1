"""The data of a check: rows of positive weight with their classes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.tree import FloatArray


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows of positive weight.

    `tallies` has for each row its weight in the column of its class, and then, in as many columns again, a 1 for the
    row itself; sums of them are the weights and the numbers of rows per class. `counted` is the weight of all rows as
    description length counts it: whole weights are copies of rows, others stand for one row each on average.
    """

    X: FloatArray
    tallies: FloatArray
    counted: float


def labelled_rows(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> LabelledRows:
    values, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if values.ndim != 2 or labels.shape != values.shape[:1]:
        raise ValueError(f"X must be a table and y its labels, got shapes {values.shape} and {labels.shape}")
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    if np.isscalar(sample_weight) or sample_weight is None:
        weights = np.full(len(values), weights)
    if weights.shape != labels.shape:
        raise ValueError(f"sample_weight must have shape {labels.shape}, got {weights.shape}")
    kept = weights > 0
    if not kept.any():
        raise ValueError("sample_weight must have a positive value, got none")
    classes, codes = np.unique(labels[kept], return_inverse=True)
    rows = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    whole = bool((weights == np.round(weights)).all())
    counted = float(weights.sum()) if whole else float(kept.sum())
    return LabelledRows(values[kept], np.hstack([weights[kept][:, None] * rows, rows]), counted)
