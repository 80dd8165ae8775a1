"""The tuning figures, drawn by matplotlib: accuracy and leaves against max depth for each r, one panel a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, nan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PAPER_CRITERIA
from cart_elc_reproduction.report.document import Figure, Panel
from cart_elc_reproduction.report.paper_tables import CRITERION_TITLES
from cart_elc_reproduction.report.svg import INK, file_svg, inline_svg, new_canvas
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Results

WIDTH, HEIGHT = 340.0, 340.0
LEFT, RIGHT = 42.0, 12.0
LEGEND_WIDTH, LEGEND_HEIGHT = 300.0, 46.0
LETTERS = 12.5
FAR_BELOW = 6.0
LEGEND_STYLE: dict[str, Any] = {
    "loc": "upper left",
    "frameon": False,
    "fontsize": LETTERS,
    "labelcolor": INK,
    "borderpad": 0.2,
    "borderaxespad": 0.0,
    "columnspacing": 0.8,
    "handlelength": 1.6,
    "handletextpad": 0.4,
}
# Okabe and Ito's colours, told apart without red or green; shapes tell them apart without colour.
COLOURS = {1: "#0072B2", 2: "#D55E00", 3: "#009E73", 4: "#CC79A7"}
SHAPES = {1: "o", 2: "s", 3: "^", 4: "D"}


@dataclass(frozen=True)
class Plot:
    """One of the two plots of a panel, at a place below its top; ``cut`` leaves out what is far below the rest."""

    title: str
    top: float
    bottom: float
    cut: bool


PLOTS = (Plot("accuracy, %", 46.0, 186.0, cut=True), Plot("leaves", 218.0, 302.0, cut=False))


@dataclass(frozen=True)
class Series:
    """One line of a plot: ours or the published one, by depth."""

    r: int
    by_depth: dict[int, float]
    ours: bool

    @property
    def style(self) -> dict[str, Any]:
        """Ours is solid and filled, the published one dashed and hollow."""
        return line_style(COLOURS[self.r], SHAPES[self.r], self.ours)


def line_style(colour: str, shape: str, ours: bool) -> dict[str, Any]:
    """Return matplotlib's options of a line."""
    line = {"linewidth": 2.0} if ours else {"linewidth": 1.2, "linestyle": (0, (3, 3)), "markerfacecolor": "none"}
    return {"color": colour, "marker": shape, "markersize": 6.0, "clip_on": False} | line


def tuning_figures(results: Results, datasets: Sequence[str], algorithm: str, title: str) -> list[Figure]:
    """Return a figure for each criterion that was run."""
    figures = []
    for criterion in PAPER_CRITERIA:
        drawn = [dataset for dataset in datasets if results.grid(dataset, algorithm, criterion)]
        if drawn:
            figures.append(tuning_figure(results, drawn, algorithm, criterion, title))
    return figures


def tuning_figure(results: Results, datasets: Sequence[str], algorithm: str, criterion: str, title: str) -> Figure:
    """Return the figure of one criterion: a panel for each data set, and all of them as one file."""
    name = f"{algorithm}-{criterion}"
    caption = f"{title} by {CRITERION_TITLES[criterion].lower()}: accuracy and leaves against max depth, by r."
    printed = any(point[1:3] == (algorithm, criterion) for point in published.grid())
    lines = {dataset: panel_series(results, dataset, algorithm, criterion) for dataset in datasets}
    panels = tuple(
        Panel(CATALOGUE[dataset].title, panel_svg(dataset, lines[dataset], algorithm, criterion))
        for dataset in datasets
    )
    return Figure(name, panels, caption, combined(lines, printed, caption), legend_svg(printed, name))


def panel_series(results: Results, dataset: str, algorithm: str, criterion: str) -> tuple[list[Series], list[Series]]:
    """Return the lines of accuracy and of leaves of one data set, the published ones below ours."""
    grid = results.grid(dataset, algorithm, criterion)
    ours = {point: (result.accuracy, result.size) for point, result in grid.items()}
    theirs = {point: cell for point, cell in published.grid().items() if point[:3] == (dataset, algorithm, criterion)}
    plots: tuple[list[Series], list[Series]] = ([], [])
    for r in sorted({point.r for point in (*ours, *theirs) if point.r is not None}):
        for cells, is_ours in ((theirs, False), (ours, True)):
            by_depth = {point.max_depth or 0: cell for point, cell in cells.items() if point.r == r}
            for quantity, lines in enumerate(plots):
                lines += series(r, by_depth, quantity, is_ours)
    return plots


def series(r: int, by_depth: dict[int, tuple[MeanStd, MeanStd]], quantity: int, ours: bool) -> list[Series]:
    """Return the line of one r, if it has points."""
    means = {depth: cell[quantity].mean for depth, cell in sorted(by_depth.items())}
    return [Series(r, means, ours)] if means else []


def panel_svg(dataset: str, lines: tuple[list[Series], list[Series]], algorithm: str, criterion: str) -> str:
    """Return the two plots of one data set as an SVG element."""
    canvas = new_canvas(WIDTH, HEIGHT)
    draw_panel(canvas, dataset, lines, 0.0, 0.0)
    method = f"{ALGORITHMS[algorithm].title}, {CRITERION_TITLES[criterion].lower()}"
    title = CATALOGUE[dataset].title
    label = f"{title}: accuracy and leaves against max depth ({method}); the table of this figure has the numbers"
    return inline_svg(canvas, label, f"{algorithm}-{criterion}-{dataset}")


