"""The tuning figures as SVG: accuracy and leaves against max depth for each r, one panel a data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments import published
from cart_elc.experiments.algorithms import ALGORITHMS, CRITERIA
from cart_elc.experiments.report.document import Figure, Panel
from cart_elc.experiments.report.paper_tables import CRITERION_TITLES
from cart_elc.experiments.results import Results

Point = tuple[float, float]
WIDTH, LEFT, RIGHT = 340.0, 42.0, 12.0
PLOTS = (("accuracy, %", 46.0, 186.0, True), ("leaves", 218.0, 302.0, False))
HEIGHT = 340.0
LEGEND_WIDTH, LEGEND_HEIGHT = 282.0, 46.0
FAR_BELOW = 6.0
# Okabe and Ito's colours, told apart without red or green; shapes tell them apart without colour.
COLOURS = {1: "#0072B2", 2: "#D55E00", 3: "#009E73", 4: "#CC79A7"}
SHAPES: dict[int, Callable[[float, float], str]] = {
    1: lambda x, y: f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>',
    2: lambda x, y: f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>',
    3: lambda x, y: f'<path d="M{x:.1f} {y - 4:.1f}l4 7h-8z"/>',
    4: lambda x, y: f'<path d="M{x:.1f} {y - 4.4:.1f}l4.4 4.4-4.4 4.4-4.4-4.4z"/>',
}


@dataclass(frozen=True)
class Series:
    """One line of a plot."""

    r: int
    points: tuple[Point, ...]
    ours: bool

    @property
    def title(self) -> str:
        """What the line shows."""
        return f"r = {self.r}, {'ours' if self.ours else 'published'}"


@dataclass(frozen=True)
class Scale:
    """Maps values to the page."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Return round values that cover a range."""
    raw = max(high - low, 1e-9) / about
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= raw)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [i * step for i in range(first, max(last, first + 1) + 1)]


def tuning_figures(results: Results, datasets: Sequence[str], algorithm: str, title: str) -> list[Figure]:
    """Return a figure for each criterion that was run."""
    figures = []
    for criterion in CRITERIA:
        drawn = [dataset for dataset in datasets if results.grid(dataset, algorithm, criterion)]
        panels = tuple(
            Panel(CATALOGUE[dataset].title, panel(results, dataset, algorithm, criterion)) for dataset in drawn
        )
        if panels:
            caption = f"{title} by {CRITERION_TITLES[criterion].lower()}: accuracy and leaves against max depth, by r."
            printed = any(point[1:3] == (algorithm, criterion) for point in published.grid())
            figures.append(Figure(f"{algorithm}-{criterion}", panels, caption, legend(printed)))
    return figures


def panel(results: Results, dataset: str, algorithm: str, criterion: str) -> str:
    """Return the two plots of one data set as an SVG element."""
    accuracy, leaves = list[Series](), list[Series]()
    grid = results.grid(dataset, algorithm, criterion)
    printed = {p: cell for p, cell in published.grid().items() if p[:3] == (dataset, algorithm, criterion)}
    for r in sorted({point.r for point in (*grid, *printed) if point.r is not None}):
        ours = {point.max_depth or 0: result for point, result in grid.items() if point.r == r}
        theirs = {point.max_depth or 0: cell for point, cell in printed.items() if point.r == r}
        accuracy += series(r, {depth: cell[0].mean for depth, cell in theirs.items()}, ours=False)
        accuracy += series(r, {depth: result.accuracy.mean for depth, result in ours.items()}, ours=True)
        leaves += series(r, {depth: cell[1].mean for depth, cell in theirs.items()}, ours=False)
        leaves += series(r, {depth: result.size.mean for depth, result in ours.items()}, ours=True)
    body = "".join(plot(lines, *place) for lines, place in zip((accuracy, leaves), PLOTS, strict=True))
    name = escape(CATALOGUE[dataset].title)
    method = f"{ALGORITHMS[algorithm].title}, {CRITERION_TITLES[criterion].lower()}"
    label = (
        f"{name}: accuracy and leaves against max depth ({escape(method)}); the table of this figure has the numbers"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">'
        f'<text class="title" x="{LEFT:g}" y="16">{name}</text>{body}{depth_ticks(accuracy)}</svg>'
    )


def series(r: int, by_depth: dict[int, float], ours: bool) -> list[Series]:
    """Return the line of one r, if it has points."""
    points = tuple((float(depth), value) for depth, value in sorted(by_depth.items()))
    return [Series(r, points, ours)] if points else []


def plot(lines: Sequence[Series], title: str, top: float, bottom: float, cut: bool) -> str:
    """Return one plot: grid, axes, lines; with ``cut``, values far below the others are told in words."""
    values = [value for line in lines for _, value in line.points]
    depths = sorted({depth for line in lines for depth, _ in line.points})
    marks = ticks(lowest_shown(values) if cut else min(values), max(values))
    x = Scale(depths[0] - 0.25, depths[-1] + 0.25, LEFT, WIDTH - RIGHT)
    y = Scale(marks[0], marks[-1], bottom, top)
    grid = "".join(
        f'<line class="grid" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>'
        f'<text class="tick" x="{LEFT - 6:g}" y="{y(mark) + 3.5:.1f}" text-anchor="end">{mark:g}</text>'
        for mark in marks
    )
    name = f'<text class="axis" x="{LEFT:g}" y="{top - 9:g}">{title}</text>'
    below = "".join(told_below(depth, lines, marks[0], x, bottom) for depth in depths)
    return grid + name + clipped("".join(drawn(line, x, y) for line in lines), top, bottom) + below


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


