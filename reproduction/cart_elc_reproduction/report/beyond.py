"""Beyond the paper: r = 3, the other forms of CART-ELC, and the rivals under every criterion."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc_reproduction.protocol.algorithms import (
    ALGORITHMS,
    BY_DEPTH,
    ELC_FORMS,
    PAPER_CRITERIA,
    PUBLISHED,
    VARIANTS,
)
from cart_elc_reproduction.protocol.specification import PAPER_R
from cart_elc_reproduction.report.document import NOTHING, Block, Cell, Table
from cart_elc_reproduction.report.formats import mean_std_text, strengthen, transpose, where_chosen
from cart_elc_reproduction.report.paper_tables import (
    CRITERION_TITLES,
    QUANTITIES,
    criterion_of,
    form_rows,
    form_title,
    quantity_of,
    titles,
)
from cart_elc_reproduction.results.gathering import Results

RIVALS_TEXT = (
    "The published rows of OC1, OC1-AP, CART-LC, CART and C4.5 come from a study of 1994, with the pruning of "
    "those systems; “by depth” is the same method unpruned, over the depths that CART-ELC and HHCART were given. "
    "“Scaled features” and “release 8” are the estimators as they are by default."
)


def forms_blocks(results: Results) -> tuple[Block, ...]:
    """Return the forms of CART-ELC, with the paper's r and with all that was run."""
    datasets = results.datasets_run
    tables = tuple(
        forms_table(results, datasets, criterion, *quantity) for criterion in PAPER_CRITERIA for quantity in QUANTITIES
    )
    shown = tuple(table for table in tables if any(cell.text != NOTHING for line in table.rows for cell in line[1:]))
    text = (
        "CART-ELC in the paper's reading (plane through its samples, last coefficient positive, missing values below), "
        "with both signs tried and missing values sent where they score best, and with the plane moved to the widest "
        "margin. Each with the r of the paper, and with every r that was run: the paper stopped at 2 (4 on iris). The "
        "grid point chosen is given below each figure. The last rows are the library's default, all linear splits by "
        "description length, which is the same in each table: it stops by itself, so nothing was chosen. Refined, it "
        "goes on until every split is proven best given all the others."
    )
    return (text, *shown)


def forms_table(
    results: Results, datasets: Sequence[str], criterion: str, quantity: str, title: str, higher: bool
) -> Table:
    """Return one quantity of the forms under one criterion."""
    rows = form_rows(ELC_FORMS)
    columns = [[Cell(form_title(form, limited)) for form, limited in rows]]
    for dataset in datasets:
        cells = []
        for form, limited in rows:
            largest = PAPER_R[dataset] if limited else None
            result = results.chosen(dataset, form, criterion_of(form, criterion), largest)
            figure = quantity_of(result, quantity)
            cells.append((figure, Cell(mean_std_text(figure), where_chosen(result))))
        columns.append(strengthen(cells, higher))
    caption = f"{title} of the forms of CART-ELC by {CRITERION_TITLES[criterion].lower()}; the best are bold."
    return Table(("Form", *titles(datasets)), tuple(transpose(columns)), caption)


def rivals_blocks(results: Results) -> tuple[Block, ...]:
    """Return the rivals under every criterion, as published and by the paper's grid."""
    rivals = [
        (name, criterion)
        for name in (*PUBLISHED[1:], *VARIANTS, *BY_DEPTH)
        for criterion in (PAPER_CRITERIA if len(ALGORITHMS[name].criteria) > 1 else ALGORITHMS[name].criteria)
        if any(results.grid(dataset, name, criterion) for dataset in results.datasets_run)
    ]
    if not rivals:
        return ("No rival was run.",)
    return (RIVALS_TEXT, *(rivals_table(results, rivals, *quantity) for quantity in QUANTITIES))


def rivals_table(results: Results, rivals: Sequence[tuple[str, str]], quantity: str, title: str, higher: bool) -> Table:
    """Return one quantity of the rivals, each with its criterion."""
    columns = [[Cell(f"{ALGORITHMS[name].title}, {criterion.replace('_', ' ')}") for name, criterion in rivals]]
    for dataset in results.datasets_run:
        chosen = [results.chosen(dataset, name, criterion) for name, criterion in rivals]
        figures = [quantity_of(result, quantity) for result in chosen]
        cells = [Cell(mean_std_text(f), where_chosen(r)) for f, r in zip(figures, chosen, strict=True)]
        columns.append(strengthen(list(zip(figures, cells, strict=True)), higher))
    caption = f"{title} of the rivals under every criterion; the best are bold."
    return Table(("Rival", *titles(results.datasets_run)), tuple(transpose(columns)), caption)
