"""The tuning figures, each with the table of its numbers: a drawing alone can be neither checked nor read aloud."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import PAPER_CRITERIA
from cart_elc_reproduction.report.charts import tuning_figures
from cart_elc_reproduction.report.document import Block, Cell, Table, row
from cart_elc_reproduction.report.formats import compared
from cart_elc_reproduction.report.paper_tables import COMPARES, CRITERION_TITLES, QUANTITIES, quantity_of
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.results.selection import GridPoint

FORMS = {"cart-elc": "CART-ELC", "cart-elc-margin": "CART-ELC with the widest margin"}


def tuning_blocks(results: Results) -> tuple[Block, ...]:
    """Return a figure and its table for each form and criterion that was run."""
    blocks = [block for form, title in FORMS.items() for block in form_blocks(results, form, title)]
    return tuple(blocks) or ("No grid was run.",)


def form_blocks(results: Results, algorithm: str, title: str) -> list[Block]:
    """Return the figures and tables of one form of CART-ELC."""
    datasets = results.datasets_run
    figures = {figure.name: figure for figure in tuning_figures(results, datasets, algorithm, title)}
    blocks: list[Block] = []
    for criterion in PAPER_CRITERIA:
        figure = figures.get(f"{algorithm}-{criterion}")
        if figure is not None:
            blocks += [figure, grid_table(results, datasets, algorithm, criterion, title)]
    return blocks


def grid_table(results: Results, datasets: Sequence[str], algorithm: str, criterion: str, title: str) -> Table:
    """Return accuracy and leaves at every grid point, beside the published ones."""
    drawn = [dataset for dataset in datasets if results.grid(dataset, algorithm, criterion)]
    points = {point for dataset in drawn for point in results.grid(dataset, algorithm, criterion)}
    places = sorted({(point.r or 0, point.max_depth or 0) for point in points})
    columns = [(dataset, quantity) for dataset in drawn for quantity in QUANTITIES]
    rows = tuple(
        row(
            f"r = {r}, depth {depth}",
            *(
                grid_cell(results, GridPoint(dataset, algorithm, criterion, r, depth), quantity, higher)
                for dataset, (quantity, _, higher) in columns
            ),
        )
        for r, depth in places
    )
    return Table(
        header=("Grid point", *(f"{CATALOGUE[dataset].title}: {name.lower()}" for dataset, (_, name, _) in columns)),
        rows=rows,
        caption=f"{title} by {CRITERION_TITLES[criterion].lower()}: the numbers of the figure.",
        note=COMPARES if any(point in published.grid() for point in points) else "",
        folded=f"The numbers: {title} by {CRITERION_TITLES[criterion].lower()}",
    )


def grid_cell(results: Results, point: GridPoint, quantity: str, higher: bool) -> Cell:
    """Return one quantity at one grid point beside the published one."""
    accuracy, leaves = published.grid().get(point, (None, None))
    ours = quantity_of(results.by_point.get(point), quantity)
    return compared(ours, accuracy if quantity == "accuracy" else leaves, higher)
