"""The tree drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cart_elc.inspection.draw.cards import Card, Metrics, arrange, cards, opened_to
from cart_elc.inspection.draw.colors import mixed
from cart_elc.inspection.draw.layout import Layout, Spacing
from cart_elc.inspection.draw.matplotlib import canvas
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_int_from_zero, require
from cart_elc.inspection.rules import Rulebook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT, SMALL = 9.0, 8.0
DOWN, RIGHT = Spacing(gap=12.0, level_gap=30.0), Spacing(gap=8.0, level_gap=40.0, rotate=True)
BORDER = 10.0
LEGEND_LINE = 14.0
WIDEST_INCHES, LARGEST_INCHES = 16.0, 40.0
PAPER = "#f4f5f7"


def plot_tree(
    model: FittedTree,
    ax: Axes | None = None,
    *,
    max_depth: int | None = None,
    rotate: bool | None = None,
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
    max_depth : int, optional
        Deepest level that is drawn; a split there says how many leaves are below it.
    rotate : bool, optional
        Whether the tree grows from left to right instead of down. By default it does if it would be wider than 16
        inches otherwise; in a given ``ax``, if its text is larger so.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.

    Returns
    -------
    matplotlib Axes
    """
    require("matplotlib", "plot_tree", extra="plot")
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    rules = Rulebook.of(named, decimals)
    if max_depth is not None:
        check_int_from_zero("max_depth", max_depth)
    opened = opened_to(named.tree, max_depth)
    contents = cards(rules, opened)
    metrics = Metrics(line=13.0, padding=7.0, bar=5.0, width=width_in_points)
    drawings = [Drawing.of(named, arrange(named.tree, contents, metrics, way, opened), way) for way in (DOWN, RIGHT)]
    chosen = drawings[int(grows_right(drawings, ax) if rotate is None else rotate)]
    if ax is None:
        ax = fitting_axes(chosen)
    scale = fit(ax, chosen)
    draw_edges(ax, named, chosen, scale)
    for node in chosen.layout.shown:
        draw_box(ax, named, chosen.layout, node, contents[node], scale)
    draw_legend(ax, named, chosen, scale)
    return ax


@dataclass(frozen=True, eq=False)
class Drawing:
    """A layout with the legend below it: for each class its place from the left and its line."""

    layout: Layout
    rotate: bool
    legend: list[tuple[float, int]]
    size: tuple[float, float]

    @classmethod
    def of(cls, named: NamedTree, layout: Layout, spacing: Spacing) -> Drawing:
        """Place the legend, in as many lines as it takes."""
        width, height = layout.size
        places, x, line, widest = [], 0.0, 0, width
        for label in named.labels:
            entry = 13.0 + width_in_points(canvas.plain_name(label, 26)) * SMALL / FONT
            if x and x + entry > width:
                x, line = 0.0, line + 1
            places.append((x, line))
            x += entry + 12.0
            widest = max(widest, x - 12.0)
        return cls(layout, spacing.rotate, places, (widest, height + 12.0 + (line + 1) * LEGEND_LINE))

    def scale_in(self, ax: Axes) -> float:
        """Return the size of a unit in points at which the drawing fills the axes."""
        frame, pixel = ax.get_window_extent(), 72 / ax.figure.dpi
        width, height = (side + 2 * BORDER for side in self.size)
        return float(min(frame.width * pixel / width, frame.height * pixel / height, 1.4))


def grows_right(drawings: list[Drawing], ax: Axes | None) -> bool:
    down, right = drawings
    if ax is not None:
        return right.scale_in(ax) > 1.1 * min(down.scale_in(ax), 1.0)
    return down.size[0] / 72 > WIDEST_INCHES and max(right.size) < max(down.size)


@lru_cache(maxsize=4096)
def width_in_points(text: str) -> float:
    """Return how wide the text is at `FONT` points; bold is the widest that is drawn."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), canvas.plain(text), size=FONT, prop=FontProperties(weight="bold"))
    return float(path.get_extents().width) if len(path.vertices) else 0.0


def fitting_axes(drawing: Drawing) -> Axes:
    width, height = ((side + 2 * BORDER) / 72 for side in drawing.size)
    shrink = min(1.0, LARGEST_INCHES / max(width, height))
    figure = canvas.new_figure(max(width * shrink, 1.5), max(height * shrink, 1.0))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def fit(ax: Axes, drawing: Drawing) -> float:
    """Make the axes' units those of the layout, with equal scales; return the size of a unit in points."""
    frame, pixel, scale = ax.get_window_extent(), 72 / ax.figure.dpi, drawing.scale_in(ax)
    width, height = drawing.size
    across, down = frame.width * pixel / scale, frame.height * pixel / scale
    ax.set_xlim((width - across) / 2, (width + across) / 2)
    ax.set_ylim((height + down) / 2, (height - down) / 2)
    ax.set_axis_off()
    return scale


