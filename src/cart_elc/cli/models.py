"""``cart-elc fit``, ``predict`` and ``show``: models from tables, predictions from models, rules to read."""

import argparse
import csv
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.criteria import EXACT
from cart_elc.datasets.tabular import read_table
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.elc import MISSING, PLANES, ELCClassifier
from cart_elc.estimators.registry import load
from cart_elc.inspection import export_html, export_text
from cart_elc.targets import Classes
from cart_elc.tree import FloatArray


def add_commands(commands: Any) -> None:  # noqa: ANN401
    add_fit(commands)
    add_predict(commands)
    add_show(commands)


def add_fit(commands: Any) -> None:  # noqa: ANN401
    """Add ``fit``; an option that is a parameter of `ELCClassifier` is kept under that parameter's name."""
    text = "Fit a tree of exact oblique splits to a table, print it as rules, and save it."
    parser: argparse.ArgumentParser = commands.add_parser("fit", help="fit a model to a table", description=text)
    parser.add_argument("table", help="CSV or Parquet file with a header; features are numbers, empty is missing")
    parser.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write the model (JSON)")
    parser.add_argument("--r", type=int, default=2, metavar="N", help="features in a split (default: 2)")
    parser.add_argument("--criterion", choices=EXACT, default="mdl", help="score of a split (default: mdl)")
    parser.add_argument("--price", type=float, default=1.0, help="factor of a split's price under mdl (default: 1)")
    parser.add_argument("--max-depth", type=int, metavar="N", help="largest depth (default: no limit)")
    parser.add_argument(
        "--min-samples-leaf", type=int, default=1, metavar="N", help="fewest rows of a leaf (default: 1)"
    )
    parser.add_argument(
        "--ccp-alpha", type=float, default=0.0, metavar="A", help="price per leaf in pruning (default: 0)"
    )
    parser.add_argument("--planes", choices=PLANES, default="any", help="which splits compete (default: any)")
    parser.add_argument("--missing", choices=MISSING, default="learn", help="side of missing values (default: learn)")
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds for the whole fit (default: no limit)")
    jobs = "threads, -1 for all processors (default: -1)"
    parser.add_argument("--jobs", dest="n_jobs", type=int, default=-1, metavar="N", help=jobs)
    parser.set_defaults(run=fit)


def add_predict(commands: Any) -> None:  # noqa: ANN401
    text = "Predict the rows of a table. Columns are found by name; others are ignored."
    parser: argparse.ArgumentParser = commands.add_parser("predict", help="predict a table's rows", description=text)
    parser.add_argument("model", help="model file that `fit` or `save` wrote")
    parser.add_argument("table", help="CSV or Parquet file with the model's columns")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the CSV (default: standard output)")
    parser.add_argument("--proba", action="store_true", help="add a column with the probability of each class")
    parser.set_defaults(run=predict)


def add_show(commands: Any) -> None:  # noqa: ANN401
    text = "Print a saved model as rules with their proofs, or write it as a page to explore."
    parser: argparse.ArgumentParser = commands.add_parser("show", help="print a model as rules", description=text)
    parser.add_argument("model", help="model file that `fit` or `save` wrote")
    parser.add_argument("--decimals", type=int, default=2, metavar="N", help="digits after the point (default: 2)")
    parser.add_argument("--html", metavar="FILE", help="write an interactive page that needs no network")
    parser.set_defaults(run=show)


def fit(options: argparse.Namespace) -> None:
    check_output(options.output)
    table = read_table(options.table)
    names = table.without(options.target)
    X, y = table.numbers(names), table.labels(options.target)
    parameters = {name: value for name, value in vars(options).items() if name in ELCClassifier().get_params()}
    model = ELCClassifier(**parameters).fit(X, y)
    model.feature_names_in_ = np.array(names, dtype=object)
    model.save(options.output)
    print(export_text(model))
    print(summary(model, X, y) + f"; written to {options.output}")


def summary(model: BaseTree, X: FloatArray, y: NDArray[Any]) -> str:
    tree = model.tree_
    right = float(np.mean(labels_of(model, outputs_of(model, X)) == y))
    splits = ~tree.is_leaf
    proof = f"{int(tree.proven[splits].sum())} of {int(splits.sum())} splits proven"
    return f"{tree.n_leaves} leaves, depth {tree.max_depth}, {100 * right:.1f} % of the training rows right, {proof}"


def predict(options: argparse.Namespace) -> None:
    check_output(options.output)
    model = load(options.model)
    table = read_table(options.table)
    names = [str(name) for name in getattr(model, "feature_names_in_", ())] or table.names
    if len(names) != model.n_features_in_:
        raise ValueError(f"{options.table} must have {model.n_features_in_} columns, got {len(names)}")
    outputs = outputs_of(model, table.numbers(names))
    columns = [labels_of(model, outputs)]
    header = ["prediction"]
    if options.proba:
        if model.target_kind != Classes.kind:
            raise ValueError(f"--proba is for classifiers, {options.model} is a {type(model).__name__}")
        header += [f"p({label})" for label in model.classes_.tolist()]
        columns += list(outputs.T)
    with open_output(options.output) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(zip(*(column.tolist() for column in columns), strict=True))


def outputs_of(model: BaseTree, rows: FloatArray) -> FloatArray:
    """Return what leaves predict, probabilities or means, for rows whose columns are in the model's order already."""
    return model.tree_.predict_value(model.as_tree_rows(rows))


def labels_of(model: BaseTree, outputs: FloatArray) -> NDArray[Any]:
    if model.target_kind != Classes.kind:
        return outputs[:, 0]
    labels: NDArray[Any] = model.classes_[np.argmax(outputs, axis=1)]
    return labels


def check_output(path: str | None) -> None:
    """Refuse a file that cannot be written before any work is done for it."""
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise ValueError(f"{path} is a folder: name a file to write")
    if not file.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ValueError(f"{path} cannot be written: permission denied")


def open_output(path: str | None) -> Any:  # noqa: ANN401
    return nullcontext(sys.stdout) if path is None else Path(path).open("w", encoding="utf-8", newline="")


def show(options: argparse.Namespace) -> None:
    check_output(options.html)
    model = load(options.model)
    if options.html is None:
        print(export_text(model, decimals=options.decimals))
    else:
        export_html(model, path=options.html, decimals=options.decimals)
        print(f"page: {Path(options.html).resolve()}")
