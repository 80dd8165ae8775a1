"""The data of a check: rows of positive weight with their labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.tree import FloatArray


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows of positive weight.

    `tallies` has for each row its weight in the column of its class, and then, in as many columns again, a 1 for the
    row itself; sums of them are the weights and the numbers of rows per class. Of numbers, centred and scaled to a
    variance of 1, it has weight, weight times number and weight times its square, then 1, 0 and 0. `counted` is the
    weight of all rows as description length counts it: whole weights are copies of rows, others stand for one row each
    on average. `unit` is the variance of the numbers.
    """

    X: FloatArray
    tallies: FloatArray
    counted: float
    unit: float = 1.0


def labelled_rows(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, *, numbers: bool) -> LabelledRows:
    """Return the checked rows; the labels are numbers or classes."""
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
    whole = bool((weights == np.round(weights)).all())
    counted = float(weights.sum()) if whole else float(kept.sum())
    weights = weights[kept]
    if numbers:
        tallies, unit = tallies_of_numbers(labels[kept].astype(np.float64), weights)
        return LabelledRows(values[kept], tallies, counted, unit)
    classes, codes = np.unique(labels[kept], return_inverse=True)
    rows = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    return LabelledRows(values[kept], np.hstack([weights[:, None] * rows, rows]), counted)


def tallies_of_numbers(y: FloatArray, weights: FloatArray) -> tuple[FloatArray, float]:
    """Return the tallies of numbers and their variance."""
    shares = weights / weights.sum()
    y = y - y[0]
    y = y - shares @ y
    unit = float(shares @ y**2)
    y = y / np.sqrt(unit) if unit > 0 else y
    one, none = np.ones_like(y), np.zeros_like(y)
    return np.column_stack([weights, weights * y, weights * y**2, one, none, none]), unit
