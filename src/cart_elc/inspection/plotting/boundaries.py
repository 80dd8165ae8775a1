"""Decision regions in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.colors import class_colors
from cart_elc.inspection.plotting.canvas import new_figure, plain, require_matplotlib, scatter_classes
from cart_elc.inspection.rules import one_line
from cart_elc.inspection.subject import FittedTree, Subject
from cart_elc.inspection.tables import codes_of
from cart_elc.tree import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_boundaries(
    model: FittedTree,
    X: ArrayLike,
    y: ArrayLike,
    features: tuple[int | str, int | str] = (0, 1),
    *,
    ax: Axes | None = None,
    resolution: int = 300,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Axes:
    """Draw the regions in which the model predicts each class, and the rows, over two features.

    The other features are held at their medians over ``X``; where the tree uses some of them, the title says so, and
    the rows, which have values of their own there, need not lie in the region of their prediction.

    Parameters
    ----------
    model : fitted classifier
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    features : pair of int or str, default=(0, 1)
        Positions or names of the two features.
    ax : matplotlib Axes, optional
    resolution : int, default=300
        Points of the grid along each axis.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Axes
    """
    require_matplotlib("plot_boundaries")
    subject = Subject.of(model, feature_names=feature_names, class_names=class_names)
    data = subject.rows(X)
    codes = codes_of(y, subject.classes, len(data))
    first, second = (position(subject, feature) for feature in check_pair(features))
    if ax is None:
        figure = new_figure("plot_boundaries", 6.0, 4.8)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
    complete = ~np.isnan(data[:, [first, second]]).any(axis=1)
    scatter_classes(ax, data[complete, first], data[complete, second], codes[complete], subject)
    ax.margins(0.05)
    draw_regions(ax, subject, data, (first, second), resolution)
    ax.set_xlabel(plain(one_line(subject.features[first])))
    ax.set_ylabel(plain(one_line(subject.features[second])))
    ax.legend(loc="best", fontsize=8, framealpha=0.85)
    held = sorted(set(np.unique(subject.tree.features).tolist()) - {first, second})
    if held:
        names = ", ".join(plain(one_line(subject.features[j]), 20) for j in held[:3])
        ax.set_title(f"at the medians of {names}{' and others' if len(held) > 3 else ''}", fontsize=9)
    return ax


def check_pair(features: object) -> tuple[int | str, int | str]:
    """Refuse anything but two features."""
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must be a pair of positions or names, got {features!r}")
    return features[0], features[1]


def position(subject: Subject, feature: int | str) -> int:
    """Return the position of a feature given by position or name."""
    if isinstance(feature, str):
        if feature not in subject.features:
            raise ValueError(f"features must be names of the model's features, got {feature!r}")
        return subject.features.index(feature)
    if not 0 <= feature < subject.tree.n_features:
        raise ValueError(f"features must be in [0, {subject.tree.n_features - 1}], got {feature}")
    return int(feature)


def draw_regions(ax: Axes, subject: Subject, data: FloatArray, pair: tuple[int, int], resolution: int) -> None:
    """Paint the predicted class behind the points: more strongly where the leaf is purer."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    across, down = np.linspace(x0, x1, resolution), np.linspace(y0, y1, resolution)
    grid = np.tile(medians(data), (resolution * resolution, 1))
    grid[:, pair[0]], grid[:, pair[1]] = np.tile(across, resolution), np.repeat(down, resolution)
    proportions = subject.tree.predict_value(grid).reshape(resolution, resolution, -1)
    colors = [[int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)] for color in class_colors(subject.tree.n_classes)]
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
