"""What the three plots share: figures, class colours and shapes, and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cart_elc.inspection.colors import class_colors
from cart_elc.inspection.layout import shortened
from cart_elc.inspection.rules import one_line
from cart_elc.inspection.subject import Subject, optional_import_error
from cart_elc.tree import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = "osD^vP*X<>ph"
"""Shapes of the classes, so that they can be told apart without colour."""


def new_figure(function: str, width: float, height: float) -> Figure:
    """Return a figure of so many inches, or say what is to be installed."""
    require_matplotlib(function)
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height))


def require_matplotlib(function: str) -> None:
    """Refuse with the extra's name if matplotlib is absent."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise optional_import_error(function, "matplotlib", "plot") from None


def plain(text: str, width: int = 40) -> str:
    """Return a user's text for matplotlib: one line, not too long, dollar signs not read as formulas."""
    return shortened(one_line(text), width).replace("$", r"\$")


def scatter_classes(axes: Axes, x: FloatArray, y: FloatArray, codes: IntArray, subject: Subject) -> None:
    """Draw points in the colours and shapes of their classes; the largest class first, so that small ones show."""
    size = float(np.clip(2200 / max(len(x), 1), 5, 30))
    order = np.argsort(-np.bincount(codes, minlength=subject.tree.n_classes), kind="stable")
    for code in order.tolist():
        rows = codes == code
        if rows.any():
            axes.scatter(
                x[rows],
                y[rows],
                s=size,
                marker=MARKERS[code % len(MARKERS)],
                color=class_colors(subject.tree.n_classes)[code],
                edgecolors="white",
                linewidths=0.4,
                label=plain(subject.labels[code]),
                zorder=3,
            )


def stacked_histogram(axes: Axes, values: FloatArray, codes: IntArray, subject: Subject, threshold: float) -> None:
    """Draw the classes' counts on top of each other; a bin edge lies on the threshold, so no bar has two sides."""
    edges = bin_edges(values, threshold)
    base = np.zeros(len(edges) - 1)
    for code, color in enumerate(class_colors(subject.tree.n_classes)):
        counts = np.histogram(values[codes == code], edges)[0]
        if counts.any():
            axes.bar(
                edges[:-1],
                counts,
                np.diff(edges),
                base,
                align="edge",
                color=color,
                edgecolor="white",
                linewidth=0.4,
                label=plain(subject.labels[code]),
            )
        base += counts
    axes.set_ylim(0, 1.08 * max(float(base.max()), 1.0))
    axes.set_ylabel("rows")


def bin_edges(values: FloatArray, threshold: float) -> FloatArray:
    """Return equal bins that cover the values, the threshold among their edges."""
    low, high = float(min(values.min(), threshold)), float(max(values.max(), threshold))
    n_bins = int(np.clip(np.sqrt(len(values)) * 1.5, 8, 40))
    width = (high - low) / n_bins or 1.0
    before, after = int(np.ceil((threshold - low) / width)), int(np.floor((high - threshold) / width)) + 1
    return threshold + width * np.arange(-before, after + 1, dtype=np.float64)


def legend_below(figure: Figure, subject: Subject) -> None:
    """Draw one legend for all panels."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle="", marker=MARKERS[k % len(MARKERS)], color=color, label=plain(subject.labels[k]))
        for k, color in enumerate(class_colors(subject.tree.n_classes))
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 6), frameon=False)
