"""The data of a check: rows of positive weight with their classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.tree import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows of positive weight: values, class codes, and each row's weight in the column of its class."""

    X: FloatArray
    y: IntArray
    class_weights: FloatArray


def labelled_rows(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> LabelledRows:
    """Return the checked rows."""
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
    class_weights = np.where(codes[:, None] == np.arange(len(classes)), weights[kept][:, None], 0.0)
    return LabelledRows(values[kept], codes, class_weights)
