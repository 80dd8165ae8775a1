"""Tables 3 and 4: whether CART-ELC differs from the others in accuracy, and by how much."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PUBLISHED
from cart_elc_reproduction.report.document import NOTHING, Block, Cell, Mark, Table, row
from cart_elc_reproduction.report.formats import signed
from cart_elc_reproduction.report.paper_tables import papers_choice, titles
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import Result, Results
from cart_elc_reproduction.results.statistics import LEVEL, Comparison, cohens_d, significant, welch_from_means

SAMPLE_DEVIATION = (
    "On our runs the deviation over the trials is the sample's (n \N{MINUS SIGN} 1); the published values follow from "
    "the printed deviations as they are."
)


def tables_3_and_4(results: Results) -> tuple[Block, ...]:
    """Return those of the two tables that were asked for."""
    makers = {"table3": table3, "table4": table4}
    return tuple(make(results, results.datasets) for part, make in makers.items() if part in results.parts)


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
    first, second = (published.cell_of("table2", name, dataset, "accuracy") for name in names)
    assert first is not None
    assert second is not None
    if quantity == "welch_p":
        return welch_from_means(first, second, published.PUBLISHED_TRIALS)
    return cohens_d(first, second)
