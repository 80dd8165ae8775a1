"""The program ``cart-elc``: one parser, one command a module; errors are one line on standard error and exit code 2."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from cart_elc.cli import catalogue, extensions, fit, predict, show
from cart_elc.datasets import DatasetUnavailableError

BAD_INPUT = 2
INTERRUPTED = 130
DESCRIPTION = "Oblique decision trees with proven-optimal splits: fit them, read them, and reproduce the paper."


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others of this program.

    ``complete`` is given the parser when its command is called, and adds the arguments that it did not have before.
    """

    def __init__(self, *, complete: Callable[[argparse.ArgumentParser], None] | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self._complete = complete

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401
        complete, self._complete = self._complete, None
        if complete is not None:
            complete(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (usage: {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="cart-elc", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"cart-elc {version('cart-elc')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (fit, predict, show, catalogue, extensions):
        module.add_commands(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 2 for what the user can mend, 130 when interrupted."""
    try:
        options = build_parser().parse_args(arguments)
        with warnings.catch_warnings():
            warnings.showwarning = print_warning
            options.run(options)
            sys.stdout.flush()  # so that a reader that has gone is met here
    except KeyboardInterrupt:
        print("cart-elc: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as in `cart-elc show model.json | head`; nothing is left to tell it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, DatasetUnavailableError, OSError) as error:
        print(f"cart-elc: {one_line(error)}", file=sys.stderr)
        return BAD_INPUT
    return 0


def print_warning(message: Warning | str, *_: object, **_more: object) -> None:
    print(f"cart-elc: {one_line(message)}", file=sys.stderr)


def one_line(error: Exception | str) -> str:
    named = isinstance(error, OSError) and error.filename and error.strerror
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and named else str(error)
    return " ".join(text.split()) or type(error).__name__
