"""The trees that the selection rule chose, fitted on all rows and drawn."""

from __future__ import annotations

from collections.abc import Sequence

from cart_elc.datasets import CATALOGUE
from cart_elc.estimators.registry import from_document
from cart_elc.experiments.algorithms import ALGORITHMS
from cart_elc.experiments.report.beyond import where_chosen
from cart_elc.experiments.report.document import Block, Figure, Listing, Panel
from cart_elc.experiments.report.formats import figure_text
from cart_elc.experiments.results import GridPoint, Result, Results, point_of
from cart_elc.experiments.specification import MAIN_CRITERION
from cart_elc.experiments.tasks import Record, Refit
from cart_elc.inspection.draw.svg import tree_svg
from cart_elc.inspection.export.text import export_text

SHOWN = ("cart-elc", "cart-elc-margin")


def chosen_results(results: Results, datasets: Sequence[str]) -> list[Result]:
    """Return the choices whose trees are shown: the main criterion, every r that was run."""
    found = (results.chosen(dataset, form, MAIN_CRITERION) for dataset in datasets for form in SHOWN)
    return [result for result in found if result is not None]


def refits(results: Results, datasets: Sequence[str]) -> list[Refit]:
    """Return the fits on all rows that the report will want."""
    return [Refit(*result.point) for result in chosen_results(results, datasets)]


def tree_blocks(results: Results, datasets: Sequence[str]) -> tuple[Block, ...]:
    """Return the chosen trees, drawn and as rules."""
    models: dict[GridPoint, Record] = {point_of(record): record for record in results.of_kind("model")}
    blocks: list[Block] = []
    for result in chosen_results(results, datasets):
        record = models.get(result.point)
        if record is not None:
            blocks += drawn(result, record)
    text = (
        "Fitted on all rows, at the grid point that the selection rule chooses by twoing among every r that was run; "
        "Table 2 has the r of the paper only. The accuracies are those that the choice was made by."
    )
    return (text, *blocks) if blocks else ("No tree was fitted on all rows.",)


def drawn(result: Result, record: Record) -> list[Block]:
    """Return one tree."""
    model = from_document(record["model"])
    dataset, algorithm = CATALOGUE[result.point.dataset].title, ALGORITHMS[result.point.algorithm].title
    accuracy = f"accuracy {figure_text(result.accuracy)} % in cross-validation"
    text = f"{dataset}: {algorithm}, {where_chosen(result)}; {accuracy}."
    picture = Figure(f"tree-{result.point.dataset}-{result.point.algorithm}", (Panel(dataset, tree_svg(model)),), text)
    return [picture, Listing(export_text(model), f"The rules of {algorithm} on {dataset}")]
