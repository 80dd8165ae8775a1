"""The tree drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cart_elc.inspection.cards import Card, Metrics, arrange, card
from cart_elc.inspection.colors import class_colors, mixed
from cart_elc.inspection.layout import Layout
from cart_elc.inspection.plotting.canvas import new_figure, plain, require_matplotlib
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.subject import FittedTree, Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT = 9.0
GAP, LEVEL_GAP, BORDER = 12.0, 30.0, 10.0
LARGEST_INCHES = 40.0
INK, PAPER = "#30343b", "#f4f5f7"


def plot_tree(
    model: FittedTree,
    ax: Axes | None = None,
    *,
    decimals: int = 2,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> Axes:
    """Draw the tree: boxes with rule, class bar and counts; edges as thick as their share of the rows.

    Boxes are as large as their text and never overlap. Without ``ax`` the figure gets the size at which the text is
    9 points high (40 inches at most); in a given ``ax`` the drawing is scaled to fit, text included.

    Parameters
    ----------
    model : fitted classifier
    ax : matplotlib Axes, optional
    decimals : int, default=2
        Digits of the rules, as in `export_text`.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Axes
    """
    require_matplotlib("plot_tree")
    subject = Subject.of(model, feature_names=feature_names, class_names=class_names)
    rules = Rulebook.of(subject, decimals)
    cards = [card(rules, node) for node in range(subject.tree.n_nodes)]
    layout = arrange(rules, cards, Metrics(line=13.0, padding=7.0, bar=5.0, width=width_in_points), GAP, LEVEL_GAP)
    if ax is None:
        ax = fitting_axes(layout)
    scale = fit(ax, layout)
    draw_edges(ax, subject, layout, scale)
    for node, content in enumerate(cards):
        draw_box(ax, subject, layout, node, content, scale)
    return ax


@lru_cache(maxsize=4096)
def width_in_points(text: str) -> float:
    """Return how wide the text is at `FONT` points; bold is the widest that is drawn."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), plain(text, 200), size=FONT, prop=FontProperties(weight="bold"))
    return float(path.get_extents().width) if len(path.vertices) else 0.0


def fitting_axes(layout: Layout) -> Axes:
    """Return axes in a new figure that has room for the drawing."""
    width, height = ((side + 2 * BORDER) / 72 for side in layout.size)
    shrink = min(1.0, LARGEST_INCHES / max(width, height))
    figure = new_figure("plot_tree", max(width * shrink, 1.5), max(height * shrink, 1.0))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def fit(ax: Axes, layout: Layout) -> float:
    """Make the axes' units those of the layout, with equal scales; return the size of a unit in points."""
    frame = ax.get_window_extent()
    pixel = 72 / ax.figure.dpi
    width, height = layout.size
    scale = min(frame.width * pixel / (width + 2 * BORDER), frame.height * pixel / (height + 2 * BORDER), 1.4)
    across, down = frame.width * pixel / scale, frame.height * pixel / scale
    ax.set_xlim((width - across) / 2, (width + across) / 2)
    ax.set_ylim((height + down) / 2, (height - down) / 2)
    ax.set_axis_off()
    return scale


def draw_edges(ax: Axes, subject: Subject, layout: Layout, scale: float) -> None:
    """Draw a curve to every child, and the words at them."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    tree = subject.tree
    for node in tree.split_nodes():
        x0, y0 = layout.x[node], layout.y[node] + layout.heights[node]
        for child, word in ((int(tree.children_left[node]), "yes"), (int(tree.children_right[node]), "no")):
            x1, y1 = layout.x[child], layout.y[child]
            middle = (y0 + y1) / 2
            share = tree.weighted_n_node_samples[child] / tree.weighted_n_node_samples[0]
            curve = Path([(x0, y0), (x0, middle), (x1, middle), (x1, y1)], [Path.MOVETO, *[Path.CURVE4] * 3])
            width = (0.8 + 6 * share) * scale
            ax.add_patch(PathPatch(curve, fill=False, edgecolor="#a9adb5", linewidth=width, zorder=1))
            side = "right" if word == "yes" else "left"
            at = x1 + (-7 if word == "yes" else 7)
            ax.text(at, y1 - 4, word, ha=side, va="bottom", fontsize=7.5 * scale, color=INK, zorder=2)


def draw_box(ax: Axes, subject: Subject, layout: Layout, node: int, content: Card, scale: float) -> None:
    """Draw a node's box, texts and class bar."""
    from matplotlib.patches import FancyBboxPatch, Rectangle

    colors = class_colors(subject.tree.n_classes)
    color = colors[subject.majority(node)]
    left, top = layout.x[node] - layout.widths[node] / 2, layout.y[node]
    width, height = layout.widths[node], layout.heights[node]
    face, line = (mixed(color, 0.14), color) if content.leaf else (PAPER, "#9298a3")
    style = "round,pad=0,rounding_size=5"
    box = FancyBboxPatch((left, top), width, height, style, facecolor=face, edgecolor=line, linewidth=scale, zorder=3)
    box.set_gid(f"node-{node}")
    ax.add_patch(box)
    weight = "bold" if content.leaf else "normal"
    for i, text in enumerate((*content.title, content.caption)):
        last = i == len(content.title)
        ax.text(
            layout.x[node],
            top + 7 + (i + 0.5) * 13,
            plain(text, 200),
            ha="center",
            va="center",
            fontsize=(8 if last else FONT) * scale,
            fontweight="normal" if last else weight,
            color="#555b66" if last else INK,
            zorder=4,
        )
    x, y = left + 7, top + height - 12
    for share, part in zip(np.array(content.proportions) * (width - 14), colors, strict=True):
        ax.add_patch(Rectangle((x, y), share, 5, facecolor=part, linewidth=0, zorder=4))
        x += share
