"""The paper's five tables, from records, beside what was published."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments import published
from cart_elc.experiments.algorithms import ALGORITHMS, CRITERIA, PUBLISHED
from cart_elc.experiments.report.document import NOTHING, Cell, Mark, Table, row
from cart_elc.experiments.report.formats import compared, count, duration, signed, strengthen, transpose
from cart_elc.experiments.results import Figure, Result, Results
from cart_elc.experiments.specification import MAIN_CRITERION, PAPER_R
from cart_elc.experiments.statistics import LEVEL, Comparison, cohens_d, significant, welch_from_figures

QUANTITIES = (("accuracy", "Accuracy (%)", True), ("leaves", "Leaves", False))
CRITERION_TITLES = {"twoing": "Twoing", "gini": "Gini", "information_gain": "Information gain"}
COMPARES = (
    "Each cell: ours, the published figure, the difference; mean ± standard deviation over the trials. "
    "▲ and ▼ mark differences of more than two standard deviations (the larger of the two)."
)
SAMPLE_DEVIATION = (
    "On our runs the deviation over the trials is the sample's (n \N{MINUS SIGN} 1); the published values follow from "
    "the printed deviations as they are."
)


def titles(datasets: Sequence[str]) -> tuple[str, ...]:
    """Return the paper's names of data sets."""
    return tuple(CATALOGUE[name].title for name in datasets)


def criterion_of(algorithm: str, wanted: str = MAIN_CRITERION) -> str:
    """Return the criterion of an algorithm's row: the wanted one, or the only one that it has."""
    own = ALGORITHMS[algorithm].criteria
    return own[0] if len(own) == 1 else wanted


def papers_choice(results: Results, dataset: str, algorithm: str, criterion: str = MAIN_CRITERION) -> Result | None:
    """Return the result chosen from the paper's own grid."""
    return results.chosen(dataset, algorithm, criterion_of(algorithm, criterion), PAPER_R[dataset])


def quantity_of(result: Result | None, quantity: str) -> Figure | None:
    """Return accuracy or leaves of a result."""
    if result is None:
        return None
    return result.accuracy if quantity == "accuracy" else result.size


def operations(r: int, n: int) -> float:
    """Return the paper's count of operations for one split with r = m: ``C(n, r) r (r^2 + n)``."""
    return float(comb(n, r) * r * (r**2 + n))


def table1(results: Results) -> list[Table]:
    """Operations of an exhaustive search as published, and what our search needed for the same answer."""
    cells = published.operations()
    sizes, r_values = sorted({n for _, n in cells}), sorted({r for r, _ in cells})
    formula = Table(
        header=("r", *(f"n = {n}" for n in sizes)),
        rows=tuple(row(str(r), *(operation_cell(r, n, cells[r, n]) for n in sizes)) for r in r_values),
        caption="Table 1. Operations of an exhaustive search for one split, r = m.",
        note="By the paper's formula C(n, r) · r · (r² + n). Each cell: computed, published, and their ratio where "
        "they differ.",
    )
    splits = {(record["r"], record["n"]): record for record in results.of_kind("split")}
    if not splits:
        return [formula]
    measured = Table(
        header=("r", *(f"n = {n}" for n in sizes)),
        rows=tuple(
            row(str(r), *(probe_cell(splits.get((r, n))) for n in sizes)) for r in sorted({r for r, _ in splits})
        ),
        caption="Table 1, measured. The same split by branch and bound: time, boxes opened, planes covered.",
        note="Two normal classes, 1.5 standard deviations apart, one thread. r = 1 is a sorted scan without boxes.",
    )
    return [formula, measured]


def operation_cell(r: int, n: int, printed: float) -> Cell:
    """Return a cell of Table 1."""
    ours = f"{operations(r, n):.2e}"
    return Cell(
        ours, f"{printed:.2e}", "equal" if float(ours) == printed else f"ratio {operations(r, n) / printed:.4f}"
    )


def probe_cell(record: dict[str, float] | None) -> Cell:
    """Return what was measured of one split."""
    if record is None:
        return Cell(NOTHING)
    boxes = f"{count(record['n_boxes'])} boxes" if record["n_boxes"] else "scan"
    planes = f"{count(record['n_candidates'])} planes" + ("" if record["proven"] else ", not proven")
    return Cell(duration(record["seconds"]), boxes, planes)


def comparison_rows(
    results: Results, datasets: Sequence[str], names: Sequence[str], quantity: str, higher: bool
) -> list[tuple[Cell, ...]]:
    """Return the rows of Table 2 for one quantity."""
    columns: list[list[Cell]] = [[Cell(ALGORITHMS[name].title) for name in names]]
    for dataset in datasets:
        cells = []
        for name in names:
            ours = quantity_of(papers_choice(results, dataset, name), quantity)
            printed = published.figure_of("table2", str(ALGORITHMS[name].published), dataset, quantity)
            cells.append((ours, compared(ours, printed, higher)))
        columns.append(strengthen(cells, higher))
    return transpose(columns)


def table2(results: Results, datasets: Sequence[str]) -> list[Table]:
    """Accuracy and tree size by algorithm."""
    return [
        Table(
            header=("Algorithm", *titles(datasets)),
            rows=tuple(comparison_rows(results, datasets, PUBLISHED, quantity, higher)),
            caption=f"Table 2. {title} of the algorithms, chosen by the selection rule; the best of ours are bold.",
            note=COMPARES,
        )
        for quantity, title, higher in QUANTITIES
    ]


