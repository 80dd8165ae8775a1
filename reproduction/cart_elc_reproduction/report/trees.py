"""The trees that the selection rule chose, fitted on all rows and drawn."""

from __future__ import annotations

from cart_elc.datasets import CATALOGUE
from cart_elc.estimators.registry import from_document
from cart_elc.inspection.export.text import export_text
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.tasks import Record
from cart_elc_reproduction.report.document import Block, Figure, Listing, Panel
from cart_elc_reproduction.report.formats import mean_std_text, where_chosen
from cart_elc_reproduction.report.tree_svg import tree_svg
from cart_elc_reproduction.results.gathering import Result, Results, point_of
from cart_elc_reproduction.results.selection import GridPoint


def tree_blocks(results: Results) -> tuple[Block, ...]:
    """Return the chosen trees, drawn and as rules."""
    models: dict[GridPoint, Record] = {point_of(record): record for record in results.of_kind("model")}
    blocks: list[Block] = []
    for result in results.shown:
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
    accuracy = f"accuracy {mean_std_text(result.accuracy)} % in cross-validation"
    text = f"{dataset}: {algorithm}, {where_chosen(result)}; {accuracy}."
    drawing = tree_svg(model)
    name = f"tree-{result.point.dataset}-{result.point.algorithm}"
    return [
        Figure(name, (Panel(dataset, drawing),), text, drawing),
        Listing(export_text(model), f"The rules of {algorithm} on {dataset}"),
    ]
