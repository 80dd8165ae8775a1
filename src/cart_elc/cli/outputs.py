"""Files that a command writes: never one that it reads, and none that somebody else wrote unless told so.

What this program writes says so near its beginning: a model has its format, a page its generator, a program its first
line. Predictions are a plain table, known by their header.
"""

import argparse
import os
import re
import sys
from pathlib import Path

from cart_elc.estimators.persistence import write_whole

MARKS = (
    rb'\s*\{\s*"format": "cart-elc"',
    rb'<!doctype html>.{,1000}<meta name="generator" content="cart-elc">',
    rb"[^\n]* written by cart-elc\n",
    rb".{,8}\x12\x08cart-elc",  # the producer of an ONNX model
)
"""How the files of this program begin."""
HEAD = 4096
"""Bytes of a file that are looked at."""


def add_output(parser: argparse.ArgumentParser, *names: str, required: bool = False, text: str) -> None:
    """Add the option that names the file to be written, and the one that lets it replace any other."""
    parser.add_argument(*names, required=required, metavar="FILE", help=text)
    parser.add_argument("--force", action="store_true", help="replace a file that cart-elc did not write")


def check_output(path: str | None, inputs: list[str], force: bool, header: str = "") -> None:
    """Refuse a file that cannot be written, or should not be, before any work is done for it.

    ``inputs`` are the files that the command reads; ``header`` is the first line of a table that may be replaced.
    """
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise ValueError(f"{path} is a folder: name a file to write")
    if not file.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ValueError(f"{path} cannot be written: permission denied")
    if file.is_file():  # a device or a pipe takes what it is given
        same = next((name for name in inputs if Path(name).exists() and file.samefile(name)), None)
        if same is not None:
            raise ValueError(f"{path} is read by this command and would be lost: name another file to write")
        if not force and not is_ours(file, header):
            raise ValueError(f"{path} exists, and it does not look like a file of cart-elc: --force replaces it")


def is_ours(file: Path, header: str) -> bool:
    """Whether nothing is lost with the file, or its beginning says that this program wrote it."""
    with file.open("rb") as stream:
        head = stream.read(HEAD)
    marked = any(re.match(mark, head, re.DOTALL) for mark in MARKS)
    return not head or marked or (header != "" and head.startswith(header.encode()))


def write_output(path: str | None, text: str) -> None:
    """Write to the file, which is put in place when complete, or to standard output."""
    if path is None:
        sys.stdout.write(text)
    else:
        write_whole(path, text)
