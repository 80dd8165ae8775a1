"""Every split in its own view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.draw.colors import GREY, class_colors
from cart_elc.inspection.draw.matplotlib.canvas import (
    legend_below,
    new_figure,
    plain,
    require_matplotlib,
    scatter_classes,
    stacked_histogram,
    text_color,
    write_side,
)
from cart_elc.inspection.draw.split_view import SplitView, split_views
from cart_elc.inspection.given_data import as_codes
from cart_elc.inspection.named_tree import FittedTree, NamedTree
from cart_elc.inspection.options import check_int_from_zero
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import one_line, wrapped
from cart_elc.tree import FloatArray, IntArray, MissingPolicy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

PANEL = (4.6, 3.7)
NAME_WIDTH = 18
"""Characters of a name in a line beside the coefficients' bars."""
DESTINATIONS = {MissingPolicy.LEFT: "yes", MissingPolicy.RIGHT: "no", MissingPolicy.BOTH: "both ways"}


def plot_splits(
    model: FittedTree,
    X: ArrayLike,
    y: ArrayLike,
    *,
    nodes: Sequence[int] | None = None,
    columns: int = 3,
    decimals: int = 2,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Figure:
    """Draw, for every split, the rows that reach it in the split's own view.

    Two features: a scatter plot with the line, the empty band around it and the two sides shaded. One feature: a
    stacked histogram with the threshold. Three or more: the rows' signed distances from the plane along its normal as a
    stacked histogram, beside the coefficients, each times the standard deviation of its feature at the node, so that
    bars say how much a feature matters there. "yes" is the side where the rule holds.

    Parameters
    ----------
    model : fitted classifier
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    nodes : sequence of int, optional
        Ids of the splits to draw; all of them by default.
    columns : int, default=3
        Most panels side by side.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Figure
    """
    require_matplotlib("plot_splits")
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    data = named.rows(X)
    codes = as_codes(y, named.classes, len(data))
    check_nodes(named, nodes)
    check_int_from_zero("columns", columns)
    views = [view for view in split_views(named, data) if nodes is None or view.node in nodes]
    across = min(max(columns, 1), len(views))
    down = -(-len(views) // across)
    figure = new_figure("plot_splits", PANEL[0] * across, PANEL[1] * down + 0.5)
    figure.set_layout_engine("constrained")
    panels = figure.subfigures(down, across, squeeze=False).ravel()
    rules = Rulebook.of(named, decimals)
    for panel, view in zip(panels, views, strict=False):
        draw_panel(panel, rules, view, codes[view.rows])
    legend_below(figure, named)
    return figure


def check_nodes(named: NamedTree, nodes: Sequence[int] | None) -> None:
    """Refuse a tree without splits, and nodes that are none."""
    splits = list(named.tree.split_nodes())
    if not splits:
        raise ValueError("there is no split to draw: the tree is a single leaf")
    others = [] if nodes is None else [node for node in nodes if node not in splits]
    if others or (nodes is not None and len(nodes) == 0):
        raise ValueError(f"nodes must be splits of the tree ({', '.join(map(str, splits))}), got {list(nodes or [])}")


def draw_panel(panel: SubFigure, rules: Rulebook, view: SplitView, codes: IntArray) -> None:
    """Draw one split."""
    named = rules.named
    title = "\n".join(wrapped([plain(part) for part in rules.written(view.node).parts(named.features)], 44))
    panel.suptitle(f"node {view.node}: {title}", fontsize=9, color=text_color())
    n_features = len(named.tree.split(view.node)[0])
    if n_features == 1:
        axes = panel.subplots()
        draw_values(axes, named, view, codes)
    elif n_features == 2:
        axes = panel.subplots()
        draw_plane(axes, named, view, codes)
    else:
        bars, axes = panel.subplots(1, 2, width_ratios=(1, 1.4))
        draw_coefficients(bars, named, view)
        draw_distances(axes, named, view, codes)
    axes.spines[["top", "right"]].set_visible(False)
    note_missing(axes, named, view)


def side_color(named: NamedTree, node: int, side: str) -> str:
    """Return the colour of the class that most rows of a child have."""
    children = named.tree.children_left if side == "left" else named.tree.children_right
    return class_colors(named.tree.n_classes)[named.majority(int(children[node]))]


class Ruler(NamedTuple):
    """How sums are drawn along a line: times ``scale`` minus ``shift``, the plane at ``at``.

    ``room`` is the share of the width that is left for a word on either side of the plane.
    """

    scale: float
    shift: float
    at: float
    room: float


def draw_values(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split on one feature."""
    features, weights, threshold = named.tree.split(view.node)
    scale = 1.0 / float(weights[0])
    draw_line(axes, named, view, codes, Ruler(scale, 0.0, threshold * scale, 0.12))
    axes.set_xlabel(plain(one_line(named.features[int(features[0])])))


def draw_distances(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split on three or more features along its normal."""
    _, weights, threshold = named.tree.split(view.node)
    scale = float(np.copysign(1.0, signed_largest(weights))) / float(np.linalg.norm(weights))
    draw_line(axes, named, view, codes, Ruler(scale, threshold * scale, 0.0, 0.25))
    axes.set_xlabel("signed distance")


def signed_largest(weights: FloatArray) -> float:
    """Return the weight that the written rule scales to 1."""
    return float(weights[int(np.argmax(np.abs(weights)))])


def draw_line(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray, ruler: Ruler) -> None:
    """Draw the sums as a histogram, with the plane, the empty band and the two sides."""
    values = view.sums * ruler.scale - ruler.shift
    if len(values):
        stacked_histogram(axes, values, codes, named, ruler.at)
    low, high = axes.get_xlim()
    room = ruler.room * (high - low)
    low, high = min(low, ruler.at - room), max(high, ruler.at + room)
    left_end, right_end = (high, low) if ruler.scale > 0 else (low, high)
    for end, side in ((left_end, "left"), (right_end, "right")):
        axes.axvspan(ruler.at, end, color=side_color(named, view.node, side), alpha=0.10, linewidth=0, zorder=0)
    ends = sorted(end * ruler.scale - ruler.shift for end in view.band)
    axes.axvspan(*ends, color=GREY, alpha=0.25, linewidth=0, zorder=0.5)
    axes.axvline(ruler.at, color=text_color(), linewidth=1.4)
    axes.set_xlim(low, high)
    for word, after in (("yes", ruler.scale > 0), ("no", ruler.scale < 0)):
        write_side(axes, word, (ruler.at, 1.0), leftwards=not after, downwards=True)


def draw_plane(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split on two features as a line."""
    features, weights, threshold = named.tree.split(view.node)
    x, y = view.points[:, 0], view.points[:, 1]
    scatter_classes(axes, x, y, codes, named)
    axes.margins(0.06)
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    grid_x, grid_y = np.meshgrid(np.linspace(x0, x1, 200), np.linspace(y0, y1, 200))
    field = weights[0] * grid_x + weights[1] * grid_y
    colors = [side_color(named, view.node, side) for side in ("right", "left")]
    limits = [min(field.min(), threshold) - 1.0, threshold, max(field.max(), threshold) + 1.0]
    axes.contourf(grid_x, grid_y, field, levels=limits, colors=colors, alpha=0.13, zorder=0)
    if view.band[0] < view.band[1]:
        axes.contourf(grid_x, grid_y, field, levels=view.band, colors=[GREY], alpha=0.25, zorder=1)
    axes.contour(
        grid_x, grid_y, field, levels=[threshold], colors=[text_color()], linestyles="solid", linewidths=1.4, zorder=4
    )
    write_sides(axes, weights)
    axes.set_xlabel(plain(one_line(named.features[int(features[0])])))
    axes.set_ylabel(plain(one_line(named.features[int(features[1])])))


def write_sides(axes: Axes, weights: FloatArray) -> None:
    """Write "yes" and "no" into the corners that are farthest from the line."""
    right, top = (weight > 0 for weight in weights.tolist())
    for word, x, y in (("yes", right, top), ("no", not right, not top)):
        limits = axes.get_xlim()
        write_side(axes, word, (limits[int(x)], float(y)), leftwards=x, downwards=y)


def draw_coefficients(axes: Axes, named: NamedTree, view: SplitView) -> None:
    """Draw how much each feature moves the sum: its coefficient times its standard deviation at the node."""
    features, weights, _ = named.tree.split(view.node)
    spread = view.points.std(axis=0) if len(view.points) else np.ones(len(weights))
    effect = weights * spread / signed_largest(weights)
    effect = effect / (np.abs(effect).max() or 1.0)
    names = [in_two_lines(plain(one_line(named.features[int(j)]), 2 * NAME_WIDTH - 2)) for j in features]
    places = np.arange(len(names))
    axes.barh(places, effect, color=[GREY if value < 0 else text_color() for value in effect])
    axes.set_yticks(places, names, fontsize=8 if len(names) < 9 else 6)
    axes.axvline(0.0, color=text_color(), linewidth=0.8)
    axes.set_xlim(-1.1, 1.1)
    axes.invert_yaxis()
    axes.set_xlabel("coefficient x st. dev.", fontsize=9)


def in_two_lines(name: str) -> str:
    r"""Return a long name in two lines, broken after a space or underscore if there is one.

    Examples
    --------
    >>> in_two_lines("single_epithelial_cell_size")
    'single_epithelial_\ncell_size'
    """
    if len(name) <= NAME_WIDTH:
        return name
    breaks = [i + 1 for i, c in enumerate(name) if c in " _-" and len(name) - NAME_WIDTH - 2 <= i + 1 <= NAME_WIDTH]
    middle = len(name) // 2
    at = min(breaks, key=lambda i: abs(i - middle), default=middle)
    return f"{name[:at]}\n{name[at:]}"


def note_missing(axes: Axes, named: NamedTree, view: SplitView) -> None:
    """Say how many rows cannot be drawn and where they go."""
    if view.n_missing:
        where = DESTINATIONS[MissingPolicy(named.tree.missing[view.node])]
        text = f"{view.n_missing:,} row{'' if view.n_missing == 1 else 's'} with a missing value: {where}"
        axes.set_title(text, fontsize=8, color="#555b66", loc="left")