def told_below(depth: float, lines: Sequence[Series], low: float, x: Scale, bottom: float) -> str:
    """Return the range of the values at a depth that lie below the axis, in words."""
    hidden = [value for line in lines for at, value in line.points if at == depth and value < low]
    if not hidden:
        return ""
    low_text, high_text = f"{min(hidden):.0f}", f"{max(hidden):.0f}"
    text = low_text + ("" if low_text == high_text else f" to {high_text}") + " ↓"
    return f'<text class="tick" x="{x(depth) - 12:.1f}" y="{bottom - 6:g}">{text}</text>'


def clipped(content: str, top: float, bottom: float) -> str:
    """Return the content cut off below the plot; a nested element clips without needing a name."""
    height = bottom - top + 10
    box = f'x="0" y="{top - 5:g}" width="{WIDTH:g}" height="{height:g}"'
    return f'<svg {box} viewBox="0 {top - 5:g} {WIDTH:g} {height:g}">{content}</svg>'


def depth_ticks(lines: Sequence[Series]) -> str:
    """Return the numbers below both plots, and what they count."""
    depths = sorted({depth for line in lines for depth, _ in line.points})
    x = Scale(depths[0] - 0.25, depths[-1] + 0.25, LEFT, WIDTH - RIGHT)
    numbers = "".join(
        f'<text class="tick" x="{x(depth):.1f}" y="{PLOTS[1][2] + 16:g}" text-anchor="middle">{depth:g}</text>'
        for depth in depths
    )
    middle = (LEFT + WIDTH - RIGHT) / 2
    return numbers + f'<text class="axis" x="{middle:g}" y="{HEIGHT - 6:g}" text-anchor="middle">max depth</text>'


def drawn(line: Series, x: Scale, y: Scale) -> str:
    """Return a line with its markers; ours is solid and filled, the published one dashed and hollow."""
    path = " ".join(f"{x(depth):.1f},{y(value):.1f}" for depth, value in line.points)
    markers = "".join(
        f"<g><title>{line.title}, depth {depth:g}: {value:.1f}</title>{SHAPES[line.r](x(depth), y(value))}</g>"
        for depth, value in line.points
    )
    kind = "ours" if line.ours else "printed"
    return f'<g class="{kind} r{line.r}"><polyline points="{path}"/>{markers}</g>'


def key(left: int, top: int, kind: str, shape: Callable[[float, float], str], name: str) -> str:
    """Return one entry of the legend."""
    line = f'<polyline points="{left},{top} {left + 24},{top}"/>'
    text = f'<text class="tick" x="{left + 30}" y="{top + 4}">{name}</text>'
    return f'<g class="{kind}">{line}{shape(left + 12, top)}</g>{text}'


def legend(printed: bool) -> str:
    """Return the key to lines and markers as an SVG element, two rows that can be read on a phone."""
    keys = [key(6 + 70 * i, 12, f"ours r{r}", SHAPES[r], f"r = {r}") for i, r in enumerate(COLOURS)]
    keys.append(key(6, 34, "ours plain", SHAPES[1], "ours"))
    if printed:
        keys.append(key(76, 34, "printed plain", SHAPES[1], "published"))
    label = "Colours and shapes: r. Solid: ours" + ("; dashed: published." if printed else ".")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEGEND_WIDTH:g} {LEGEND_HEIGHT:g}" role="img" '
        f'aria-label="{label}">{"".join(keys)}</svg>'
    )


def chart_style() -> str:
    """Return the style of all charts; text and grid take the page's colours."""
    colours = "".join(f".r{r}{{stroke:{colour};fill:{colour}}}" for r, colour in COLOURS.items())
    return (
        ".ours polyline,.printed polyline{fill:none}.ours polyline{stroke-width:2}"
        ".printed polyline{stroke-dasharray:3 3;stroke-width:1.2}"
        ".printed circle,.printed rect,.printed path{fill-opacity:0}"
        ".plain{stroke:currentColor;fill:currentColor}.grid{stroke:currentColor;stroke-opacity:.15}"
        ".title{font-weight:600;font-size:14px;fill:currentColor}.axis{font-size:12.5px;fill:currentColor}"
        ".tick{font-size:12.5px;fill:currentColor;opacity:.85}" + colours
    )


def combined(figure: Figure) -> str:
    """Return a figure's panels as one SVG file that stands alone; four make a square, else three go in a row."""
    columns = 2 if len(figure.panels) == 4 else min(3, len(figure.panels))
    rows = ceil(len(figure.panels) / columns)
    top = LEGEND_HEIGHT + 12.0
    width, height = columns * WIDTH, rows * HEIGHT + top
    parts = [placed(figure.legend, 8.0, 8.0, LEGEND_WIDTH, LEGEND_HEIGHT)] if figure.legend else []
    for i, part in enumerate(figure.panels):
        parts.append(placed(part.svg, (i % columns) * WIDTH, top + (i // columns) * HEIGHT, WIDTH, HEIGHT))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif" color="#222"><style>{chart_style()}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def placed(svg: str, x: float, y: float, width: float, height: float) -> str:
    """Return an SVG element at a place inside another."""
    return svg.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" ', 1)
