"""What a category is: a column whose values are levels, which trees see as the codes of these.

The levels of a column are text, numbers or booleans. Their codes are their positions among the levels of the training
rows; a value that is missing, or no level, is NaN. Tables are NumPy arrays, lists of rows, or DataFrames of pandas or
polars, of which neither has to be installed.
"""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import FloatArray

Table = Any
"""A matrix as scikit-learn takes it: an array, a list of rows, or a pandas or polars DataFrame."""
Level = str | int | float | bool
Levels = list[Level]
NUMBER, NOMINAL, ORDINAL = "number", "nominal", "ordinal"
"""What a column is: numbers, levels without an order, or levels in the order of numbers."""
TEXT = ("str", "string", "large_string", "String", "Utf8")
CATEGORY = ("category", "Categorical", "Enum")
BOOLEAN = ("bool", "Boolean")


def is_missing(value: Any) -> bool:  # noqa: ANN401
    """Whether the value is none: None, or one that is not equal to itself, such as NaN."""
    if isinstance(value, str | int):
        return False
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA is neither equal to itself nor not
        return True
    except ValueError:  # an array in place of a value
        return False


def is_frame(X: Table) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def kinds_by_dtype(X: Table) -> list[str]:
    """Return what each column of a DataFrame is: its type says so, or the text in it where the type is any object."""
    return [kind_by_dtype(dtype, column(X, j)) for j, dtype in enumerate(X.dtypes)]


def kind_by_dtype(dtype: Any, values: Any) -> str:  # noqa: ANN401
    name = str(dtype)
    if name.startswith(CATEGORY) and getattr(dtype, "ordered", False) is True:
        return ORDINAL
    if name.startswith((*CATEGORY, *TEXT, *BOOLEAN)):
        return NOMINAL
    mixed = name in ("object", "Object") and any(isinstance(value, str | bool) for value in values)
    return NOMINAL if mixed else NUMBER


def column(X: Table, position: int) -> Any:  # noqa: ANN401
    """Return a column of a DataFrame as it is stored; names need not be unique."""
    return X.iloc[:, position] if hasattr(X, "iloc") else X[X.columns[position]]


def values_of(X: Table, position: int) -> list[Any]:
    """Return the values of a column, of any table, as Python's own."""
    stored = column(X, position) if is_frame(X) else np.asarray(X, dtype=object)[:, position]
    values = stored.to_list() if hasattr(stored, "to_list") else stored.tolist()
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def find_levels(X: Table, position: int, name: object) -> Levels:
    """Return the levels of a column: in the order of its type if that has one, else sorted."""
    present = {value for value in values_of(X, position) if not is_missing(value)}
    for value in present:
        if not isinstance(value, str | bool | Real) or (isinstance(value, float) and np.isinf(value)):
            raise TypeError(f"levels of a category must be text, finite numbers or booleans, got {value!r} in {name!r}")
    declared = declared_levels(X, position)
    if declared is not None:
        return [level for level in declared if level in present]
    return sorted(present, key=lambda level: (isinstance(level, str), level))


def declared_levels(X: Table, position: int) -> Levels | None:
    """Return the levels that the type of a column declares, those without rows too; None if it declares none."""
    dtype = getattr(column(X, position), "dtype", None) if is_frame(X) else None
    if not str(dtype).startswith(("category", "Enum")):
        return None
    return [level.item() if isinstance(level, np.generic) else level for level in list(dtype.categories)]  # type: ignore[union-attr]


def encoded(X: Table, categories: Sequence[Levels | None] | None) -> Table:
    """Return the table with the codes of levels in place of values; the same table if no column has levels."""
    if categories is None or all(levels is None for levels in categories):
        return X
    known = [(j, levels) for j, levels in enumerate(categories) if levels is not None]
    n_columns = len(X.columns) if is_frame(X) else np.asarray(X, dtype=object).shape[-1]
    if n_columns != len(categories):
        return X  # refused by whoever checks its shape
    codes = {j: codes_of(values_of(X, j), levels) for j, levels in known}
    return with_columns(X, codes)


def codes_of(values: Sequence[Any], levels: Levels) -> FloatArray:
    """Return the position of each value among the levels; NaN for one that is missing or no level.

    Examples
    --------
    >>> codes_of(["b", None, "a", "c"], ["a", "b"])
    array([ 1., nan,  0., nan])
    """
    position = {level: float(code) for code, level in enumerate(levels)}
    found = [float("nan") if is_missing(value) else position.get(value, float("nan")) for value in values]
    return np.array(found, dtype=np.float64)


def with_columns(X: Table, columns: dict[int, FloatArray]) -> Table:
    """Return a copy of the table in which some columns are replaced."""
    if hasattr(X, "isetitem"):
        frame = X.copy(deep=False)
        for position, values in columns.items():
            frame.isetitem(position, values)
        return frame
    if is_frame(X):
        series = [type(column(X, j))(X.columns[j], values) for j, values in columns.items()]
        return X.with_columns(series)
    array: NDArray[Any] = np.array(X, dtype=object)
    for position, values in columns.items():
        array[:, position] = values
    return array