def draw_edges(ax: Axes, named: NamedTree, drawing: Drawing, scale: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    tree, rotate, parents = named.tree, drawing.rotate, named.tree.parents()
    for child in drawing.layout.shown[1:]:
        parent = int(parents[child])
        yes = child == tree.children_left[parent]
        width = float(0.8 + 6 * tree.weighted_n_node_samples[child] / tree.weighted_n_node_samples[0])
        points = edge_points(drawing, parent, child)
        curve = Path(points, [Path.MOVETO, *[Path.CURVE4] * 3])
        ax.add_patch(PathPatch(curve, fill=False, edgecolor="#a9adb5", linewidth=width * scale, zorder=1))
        (x, y), outwards = points[-1], (-1 if yes else 1) * ((2 if rotate else 4) + width / 2)  # the word's distance
        text = ax.text(x - 4 if rotate else x + outwards, y + outwards if rotate else y - 4, "yes" if yes else "no")
        text.set(fontsize=SMALL * scale, color=canvas.text_color(), zorder=2)
        text.set(ha="right" if yes or rotate else "left", va="bottom" if yes or not rotate else "top")


def edge_points(drawing: Drawing, node: int, child: int) -> list[tuple[float, float]]:
    """Return the control points of a curve to a child, from the middle of the parent's bottom, or of its right side."""
    layout = drawing.layout
    if drawing.rotate:
        x0, y0 = layout.x[node] + layout.widths[node] / 2, layout.y[node] + layout.heights[node] / 2
        x1, y1 = layout.x[child] - layout.widths[child] / 2, layout.y[child] + layout.heights[child] / 2
        return [(x0, y0), ((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1), (x1, y1)]
    (x0, x1), y0, y1 = layout.x[[node, child]], layout.y[node] + layout.heights[node], layout.y[child]
    return [(x0, y0), (x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]


def draw_box(ax: Axes, named: NamedTree, layout: Layout, node: int, content: Card, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    colors = named.colors()
    color = colors[named.majority(node)]
    left, top = layout.x[node] - layout.widths[node] / 2, layout.y[node]
    width, height = layout.widths[node], layout.heights[node]
    face, edge = (mixed(color, 0.14), color) if content.leaf else (PAPER, "#9298a3")
    style = "round,pad=0,rounding_size=5"
    box = FancyBboxPatch((left, top), width, height, style, facecolor=face, edgecolor=edge, linewidth=scale, zorder=3)
    box.set_gid(f"node-{node}")
    ax.add_patch(box)
    weight = "bold" if content.leaf else "normal"
    for i, line in enumerate(content.lines):
        last = i >= len(content.title)
        text = ax.text(layout.x[node], top + 7 + (i + 0.5) * 13, canvas.plain(line), ha="center", va="center", zorder=4)
        text.set(fontsize=(SMALL if last else FONT) * scale, fontweight="normal" if last else weight)
        text.set_color("#555b66" if last else canvas.INK)
    x, y = left + 7, top + height - 12
    for share, part in zip(np.array(content.proportions) * (width - 14), colors, strict=True):
        ax.add_patch(Rectangle((x, y), share, 5, facecolor=part, linewidth=0, zorder=4))
        x += share


def draw_legend(ax: Axes, named: NamedTree, drawing: Drawing, scale: float) -> None:
    """Draw the classes' colours below the tree: a bar may have classes that no leaf is called by."""
    from matplotlib.patches import Rectangle

    colors, top = named.colors(), drawing.layout.size[1] + 12.0
    for label, color, (x, line) in zip(named.labels, colors, drawing.legend, strict=True):
        y = top + line * LEGEND_LINE
        ax.add_patch(Rectangle((x, y + 3), 8, 8, facecolor=color, linewidth=0, zorder=2))
        text = ax.text(x + 13, y + 7, canvas.plain_name(label, 26), va="center", color=canvas.text_color(), zorder=2)
        text.set_fontsize(SMALL * scale)
