"""Commands of packages that are installed beside this one: found by their entry points, loaded when they are called.

An entry point of the group ``cart_elc.commands`` has the command's name and names a function that is given the empty
parser of the command: it adds the arguments, and sets the default ``run`` to what carries the command out.
"""

import argparse
from importlib.metadata import entry_points
from typing import Any

GROUP = "cart_elc.commands"
EXTENSIONS = {"reproduce": "run the paper's experiments and write a report (package cart-elc-reproduction)"}
"""The commands that are known, with what they do."""

HOW_TO_INSTALL = "needs the package cart-elc-reproduction: pip install ./reproduction in a checkout of cart-elc"


def add_commands(commands: Any) -> None:  # noqa: ANN401
    for name, text in EXTENSIONS.items():
        commands.add_parser(name, help=text, complete=add_arguments)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Let the installed package that has the command add its arguments."""
    found = entry_points(group=GROUP, name=parser.prog.split()[-1])
    if not found:
        raise ValueError(f"{parser.prog.removeprefix('cart-elc ')} {HOW_TO_INSTALL}")
    next(iter(found)).load()(parser)
