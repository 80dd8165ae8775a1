"""The report from its sections, in order, each with the parts of the paper that ask for it; and its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from cart_elc_reproduction.protocol.specification import TARGETS
from cart_elc_reproduction.protocol.tasks import Record
from cart_elc_reproduction.report.document import Block, Figure, Report, Section
from cart_elc_reproduction.report.html import render_html
from cart_elc_reproduction.report.markdown import FIGURE_FOLDER, render_markdown
from cart_elc_reproduction.results.gathering import Results

TITLE = "CART-ELC, reproduced"
LEAD = (
    "The tables and figures of A. D. Laack, “CART-ELC: Oblique Decision Tree Induction via Exhaustive Search” (2025), "
    "run again with cart-elc. Beside each of our figures stands the published one."
)
EVERY_PART = tuple(TARGETS)
PARTS_WITH_TREES = tuple(part for part, studies in TARGETS.items() if studies)


@dataclass(frozen=True)
class SectionPlan:
    """A section that may be asked for.

    Attributes
    ----------
    title : str
        What it is called.
    place : str
        Module of this package and function that makes its blocks from results; imported when it is asked for, so that
        a report without figures needs no drawing.
    parts : tuple of str
        The parts of the paper that ask for it.
    """

    title: str
    place: str
    parts: tuple[str, ...] = EVERY_PART

    def build(self, results: Results) -> Section:
        """Return the section of some results."""
        return Section(self.title, self.maker()(results))

    def maker(self) -> Callable[[Results], tuple[Block, ...]]:
        """Return the function that makes the blocks."""
        module, _, name = self.place.partition(":")
        found: Callable[[Results], tuple[Block, ...]] = getattr(import_module(f"{__package__}.{module}"), name)
        return found


SECTIONS: tuple[SectionPlan, ...] = (
    SectionPlan("Claims of the paper", "claims:claims_blocks", ("table2", "table3", "table4")),
    SectionPlan("Summary", "summary:summary_blocks"),
    SectionPlan("Data and gaps", "runs:gap_blocks"),
    SectionPlan("Reproduced, beaten, not reached", "verdicts:verdict_blocks"),
    SectionPlan("Table 1: operations", "paper_tables:table1", ("table1",)),
    SectionPlan("Table 2: algorithms", "paper_tables:table2", ("table2",)),
    SectionPlan("Tables 3 and 4: significance", "significance:tables_3_and_4", ("table3", "table4")),
    SectionPlan("Table 5: criteria", "paper_tables:table5", ("table5",)),
    SectionPlan("Where the choice falls", "choices:choice_blocks", ("table2", "table5")),
    SectionPlan("Tuning figures", "tuning:tuning_blocks", ("figures",)),
    SectionPlan("Beyond the paper: r = 3 and margins", "beyond:forms_blocks", ("beyond",)),
    SectionPlan("Beyond the paper: the rivals", "beyond:rivals_blocks", ("beyond",)),
    SectionPlan("Honest selection", "nested:nested_blocks", ("beyond",)),
    SectionPlan("Other tests", "other_tests:tests_blocks", ("table3", "table4", "beyond")),
    SectionPlan("The trees chosen", "trees:tree_blocks", PARTS_WITH_TREES),
    SectionPlan("Run times", "runs:time_blocks"),
    SectionPlan("Environment", "runs:environment_blocks"),
)


def build_report(records: Sequence[Record]) -> Report:
    """Return the report of some records, with the sections that their parts ask for."""
    results = Results(records)
    asked = set(results.parts)
    return Report(TITLE, LEAD, tuple(plan.build(results) for plan in SECTIONS if asked & set(plan.parts)))


def write_report(records: Sequence[Record], folder: Path) -> Path:
    """Write ``report.html``, ``report.md`` and the figures; return the page's path."""
    report = build_report(records)
    figures = folder / FIGURE_FOLDER
    figures.mkdir(parents=True, exist_ok=True)
    for figure in (block for section in report.sections for block in section.blocks if isinstance(block, Figure)):
        (figures / f"{figure.name}.svg").write_text(figure.drawing, encoding="utf-8")
    (folder / "report.md").write_text(render_markdown(report), encoding="utf-8")
    page = folder / "report.html"
    page.write_text(render_html(report), encoding="utf-8")
    return page
