"""The options that say how a table is written and which of its columns are what."""

import argparse
from collections.abc import Sequence

from cart_elc.datasets.tabular import MISSING_WORDS, Table, TableFormat, read_table

KINDS = "CSV (.csv, .tsv, .txt, also .gz) or Parquet file with a header; - is standard input"
SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}


def add_table(parser: argparse.ArgumentParser, text: str) -> None:
    """Add the table and how it is written."""
    parser.add_argument("table", help=f"{text}: {KINDS}")
    group = parser.add_argument_group("the table")
    group.add_argument(
        "--sep", type=separator, metavar="S", help="what separates values, such as ; or tab (default: ,)"
    )
    group.add_argument("--encoding", default="utf-8", metavar="E", help="encoding of the text (default: utf-8)")
    words = ", ".join(MISSING_WORDS)
    text = f"a word that means a missing value, beside an empty cell; may be repeated (default: {words})"
    group.add_argument("--na", action="append", metavar="WORD", help=text)
    group.add_argument(
        "--decimal", choices=[".", ","], default=".", metavar="D", help="what decimals stand after: . or , (default: .)"
    )


def add_columns(group: argparse._ActionsContainer, option: str, text: str) -> None:
    group.add_argument(option, action="append", default=[], metavar="COLUMNS", help=f"{text}; a,b or repeated")


def separator(text: str) -> str:
    sep = SEPARATORS.get(text, text)
    if len(sep) != 1 or sep in '"\r\n':
        raise argparse.ArgumentTypeError(f"must be one character, or tab, got {text!r}")
    return sep


def table_of(options: argparse.Namespace) -> Table:
    """Read the table of the command."""
    missing = MISSING_WORDS if options.na is None else options.na
    return read_table(options.table, TableFormat(options.sep, options.encoding, options.decimal, missing))


def named_columns(table: Table, given: Sequence[str]) -> list[str]:
    """Return the columns that an option names, each text one of them or several with commas between."""
    names = [name for text in given for name in ([text] if text in table.columns else text.split(","))]
    table.require(names)
    return names
