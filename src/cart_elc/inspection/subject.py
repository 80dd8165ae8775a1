"""What the pictures know of a model: its tree and its names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cart_elc.rounding import Offsets, rounding_table
from cart_elc.tree import FloatArray, IntArray, Tree


class FittedTree(Protocol):
    """What is needed of a model; ``feature_names_in_``, ``criterion`` and ``rounding_`` are used where it has them."""

    tree_: Tree
    classes_: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Subject:
    """A tree with everything that is written about it.

    Attributes
    ----------
    tree : Tree
    features : list of str
        Names as users gave them; ``x0, x1, ...`` where they gave none.
    classes : list
        Labels as Python values: str, int, float or bool.
    criterion : str
    title : str
        The estimator's name.
    rounding : int8 array of shape (n_nodes, LEVELS) or None
        See `cart_elc.rounding`; None where nothing is known about rounding.
    """

    tree: Tree
    features: list[str]
    classes: list[Any]
    criterion: str
    title: str
    rounding: Offsets | None

    @classmethod
    def of(cls, model: FittedTree, X: ArrayLike | None = None) -> Subject:
        """Read a fitted model; rounding is judged by ``X`` if given, otherwise by what fitting found."""
        tree = getattr(model, "tree_", None)
        if not isinstance(tree, Tree):
            raise ValueError(f"model must be a fitted classifier of cart_elc, got {type(model).__name__} without tree_")
        names = getattr(model, "feature_names_in_", None)
        rounding = getattr(model, "rounding_", None) if X is None else rounding_table(tree, rows_of(X, tree.n_features))
        return cls(
            tree=tree,
            features=[f"x{j}" for j in range(tree.n_features)] if names is None else [str(name) for name in names],
            classes=model.classes_.tolist(),
            criterion=str(getattr(model, "criterion", "score")).replace("_", " "),
            title=type(model).__name__,
            rounding=rounding,
        )

    @property
    def labels(self) -> list[str]:
        """The classes as text."""
        return [str(label) for label in self.classes]

    def majority(self, node: int) -> int:
        """Return the code of the node's most frequent class, the first among equals: what `predict` returns."""
        return int(np.argmax(self.tree.proportions[node]))

    def proof(self, node: int) -> str:
        """Return in a word or two whether the split is proven optimal among its candidates."""
        if self.tree.proven[node]:
            return "proven"
        bound = self.tree.bound[node]
        return f"not proven, bound {bound:.4f}" if np.isfinite(bound) else "not proven"


def rows_of(X: ArrayLike, n_features: int) -> FloatArray:
    """Return data as float64 rows in C order; DataFrames give their values, missing ones NaN."""
    table: Any = X
    values = table.to_numpy(dtype=np.float64, na_value=np.nan) if hasattr(table, "iloc") else table
    rows: FloatArray = np.ascontiguousarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise ValueError(f"X must have shape (n_samples, {n_features}), got {rows.shape}")
    return rows


def codes_of(y: ArrayLike, subject: Subject, n_rows: int) -> IntArray:
    """Return the position of each label in the model's classes."""
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise ValueError(f"y must have shape ({n_rows},), got {labels.shape}")
    positions = {label: code for code, label in enumerate(subject.classes)}
    unknown = sorted({str(label) for label in labels.tolist() if label not in positions})
    if unknown:
        raise ValueError(f"y must hold labels of the model ({', '.join(subject.labels)}), got {', '.join(unknown)}")
    return np.array([positions[label] for label in labels.tolist()], dtype=np.int64)


def check_option(name: str, value: object, options: tuple[str, ...]) -> None:
    """Refuse a value that is none of the options."""
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")


def optional_import_error(function: str, package: str, extra: str) -> ImportError:
    """Return the error that says which extra to install."""
    return ImportError(f"{function} needs {package}: pip install 'cart-elc[{extra}]'")
