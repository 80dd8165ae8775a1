"""The features of a model by their importance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cart_elc.inspection.draw.colors import PALETTE
from cart_elc.inspection.draw.matplotlib import canvas
from cart_elc.inspection.model_source import columns_of
from cart_elc.inspection.named_tree import replaced
from cart_elc.inspection.options import check_int_from_zero, require
from cart_elc.inspection.pipelines import is_pipeline, last_step, names_made
from cart_elc.tree import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, ROW_HEIGHT, EDGES = 6.0, 0.32, 0.9


def plot_importances(
    model: Any,  # noqa: ANN401
    *,
    max_features: int = 20,
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the importance of each feature as a bar, the largest on top.

    Where there are several trees, the line at a bar's end is the standard deviation over them.

    Parameters
    ----------
    model : fitted tree, forest or boosted trees, or a pipeline that ends in one
    max_features : int, default=20
        Most bars.
    feature_names : sequence of str, optional
        Names instead of the model's own.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    require("matplotlib", "plot_importances", extra="plot")
    check_int_from_zero("max_features", max_features)
    estimator = last_step(model)
    shares: FloatArray | None = getattr(estimator, "feature_importances_", None)
    if shares is None:
        raise ValueError(
            f"model must be a fitted estimator of cart_elc, got {type(model).__name__} without importances"
        )
    numbered = [f"x{j}" for j in range(len(shares))]
    own = names_made(model, len(shares)) if is_pipeline(model) else columns_of(model) or numbered
    names = replaced("feature_names", feature_names, own)
    shown = np.argsort(-shares, kind="stable")[:max_features]
    ax = canvas.new_axes(WIDTH, EDGES + ROW_HEIGHT * max(len(shown), 1)) if ax is None else ax
    spread = spread_over_trees(estimator)
    ax.barh(np.arange(len(shown)), shares[shown], xerr=None if spread is None else spread[shown], color=PALETTE[0])
    ax.set_yticks(np.arange(len(shown)), [canvas.plain_name(names[j]) for j in shown])
    ax.invert_yaxis()
    ax.set_xlim(left=0.0)
    ax.set_xlabel("importance")
    return ax


def spread_over_trees(model: Any) -> FloatArray | None:  # noqa: ANN401
    """Return the standard deviation of each feature's importance over the trees; None for a single tree."""
    trees = getattr(model, "estimators_", None)
    if trees is None:
        return None
    spread: FloatArray = np.std([tree.feature_importances_ for tree in np.ravel(trees)], axis=0)
    return spread
