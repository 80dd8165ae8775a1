"""``python -m cart_elc_reproduction``: what keeps the project's pages, beside the command ``cart-elc reproduce``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from subprocess import CalledProcessError

from cart_elc.cli import main as cart_elc
from cart_elc_reproduction.pages import algorithms, reproduction
from cart_elc_reproduction.pages.comparing import comparison_lines
from cart_elc_reproduction.protocol.environment import build_digest
from cart_elc_reproduction.sensitivity import STUDIES


def build_parser() -> argparse.ArgumentParser:
    """Return the parser with the three commands."""
    parser = argparse.ArgumentParser(prog="python -m cart_elc_reproduction", description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    text = "run the whole protocol and write docs/reproduction.md and docs/algorithms.md: no number there is typed"
    writing = commands.add_parser("write", help=text, description=text)
    writing.add_argument("--run", type=Path, help="folder of the records (default: build/protocol-<build>)")
    writing.add_argument("--root", type=Path, default=Path(), help="the checkout (default: the working folder)")
    writing.set_defaults(run_command=write)
    text = "say what two finished runs make different"
    comparing = commands.add_parser("compare", help=text, description=text)
    comparing.add_argument("runs", type=Path, nargs=2, metavar="RUN", help="folder of a run")
    comparing.set_defaults(run_command=compare)
    text = "run a part of the protocol with variations"
    varying = commands.add_parser("sensitivity", help=text, description=text)
    varying.add_argument("study", choices=STUDIES, help="what is varied")
    varying.set_defaults(run_command=vary)
    for command in (writing, varying):
        command.add_argument("--data-dir", type=Path, required=True, help="folder with the paper's data files")
    return parser


def write(options: argparse.Namespace) -> None:
    """Run what has not been run, and write both pages.

    The records are kept in one folder for each build of the library, and so is what else takes long: a run that was
    stopped goes on, and nothing is done twice.
    """
    run: Path = options.run or options.root / "build" / f"protocol-{build_digest()}"
    code = cart_elc(["reproduce", "all", "--out", str(run), "--resume"])
    if code:
        raise SystemExit(code)
    docs = options.root / "docs"
    reproduction.write_page(run, docs)
    algorithms.write_page(run, docs, options.root / "benchmarks" / "rivals.py")
    print(f"written: {docs / 'reproduction.md'}, {docs / 'algorithms.md'}, from {run}")


def compare(options: argparse.Namespace) -> None:
    """Print the comparison of the fits that both runs have."""
    print(*comparison_lines(*options.runs), sep="\n")


def vary(options: argparse.Namespace) -> None:
    """Print what a study's variations give."""
    print(STUDIES[options.study].text())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command."""
    options = build_parser().parse_args(arguments)
    if "data_dir" in options:
        os.environ["CART_ELC_DATA"] = str(options.data_dir.resolve())
    try:
        options.run_command(options)
    except KeyboardInterrupt:
        raise SystemExit("stopped: the same command goes on") from None
    except (CalledProcessError, ValueError, OSError) as error:
        raise SystemExit(f"{error}: the same command goes on") from None


if __name__ == "__main__":
    main()
