"""One split in its own view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cart_elc.inspection.draw.cards import rule_parts
from cart_elc.inspection.draw.colors import GREY
from cart_elc.inspection.draw.matplotlib import canvas
from cart_elc.inspection.draw.split_view import SplitView, jittered
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import ANSWERS, isolated, one_line, shortened, wrapped
from cart_elc.tree import LEFT as GOES_LEFT
from cart_elc.tree import RIGHT as GOES_RIGHT
from cart_elc.tree import FloatArray, IntArray, MissingPolicy, weighted_sums

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

PANEL = (4.6, 3.7)
"""Width and height of a panel in inches. Distances are fixed: an engine that finds them takes minutes for many."""
LEFT, RIGHT, BOTTOM, TOP, TITLE_LINE = 0.62, 0.14, 0.52, 0.34, 0.16
BARS = (1.28, 2.14)  # from where to where the coefficients' bars reach, and the names before them have room
DISTANCES = 2.92
NAME_WIDTH = 18  # characters of a name in a line beside the coefficients' bars
MOST_BARS = 8
ROOM_ALONE, ROOM = 0.12, 0.25  # shares of the width that are left for a word on either side of the plane


def draw_panel(panel: SubFigure, rules: Rulebook, view: SplitView, codes: IntArray) -> None:
    named = rules.named
    spread = dict(zip(named.tree.split(view.node)[0].tolist(), view.spread.tolist(), strict=True))
    lines = [canvas.plain(line) for line in wrapped(rule_parts(rules, view.node, spread), 44)]
    lines[0] = f"#{view.node}: {lines[0]}"
    panel.suptitle("\n".join(lines), fontsize=9, color=canvas.text_color(), y=1 - 0.08 / PANEL[1], va="top")
    top = TOP + TITLE_LINE * len(lines) - (0.0 if view.n_missing else TITLE_LINE)
    n_features = len(spread)
    if n_features > 2:
        draw_coefficients(add_axes(panel, *BARS, top), named, view)
    axes = add_axes(panel, DISTANCES if n_features > 2 else LEFT, PANEL[0] - RIGHT, top)
    draw = draw_levels if named.tree.is_categorical[view.node] else draw_plane if n_features == 2 else draw_sums
    draw(axes, named, view, codes)
    axes.spines[["top", "right"]].set_visible(False)
    note_missing(axes, named, view)


def add_axes(panel: SubFigure, left: float, right: float, top: float) -> Axes:
    """Return axes at a place given in inches from the panel's left and top."""
    width, height = PANEL
    return panel.add_axes((left / width, BOTTOM / height, (right - left) / width, (height - BOTTOM - top) / height))


def side_color(named: NamedTree, node: int, side: str) -> str:
    """Return the colour of the class that most rows of a child have."""
    children = named.tree.children_left if side == "left" else named.tree.children_right
    return named.colors()[named.majority(int(children[node]))]


def signed_largest(weights: FloatArray) -> float:
    """Return the weight that has the sign of the written rule."""
    return float(weights[int(np.argmax(np.abs(weights)))])


