"""Honest selection: accuracy when r and depth are chosen without the test folds."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, DEFAULTS
from cart_elc_reproduction.protocol.specification import MAIN_CRITERION, PAPER_R
from cart_elc_reproduction.report.document import NOTHING, Block, Cell, Table
from cart_elc_reproduction.report.formats import mean_std_text, signed, strengthen, transpose
from cart_elc_reproduction.report.paper_tables import (
    criterion_of,
    form_rows,
    form_title,
    papers_choice,
    quantity_of,
    titles,
)
from cart_elc_reproduction.results.gathering import Result, Results


def nested_blocks(results: Results) -> tuple[Block, ...]:
    """Return accuracy when the grid point is chosen without the test folds."""
    datasets = results.datasets_run
    nested = [name for name in ALGORITHMS if any(nested_of(results, dataset, name, True) for dataset in datasets)]
    if not nested:
        return ("No nested cross-validation was run.",)
    lines = form_rows(nested)
    columns = [[Cell(form_title(name, limited)) for name, limited in lines]]
    for dataset in datasets:
        honest = [nested_of(results, dataset, name, limited) for name, limited in lines]
        cells = [nested_cell(results, dataset, *line, result) for line, result in zip(lines, honest, strict=True)]
        figures = [quantity_of(result, "accuracy") for result in honest]
        columns.append(strengthen(list(zip(figures, cells, strict=True)), higher_is_better=True))
    table = Table(
        header=("Accuracy (%)", *titles(datasets)),
        rows=tuple(transpose(columns)),
        caption=f"Nested cross-validation ({MAIN_CRITERION}): the honest figure, the one selected on the test folds, "
        "and the difference; the best honest figures are bold.",
        note="The same outer folds; each chooses r and depth by an inner five-fold cross-validation on its training "
        "rows, by the same rule. “Any r” chooses also among the r beyond the paper's. The library's default stops by "
        "itself and has nothing to choose.",
    )
    text = (
        "The paper chooses r and depth on the folds that it then reports, so that its figures carry the luck of the "
        "choice. Below, the choice is made without them."
    )
    return (f"{text}{cost_text(results, datasets)}", table)


def cost_text(results: Results, datasets: Sequence[str]) -> str:
    """Say by how much the honest figures of CART-ELC differ from those of Table 2."""
    costs = [
        honest.accuracy.mean - selected.accuracy.mean
        for dataset in datasets
        if (honest := nested_of(results, dataset, "cart-elc", limited=True))
        and (selected := papers_choice(results, dataset, "cart-elc"))
    ]
    if not costs:
        return ""
    low, high = signed(min(costs)), signed(max(costs))
    change = low if low == high else f"{low} to {high}"
    return f" For CART-ELC with the paper's r this changes accuracy by {change} points."


def nested_of(results: Results, dataset: str, algorithm: str, limited: bool) -> Result | None:
    """Return the nested result of an algorithm's row."""
    if algorithm in DEFAULTS:  # chooses nothing, so its figure is honest as it is
        return papers_choice(results, dataset, algorithm)
    return results.nested(dataset, algorithm, criterion_of(algorithm), PAPER_R[dataset] if limited else None)


def nested_cell(results: Results, dataset: str, algorithm: str, limited: bool, honest: Result | None) -> Cell:
    """Return the honest figure beside the selected one."""
    largest = PAPER_R[dataset] if limited else None
    selected = results.chosen(dataset, algorithm, criterion_of(algorithm), largest)
    if honest is None or selected is None:
        return Cell(NOTHING)
    difference = signed(honest.accuracy.mean - selected.accuracy.mean)
    return Cell(mean_std_text(honest.accuracy), mean_std_text(selected.accuracy), difference)
