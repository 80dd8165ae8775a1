"""``cart-elc reproduce``: run what the paper's tables and figures need, and write the report."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from cart_elc.datasets import CATALOGUE, DatasetUnavailableError, load
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.specification import N_TRIALS, PAPER_SETS, TARGETS, expand, plan
from cart_elc_reproduction.protocol.tasks import TaskData
from cart_elc_reproduction.report.sections import write_report
from cart_elc_reproduction.run.execution import Execution, reproduce
from cart_elc_reproduction.run.records import RecordFile

DESCRIPTION = """\
Run the paper's experiments and write a report with the published figures beside ours.

Parts: table1 (operations of one split), table2 (accuracy and size of the algorithms), table3 and table4 (their
significance and effect sizes), table5 (splitting criteria), figures (tuning), beyond (r = 3, margins, nested
cross-validation, rivals under all criteria), all (the default).
"""
EPILOG = """\
Each fit is recorded in DIR/records.jsonl as it ends. A run that was stopped goes on with --resume; the same command
with more parts, data sets or trials adds to it. The report is DIR/report.html and DIR/report.md; it has the parts that
were asked for.

  cart-elc reproduce table5 --dataset iris --trials 2
  cart-elc reproduce all --data-dir ~/data --jobs 8 --out paper
  cart-elc reproduce all --data-dir ~/data --out paper --resume --scheduler tcp://10.0.0.1:8786
"""


class WholeNames(argparse.RawDescriptionHelpFormatter):
    """Breaks no line within a name such as cart-elc-refined, which a reader may copy."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Make a parser that of the command; ``run`` is what its options are handed to."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.formatter_class = WholeNames
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to reproduce (default: all)")
    add_names(parser, "--dataset", CATALOGUE, "the paper's six")
    add_names(parser, "--algorithm", ALGORITHMS, "all")
    parser.add_argument("--trials", type=int, default=N_TRIALS, metavar="N", help=f"trials (default: {N_TRIALS})")
    jobs = "processes on this machine, -1 for one a processor (default: -1)"
    parser.add_argument("--jobs", type=int, default=-1, metavar="N", help=jobs)
    parser.add_argument("--data-dir", metavar="DIR", help="folder with data files (default: $CART_ELC_DATA)")
    parser.add_argument("--out", default="reproduced", metavar="DIR", help="where to write (default: reproduced)")
    parser.add_argument("--resume", action="store_true", help="go on with the records in DIR")
    scheduler = "run on the Dask cluster with this scheduler instead of --jobs"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=scheduler)
    parser.set_defaults(run=run)


def add_names(parser: argparse.ArgumentParser, option: str, names: Iterable[str], default: str) -> None:
    """Add an option that takes some of the names."""
    text = f"any of {', '.join(names)} (default: {default})"
    parser.add_argument(option, nargs="+", choices=list(names), metavar="NAME", help=text)


def run(options: argparse.Namespace) -> None:
    """Run the parts and write the report."""
    check(options)
    path = Path(options.out) / "records.jsonl"
    if path.is_file() and path.stat().st_size > 0 and not options.resume:
        raise ValueError(f"{path} has records: add --resume to go on with them, or choose another --out")
    with RecordFile(path) as records:
        try:
            run_parts(options, records)
        except KeyboardInterrupt:
            say(f"stopped; what is done is in {path}: the same command with --resume goes on")
            raise
        page = write_report(records.records, path.parent)
    print(f"report: {page.resolve()}")


def run_parts(options: argparse.Namespace, records: RecordFile) -> None:
    """Run what the parts need and the records lack."""
    if records.rejected:
        say(f"not whole records in {records.path}: {len(records.rejected)}, moved to {records.rejected_path}")
    names = options.dataset or PAPER_SETS
    data_by_name = load_all(names, options.data_dir, records)
    if not data_by_name:
        raise ValueError(f"nothing to run: none of {', '.join(names)} is here; cart-elc datasets says how to get them")
    tasks = plan(options.parts, list(data_by_name), options.algorithm or list(ALGORITHMS), options.trials)
    if not tasks:
        raise ValueError(f"{' and '.join(options.parts)} does not run {' or '.join(options.algorithm)}")
    records.check_parameters(tasks)
    for part in expand(options.parts):
        records.add({"kind": "part", "part": part})
    others = records.of_other_builds()
    if others:
        say(f"records of another build of cart-elc: {others}, which are kept; a new --out has none")
    say(f"{len(records.pending(tasks))} of {len(tasks)} tasks to do, records in {records.path}")
    reproduce(tasks, data_by_name, records, Execution(options.jobs, options.scheduler))


def check(options: argparse.Namespace) -> None:
    """Refuse what argparse cannot."""
    unknown = [part for part in options.parts if part not in (*TARGETS, "all")]
    if unknown:
        raise ValueError(f"PART must be one of {', '.join((*TARGETS, 'all'))}, got {unknown[0]!r}")
    if options.trials < 1:
        raise ValueError(f"--trials must be at least 1, got {options.trials}")
    if options.jobs < 1 and options.jobs != -1:
        raise ValueError(f"--jobs must be a positive number or -1, got {options.jobs}")


def load_all(names: Iterable[str], data_dir: str | os.PathLike[str] | None, records: RecordFile) -> dict[str, TaskData]:
    """Load data sets; one that cannot be had is skipped with a line and recorded as a gap."""
    data_by_name = {}
    for name in names:
        try:
            data_by_name[name] = TaskData.of(load(name, data_dir))
        except DatasetUnavailableError as error:
            say(f"skipped: {error}")
            records.add({"kind": "gap", "dataset": name, "reason": str(error)})
        else:
            records.check_data(name, data_by_name[name].digest)
    return data_by_name


def say(text: str) -> None:
    """Tell the user something that is not a result."""
    print(text, file=sys.stderr)
