"""Decision regions in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.draw.colors import mixed
from cart_elc.inspection.draw.matplotlib import canvas
from cart_elc.inspection.draw.matplotlib.regions import cut_plane
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import require
from cart_elc.inspection.wording import number, wrapped
from cart_elc.tree import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_HELD = 3  # features whose values the title has room for
TITLE_WIDTH = 64  # characters of the title in one line
FAINTEST = 0.12  # how strongly a row is drawn that is far from the slice


def plot_boundaries(
    model: FittedTree,
    X: ArrayLike,
    y: ArrayLike,
    features: tuple[int | str, int | str] | None = None,
    *,
    ax: Axes | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Axes:
    """Draw the regions in which the model predicts each class or band of numbers, and the rows, over two features.

    The regions are polygons with the splits' own lines for edges. The other features are held at their medians over
    ``X``, categories at their most frequent level. Where the tree uses some of them, the title says at which values,
    and a row is drawn the fainter, the farther it is from those values in standard deviations: it need not lie in the
    region of its prediction.

    Parameters
    ----------
    model : fitted classifier
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    features : pair of int or str, optional
        Positions or names of the two features. By default the root's: of more than two those with the largest
        coefficient times standard deviation, of one that and the feature that the tree uses most.
    ax : matplotlib Axes, optional
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Axes
    """
    require("matplotlib", "plot_boundaries", extra="plot")
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    data = named.rows(X)
    codes = named.codes(y, len(data))
    pair = root_pair(named, data) if features is None else given_pair(named, features)
    ax = canvas.new_axes(6.0, 4.8) if ax is None else ax
    held = sorted(set(np.unique(named.tree.features).tolist()) - set(pair))
    complete = ~np.isnan(data[:, pair]).any(axis=1)
    x, height = data[complete, pair[0]], data[complete, pair[1]]
    numbers = [j for j in held if not named.nominal[j]]
    canvas.scatter_classes(ax, x, height, codes[complete], named, closeness(data, numbers)[complete])
    ax.margins(0.05)
    values = usual_values(named, data)
    draw_regions(ax, named, values, pair)
    ax.set_xlabel(canvas.plain_name(named.features[pair[0]]))
    ax.set_ylabel(canvas.plain_name(named.features[pair[1]]))
    ax.legend(handles=canvas.legend_handles(named), loc="best", fontsize=8, framealpha=0.85)
    if held:
        ax.set_title(held_text(named, held, values), fontsize=9)
    return ax


def root_pair(named: NamedTree, data: FloatArray) -> tuple[int, int]:
    """Return the two features that say most at the root, then those that the tree uses most often."""
    features, weights, _ = named.tree.split(0)
    with np.errstate(invalid="ignore"):
        spread = np.nan_to_num(np.nanstd(data[:, features], axis=0)) if len(data) else np.ones(len(features))
    first = features[np.argsort(-np.abs(weights) * spread, kind="stable")].tolist()
    uses = np.bincount(named.tree.features, minlength=named.tree.n_features)
    order = [*first, *(int(j) for j in np.argsort(-uses, kind="stable") if j not in first)]
    order = [j for j in order if not named.nominal[j]]
    if len(order) < 2:
        raise ValueError(f"plot_boundaries draws two features that are numbers, but the model has {len(order)}")
    return min(order[:2]), max(order[:2])


def given_pair(named: NamedTree, features: object) -> tuple[int, int]:
    if isinstance(features, np.ndarray):
        features = features.tolist()
    if isinstance(features, str) or not isinstance(features, Sequence) or len(features) != 2:
        raise ValueError(f"features must be a pair of positions or names, got {features!r}")
    positions = {name: j for j, name in reversed(list(enumerate(named.features)))}
    pair = [positions.get(feature, -1) if isinstance(feature, str) else int(feature) for feature in features]
    if not all(0 <= j < named.tree.n_features for j in pair):
        places = f"positions in [0, {named.tree.n_features - 1}]"
        raise ValueError(f"features must be names of the model's features or {places}, got {features!r}")
    for j in pair:
        if named.nominal[j]:
            raise ValueError(f"features must be numbers, but {named.features[j]!r} is a category")
    return pair[0], pair[1]


def held_text(named: NamedTree, held: list[int], values: FloatArray) -> str:
    """Return at what the features of the tree are held that are not drawn; the first of many in full."""
    shown = held if len(held) <= MOST_HELD else held[: MOST_HELD - 1]
    parts = [f"{canvas.plain_name(named.features[j], 20)} = {value_text(named, j, values[j])}" for j in shown]
    others = [f"{len(held) - len(shown)} others"] if len(held) > len(shown) else []
    listed = ", ".join([*parts, *others]).split(" ")
    return "\n".join([*wrapped(["at the medians", *listed], TITLE_WIDTH), "(rows far from them are faint)"])


def value_text(named: NamedTree, feature: int, value: float) -> str:
    if named.nominal[feature]:
        return canvas.plain_name(str(named.level(feature, value)), 20)
    return number(float(f"{value:.4g}"))


def closeness(data: FloatArray, held: list[int]) -> FloatArray:
    """Return how strongly each row is drawn: 1 on the slice, less with the distance in the features that are held.

    The distance is the root mean square of standard deviations from the medians; a missing value counts as none.
    """
    if not held or not len(data):
        return np.ones(len(data))
    spread = np.nanstd(data[:, held], axis=0)
    steps = (data[:, held] - medians(data)[held]) / np.where(spread > 0, spread, 1.0)
    distance = np.sqrt(np.mean(np.nan_to_num(steps) ** 2, axis=1))
    return np.asarray(np.maximum(FAINTEST, np.exp(-0.5 * distance**2)))


def draw_regions(ax: Axes, named: NamedTree, held: FloatArray, pair: tuple[int, int]) -> None:
    """Paint each leaf's polygon in the colour of its class, the purer the stronger, and draw the splits' lines."""
    from matplotlib.collections import LineCollection, PolyCollection

    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    regions, segments = cut_plane(named.tree, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], pair, held)
    colors = named.colors()
    purity = named.shares.max(axis=1)
    paint = [mixed(colors[named.majority(leaf)], 0.12 + 0.28 * float(purity[leaf])) for leaf in regions]
    areas = PolyCollection(list(regions.values()), facecolors=paint, edgecolors="face", zorder=0)
    areas.set_gid("regions")
    lines = LineCollection(segments, colors=canvas.text_color(), linewidths=0.8, zorder=1)
    lines.set_gid("lines")
    ax.add_collection(areas, autolim=False)
    ax.add_collection(lines, autolim=False)
    ax.set_xlim(x0, x1)
    ax.set_ylim(y0, y1)


def usual_values(named: NamedTree, data: FloatArray) -> FloatArray:
    """Return each feature's median or, of a category, its most frequent level."""
    values = medians(data)
    for j in np.flatnonzero(named.nominal).tolist():
        known = data[~np.isnan(data[:, j]), j].astype(np.int64)
        values[j] = np.argmax(np.bincount(known, minlength=1))
    return values


def medians(data: FloatArray) -> FloatArray:
    """Return each feature's median over the rows that have it; 0 for a feature that no row has."""
    known = ~np.isnan(data).all(axis=0)
    result = np.zeros(data.shape[1])
    result[known] = np.nanmedian(data[:, known], axis=0)
    return result
