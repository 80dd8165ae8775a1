"""``cart-elc show`` and ``export``: a saved model to read, to explore, or to run elsewhere."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cart_elc.cli.outputs import add_output, check_output, write_output
from cart_elc.estimators.registry import load
from cart_elc.inspection import export_code, export_graphviz, export_html, export_onnx, export_text
from cart_elc.inspection.export.code import LANGUAGES
from cart_elc.inspection.node_text import leaves_text

MODEL = "model file that `fit` or `save` wrote"
Writer = Callable[[argparse.Namespace], None]


def add_commands(commands: Any) -> None:  # noqa: ANN401
    add_show(commands)
    add_export(commands)


def add_show(commands: Any) -> None:  # noqa: ANN401
    text = "Print a saved model as rules with their proofs, or write it as a page to explore."
    parser: argparse.ArgumentParser = commands.add_parser("show", help="print a model as rules", description=text)
    parser.add_argument("model", help=MODEL)
    parser.add_argument("--decimals", type=int, default=2, metavar="N", help="digits after the point (default: 2)")
    add_output(parser, "--html", text="write an interactive page that needs no network")
    parser.set_defaults(run=show)


def add_export(commands: Any) -> None:  # noqa: ANN401
    text = "Write a saved model as a program, an SQL expression, an ONNX graph, or a drawing for Graphviz."
    parser: argparse.ArgumentParser = commands.add_parser("export", help="write a model as code", description=text)
    parser.add_argument("model", help=MODEL)
    parser.add_argument(
        "format", choices=FORMATS, help="python, sql and c predict what the model does, to the last bit"
    )
    add_output(parser, "-o", "--output", text="where to write it (default: standard output; needed for onnx)")
    parser.add_argument("--name", default="predict", help="name of the function in python and c (default: predict)")
    parser.set_defaults(run=export)


def show(options: argparse.Namespace) -> None:
    check_output(options.html, [options.model], options.force)
    model = load(options.model)
    if options.html is None:
        print(export_text(model, decimals=options.decimals))
    else:
        export_html(model, path=options.html, decimals=options.decimals)
        print(f"page: {Path(options.html).resolve()}")


def export(options: argparse.Namespace) -> None:
    check_output(options.output, [options.model], options.force)
    FORMATS[options.format](options)


def write_code(language: str, options: argparse.Namespace) -> None:
    code = export_code(load(options.model), language, name=options.name)
    write_output(options.output, code.rstrip("\n") + "\n")


def write_onnx(options: argparse.Namespace) -> None:
    if options.output is None:
        raise ValueError("onnx is no text: name a file to write with -o")
    export_onnx(load(options.model), options.output)


def write_dot(options: argparse.Namespace) -> None:
    model = load(options.model)
    title = f"{type(model).__name__} with {leaves_text(model.tree_.n_leaves)}, written by cart-elc"
    write_output(options.output, f"// {title}\n{export_graphviz(model)}\n")


FORMATS: dict[str, Writer] = {
    **{language: partial(write_code, language) for language in LANGUAGES},
    "onnx": write_onnx,
    "dot": write_dot,
}
