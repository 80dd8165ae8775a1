"""Beyond the paper: r = 3, the other forms of CART-ELC, honest selection, and other tests."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments.algorithms import ALGORITHMS, BY_DEPTH, ELC_FORMS, PUBLISHED, VARIANTS
from cart_elc.experiments.report.document import NOTHING, Block, Cell, Table, row
from cart_elc.experiments.report.formats import figure_text, signed, strengthen, transpose
from cart_elc.experiments.report.paper_tables import (
    CRITERION_TITLES,
    QUANTITIES,
    criterion_of,
    our_comparison,
    papers_choice,
    quantity_of,
    titles,
)
from cart_elc.experiments.results import Result, Results
from cart_elc.experiments.specification import CRITERIA, MAIN_CRITERION, PAPER_R
from cart_elc.experiments.statistics import LEVEL


def forms_blocks(results: Results, datasets: Sequence[str]) -> tuple[Block, ...]:
    """Return the three forms of CART-ELC, with the paper's r and with all that was run."""
    tables = tuple(
        forms_table(results, datasets, criterion, *quantity) for criterion in CRITERIA for quantity in QUANTITIES
    )
    shown = tuple(table for table in tables if any(cell.text != NOTHING for line in table.rows for cell in line[1:]))
    text = (
        "CART-ELC in the paper's reading (plane through its samples, last coefficient positive, missing values below), "
        "with both signs tried and missing values sent where they score best, and with the plane moved to the widest "
        "margin (the library's default). Each with the r of the paper, and with every r that was run: the paper "
        "stopped at 2 (4 on iris). The grid point chosen is given below each figure."
    )
    return (text, *shown)


def forms_table(
    results: Results, datasets: Sequence[str], criterion: str, quantity: str, title: str, higher: bool
) -> Table:
    """Return one quantity of the forms under one criterion."""
    rows = [(form, limited) for form in ELC_FORMS for limited in (True, False)]
    columns = [[Cell(form_title(form, limited)) for form, limited in rows]]
    for dataset in datasets:
        cells = []
        for form, limited in rows:
            result = results.chosen(dataset, form, criterion, PAPER_R[dataset] if limited else None)
            figure = quantity_of(result, quantity)
            cells.append((figure, Cell(figure_text(figure), where_chosen(result))))
        columns.append(strengthen(cells, higher))
    caption = f"{title} of the forms of CART-ELC by {CRITERION_TITLES[criterion].lower()}; the best are bold."
    return Table(("Form", *titles(datasets)), tuple(transpose(columns)), caption)


def where_chosen(result: Result | None) -> str:
    """Return the grid point of a result."""
    if result is None:
        return ""
    r = "" if result.point.r is None else f"r {result.point.r}, "
    return r + ("own pruning" if result.point.max_depth is None else f"depth {result.point.max_depth}")


def rivals_blocks(results: Results, datasets: Sequence[str]) -> tuple[Block, ...]:
    """Return the rivals under every criterion, as published and by the paper's grid."""
    rivals = [
        (name, criterion)
        for name in (*PUBLISHED[1:], *VARIANTS, *BY_DEPTH)
        for criterion in (CRITERIA if len(ALGORITHMS[name].criteria) > 1 else ALGORITHMS[name].criteria)
        if any(results.grid(dataset, name, criterion) for dataset in datasets)
    ]
    if not rivals:
        return ("No rival was run.",)
    tables = []
    for quantity, title, higher in QUANTITIES:
        columns = [[Cell(f"{ALGORITHMS[name].title}, {criterion.replace('_', ' ')}") for name, criterion in rivals]]
        for dataset in datasets:
            chosen = [results.chosen(dataset, name, criterion) for name, criterion in rivals]
            figures = [quantity_of(result, quantity) for result in chosen]
            cells = [Cell(figure_text(f), where_chosen(r)) for f, r in zip(figures, chosen, strict=True)]
            columns.append(strengthen(list(zip(figures, cells, strict=True)), higher))
        caption = f"{title} of the rivals under every criterion; the best are bold."
        tables.append(Table(("Rival", *titles(datasets)), tuple(transpose(columns)), caption))
    text = (
        "The published rows of OC1, OC1-AP, CART-LC, CART and C4.5 come from a study of 1994, with the pruning of "
        "those systems; “by depth” is the same method unpruned, over the depths that CART-ELC and HHCART were given. "
        "“Scaled features” and “release 8” are the estimators as they are by default."
    )
    return (text, *tables)


