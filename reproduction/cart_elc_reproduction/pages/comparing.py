"""Two runs compared: which fits differ, and which published figures change their verdict.

Two builds of the search may keep different ones of equally good planes; this shows how much of a report hangs on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cart_elc_reproduction.protocol.tasks import Record
from cart_elc_reproduction.report.verdicts import Judged, judged_cells
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.run.record_schema import key_of
from cart_elc_reproduction.run.records import read_records

OUTCOME = ("accuracy", "leaves", "depth", "proven")


def fits(folder: Path) -> dict[tuple[object, ...], Record]:
    """Return the records of fits by identity."""
    records, _ = read_records(folder / "records.jsonl")
    return {key_of(record): record for record in records if record["kind"] == "fit"}


def cells(records: list[Record]) -> dict[tuple[str, str, str], Judged]:
    """Return the published figures with our verdicts, by place."""
    found = judged_cells(Results(records))
    return {(cell.table, cell.quantity, cell.where): cell for cell in found}


def comparison_lines(run: Path, other_run: Path) -> Iterator[str]:
    """Yield the number of fits that differ, of those that both runs have, and the verdicts that do."""
    first, second = fits(run), fits(other_run)
    shared = [key for key in first if key in second]
    differing = [key for key in shared if any(first[key][name] != second[key][name] for name in OUTCOME)]
    yield f"{len(differing)} of {len(shared)} fits differ."
    ours, others = (cells([run[key] for key in shared]) for run in (first, second))
    for place, cell in ours.items():
        other = others.get(place)
        if other is not None and other.outcome != cell.outcome:
            where = f"{cell.table}, {cell.quantity}: {cell.sentence}"
            yield f"- {where}, {cell.outcome}; in the other run {other.outcome}."
