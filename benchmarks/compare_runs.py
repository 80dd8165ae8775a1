"""Compare two runs of ``cart-elc reproduce``: which fits differ, and which published cells change their verdict.

Two builds of the search may keep different ones of equally good planes; this shows how much of a report hangs on that.

    python benchmarks/compare_runs.py RUN OTHER_RUN
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cart_elc.datasets import CATALOGUE
from cart_elc.experiments.record_schema import key_of
from cart_elc.experiments.records import read_records
from cart_elc.experiments.report.verdicts import Judged, judged_cells
from cart_elc.experiments.results import Results
from cart_elc.experiments.tasks import Record

OUTCOME = ("accuracy", "leaves", "depth", "proven")


def fits(folder: Path) -> dict[tuple[object, ...], Record]:
    """Return the records of fits by identity."""
    records, _ = read_records(folder / "records.jsonl")
    return {key_of(record): record for record in records if record["kind"] == "fit"}


def cells(records: list[Record]) -> dict[tuple[str, str, str], Judged]:
    """Return the published figures with our verdicts, by place."""
    found = judged_cells(Results(records), list(CATALOGUE))
    return {(cell.table, cell.quantity, cell.where): cell for cell in found}


def main() -> None:
    """Print the comparison of the fits that both runs have."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs=2, help="folders of two finished runs")
    first, second = (fits(folder) for folder in parser.parse_args().runs)
    shared = [key for key in first if key in second]
    differing = [key for key in shared if any(first[key][name] != second[key][name] for name in OUTCOME)]
    print(f"{len(differing)} of {len(shared)} fits differ.")
    verdicts = [cells([run[key] for key in shared]) for run in (first, second)]
    for place, cell in verdicts[0].items():
        other = verdicts[1].get(place)
        if other is not None and other.outcome != cell.outcome:
            where = f"{cell.table}, {cell.quantity}: {cell.sentence}"
            print(f"- {where}, {cell.outcome}; in the other run {other.outcome}.")


if __name__ == "__main__":
    main()
