"""Which columns of a table are meant: by position, by name or by a mask; and which of them are categories."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from cart_elc.categories import (
    NOMINAL,
    NUMBER,
    ORDINAL,
    Levels,
    Table,
    declared_levels,
    encoded,
    find_levels,
    is_frame,
    kinds_by_dtype,
)
from cart_elc.tree import BoolArray, IntArray


def names_of(X: Table) -> list[Any]:
    """Return the names of the columns; their positions where the table has none."""
    if is_frame(X):
        return list(X.columns)
    shape = X.shape if isinstance(X, np.ndarray) else np.asarray(X, dtype=object).shape
    return list(range(shape[1])) if len(shape) == 2 else []


def positions_of(parameter: str, chosen: Any, names: Sequence[Any]) -> list[int]:  # noqa: ANN401
    """Return the columns that a list of positions or names, or a mask, chooses: ascending."""
    if isinstance(chosen, str) or not hasattr(chosen, "__len__"):
        raise TypeError(f"{parameter} must be a list of positions or names, or a mask, got {chosen!r}")
    items = chosen.tolist() if isinstance(chosen, np.ndarray) else list(chosen)
    if items and all(isinstance(item, bool | np.bool_) for item in items):
        if len(items) != len(names):
            raise ValueError(f"{parameter} as a mask must have {len(names)} entries, got {len(items)}")
        return [j for j, item in enumerate(items) if item]
    return sorted({position_of(parameter, item, names) for item in items})


def position_of(parameter: str, item: Any, names: Sequence[Any]) -> int:  # noqa: ANN401
    if isinstance(item, str):
        if item not in names:
            raise ValueError(f"{parameter} must name columns of X, got {item!r}; they are {', '.join(map(str, names))}")
        return list(names).index(item)
    if isinstance(item, bool) or not isinstance(item, Integral):
        raise TypeError(f"{parameter} must be names or positions of columns, got {item!r}")
    if not 0 <= int(item) < len(names):
        raise ValueError(f"{parameter} must be names of columns or positions in [0, {len(names) - 1}], got {item!r}")
    return int(item)


@dataclass(frozen=True, eq=False)
class CategoricalColumns:
    """The categories of a table: the levels of each column, None where it has none, and what kind each column is."""

    levels: list[Levels | None]
    kinds: list[str]

    @classmethod
    def of(cls, X: Table, chosen: Any) -> "CategoricalColumns":  # noqa: ANN401
        """Read a table and the parameter ``categorical_features``, as scikit-learn's gradient boosting reads it."""
        names = names_of(X)
        kinds = kinds_by_dtype(X) if is_frame(X) else [NUMBER] * len(names)
        if isinstance(chosen, str):
            if chosen != "from_dtype":
                raise ValueError(f"categorical_features must be one of 'from_dtype', got {chosen!r}")
        else:
            listed = [] if chosen is None else positions_of("categorical_features", chosen, names)
            kinds = [chosen_kind(kind, j in listed) for j, kind in enumerate(kinds)]
        return cls([levels_of(X, j, kind, names[j]) for j, kind in enumerate(kinds)], kinds)

    def codes(self, X: Table) -> Table:
        return encoded(X, self.levels)

    @property
    def is_nominal(self) -> BoolArray:
        """Mask of the columns whose levels have no order."""
        return np.array([kind == NOMINAL for kind in self.kinds], dtype=bool)

    @property
    def n_levels(self) -> IntArray | None:
        """Number of levels of each category, 0 for a number; None where there are no categories."""
        sizes = np.array([len(levels or ()) for levels in self.levels], dtype=np.int64) * self.is_nominal
        return sizes if sizes.any() else None


def chosen_kind(by_dtype: str, listed: bool) -> str:
    """Return what a column is where the categories are listed: those with an order are numbers unless they are."""
    if listed:
        return NOMINAL
    return ORDINAL if by_dtype == ORDINAL else NUMBER


def levels_of(X: Table, position: int, kind: str, name: object) -> Levels | None:
    if kind == NUMBER:
        return None
    return declared_levels(X, position) if kind == ORDINAL else find_levels(X, position, name)
