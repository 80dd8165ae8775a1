"""How figures are written and compared in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from cart_elc_reproduction.protocol.algorithms import DEFAULTS
from cart_elc_reproduction.report.document import NOTHING, Cell, Mark
from cart_elc_reproduction.results.gathering import MeanStd, Result

Verdict = Literal["to the digit", "reproduced", "beaten", "not reached"]
VERDICTS: tuple[Verdict, ...] = ("to the digit", "reproduced", "beaten", "not reached")
# Published figures have one decimal: half a unit of it is no difference.
ROUNDING = 0.05


def mean_std_text(figure: MeanStd | None) -> str:
    """Return mean ± standard deviation as the paper prints it."""
    return NOTHING if figure is None else f"{figure.mean:.1f} ± {figure.std:.1f}"


def where_chosen(result: Result | None) -> str:
    """Return the grid point of a result in words."""
    if result is None:
        return ""
    r = "" if result.point.r is None else f"r {result.point.r}, "
    own = "stops by itself" if result.point.algorithm in DEFAULTS else "own pruning"
    return r + (own if result.point.max_depth is None else f"depth {result.point.max_depth}")


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, by a true minus."""
    text = f"{value:+.{digits}f}"
    return "±" + text[1:] if float(text) == 0.0 else text.replace("-", "\N{MINUS SIGN}")


def two_deviations(ours: MeanStd, published: MeanStd) -> float:
    """Return the difference that is marked when exceeded: two of the larger standard deviation, and rounding."""
    return 2.0 * max(ours.std, published.std) + ROUNDING


def mark_of(ours: MeanStd, published: MeanStd) -> Mark:
    """Return the direction of a difference beyond two standard deviations."""
    difference = ours.mean - published.mean
    if abs(difference) <= two_deviations(ours, published):
        return ""
    return "above" if difference > 0 else "below"


def verdict_of(ours: MeanStd, published: MeanStd, higher_is_better: bool) -> Verdict:
    """Return whether a published figure is reproduced, beaten or not reached."""
    if f"{ours.mean:.1f}" == f"{published.mean:.1f}":
        return "to the digit"
    mark = mark_of(ours, published)
    if not mark:
        return "reproduced"
    return "beaten" if (mark == "above") == higher_is_better else "not reached"


def compared(ours: MeanStd | None, published: MeanStd | None, higher_is_better: bool) -> Cell:
    """Return the cell that sets our figure beside the published one."""
    if ours is None or published is None:
        return Cell(mean_std_text(ours), "" if published is None else mean_std_text(published))
    difference = signed(ours.mean - published.mean)
    mark = mark_of(ours, published)
    good = (mark == "above") == higher_is_better
    return Cell(mean_std_text(ours), mean_std_text(published), difference, mark, good=good)


def strengthen(cells: list[tuple[MeanStd | None, Cell]], higher_is_better: bool) -> list[Cell]:
    """Make the best figures of a column strong, as the paper prints them."""
    means = [round(figure.mean, 1) for figure, _ in cells if figure is not None]
    if len(means) < 2:
        return [cell for _, cell in cells]
    best = max(means) if higher_is_better else min(means)
    return [replace(cell, strong=figure is not None and round(figure.mean, 1) == best) for figure, cell in cells]


def transpose(columns: Iterable[list[Cell]]) -> list[tuple[Cell, ...]]:
    """Return rows of cells from columns."""
    return list(zip(*columns, strict=True))


def duration(seconds: float) -> str:
    """Return a time with a fitting unit."""
    if seconds < 0.0995:
        return f"{1000 * seconds:.2g} ms"
    if seconds < 0.995:
        return f"{seconds:.2f} s"
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def span(numbers: Sequence[int]) -> str:
    """Return the first and the last of sorted numbers, once where they are equal; 0 where there are none."""
    ends = dict.fromkeys((numbers[0], numbers[-1])) if numbers else (0,)
    return " to ".join(map(str, ends))


def share(part: int, whole: int) -> str:
    """Return a share in whole percent, rounded down: 100 % says all."""
    return f"{100 * part // max(whole, 1)} %"


def count(number: float) -> str:
    """Return a count, by a power of ten where it is long."""
    return f"{number:,.0f}" if number < 1e6 else f"{number:.2e}"
