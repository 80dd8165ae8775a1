"""Whole trees grown in compiled code: what `cart_elc.growing` grows with the same splitter, many times as fast.

For forests and boosting, whose trees are many and have small nodes, where the loop in Python costs more than the
search. There is no limit on the time and nothing is reported.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from cart_elc import _core
from cart_elc.criteria import CRITERIA
from cart_elc.growing import Stopping
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.targets import Classes, Number, Target
from cart_elc.tree import FloatArray, Tree


class GrownTree(NamedTuple):
    """A tree, and each feature's share in its impurity decrease: `cart_elc.tree.importances`."""

    tree: Tree
    feature_importances: FloatArray


def grow_compiled(
    X: FloatArray,
    target: Target,
    splitter: ELCSplitter,
    sample_weight: FloatArray,
    stopping: Stopping = Stopping(),  # noqa: B008 - a frozen value
    *,
    max_features: int | None = None,
    seed: int = 0,
    given_up: Sequence[object] = (),
) -> GrownTree:
    """Grow the tree that `cart_elc.growing.Grower` grows with the splitter, on features drawn at each node.

    Where there is no split on the features drawn, as many others are drawn, until there is one or none is left.

    Parameters
    ----------
    X : float64 array of shape (n_samples, n_features)
        C-contiguous; NaN is a missing value.
    target : Classes or Number
        The labels of all rows. For a step of gradient boosting: numbers ``g / h`` with weights ``h``.
    splitter : ELCSplitter
        With ``planes="any"``; its progress is not told.
    sample_weight : float64 array of shape (n_samples,)
        Non-negative; rows of weight zero are left out.
    stopping : Stopping
    max_features : int or None
        Features that are drawn at each node; None is all.
    seed : int
        Of the draws; the same seed gives the same tree.
    given_up : sequence
        The growth ends with a ``KeyboardInterrupt`` soon after something was put into it, by another thread.
    """
    if splitter.planes != "any" or splitter.wide is not None:
        raise ValueError(f"splitter must have planes 'any' in the widest margin, got {splitter!r}")
    rows = np.flatnonzero(sample_weight > 0).astype(np.int64, copy=False)
    weights = np.ascontiguousarray(sample_weight[rows], dtype=np.float64)
    n_features = X.shape[1]
    options = asdict(stopping) | search_options(splitter)
    drawn = n_features if max_features is None else max_features
    options |= {"max_features": drawn, "seed": seed % 2**64, "given_up": given_up}
    if isinstance(target, Number):
        columns, importances = _core.grow_numbers(X, target.y, rows, weights, options)
    else:
        assert isinstance(target, Classes)
        columns, importances = _core.grow(X, target.y, rows, weights, target.n_classes, options)
    no_levels = np.empty((len(columns["children_left"]), 0), dtype=np.int8)
    tree = Tree(n_features=n_features, criterion=splitter.criterion, target=target.kind, levels=no_levels, **columns)
    return GrownTree(tree, importances)


def search_options(splitter: ELCSplitter) -> dict[str, Any]:
    """Return the splitter as the compiled growth takes it."""
    criterion = CRITERIA[splitter.criterion]
    return {
        "r": splitter.r,
        "criterion": criterion.kernel,
        "impurity": criterion.impurity_name,
        "is_gain": not criterion.minimise,
        "has_price": criterion.price is not None,
        "price": splitter.price,
        "min_saving": splitter.min_saving,
        "learn_missing": splitter.missing == "learn",
        "n_threads": splitter.n_threads,
    }
