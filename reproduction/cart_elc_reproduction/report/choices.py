"""Where the selection rule falls: on the published grid, and on ours.

A tenth of a point in one mean moves the rule to another grid point, and with it accuracy and size in Tables 2 and 5,
even where every grid point is reproduced.
"""

from __future__ import annotations

from itertools import product

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import PAPER_CRITERIA
from cart_elc_reproduction.report.document import Block, Cell, Table, row
from cart_elc_reproduction.report.formats import mean_std_text
from cart_elc_reproduction.report.paper_tables import CRITERION_TITLES, papers_choice
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Results
from cart_elc_reproduction.results.selection import Candidate, GridPoint, select_point


def choice_blocks(results: Results) -> tuple[Block, ...]:
    """Return the choices side by side, and our figures at the paper's choice."""
    cells = product(results.datasets_run, PAPER_CRITERIA)
    lines = [line for cell in cells if (line := choice_row(results, *cell))]
    if not lines:
        return ("No published grid belongs to what was run.",)
    moved = sum(line[-1].text != "" for line in lines)
    table = Table(
        header=("CART-ELC", "Paper's choice", "published", "ours there", "Our choice, if another"),
        rows=tuple(lines),
        caption="The grid points that the selection rule takes from the published grid and from ours: "
        f"in {moved} of {len(lines)} cells another one.",
        note="Accuracy in percent, leaves. Where the choice differs, Tables 2 and 5 compare figures of different grid "
        "points; the third and fourth column compare the same one.",
    )
    return (table,)


def published_choice(dataset: str, criterion: str) -> GridPoint | None:
    """Return the grid point that the selection rule takes from the published grid."""
    cells = {point: cell for point, cell in published.grid().items() if point[:3] == (dataset, "cart-elc", criterion)}
    return select_point(Candidate(point, accuracy.mean, leaves.mean) for point, (accuracy, leaves) in cells.items())


def choice_row(results: Results, dataset: str, criterion: str) -> tuple[Cell, ...] | None:
    """Return the choices of one cell of Table 5."""
    theirs, ours = published_choice(dataset, criterion), papers_choice(results, dataset, "cart-elc", criterion)
    there = None if theirs is None else results.by_point.get(theirs)
    if theirs is None or ours is None or there is None:
        return None
    title = f"{CATALOGUE[dataset].title}, {CRITERION_TITLES[criterion].lower()}"
    moved = Cell("") if ours.point == theirs else Cell(place(ours.point), both(ours.accuracy, ours.size))
    return row(title, place(theirs), both(*published.grid()[theirs]), both(there.accuracy, there.size), moved)


def place(point: GridPoint) -> str:
    """Return a grid point in words."""
    return f"r {point.r}, depth {point.max_depth}"


def both(accuracy: MeanStd, leaves: MeanStd) -> str:
    """Return accuracy and leaves."""
    return f"{mean_std_text(accuracy)}; {mean_std_text(leaves)}"