def table3(results: Results, datasets: Sequence[str]) -> Table:
    """Welch's p-values against CART-ELC."""
    return Table(
        header=("Algorithm", *titles(datasets)),
        rows=tuple(
            row(ALGORITHMS[name].title, *(statistic_cell(results, "welch_p", name, dataset) for dataset in datasets))
            for name in PUBLISHED[1:]
        ),
        caption=f"Table 3. P-values of Welch's t-test on accuracy, against CART-ELC; p < {LEVEL} is bold.",
        note="Each cell: from our runs, published, the difference. A mark says that our run gives another verdict at "
        f"{LEVEL} than the published one. {SAMPLE_DEVIATION} {agreement('welch_p')}",
    )


def table4(results: Results, datasets: Sequence[str]) -> Table:
    """Cohen's d against CART-ELC."""
    return Table(
        header=("Algorithm", *titles(datasets)),
        rows=tuple(
            row(ALGORITHMS[name].title, *(statistic_cell(results, "cohens_d", name, dataset) for dataset in datasets))
            for name in PUBLISHED[1:]
        ),
        caption=f"Table 4. Cohen's d of accuracy, positive where CART-ELC is more accurate; bold where p < {LEVEL}.",
        note="Each cell: from our runs, published, the difference. A mark says that our run gives the other sign. "
        f"{SAMPLE_DEVIATION} {agreement('cohens_d')}",
    )


def form_title(name: str, limited: bool) -> str:
    """Return the name of a row: with the paper's r, or with every r that was run."""
    return ALGORITHMS[name].title + ("" if limited else ", any r")


def our_comparison(results: Results, algorithm: str, dataset: str) -> Comparison | None:
    """Compare CART-ELC with another algorithm on our runs."""
    pair = [papers_choice(results, dataset, name) for name in ("cart-elc", algorithm)]
    return compared_results(*pair)


def compared_results(ours: Result | None, theirs: Result | None) -> Comparison | None:
    """Compare two results on the trials that both have, if these are two at least."""
    if ours is None or theirs is None:
        return None
    accuracies = ours.paired(theirs)
    return Comparison(*accuracies) if len(accuracies[0]) > 1 else None


def statistic_cell(results: Results, quantity: str, algorithm: str, dataset: str) -> Cell:
    """Return a cell of Table 3 or 4: from our runs, published, the difference."""
    verdict = our_comparison(results, algorithm, dataset)
    printed = published.statistics().get((quantity, str(ALGORITHMS[algorithm].published), dataset))
    ours = None if verdict is None else (verdict.welch if quantity == "welch_p" else verdict.cohens_d)
    strong = verdict is not None and significant(verdict.welch)
    if printed is None:
        return Cell(statistic_text(quantity, ours), strong=strong)
    mark: Mark = ""
    if ours is not None and differs(quantity, ours, printed):
        mark = "above" if ours > printed else "below"
    difference = "" if ours is None else signed(ours - printed, 3)
    text, published_text = (statistic_text(quantity, value) for value in (ours, printed))
    return Cell(text, published_text, difference, mark, strong, good=False)


def statistic_text(quantity: str, value: float | None) -> str:
    """Return a p-value or an effect size as the paper prints it."""
    if value is None:
        return NOTHING
    return f"{value:.3f}" if quantity == "welch_p" else signed(value, 3)


def differs(quantity: str, ours: float, printed: float) -> bool:
    """Whether a statistic tells another story than the published one."""
    return significant(ours) != significant(printed) if quantity == "welch_p" else ours * printed < 0


def agreement(quantity: str) -> str:
    """Say how many published statistics follow from the published means and deviations to the printed digits."""
    cells = [(key, value) for key, value in published.statistics().items() if key[0] == quantity]
    equal = sum(f"{recomputed(*key):.3f}" == f"{value:.3f}" for key, value in cells)
    return f"Recomputed from the published means, {equal} of {len(cells)} published values agree to the printed digits."


def recomputed(quantity: str, algorithm: str, dataset: str) -> float:
    """Return the statistic that follows from the published means and standard deviations; names are the paper's."""
    names = ("CART-ELC", algorithm)
    first, second = (published.figure_of("table2", name, dataset, "accuracy") for name in names)
    assert first is not None
    assert second is not None
    if quantity == "welch_p":
        return welch_from_figures(first, second, published.PUBLISHED_TRIALS)
    return cohens_d(first, second)


def table5(results: Results, datasets: Sequence[str]) -> list[Table]:
    """Accuracy and tree size by criterion."""
    tables = []
    for quantity, title, higher in QUANTITIES:
        columns: list[list[Cell]] = [[Cell(CRITERION_TITLES[criterion]) for criterion in CRITERIA]]
        for dataset in datasets:
            cells = []
            for criterion in CRITERIA:
                ours = quantity_of(papers_choice(results, dataset, "cart-elc", criterion), quantity)
                printed = published.figure_of("table5", "CART-ELC", dataset, quantity, criterion)
                cells.append((ours, compared(ours, printed, higher)))
            columns.append(strengthen(cells, higher))
        caption = f"Table 5. {title} of CART-ELC by splitting criterion; the best of ours are bold."
        header = ("Criterion", *titles(datasets))
        tables.append(Table(header, tuple(transpose(columns)), caption, COMPARES))
    return tables
