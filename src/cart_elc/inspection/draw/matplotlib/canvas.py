"""What the three plots share: figures, class colours and shapes, and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.wording import isolated, one_line, shortened
from cart_elc.tree import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MARKERS = "osD^vP*X<>ph"  # shapes of the classes, so that they can be told apart without colour
INK = "#30343b"
FEW_POINTS = 400  # so many points are drawn with a white rim; of more, the rims would be most of what is seen


def new_figure(width: float, height: float) -> Figure:
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height))


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure, which leaves room for what is written around them."""
    figure = new_figure(width, height)
    figure.set_layout_engine("constrained")
    return figure.add_subplot()


def text_color() -> str:
    """Return the colour of what is written on the figure's own ground: the style's, if it has one."""
    from matplotlib import rcParams

    color = str(rcParams["text.color"])
    return INK if color == "black" else color


def plain(text: str) -> str:
    """Return a text for matplotlib: dollar signs are not read as formulas.

    Before version 3.11 matplotlib writes every script from left to right and draws the marks of isolation as boxes.
    """
    import matplotlib

    orders = tuple(map(int, matplotlib.__version__.split(".")[:2])) >= (3, 11)
    return (text if orders else text.translate(dict.fromkeys(map(ord, "\u2068\u2069")))).replace("$", r"\$")


def plain_name(name: str, width: int = 40) -> str:
    """Return a user's name for matplotlib: in one line and not too long."""
    return plain(isolated(shortened(one_line(name), width)))


def scatter_classes(
    axes: Axes, x: FloatArray, y: FloatArray, codes: IntArray, named: NamedTree, strength: FloatArray | None = None
) -> None:
    """Draw points in the colours and shapes of their classes; the largest class first, so that small ones show."""
    few = len(x) <= FEW_POINTS
    size = float(np.clip(6000 / max(len(x), 1), 9, 30))
    opacity = (1.0 if few else 0.75) * (np.ones(len(x)) if strength is None else strength)
    order = np.argsort(-np.bincount(codes, minlength=named.n_classes), kind="stable")
    for code in order[np.isin(order, codes)].tolist():
        rows, shape = codes == code, MARKERS[code % len(MARKERS)]
        points = axes.scatter(
            x[rows], y[rows], s=size, marker=shape, color=named.colors()[code], alpha=opacity[rows], zorder=3
        )
        points.set(edgecolors="white" if few else "none", linewidths=0.4 if few else 0.0)


def write_side(axes: Axes, word: str, at: tuple[float, float], *, leftwards: bool, downwards: bool) -> None:
    """Write "yes" or "no" beside a point, given in data units across and as a share of the height."""
    from matplotlib import rcParams
    from matplotlib.patheffects import withStroke

    distance = (-4 if leftwards else 4, -4 if downwards else 4)
    text = axes.annotate(word, at, distance, xycoords=("data", "axes fraction"), textcoords="offset points", zorder=6)
    text.set(ha="right" if leftwards else "left", va="top" if downwards else "bottom")
    text.set(fontsize=8.5, fontweight="bold", color=text_color())
    text.set_path_effects([withStroke(linewidth=2.5, foreground=rcParams["axes.facecolor"], alpha=0.8)])


def stacked_histogram(axes: Axes, values: FloatArray, codes: IntArray, named: NamedTree, threshold: float) -> None:
    """Draw the classes' counts on top of each other; a bin edge lies on the threshold, so no bar has two sides."""
    from matplotlib.ticker import MaxNLocator

    edges = bin_edges(values, threshold)
    starts, widths, base = edges[:-1], np.diff(edges), np.zeros(len(edges) - 1)
    colors = named.colors()
    for code in np.unique(codes).tolist():
        counts = np.histogram(values[codes == code], edges)[0]
        axes.bar(starts, counts, widths, base, align="edge", color=colors[code], edgecolor="white", linewidth=0.4)
        base += counts
    axes.set_ylim(0, 1.18 * max(float(base.max()), 1.0))
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    axes.set_ylabel("rows")


def bin_edges(values: FloatArray, threshold: float) -> FloatArray:
    """Return equal bins that cover the values, the threshold among their edges."""
    low, high = float(min(values.min(), threshold)), float(max(values.max(), threshold))
    n_bins = int(np.clip(np.sqrt(len(values)) * 1.5, 8, 40))
    width = (high - low) / n_bins or 1.0
    before, after = int(np.ceil((threshold - low) / width)), int(np.floor((high - threshold) / width)) + 1
    return threshold + width * np.arange(-before, after + 1, dtype=np.float64)


def legend_handles(named: NamedTree) -> list[Line2D]:
    """Return a sign of ordinary size for each class, in the order of the classes."""
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], linestyle="", marker=MARKERS[k % len(MARKERS)], color=color, label=plain_name(named.labels[k]))
        for k, color in enumerate(named.colors())
    ]