def combined(lines: dict[str, tuple[list[Series], list[Series]]], printed: bool, label: str) -> str:
    """Return all panels as one SVG file that stands alone; four make a square, else three go in a row."""
    columns = 2 if len(lines) == 4 else min(3, len(lines))
    top = LEGEND_HEIGHT + 12.0
    canvas = new_canvas(columns * WIDTH, top + ceil(len(lines) / columns) * HEIGHT)
    draw_legend(canvas, printed)
    for i, (dataset, plots) in enumerate(lines.items()):
        draw_panel(canvas, dataset, plots, (i % columns) * WIDTH, top + (i // columns) * HEIGHT)
    return file_svg(canvas, label)


def draw_panel(canvas: Canvas, dataset: str, lines: Sequence[list[Series]], left: float, top: float) -> None:
    """Draw the two plots of one data set with their corner at a place, in points from the canvas's own."""
    width, height = 72.0 * canvas.get_size_inches()
    title = CATALOGUE[dataset].title
    canvas.text((left + LEFT) / width, 1 - (top + 16) / height, title, size=14, weight="bold", color=INK)
    for plot, plotted in zip(PLOTS, lines, strict=True):
        place = (left + LEFT, height - top - plot.bottom, WIDTH - LEFT - RIGHT, plot.bottom - plot.top)
        axes = canvas.add_axes((place[0] / width, place[1] / height, place[2] / width, place[3] / height))
        draw_plot(axes, plot, plotted)
        axes.tick_params(labelbottom=plot is PLOTS[-1])
    axes.set_xlabel("max depth", size=LETTERS, color=INK)


def draw_plot(axes: Axes, plot: Plot, lines: Sequence[Series]) -> None:
    """Draw the lines of one plot, and tell in words what lies below its axis."""
    values = [value for line in lines for value in line.by_depth.values()]
    depths = sorted({depth for line in lines for depth in line.by_depth})
    lowest = lowest_shown(values) if plot.cut else min(values)
    marks = MaxNLocator(4, steps=[1, 2, 5, 10], min_n_ticks=2).tick_values(lowest, max(values))
    dress(axes, plot.title, depths, marks)
    for line in lines:
        shown = [value if value >= marks[0] else nan for value in line.by_depth.values()]
        axes.plot(list(line.by_depth), shown, **line.style)
    for depth in depths:
        tell_below(axes, depth, [line.by_depth[depth] for line in lines if depth in line.by_depth], marks[0])


def dress(axes: Axes, title: str, depths: Sequence[int], marks: Sequence[float]) -> None:
    """Give a plot its scales, its grid and its name."""
    axes.set_title(title, loc="left", size=LETTERS, color=INK)
    axes.set_xlim(depths[0] - 0.25, depths[-1] + 0.25)
    axes.set_ylim(marks[0], marks[-1])
    axes.set_xticks(depths)
    axes.set_yticks(marks)
    axes.tick_params(length=0, pad=6, labelsize=LETTERS, labelcolor=INK)
    axes.grid(axis="y", color=INK, alpha=0.15, clip_on=False)
    axes.patch.set_visible(False)
    axes.spines[:].set_visible(False)


def lowest_shown(values: Sequence[float]) -> float:
    """Return where the axis starts: at the least value, unless it is far below the others.

    Far is more than six times as far below the best as the median is, with a gap of twice the range of the rest.
    """
    ordered = sorted(values)
    best, median = ordered[-1], ordered[len(ordered) // 2]
    cut = best - FAR_BELOW * max(best - median, 0.5)
    near = [value for value in ordered if value >= cut]
    far = ordered[: len(ordered) - len(near)]
    return near[0] if far and near[0] - far[-1] > 2.0 * (best - near[0]) else ordered[0]


def tell_below(axes: Axes, depth: int, values: Sequence[float], low: float) -> None:
    """Write the range of the values at a depth that lie below the axis."""
    hidden = [f"{value:.0f}" for value in sorted(values) if value < low]
    if hidden:
        text = " to ".join(dict.fromkeys((hidden[0], hidden[-1]))) + " ↓"
        axes.annotate(text, (depth, low), (-12, 4), textcoords="offset points", size=LETTERS, color=INK)


def legend_svg(printed: bool, name: str) -> str:
    """Return the key to lines and markers as an SVG element."""
    canvas = new_canvas(LEGEND_WIDTH, LEGEND_HEIGHT)
    draw_legend(canvas, printed)
    label = "Colours and shapes: r. Solid: ours" + ("; dashed: published." if printed else ".")
    return inline_svg(canvas, label, f"{name}-key")


def draw_legend(canvas: Canvas, printed: bool) -> None:
    """Draw the key into the upper left corner: two rows that can be read on a phone."""
    kinds = {"ours": True} | ({"published": False} if printed else {})
    rows = [
        {f"r = {r}": line_style(COLOURS[r], SHAPES[r], ours=True) for r in COLOURS},
        {name: line_style(INK, SHAPES[1], ours) for name, ours in kinds.items()},
    ]
    width, height = 72.0 * canvas.get_size_inches()
    for i, row in enumerate(rows):
        handles = [Line2D([], [], label=name, **style) for name, style in row.items()]
        place = (6.0 / width, 1.0 - 22.0 * i / height, 0.0, 0.0)
        canvas.legend(handles=handles, bbox_to_anchor=place, ncols=len(row), **LEGEND_STYLE)