def nested_blocks(results: Results, datasets: Sequence[str]) -> tuple[Block, ...]:
    """Return accuracy when the grid point is chosen without the test folds."""
    nested = [name for name in ALGORITHMS if any(nested_of(results, dataset, name, True) for dataset in datasets)]
    if not nested:
        return ("No nested cross-validation was run.",)
    lines = [(name, limited) for name in nested for limited in ((True, False) if name in ELC_FORMS else (True,))]
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
        "rows, by the same rule. “Any r” chooses also among the r beyond the paper's.",
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


def form_title(name: str, limited: bool) -> str:
    """Return the name of a row: with the paper's r, or with every r that was run."""
    return ALGORITHMS[name].title + ("" if limited else ", any r")


def nested_of(results: Results, dataset: str, algorithm: str, limited: bool) -> Result | None:
    """Return the nested result of an algorithm's row."""
    return results.nested(dataset, algorithm, criterion_of(algorithm), PAPER_R[dataset] if limited else None)


def nested_cell(results: Results, dataset: str, algorithm: str, limited: bool, honest: Result | None) -> Cell:
    """Return the honest figure beside the selected one."""
    largest = PAPER_R[dataset] if limited else None
    selected = results.chosen(dataset, algorithm, criterion_of(algorithm), largest)
    if honest is None or selected is None:
        return Cell(NOTHING)
    difference = signed(honest.accuracy.mean - selected.accuracy.mean)
    return Cell(figure_text(honest.accuracy), figure_text(selected.accuracy), difference)


def tests_blocks(results: Results, datasets: Sequence[str]) -> tuple[Block, ...]:
    """Return the verdicts of several tests on our runs, and where they disagree."""
    rows = []
    for dataset in datasets:
        for name in PUBLISHED[1:]:
            verdict = our_comparison(results, name, dataset)
            if verdict is not None:
                ps = (verdict.welch, verdict.wilcoxon, verdict.corrected)
                changed = len({p < LEVEL for p in ps}) > 1
                cells = (Cell(f"{p:.3f}", strong=p < LEVEL) for p in ps)
                title = f"{CATALOGUE[dataset].title}: {ALGORITHMS[name].title}"
                rows.append(row(title, *cells, f"{100 * verdict.better:.0f} %", "they disagree" if changed else ""))
    if not rows:
        return ("No rival was run beside CART-ELC.",)
    n_changed = sum(line[-1].text != "" for line in rows)
    table = Table(
        header=("CART-ELC against", "Welch", "Wilcoxon", "Nadeau-Bengio", "P(CART-ELC better)", "Verdicts"),
        rows=tuple(rows),
        caption="P-values of three tests on our runs; p < 0.05 is bold. "
        f"In {n_changed} of {len(rows)} comparisons the choice of the test changes the verdict.",
        note="Welch's test takes the trials as independent; they share their rows. Wilcoxon's is paired by trial, "
        "Nadeau and Bengio's by fold, with the variance corrected for the overlap of training sets. The probability "
        "is that of the Bayesian correlated t-test. All compare the figures of Table 2, chosen on the test folds: "
        "CART-ELC from the largest grid, HHCART from five depths, the others without a choice, which favours CART-ELC. "
        "No p-value is corrected for the number of comparisons.",
    )
    return (table,)
