"""``cart-elc predict``: the rows of a table with a saved model."""

import argparse
import csv
import io
from typing import Any

import numpy as np

from cart_elc.cli.outputs import add_output, check_output, write_output
from cart_elc.cli.tables import add_columns, add_table, named_columns, table_of
from cart_elc.datasets.tabular import Table
from cart_elc.estimators.model import Model
from cart_elc.estimators.registry import load
from cart_elc.targets import Classes
from cart_elc.tree import FloatArray


def add_commands(commands: Any) -> None:  # noqa: ANN401
    text = (
        "Predict the rows of a table. Columns are found by name, others are ignored; a blank line stays a blank line."
    )
    parser: argparse.ArgumentParser = commands.add_parser("predict", help="predict a table's rows", description=text)
    parser.add_argument("model", help="model file that `fit` or `save` wrote")
    add_table(parser, "what to predict, with the model's columns")
    add_columns(parser, "--id", "columns to write beside the predictions")
    add_output(parser, "-o", "--output", text="where to write the CSV (default: standard output)")
    parser.add_argument("--proba", action="store_true", help="add a column with the probability of each class")
    parser.set_defaults(run=predict)


def predict(options: argparse.Namespace) -> None:
    check_output(options.output, [options.model, options.table], force=True)
    model, table = load(options.model), table_of(options)
    ids = named_columns(table, options.id)
    header = [*ids, "prediction", *(probability_names(model) if options.proba else [])]
    check_output(options.output, [], options.force, csv_line(header))
    outputs = model.outputs_of(tree_rows(model, table, model_columns(model, table, ids)))
    columns = [*(table.columns[name] for name in ids), model.answers_of(outputs).tolist()]
    if options.proba:
        columns += outputs.T.tolist()
    lines = dict(zip(table.places, zip(*columns, strict=True), strict=True))
    rows = [header, *(lines.get(place, ()) for place in range(table.n_places))]
    write_output(options.output, "".join(map(csv_line, rows)))


def model_columns(model: Model, table: Table, ids: list[str]) -> list[str]:
    """Return the columns that the model takes: by its names, or all others if it has none."""
    names = [str(name) for name in getattr(model, "feature_names_in_", ())]
    names = names or [name for name in table.names if name not in ids]
    if len(names) != model.n_features_in_:
        raise ValueError(f"{table.name} must have {model.n_features_in_} columns, got {len(names)}")
    return names


def probability_names(model: Model) -> list[str]:
    if model.target_kind != Classes.kind:
        raise ValueError(f"--proba is for classes, and {type(model).__name__} predicts numbers")
    return [f"p({label})" for label in model.classes_.tolist()]


def csv_line(cells: Any) -> str:  # noqa: ANN401
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def tree_rows(model: Model, table: Table, names: list[str]) -> FloatArray:
    """Return the named columns, in the model's order, as its trees take them: levels as codes, nothing left to fill."""
    categories = getattr(model, "categories_", None) or [None] * len(names)
    columns = [
        table.numbers([name])[:, 0] if levels is None else table.codes(name, levels)
        for name, levels in zip(names, categories, strict=True)
    ]
    return model.as_tree_rows(np.column_stack(columns))
