"""What the pictures know of a model: its tree and its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cart_elc.rounding import rounding_table
from cart_elc.rounding_offsets import Offsets
from cart_elc.tree import FloatArray, IntArray, Tree


class FittedTree(Protocol):
    """What is needed of a model; names, ``rounding_`` and ``fill_values_`` are used too."""

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
    fill : ndarray of n_features or None
        What the model puts in the place of missing values before the tree sees them; None if the tree sees them.
    """

    tree: Tree
    features: list[str]
    classes: list[Any]
    criterion: str
    title: str
    rounding: Offsets | None
    fill: FloatArray | None

    @classmethod
    def of(cls, model: FittedTree, X: ArrayLike | None = None, feature_names: Sequence[str] | None = None) -> Subject:
        """Read a fitted model; rounding is judged by ``X`` if given, otherwise by what fitting found.

        ``feature_names`` replace the model's own.
        """
        tree = getattr(model, "tree_", None)
        if not isinstance(tree, Tree):
            raise ValueError(f"model must be a fitted classifier of cart_elc, got {type(model).__name__} without tree_")
        names = getattr(model, "feature_names_in_", None) if feature_names is None else feature_names
        if names is None:
            names = [f"x{j}" for j in range(tree.n_features)]
        check_length("feature_names", names, tree.n_features)
        fill = getattr(model, "fill_values_", None)
        rounding = getattr(model, "rounding_", None) if X is None else rounding_by(tree, filled(X, tree, fill))
        if rounding is not None and len(rounding) != tree.n_nodes:  # the tree is not the one that was fitted
            rounding = None
        return cls(
            tree=tree,
            features=[str(name) for name in names],
            classes=model.classes_.tolist(),
            criterion=str(getattr(model, "criterion", "score")).replace("_", " "),
            title=type(model).__name__,
            rounding=rounding,
            fill=fill,
        )

    def rows(self, X: ArrayLike) -> FloatArray:
        """Return data as the tree sees them: float64 rows, missing values NaN unless the model fills them."""
        return filled(X, self.tree, self.fill)

    @property
    def labels(self) -> list[str]:
        """The classes as text."""
        return [str(label) for label in self.classes]

    @property
    def impurity_name(self) -> str:
        """What the stored impurities are: known by their values, as the tree does not keep the name."""
        shares = self.tree.proportions
        if np.allclose(self.tree.impurity, 1.0 - np.square(shares).sum(axis=1)):
            return "gini"
        bits = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        return "entropy" if np.allclose(self.tree.impurity, -(shares * bits).sum(axis=1)) else "impurity"

    def majority(self, node: int) -> int:
        """Return the code of the node's most frequent class, the first among equals: what `predict` returns."""
        return int(np.argmax(self.tree.proportions[node]))

    def proof(self, node: int) -> str:
        """Return in a word or two whether the split is proven optimal among its candidates."""
        if self.tree.proven[node]:
            return "proven"
        bound = self.tree.bound[node]
        return f"not proven, bound {bound:.4f}" if np.isfinite(bound) else "not proven"


def rounding_by(tree: Tree, X: FloatArray) -> Offsets:
    """Return the rounding table that these rows allow."""
    return rounding_table(tree, X, tree.node_rows(X))


def filled(X: ArrayLike, tree: Tree, fill: FloatArray | None) -> FloatArray:
    """Return rows, missing values replaced where the model does so."""
    rows = rows_of(X, tree.n_features)
    return rows if fill is None else np.where(np.isnan(rows), fill, rows)


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


def check_length(name: str, values: Sequence[object], expected: int) -> None:
    """Refuse a sequence of another length."""
    if len(values) != expected:
        raise ValueError(f"{name} must have {expected} entries, got {len(values)}")


def check_option(name: str, value: object, options: tuple[str, ...]) -> None:
    """Refuse a value that is none of the options."""
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")


def optional_import_error(function: str, package: str, extra: str) -> ImportError:
    """Return the error that says which extra to install."""
    return ImportError(f"{function} needs {package}: pip install 'cart-elc[{extra}]'")