def draw_sums(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split as a histogram: one feature in its own unit, more of them as signed distances from the plane."""
    features, weights, threshold = named.tree.split(view.node)
    alone = len(features) == 1
    scale = float(1.0 / weights[0] if alone else np.sign(signed_largest(weights)) / np.linalg.norm(weights))
    plane, origin = (threshold * scale, 0.0) if alone else (0.0, threshold * scale)
    values, ends = view.sums * scale - origin, sorted(end * scale - origin for end in view.band)
    if len(values):
        canvas.stacked_histogram(axes, values, codes, named, plane)
    low, high = axes.get_xlim()
    room = (ROOM_ALONE if alone else ROOM) * (high - low)
    low, high = min(low, plane - room), max(high, plane + room)
    for end, side in zip((high, low) if scale > 0 else (low, high), ("left", "right"), strict=True):
        axes.axvspan(plane, end, color=side_color(named, view.node, side), alpha=0.10, linewidth=0, zorder=0)
    axes.axvspan(*ends, color=GREY, alpha=0.25, linewidth=0, zorder=0.5)
    axes.axvline(plane, color=canvas.text_color(), linewidth=1.4)
    axes.set_xlim(low, high)
    axes.set_xlabel(canvas.plain_name(named.features[int(features[0])]) if alone else "signed distance")
    for word, after in (("yes", scale > 0), ("no", scale < 0)):
        canvas.write_side(axes, word, (plane, 1.0), leftwards=not after, downwards=True)


def draw_levels(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split on a category as a bar for each level, those of the "no" side first."""
    rule = named.tree.rule(view.node)
    n_right, levels = len(rule.levels_of(GOES_RIGHT)), rule.levels_of(GOES_RIGHT) + rule.levels_of(GOES_LEFT)
    base, feature = np.zeros(len(levels)), rule.features[0]
    for code in np.unique(codes).tolist():
        counts = np.array([np.count_nonzero(view.codes[codes == code] == level) for level in levels])
        axes.bar(
            np.arange(len(levels)), counts, 0.8, base, color=named.colors()[code], edgecolor="white", linewidth=0.4
        )
        base += counts
    for start, end, side in ((-0.5, n_right - 0.5, "right"), (n_right - 0.5, len(levels) - 0.5, "left")):
        axes.axvspan(start, end, color=side_color(named, view.node, side), alpha=0.10, linewidth=0, zorder=0)
    axes.axvline(n_right - 0.5, color=canvas.text_color(), linewidth=1.4)
    axes.set_xlim(-0.5, len(levels) - 0.5)
    axes.set_ylim(0, 1.18 * max(float(base.max(initial=0.0)), 1.0))
    names = [canvas.plain_name(str(named.level(feature, level)), NAME_WIDTH // 2) for level in levels]
    axes.set_xticks(np.arange(len(levels)), names, fontsize=7)
    axes.set_ylabel("rows")
    axes.set_xlabel(canvas.plain_name(named.features[feature]))
    for word, after in (("yes", True), ("no", False)):
        canvas.write_side(axes, word, (n_right - 0.5, 1.0), leftwards=not after, downwards=True)


def draw_plane(axes: Axes, named: NamedTree, view: SplitView, codes: IntArray) -> None:
    """Draw a split on two features as a line."""
    features, weights, threshold = named.tree.split(view.node)
    places = jittered(view.points, lambda points: weighted_sums(points, weights) >= threshold)
    canvas.scatter_classes(axes, places[:, 0], places[:, 1], codes, named)
    axes.margins(0.06)
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    grid = np.meshgrid(np.linspace(x0, x1, 200), np.linspace(y0, y1, 200))
    field = weights[0] * grid[0] + weights[1] * grid[1]
    colors = [side_color(named, view.node, side) for side in ("right", "left")]
    limits = [min(field.min(), threshold) - 1.0, threshold, max(field.max(), threshold) + 1.0]
    axes.contourf(*grid, field, limits, colors=colors, alpha=0.13, zorder=0)
    if view.band[0] < view.band[1]:
        axes.contourf(*grid, field, view.band, colors=[GREY], alpha=0.25, zorder=1)
    line = [canvas.text_color()]
    axes.contour(*grid, field, [threshold], colors=line, linestyles="solid", linewidths=1.4, zorder=4)
    write_sides(axes, weights)
    axes.set_xlabel(canvas.plain_name(named.features[int(features[0])]))
    axes.set_ylabel(canvas.plain_name(named.features[int(features[1])]))


def write_sides(axes: Axes, weights: FloatArray) -> None:
    """Write "yes" and "no" into the corners that are farthest from the line."""
    right, top = (weight > 0 for weight in weights.tolist())
    for word, x, y in (("yes", right, top), ("no", not right, not top)):
        limits = axes.get_xlim()
        canvas.write_side(axes, word, (limits[int(x)], float(y)), leftwards=x, downwards=y)


def draw_coefficients(axes: Axes, named: NamedTree, view: SplitView) -> None:
    """Draw how much each feature moves the sum: its coefficient times its standard deviation at the node."""
    features, weights, _ = named.tree.split(view.node)
    effect = weights * view.spread / signed_largest(weights)
    effect = effect / (np.abs(effect).max() or 1.0)
    largest = np.sort(np.argsort(-np.abs(effect), kind="stable")[:MOST_BARS])
    names = [one_line(named.features[int(j)]) for j in features[largest]]
    labels = [in_two_lines(shortened(name, 2 * NAME_WIDTH - 2)) for name in names]
    places = np.arange(len(names))
    axes.barh(places, effect[largest], color=[GREY if value < 0 else canvas.text_color() for value in effect[largest]])
    axes.set_yticks(places, labels, fontsize=8 if len(names) < 5 else 7)
    axes.axvline(0.0, color=canvas.text_color(), linewidth=0.8)
    axes.set_xlim(-1.1, 1.1)
    axes.invert_yaxis()
    chosen = "" if len(largest) == len(weights) else f"; {len(largest)} of {len(weights)}"
    axes.set_xlabel(f"coef. x st. dev.{chosen}", fontsize=7)


def in_two_lines(name: str) -> str:
    r"""Return a long name in two lines, broken after a space or underscore if there is one.

    >>> in_two_lines("single_epithelial_cell_size")
    'single_epithelial_\ncell_size'
    """
    if len(name) <= NAME_WIDTH:
        return canvas.plain(isolated(name))
    breaks = [i + 1 for i, c in enumerate(name) if c in " _-" and len(name) - NAME_WIDTH - 2 <= i + 1 <= NAME_WIDTH]
    middle = len(name) // 2
    at = min(breaks, key=lambda i: abs(i - middle), default=middle)
    return "\n".join(canvas.plain(isolated(part)) for part in (name[:at], name[at:]))


def note_missing(axes: Axes, named: NamedTree, view: SplitView) -> None:
    if view.n_missing:
        where = ANSWERS[MissingPolicy(named.tree.missing[view.node]).name.lower()]
        text = f"{view.n_missing:,} row{'' if view.n_missing == 1 else 's'} with a missing value: {where}"
        axes.set_title(text, fontsize=8, color="#555b66", loc="left")
