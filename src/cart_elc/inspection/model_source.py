"""What is read of a model, or of a pipeline that ends in one: the tree and what its features are."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.categories import Levels
from cart_elc.inspection.pipelines import affine_steps, first_step, is_pipeline, last_step, names_made, units_note
from cart_elc.rounding.table import Offsets
from cart_elc.tree import BoolArray, FloatArray, Tree


class FittedTree(Protocol):
    """What is needed of a model; ``classes_``, names, ``rounding_``, ``fill_values_`` and others are used too."""

    tree_: Tree


@dataclass(frozen=True, eq=False)
class ModelSource:
    """A tree, and what is known of the columns that it is asked about.

    Attributes
    ----------
    tree : Tree
        With its rules in the units of the data, where these are known.
    names : list of str
    columns : list of str or None
        Names of the DataFrame that the model was fitted on; None if it was an array.
    rounding : int16 array or None
        See `cart_elc.rounding.table`; None where nothing is known about it.
    fill : ndarray or None
        What takes the place of missing values; None if the tree sees them.
    saw_missing : bool array or None
        Which columns lacked values in training; None where that is not known.
    categories : list
        The levels of each feature, None for one without.
    nominal : list of bool
        Which of these have no order, so that splits on them are subsets.
    note : str
        In which units the rules of a pipeline are; empty for a model alone.
    transform : callable or None
        Makes the tree's rows of the data where the steps before it cannot be undone.
    """

    tree: Tree
    names: list[str]
    columns: list[str] | None
    rounding: Offsets | None
    fill: FloatArray | None
    saw_missing: BoolArray | None
    categories: list[Levels | None]
    nominal: list[bool]
    note: str = ""
    transform: Callable[[Any], ArrayLike] | None = None


def source_of(model: FittedTree) -> ModelSource:
    if is_pipeline(model) and hasattr(last_step(model), "tree_"):
        return pipeline_source(model)
    tree = fitted_tree(model)
    columns = columns_of(model)
    rounding = getattr(model, "rounding_", None)
    known = rounding is not None and len(rounding) == tree.n_nodes  # the tree may not be the one that was fitted
    return ModelSource(
        tree=tree,
        names=columns or [f"x{j}" for j in range(tree.n_features)],
        columns=columns,
        rounding=rounding if known else None,
        fill=getattr(model, "fill_values_", None),
        saw_missing=getattr(model, "saw_missing_", None),
        categories=getattr(model, "categories_", None) or [None] * tree.n_features,
        nominal=np.broadcast_to(getattr(model, "is_categorical_", False), tree.n_features).tolist(),
    )


def pipeline_source(pipeline: Any) -> ModelSource:  # noqa: ANN401
    """Return the tree at the end of a pipeline, its rules in the units of the data if the steps can be undone."""
    inner, steps = source_of(last_step(pipeline)), affine_steps(pipeline)
    if any(inner.categories):  # levels are those of what the steps make
        steps = None
    note = units_note(pipeline, steps is not None)
    if steps is None:
        names = names_made(pipeline, inner.tree.n_features)
        transform = pipeline[:-1].transform
        return replace(inner, names=names, columns=None, note=note, transform=transform)
    columns = columns_of(first_step(pipeline))
    own_fill = None if inner.fill is None else steps.before(inner.fill)
    fill = own_fill if steps.fill is None else steps.fill
    saw = inner.saw_missing if steps.fill is None else None  # of an imputer that is not known
    return ModelSource(
        tree=steps.undone(inner.tree),
        names=columns or [f"x{j}" for j in range(steps.n_columns)],
        columns=columns,
        rounding=None if note else inner.rounding,
        fill=None if fill is None else steps.spread(fill, np.nan),
        saw_missing=None if saw is None else steps.spread(saw.astype(np.float64), 0.0) > 0,
        categories=[None] * steps.n_columns,
        nominal=[False] * steps.n_columns,
        note=note,
    )


def columns_of(model: object) -> list[str] | None:
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def fitted_tree(model: object) -> Tree:
    """Return the tree of a fitted model; of a pipeline or a search, say where the model is."""
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    inside = "; pass its last step, model[-1]" if hasattr(model, "steps") else ""
    inside = "; pass its best_estimator_" if hasattr(model, "best_estimator_") else inside
    inside = "; pass one of its estimators_" if hasattr(model, "estimators_") else inside
    name = type(model).__name__
    raise ValueError(f"model must be a fitted estimator of cart_elc, got {name} without tree_{inside}")
