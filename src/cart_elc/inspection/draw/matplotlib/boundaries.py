"""Decision regions in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.draw.colors import class_colors
from cart_elc.inspection.draw.matplotlib.canvas import (
    legend_handles,
    new_figure,
    plain,
    require_matplotlib,
    scatter_classes,
)
from cart_elc.inspection.given_data import as_codes
from cart_elc.inspection.named_tree import FittedTree, NamedTree
from cart_elc.inspection.wording import number, one_line
from cart_elc.tree import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_HELD = 3
"""Features whose values the title has room for."""


def plot_boundaries(
    model: FittedTree,
    X: ArrayLike,
    y: ArrayLike,
    features: tuple[int | str, int | str] = (0, 1),
    *,
    ax: Axes | None = None,
    resolution: int = 400,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Axes:
    """Draw the regions in which the model predicts each class, and the rows, over two features.

    The other features are held at their medians over ``X``; where the tree uses some of them, the title says at which
    values, and the rows, which have values of their own there, need not lie in the region of their prediction.

    Parameters
    ----------
    model : fitted classifier
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    features : pair of int or str, default=(0, 1)
        Positions or names of the two features.
    ax : matplotlib Axes, optional
    resolution : int, default=400
        Points of the grid along each axis.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Axes
    """
    require_matplotlib("plot_boundaries")
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    data = named.rows(X)
    codes = as_codes(y, named.classes, len(data))
    first, second = (position(named, feature) for feature in check_pair(features))
    if ax is None:
        figure = new_figure("plot_boundaries", 6.0, 4.8)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
    complete = ~np.isnan(data[:, [first, second]]).any(axis=1)
    scatter_classes(ax, data[complete, first], data[complete, second], codes[complete], named)
    ax.margins(0.05)
    draw_regions(ax, named, data, (first, second), resolution)
    ax.set_xlabel(plain(one_line(named.features[first])))
    ax.set_ylabel(plain(one_line(named.features[second])))
    ax.legend(handles=legend_handles(named), loc="best", fontsize=8, framealpha=0.85)
    held = sorted(set(np.unique(named.tree.features).tolist()) - {first, second})
    if held:
        ax.set_title(held_text(named, held, medians(data)), fontsize=9)
    return ax


def held_text(named: NamedTree, held: list[int], values: FloatArray) -> str:
    """Return at what the features of the tree are held that are not drawn; the first of many in full."""
    shown = held if len(held) <= MOST_HELD else held[: MOST_HELD - 1]
    parts = [f"{plain(one_line(named.features[j]), 20)} = {number(float(f'{values[j]:.4g}'))}" for j in shown]
    others = [f"{len(held) - len(shown)} others"] if len(held) > len(shown) else []
    return f"at the medians {', '.join([*parts, *others])}"


def check_pair(features: object) -> tuple[int | str, int | str]:
    """Refuse anything but two features."""
    if isinstance(features, np.ndarray):
        features = features.tolist()
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must be a pair of positions or names, got {features!r}")
    return features[0], features[1]


def position(named: NamedTree, feature: int | str) -> int:
    """Return the position of a feature given by position or name."""
    if isinstance(feature, str):
        if feature not in named.features:
            raise ValueError(f"features must be names of the model's features, got {feature!r}")
        return named.features.index(feature)
    if not 0 <= feature < named.tree.n_features:
        raise ValueError(f"features must be in [0, {named.tree.n_features - 1}], got {feature}")
    return int(feature)


def draw_regions(ax: Axes, named: NamedTree, data: FloatArray, pair: tuple[int, int], resolution: int) -> None:
    """Paint the predicted class behind the points: more strongly where the leaf is purer."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    across, up = np.linspace(x0, x1, resolution), np.linspace(y0, y1, resolution)
    line = np.tile(medians(data), (resolution, 1))  # a line at a time: a thousand features are then no burden
    line[:, pair[0]] = across
    proportions = np.empty((resolution, resolution, named.tree.n_classes))
    for i, height in enumerate(up):
        line[:, pair[1]] = height
        proportions[i] = named.tree.predict_value(line)
    colors = [[int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)] for color in class_colors(named.tree.n_classes)]
    winners = np.argmax(proportions, axis=2)
    strength = 0.12 + 0.28 * np.take_along_axis(proportions, winners[..., None], axis=2)
    image = 1.0 - strength * (1.0 - np.array(colors)[winners])
    ax.imshow(image, extent=(x0, x1, y0, y1), origin="lower", aspect="auto", interpolation="nearest", zorder=0)
    ax.set_xlim(x0, x1)
    ax.set_ylim(y0, y1)


def medians(data: FloatArray) -> FloatArray:
    """Return each feature's median over the rows that have it; 0 for a feature that no row has."""
    known = ~np.isnan(data).all(axis=0)
    result = np.zeros(data.shape[1])
    result[known] = np.nanmedian(data[:, known], axis=0)
    return result
