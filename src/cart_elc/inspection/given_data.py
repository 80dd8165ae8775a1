"""Rows, samples and labels from whatever people pass: arrays, DataFrames, one row of them, dicts."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.categories import Levels, encoded
from cart_elc.tree import FloatArray, IntArray

NAMES_IN_MESSAGE = 5


def as_rows(X: ArrayLike, categories: Sequence[Levels | None], names: Sequence[Sequence[str]] = ()) -> FloatArray:
    """Return data as float64 rows in C order: codes for the levels of categories, missing values NaN.

    Columns of a DataFrame are found by their names, in any order and among others; ``names`` has the ways in which the
    features may be called. Anything else is read by position.
    """
    table: Any = encoded(by_name(X, names), categories)
    n_features = len(categories)
    values = table.to_numpy(dtype=np.float64, na_value=np.nan) if hasattr(table, "iloc") else table
    rows: FloatArray = np.ascontiguousarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise ValueError(f"X must have shape (n_samples, {n_features}), got {rows.shape}")
    if np.isinf(rows).any():
        row, column = np.argwhere(np.isinf(rows))[0].tolist()
        raise ValueError(f"X must be finite or missing, got {rows[row, column]} in row {row}, column {column}")
    return rows


def by_name(X: ArrayLike, names: Sequence[Sequence[str]]) -> ArrayLike:
    """Return the columns of a DataFrame that have the features' names, in the features' order."""
    table: Any = X
    columns = list(getattr(table, "columns", []))
    if not columns or not names or not all(isinstance(column, str) for column in columns):
        return X
    known = names_among(columns, names, "X")
    chosen: ArrayLike = X if columns == known else table[known]
    return chosen


def names_among(keys: Iterable[str], names: Sequence[Sequence[str]], what: str) -> list[str]:
    """Return the way of calling the features that is found among the keys."""
    found = set(keys)
    known = next((list(way) for way in names if set(way) <= found), None)
    if known is None:
        raise ValueError(f"{what} lacks {listed([name for name in names[0] if name not in found])}")
    return known


def as_one_row(x: object, categories: Sequence[Levels | None], names: Sequence[Sequence[str]] = ()) -> FloatArray:
    """Return one sample as a matrix of one row; a dict, a Series or a DataFrame of one row is read by its names."""
    sample: Any = x
    if hasattr(sample, "columns"):
        rows = as_rows(sample, categories, names)
    else:
        if hasattr(sample, "keys") and all(isinstance(key, str) for key in sample.keys()):  # noqa: SIM118
            sample = [sample[name] for name in names_among(sample.keys(), names, "x")]
        has_levels = any(levels is not None for levels in categories)
        values = np.asarray(sample, dtype=object if has_levels else np.float64)
        rows = as_rows(np.atleast_2d(values), categories)
    if len(rows) != 1:
        raise ValueError(f"x must be one sample, got {len(rows)} rows")
    return rows


def listed(names: Sequence[str]) -> str:
    """Return names in one line, the rest counted.

    >>> listed(["age"]), listed(list("abcdefg"))
    ("the feature 'age'", "the features 'a', 'b', 'c', 'd', 'e' and 2 more")
    """
    rest = len(names) - NAMES_IN_MESSAGE
    text = ", ".join(map(repr, names[:NAMES_IN_MESSAGE])) + (f" and {rest} more" if rest > 0 else "")
    return f"the feature{'' if len(names) == 1 else 's'} {text}"


def as_codes(y: ArrayLike, classes: Sequence[Any], n_rows: int) -> IntArray:
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise ValueError(f"y must have shape ({n_rows},), got {labels.shape}")
    positions = {label: code for code, label in enumerate(classes)}
    unknown = sorted({str(label) for label in labels.tolist() if label not in positions})
    if unknown:
        raise ValueError(f"y must hold labels of the model ({', '.join(map(str, classes))}), got {', '.join(unknown)}")
    return np.array([positions[label] for label in labels.tolist()], dtype=np.int64)
