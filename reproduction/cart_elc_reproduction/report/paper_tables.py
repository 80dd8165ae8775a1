"""The paper's five tables, from records, beside what was published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PAPER_CRITERIA, PUBLISHED
from cart_elc_reproduction.protocol.specification import MAIN_CRITERION, PAPER_R
from cart_elc_reproduction.report.document import NOTHING, Block, Cell, Items, Table, row
from cart_elc_reproduction.report.formats import compared, count, duration, strengthen, transpose
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Result, Results

QUANTITIES = (("accuracy", "Accuracy (%)", True), ("leaves", "Leaves", False))
CRITERION_TITLES = {"twoing": "Twoing", "gini": "Gini", "information_gain": "Information gain"}
COMPARES = (
    "Each cell: ours, the published figure, the difference; mean ± standard deviation over the trials. "
    "▲ and ▼ mark differences of more than two standard deviations (the larger of the two)."
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


def quantity_of(result: Result | None, quantity: str) -> MeanStd | None:
    """Return accuracy or leaves of a result."""
    if result is None:
        return None
    return result.accuracy if quantity == "accuracy" else result.size


def operations(r: int, n: int) -> float:
    """Return the paper's count of operations for one split with r = m: ``C(n, r) r (r^2 + n)``."""
    return float(comb(n, r) * r * (r**2 + n))


def table1(results: Results) -> tuple[Block, ...]:
    """Operations of an exhaustive search as published, and what our search needed for the same answer."""
    sizes = sorted({n for _, n in published.operations()})
    splits = {(record["r"], record["n"]): record for record in results.of_kind("split")}
    if not splits:
        return operations_blocks()
    measured = Table(
        header=("r", *(f"n = {n}" for n in sizes)),
        rows=tuple(
            row(str(r), *(timing_cell(splits.get((r, n))) for n in sizes)) for r in sorted({r for r, _ in splits})
        ),
        caption="Table 1, measured. The same split by branch and bound: time, boxes opened, planes covered.",
        note="Two normal classes, 1.5 standard deviations apart, one thread. r = 1 is a sorted scan without boxes.",
    )
    return (*operations_blocks(), measured)


def operations_blocks() -> tuple[Block, ...]:
    """Say how many counts of operations follow from the paper's formula, and list those that do not."""
    cells = published.operations()
    others = {key: printed for key, printed in cells.items() if float(f"{operations(*key):.2e}") != printed}
    text = (
        f"{len(cells) - len(others)} of {len(cells)} published counts of the operations of an exhaustive search for "
        "one split, r = m, follow to the printed digits from the paper's formula C(n, r) · r · (r² + n)."
    )
    if not others:
        return (text,)
    return text, Items(tuple(operations_text(r, n, printed) for (r, n), printed in others.items()))


def operations_text(r: int, n: int, printed: float) -> str:
    """Set a count of Table 1 beside the published one."""
    ours = operations(r, n)
    return f"r = {r}, n = {n}: {ours:.2e}, published {printed:.2e} (ratio {ours / printed:.4f})."


def timing_cell(record: dict[str, float] | None) -> Cell:
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
            printed = published.cell_of("table2", str(ALGORITHMS[name].published), dataset, quantity)
            cells.append((ours, compared(ours, printed, higher)))
        columns.append(strengthen(cells, higher))
    return transpose(columns)


def table2(results: Results) -> tuple[Table, ...]:
    """Accuracy and tree size by algorithm."""
    return tuple(
        Table(
            header=("Algorithm", *titles(results.datasets)),
            rows=tuple(comparison_rows(results, results.datasets, PUBLISHED, quantity, higher)),
            caption=f"Table 2. {title} of the algorithms, chosen by the selection rule; the best of ours are bold.",
            note=COMPARES,
        )
        for quantity, title, higher in QUANTITIES
    )


def table5(results: Results) -> tuple[Table, ...]:
    """Accuracy and tree size by criterion."""
    return tuple(
        Table(
            header=("Criterion", *titles(results.datasets)),
            rows=tuple(criterion_rows(results, quantity, higher)),
            caption=f"Table 5. {title} of CART-ELC by splitting criterion; the best of ours are bold.",
            note=COMPARES,
        )
        for quantity, title, higher in QUANTITIES
    )


def criterion_rows(results: Results, quantity: str, higher: bool) -> list[tuple[Cell, ...]]:
    """Return the rows of Table 5 for one quantity."""
    columns: list[list[Cell]] = [[Cell(CRITERION_TITLES[criterion]) for criterion in PAPER_CRITERIA]]
    for dataset in results.datasets:
        cells = []
        for criterion in PAPER_CRITERIA:
            ours = quantity_of(papers_choice(results, dataset, "cart-elc", criterion), quantity)
            printed = published.cell_of("table5", "CART-ELC", dataset, quantity, criterion)
            cells.append((ours, compared(ours, printed, higher)))
        columns.append(strengthen(cells, higher))
    return transpose(columns)


def form_rows(names: Iterable[str]) -> list[tuple[str, bool]]:
    """Return the rows of algorithms: with the paper's r, and for those that search over r with every one run."""
    limits = {True: (True, False), False: (True,)}
    return [(name, limited) for name in names for limited in limits[ALGORITHMS[name].searches_r]]


def form_title(name: str, limited: bool) -> str:
    """Return the name of a row: with the paper's r, or with every r that was run."""
    return ALGORITHMS[name].title + ("" if limited else ", any r")
