"""The splits of a tree, each in its own view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from cart_elc.inspection.draw.matplotlib import canvas
from cart_elc.inspection.draw.matplotlib.split_panel import PANEL, draw_panel
from cart_elc.inspection.draw.split_view import split_views
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_int_from_zero, require
from cart_elc.inspection.rules import Rulebook

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 12
LEGEND_HEIGHT, LEGEND_LINE, LEGEND_COLUMNS = 0.45, 0.22, 6


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
    """Draw the rows that reach each split in the split's own view.

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
        Ids of the splits to draw, as many as you like. By default the dozen with the most training rows; where there
        are more, a line below the panels says so.
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
    require("matplotlib", "plot_splits", extra="plot")
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    data = named.rows(X)
    codes = named.codes(y, len(data))
    check_nodes(named, nodes)
    check_int_from_zero("columns", columns)
    wanted = largest_splits(named) if nodes is None else set(nodes)
    views = [view for view in split_views(named, data) if view.node in wanted]
    figure, rules = new_grid(len(views), columns, named), Rulebook.of(named, decimals)
    for panel, view in zip(figure.subfigs, views, strict=False):
        draw_panel(panel, rules, view, codes[view.rows])
    n_splits = named.tree.n_nodes - named.tree.n_leaves
    note = f"The {len(views)} of {n_splits} splits that the most rows reach; nodes=[...] draws others."
    draw_legend(figure, named, "" if nodes is not None or len(views) == n_splits else note)
    return figure


def largest_splits(named: NamedTree) -> set[int]:
    """Return the splits with the most training rows, the first among equals."""
    splits = sorted(named.tree.split_nodes(), key=lambda node: -int(named.tree.n_node_samples[node]))
    return set(splits[:MOST_PANELS])


def check_nodes(named: NamedTree, nodes: Sequence[int] | None) -> None:
    splits = list(named.tree.split_nodes())
    if not splits:
        raise ValueError("there is no split to draw: the tree is a single leaf")
    others = [] if nodes is None else [node for node in nodes if node not in splits]
    if others or (nodes is not None and len(nodes) == 0):
        raise ValueError(f"nodes must be splits of the tree ({', '.join(map(str, splits))}), got {list(nodes or [])}")


def new_grid(n_panels: int, columns: int, named: NamedTree) -> Figure:
    """Return a figure with a subfigure for each panel, and a strip below them for the legend."""
    across = min(max(columns, 1), n_panels)
    down = -(-n_panels // across)
    strip = LEGEND_HEIGHT + LEGEND_LINE * ((named.n_classes - 1) // LEGEND_COLUMNS + 1)
    figure = canvas.new_figure(PANEL[0] * across, PANEL[1] * down + strip)
    grid = figure.add_gridspec(down + 1, across, height_ratios=[*[PANEL[1]] * down, strip])
    for place in range(n_panels):
        figure.add_subfigure(grid[divmod(place, across)])
    return figure


def draw_legend(figure: Figure, named: NamedTree, line: str) -> None:
    inch = 1 / figure.get_size_inches()[1]
    handles = canvas.legend_handles(named)
    columns = min(len(handles), LEGEND_COLUMNS)
    figure.legend(handles=handles, loc="lower center", ncols=columns, frameon=False, bbox_to_anchor=(0.5, 0.2 * inch))
    figure.text(0.5, 0.06 * inch, line, ha="center", va="bottom", fontsize=9, color=canvas.text_color())
