"""Running the command line: in this process, or as a program of its own."""

import subprocess
import sys

from cart_elc.cli import main


def run(*arguments):
    """Run the command line here and return its exit code; argparse exits by itself."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code


def command(*arguments):
    """Return the command as a program of its own."""
    return [sys.executable, "-m", "cart_elc", *map(str, arguments)]


def run_program(*arguments, timeout=120):
    """Run the program and return what it did."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=timeout, check=False)
