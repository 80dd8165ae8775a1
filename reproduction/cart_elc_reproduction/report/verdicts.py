"""Which published figures are reproduced, which are beaten, which are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PAPER_CRITERIA, PUBLISHED
from cart_elc_reproduction.report.document import Block, Items, Table, row
from cart_elc_reproduction.report.formats import VERDICTS, Verdict, mean_std_text, signed, verdict_of
from cart_elc_reproduction.report.paper_tables import CRITERION_TITLES, QUANTITIES, papers_choice, quantity_of
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Results

NOTE = (
    "To the digit: the same printed mean. Reproduced: within two standard deviations, the larger of ours and the "
    "published one, and half a unit of the printed digit. Beaten and not reached: beyond them, more accurate or "
    "smaller, less accurate or larger. On the author's own folds the spread over the trials is shared, so that two "
    "deviations are a wide margin: the differences are in the tables. Tables 2 and 5 compare what the selection "
    "rule chooses, which may be different grid points: see “Where the choice falls”. A tree of depth 1 has two "
    "leaves whatever grew it; for OC1 and pruning on random rows, agreement to the digit is chance: other seeds "
    "give other digits. The figures are not independent: CART-ELC's row of Table 2 is the twoing row of Table 5, "
    "both are chosen from the tuning figures, and with two classes gini and twoing grow the same trees."
)


@dataclass(frozen=True)
class Judged:
    """A published figure beside ours."""

    table: str
    quantity: str
    where: str
    ours: MeanStd
    published: MeanStd
    verdict: Verdict

    @property
    def outcome(self) -> str:
        """The verdict, where to the digit is reproduced too."""
        return "reproduced" if self.verdict == "to the digit" else self.verdict

    @property
    def sentence(self) -> str:
        """Ours beside the published one, with the difference."""
        difference = signed(self.ours.mean - self.published.mean)
        return f"{self.where}: {mean_std_text(self.ours)}, published {mean_std_text(self.published)} ({difference})"


def judged_cells(results: Results) -> Iterator[Judged]:
    """Yield every published accuracy and size that we have a figure for."""
    for quantity, _, higher in QUANTITIES:
        for table, where, ours, printed in pairs(results, quantity):
            if ours is not None and printed is not None:
                yield Judged(table, quantity, where, ours, printed, verdict_of(ours, printed, higher))


def pairs(results: Results, quantity: str) -> Iterator[tuple[str, str, MeanStd | None, MeanStd | None]]:
    """Yield table, place, our figure and the published one."""
    for dataset in results.datasets_run:
        title = CATALOGUE[dataset].title
        for name in PUBLISHED:
            ours = quantity_of(papers_choice(results, dataset, name), quantity)
            printed = published.cell_of("table2", str(ALGORITHMS[name].published), dataset, quantity)
            yield "Table 2", f"{ALGORITHMS[name].title} on {title}", ours, printed
        for criterion in PAPER_CRITERIA:
            ours = quantity_of(papers_choice(results, dataset, "cart-elc", criterion), quantity)
            printed = published.cell_of("table5", "CART-ELC", dataset, quantity, criterion)
            yield "Table 5", f"{CRITERION_TITLES[criterion]} on {title}", ours, printed
    for point, cell in published.grid().items():
        if point.dataset in results.datasets_run:
            where = f"{CATALOGUE[point.dataset].title}, {point.criterion}, r = {point.r}, depth {point.max_depth}"
            printed = cell[0] if quantity == "accuracy" else cell[1]
            yield "Tuning figures", where, quantity_of(results.by_point.get(point), quantity), printed


def verdict_blocks(results: Results) -> tuple[Block, ...]:
    """Return the counts and the cells that differ."""
    cells = list(judged_cells(results))
    if not cells:
        return ("No published figure belongs to what was run.",)
    kinds = list(dict.fromkeys((cell.table, cell.quantity) for cell in cells))
    counts = {kind: Counter(c.verdict for c in cells if (c.table, c.quantity) == kind) for kind in kinds}
    table = Table(
        header=("Figures", *VERDICTS, "all"),
        rows=tuple(
            row(f"{table}, {quantity}", *(str(n[verdict]) for verdict in VERDICTS), str(n.total()))
            for (table, quantity), n in counts.items()
        ),
        caption="Published figures by what our runs make of them.",
        note=f"{NOTE}{unjudged_text(len(cells))}",
    )
    blocks: list[Block] = [table]
    for verdict in ("beaten", "not reached"):
        texts = tuple(f"{c.table}, {c.quantity}: {c.sentence}." for c in cells if c.verdict == verdict)
        if texts:
            blocks += [f"{verdict.capitalize()}, {len(texts)} of {len(cells)}:", Items(texts)]
    return tuple(blocks)


def n_published() -> int:
    """The number of published accuracies and sizes."""
    return len(published.cells()) + len(QUANTITIES) * len(published.grid())


def unjudged_text(n_judged: int) -> str:
    """Say how many published accuracies and sizes have no figure of ours beside them."""
    lacking = n_published() - n_judged
    return f" {lacking} more were published for what was not run; they are not counted." if lacking else ""


def verdict_counts(results: Results) -> Counter[Verdict]:
    """Count the verdicts over all published figures."""
    return Counter(cell.verdict for cell in judged_cells(results))
