"""``cart-elc reproduce``: run what the paper's tables and figures need, and write the report."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from cart_elc.datasets import CATALOGUE, DatasetUnavailableError, load
from cart_elc.experiments.algorithms import ALGORITHMS
from cart_elc.experiments.records import RecordFile
from cart_elc.experiments.report import write_report
from cart_elc.experiments.report.trees import refits
from cart_elc.experiments.results import Results
from cart_elc.experiments.running import Execution, run_tasks
from cart_elc.experiments.specification import N_TRIALS, PAPER_SETS, TARGETS, plan
from cart_elc.experiments.tasks import Material

DESCRIPTION = """\
Run the paper's experiments and write a report with the published figures beside ours.

Parts: table1 (operations of one split), table2 (accuracy and size of the algorithms), table3 and table4 (their
significance and effect sizes), table5 (splitting criteria), figures (tuning), beyond (r = 3, margins, nested
cross-validation, rivals under all criteria), all (the default).
"""
EPILOG = """\
Each fit is recorded in DIR/records.jsonl as it ends. A run that was stopped goes on with --resume; the same command
with more parts, data sets or trials adds to it. The report is DIR/report.html and DIR/report.md.

  cart-elc reproduce table5 --dataset iris --trials 2
  cart-elc reproduce all --data-dir ~/data --jobs 8 --out paper
  cart-elc reproduce all --data-dir ~/data --out paper --resume --scheduler tcp://10.0.0.1:8786
"""


def add_commands(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "reproduce",
        help="run the paper's experiments and write a report",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to reproduce (default: all)")
    parser.add_argument(
        "--dataset",
        nargs="+",
        choices=CATALOGUE,
        metavar="NAME",
        help=f"any of {', '.join(CATALOGUE)} (default: the paper's six)",
    )
    parser.add_argument(
        "--algorithm",
        nargs="+",
        choices=ALGORITHMS,
        metavar="NAME",
        help=f"any of {', '.join(ALGORITHMS)} (default: all)",
    )
    parser.add_argument("--trials", type=int, default=N_TRIALS, metavar="N", help=f"trials (default: {N_TRIALS})")
    parser.add_argument(
        "--jobs",
        type=int,
        default=-1,
        metavar="N",
        help="processes on this machine, -1 for one a processor (default: -1)",
    )
    parser.add_argument("--data-dir", metavar="DIR", help="folder with data files (default: $CART_ELC_DATA)")
    parser.add_argument("--out", default="reproduction", metavar="DIR", help="where to write (default: reproduction)")
    parser.add_argument("--resume", action="store_true", help="go on with the records in DIR")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on the Dask cluster with this scheduler instead of --jobs"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the parts and write the report."""
    check(options)
    path = Path(options.out) / "records.jsonl"
    if path.is_file() and path.stat().st_size > 0 and not options.resume:
        raise ValueError(f"{path} has records: add --resume to go on with them, or choose another --out")
    execution = Execution(options.jobs, options.scheduler)
    with RecordFile(path) as records:
        if records.rejected:
            say(f"not whole records in {path}: {len(records.rejected)}, moved to {records.rejected_path}")
        materials = load_all(options.dataset or PAPER_SETS, options.data_dir, records)
        tasks = plan(options.parts, list(materials), options.algorithm or list(ALGORITHMS), options.trials)
        if materials and not tasks:
            raise ValueError(f"{' and '.join(options.parts)} does not run {' or '.join(options.algorithm)}")
        records.check_parameters(tasks)
        others = records.of_other_builds()
        if others:
            say(f"records of another build of cart-elc: {others}, which are kept; a new --out has none")
        say(f"{len(records.pending(tasks))} of {len(tasks)} tasks to do, records in {path}")
        try:
            run_tasks(tasks, materials, records, execution)
            run_tasks(refits(Results(records.records), list(materials)), materials, records, execution)
        except KeyboardInterrupt:
            say(f"stopped; what is done is in {path}: the same command with --resume goes on")
            raise
        page = write_report(records.records, path.parent)
    print(f"report: {page.resolve()}")


def check(options: argparse.Namespace) -> None:
    """Refuse what argparse cannot."""
    unknown = [part for part in options.parts if part not in (*TARGETS, "all")]
    if unknown:
        raise ValueError(f"PART must be one of {', '.join((*TARGETS, 'all'))}, got {unknown[0]!r}")
    if options.trials < 1:
        raise ValueError(f"--trials must be at least 1, got {options.trials}")
    if options.jobs < 1 and options.jobs != -1:
        raise ValueError(f"--jobs must be a positive number or -1, got {options.jobs}")


def load_all(names: Any, data_dir: str | os.PathLike[str] | None, records: RecordFile) -> dict[str, Material]:  # noqa: ANN401
    """Load data sets; one that cannot be had is skipped with a line and recorded as a gap."""
    materials = {}
    for name in names:
        try:
            materials[name] = Material.of(load(name, data_dir))
        except DatasetUnavailableError as error:
            say(f"skipped: {error}")
            records.add({"kind": "gap", "dataset": name, "reason": str(error)})
        else:
            records.check_data(name, materials[name].digest)
    return materials


def say(text: str) -> None:
    """Tell the user something that is not a result."""
    print(text, file=sys.stderr)
