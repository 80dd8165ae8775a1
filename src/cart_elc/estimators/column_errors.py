"""Columns that hold no numbers: refused with their names and what to do, where a conversion would fail or mislead."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, time, timedelta
from typing import Any

import numpy as np

from cart_elc.categories import is_frame

DATES = ("datetime", "date", "time", "duration", "period")
"""How the types of dates and spans of time begin in pandas, polars and NumPy, in lower case."""


@contextmanager
def naming_columns(X: Any) -> Iterator[None]:  # noqa: ANN401
    """Refuse dates, and say of a conversion to numbers that failed in which column there is text."""
    dated = next((name for name, dtype, values in columns(X) if has_dates(dtype, values)), None)
    if dated is not None:
        raise_date(dated)
    try:
        yield
    except (TypeError, ValueError) as error:
        for name, _, values in columns(X):
            refuse_column(name, values, error)
        raise


def columns(X: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401
    """Yield name, type and values of each column of a DataFrame or of what becomes an array; none of numbers alone."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        return
    if is_frame(X):
        for name, dtype in zip(X.columns, X.dtypes, strict=True):
            yield repr(name), dtype, X[name]
        return
    table = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
    if table.ndim == 2:
        for j in range(table.shape[1]):
            yield str(j), table.dtype, table[:, j]


def has_dates(dtype: Any, values: Any) -> bool:  # noqa: ANN401
    """Whether a column has the type of dates, or objects that are dates: some of these would become numbers."""
    if str(dtype).lower() != "object":
        return str(dtype).lower().startswith(DATES)
    kinds = set(map(type, np.asarray(values, dtype=object).ravel()))
    return any(issubclass(kind, date | time | timedelta | np.datetime64 | np.timedelta64) for kind in kinds)


def refuse_column(name: str, values: Any, error: Exception) -> None:  # noqa: ANN401
    """Raise an error that names the column if one of its values is a text that is no number."""
    for value in np.asarray(values, dtype=object).ravel():
        if isinstance(value, str) and not is_number(value):
            raise ValueError(
                f"X must be numeric, got the text {value!r} in column {name}: leave the column out, or encode its "
                "values as numbers"
            ) from error


def raise_date(name: str) -> None:
    raise TypeError(
        f"X must be numeric, got dates or times in column {name}: turn them into numbers that mean something, for "
        "example the days since a date that matters, as in (column - date).dt.days of pandas"
    )


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
