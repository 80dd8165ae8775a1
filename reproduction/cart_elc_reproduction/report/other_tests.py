"""Other tests than the paper's, on our runs: which verdicts change with the test, and with an honest selection."""

from __future__ import annotations

from collections.abc import Mapping

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, ELC_FORMS, PUBLISHED
from cart_elc_reproduction.report.document import Block, Cell, Table, row
from cart_elc_reproduction.report.nested import nested_of
from cart_elc_reproduction.report.significance import compared_results, our_comparison
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.results.statistics import LEVEL, Comparison, significant

SELECTED_NOTE = (
    "Welch's test takes the trials as independent; they share their rows. Wilcoxon's is paired by trial, Nadeau and "
    "Bengio's by fold, with the variance corrected for the overlap of training sets. The probability is that of the "
    "Bayesian correlated t-test. All compare the figures of Table 2, chosen on the test folds: CART-ELC from the "
    "largest grid, HHCART from five depths, the others without a choice, which favours CART-ELC. No p-value is "
    "corrected for the number of comparisons."
)
HONEST_NOTE = (
    "The same tests where both sides choose their grid point without the test folds, CART-ELC among the paper's r."
)


def tests_blocks(results: Results) -> tuple[Block, ...]:
    """Return the verdicts of several tests on our runs, and where they disagree: as selected, and honestly."""
    selected = {
        (dataset, name): verdict
        for dataset in results.datasets_run
        for name in PUBLISHED[1:]
        if (verdict := our_comparison(results, name, dataset))
    }
    honest = {
        (dataset, name): verdict
        for dataset in results.datasets_run
        for name in ALGORITHMS
        if name not in ELC_FORMS and (verdict := honest_comparison(results, name, dataset))
    }
    if not selected:
        return ("No rival was run beside CART-ELC.",)
    tables = [verdicts_table(selected, "on the figures of Table 2", SELECTED_NOTE)]
    if honest:
        tables.append(verdicts_table(honest, "on the figures of nested cross-validation", HONEST_NOTE))
    return tuple(tables)


def honest_comparison(results: Results, algorithm: str, dataset: str) -> Comparison | None:
    """Compare CART-ELC with another algorithm, each with a grid point chosen without the test folds."""
    return compared_results(*(nested_of(results, dataset, name, limited=True) for name in ("cart-elc", algorithm)))


def verdicts_table(verdicts: Mapping[tuple[str, str], Comparison], where: str, note: str) -> Table:
    """Return the tests of CART-ELC against others, by data set and algorithm."""
    rows = []
    for (dataset, name), verdict in verdicts.items():
        ps = (verdict.welch, verdict.wilcoxon, verdict.corrected)
        changed = len(set(map(significant, ps))) > 1
        cells = (Cell(f"{p:.3f}", strong=significant(p)) for p in ps)
        title = f"{CATALOGUE[dataset].title}: {ALGORITHMS[name].title}"
        rows.append(row(title, *cells, f"{100 * verdict.better:.0f} %", "they disagree" if changed else ""))
    n_changed = sum(line[-1].text != "" for line in rows)
    return Table(
        header=("CART-ELC against", "Welch", "Wilcoxon", "Nadeau-Bengio", "P(CART-ELC better)", "Verdicts"),
        rows=tuple(rows),
        caption=f"P-values of three tests {where}; p < {LEVEL} is bold. "
        f"In {n_changed} of {len(rows)} comparisons the choice of the test changes the verdict.",
        note=note,
    )
