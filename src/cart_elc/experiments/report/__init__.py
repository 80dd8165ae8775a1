"""The report: a pure function of records, as one HTML page and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments.algorithms import ELC_FORMS
from cart_elc.experiments.report.beyond import forms_blocks, rivals_blocks
from cart_elc.experiments.report.charts import combined
from cart_elc.experiments.report.choices import choice_blocks
from cart_elc.experiments.report.document import Facts, Figure, Report, Section
from cart_elc.experiments.report.formats import count, duration, share, span
from cart_elc.experiments.report.html import render_html
from cart_elc.experiments.report.markdown import FIGURE_FOLDER, render_markdown
from cart_elc.experiments.report.nested import nested_blocks
from cart_elc.experiments.report.other_tests import tests_blocks
from cart_elc.experiments.report.paper_tables import table1, table2, table3, table4, table5
from cart_elc.experiments.report.runs import environment_blocks, gap_blocks, growths, time_blocks
from cart_elc.experiments.report.trees import tree_blocks
from cart_elc.experiments.report.tuning import tuning_blocks
from cart_elc.experiments.report.verdicts import verdict_blocks, verdict_counts
from cart_elc.experiments.results import Results
from cart_elc.experiments.tasks import Record

TITLE = "CART-ELC, reproduced"
LEAD = (
    "The tables and figures of A. D. Laack, “CART-ELC: Oblique Decision Tree Induction via Exhaustive Search” (2025), "
    "run again with cart-elc. Beside each of our figures stands the published one."
)
PROTOCOL = (
    "The paper's protocol: ten trials of five-fold cross-validation, folds by KFold(5, shuffle=True, "
    "random_state=71 + trial). Accuracy and leaves are averaged over the folds of a trial; mean and population "
    "standard deviation are taken over the trials. Of the grid points whose mean accuracy is within 0.1 point of "
    "the best, the one with the fewest leaves is chosen, then the more accurate, the smaller r, the smaller depth; "
    "the paper says only “the best balance between mean accuracy and tree size”, and this rule makes its choices "
    "from its own grid. As in the paper, the choice is made on the test folds; what it costs to choose honestly is "
    "shown under “Honest selection”."
)
READING = (
    "The paper leaves open which sign a plane's normal has, and so on which side its samples fall, and which of "
    "equally good planes is kept. CART-ELC is run here with the rules that were found, after others had been tried, "
    "to fit the published figures best. The agreement of its figures is therefore partly by construction, not an "
    "independent confirmation; the project's docs/reproduction.md shows what other rules give."
)


def build_report(records: Sequence[Record]) -> Report:
    """Return the report of some records."""
    results = Results(records)
    present = {record["dataset"] for record in records if "dataset" in record}
    datasets = [name for name in CATALOGUE if name in present]
    return Report(TITLE, LEAD, tuple(sections(results, datasets)))


def sections(results: Results, datasets: Sequence[str]) -> list[Section]:
    """Return the parts of the report in order."""
    ran = [name for name in datasets if any(record["dataset"] == name for record in results.of_kind("fit"))]
    paper = tuning_blocks(results, ran, "cart-elc", "CART-ELC")
    margin = tuning_blocks(results, ran, "cart-elc-margin", "CART-ELC with the widest margin")
    return [
        Section("Summary", (summary(results, ran), READING, PROTOCOL)),
        Section("Data and gaps", gap_blocks(results)),
        Section("Reproduced, beaten, not reached", verdict_blocks(results, ran)),
        Section("Table 1: operations", tuple(table1(results))),
        Section("Table 2: algorithms", tuple(table2(results, datasets))),
        Section("Tables 3 and 4: significance", (table3(results, datasets), table4(results, datasets))),
        Section("Table 5: criteria", tuple(table5(results, datasets))),
        Section("Where the choice falls", choice_blocks(results, ran)),
        Section("Tuning figures", (*paper, *margin) or ("No grid was run.",)),
        Section("Beyond the paper: r = 3 and margins", forms_blocks(results, ran)),
        Section("Beyond the paper: the rivals", rivals_blocks(results, ran)),
        Section("Honest selection", nested_blocks(results, ran)),
        Section("Other tests", tests_blocks(results, ran)),
        Section("The trees chosen", tree_blocks(results, ran)),
        Section("Run times", time_blocks(results)),
        Section("Environment", environment_blocks(results)),
    ]


def summary(results: Results, datasets: Sequence[str]) -> Facts:
    """Return the figures that sum up the report."""
    trees = growths(results)
    exact = [record for record in trees if record["algorithm"] in ELC_FORMS]
    counts = verdict_counts(results, datasets)
    compared = counts.total()
    return Facts(
        (
            (count(len(results.of_kind("fit"))), f"fits recorded, {trials_text(results)} of five folds"),
            (
                f"{compared - counts['not reached']} of {compared}",
                "published figures of what was run reproduced, within two deviations, or beaten",
            ),
            (str(counts["beaten"]), "of them beaten by more than two deviations"),
            (share(sum(record["proven"] for record in exact), len(exact)), "of exact trees with every split proven"),
            (duration(sum(record["seconds"] for record in trees)), "of growing trees, one thread each, by the clock"),
        )
    )


def trials_text(results: Results) -> str:
    """Return the number of trials, the fewest and the most where it differs."""
    text = span(results.trial_numbers)
    return f"{text} trial" + ("" if text == "1" else "s")


def write_report(records: Sequence[Record], folder: Path) -> Path:
    """Write ``report.html``, ``report.md`` and the figures; return the page's path."""
    report = build_report(records)
    figures = folder / FIGURE_FOLDER
    figures.mkdir(parents=True, exist_ok=True)
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Figure):
                drawing = combined(block) if block.legend else block.panels[0].svg
                (figures / f"{block.name}.svg").write_text(drawing, encoding="utf-8")
    (folder / "report.md").write_text(render_markdown(report), encoding="utf-8")
    page = folder / "report.html"
    page.write_text(render_html(report), encoding="utf-8")
    return page
