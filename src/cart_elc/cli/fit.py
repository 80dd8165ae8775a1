"""``cart-elc fit``: a model from a table."""

import argparse
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.cli.outputs import add_output, check_output
from cart_elc.cli.parameters import Estimator, add_parameters, chosen_estimator, given_parameters
from cart_elc.cli.parameters import names as names_of
from cart_elc.cli.predict import tree_rows
from cart_elc.cli.tables import add_columns, add_table, named_columns, table_of
from cart_elc.datasets.tabular import Table
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.cross_validation import cross_validated_scores
from cart_elc.inspection import export_text
from cart_elc.inspection.node_text import leaves_text
from cart_elc.splitters.reporting import LiveLine
from cart_elc.targets import Classes
from cart_elc.tree import FloatArray

FOLDS = 5


def add_commands(commands: Any) -> None:  # noqa: ANN401
    text = "Fit a tree to a table, print it as rules, and save it. Every parameter is that of the library."
    parser: argparse.ArgumentParser = commands.add_parser("fit", help="fit a model to a table", description=text)
    add_table(parser, "what to learn from; features are numbers or, with elc, text")
    parser.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    add_columns(parser, "--features", "columns to learn from (default: all others)")
    add_columns(parser, "--drop", "columns to leave out")
    add_columns(parser, "--id", "columns that name the rows: left out")
    add_output(parser, "-o", "--output", required=True, text="where to write the model (JSON)")
    text = f"also print the score in cross-validation of N folds (default: {FOLDS})"
    parser.add_argument("--cv", type=int, nargs="?", const=FOLDS, metavar="N", help=text)
    parser.add_argument("--verbose", action="store_true", help="print a line for every split that is searched")
    add_parameters(parser)
    parser.set_defaults(run=fit)


def fit(options: argparse.Namespace) -> None:
    estimator = chosen_estimator(options)
    parameters = given_parameters(options, estimator)
    check_output(options.output, [options.table], options.force)
    table = table_of(options)
    names = feature_columns(table, options)
    categorical = categorical_columns(table, names, estimator, parameters)
    X = rows_to_learn(table, names, categorical)
    y = table.target_numbers(options.target) if options.regression else class_labels(table, options.target)
    if categorical:
        parameters |= {"categorical_features": [names.index(name) for name in categorical]}
    model = estimator(**with_labels(parameters, y))
    fit_with_progress(model, X, y, options.verbose)
    model.feature_names_in_ = np.array(names, dtype=object)
    model.save(options.output)
    print(export_text(model))
    facts = [*size_facts(model), score_text(model, tree_rows(model, table, names), y)]
    if options.cv is not None:
        facts.append(cross_validation_text(model, cross_validated_scores(model, X, y, options.cv)))
    print(", ".join([*facts, proof_text(model)]) + f"; written to {options.output}")


def feature_columns(table: Table, options: argparse.Namespace) -> list[str]:
    """Return the columns to learn from."""
    left_out = named_columns(table, [options.target, *options.id, *options.drop])
    if not options.features:
        return table.without(*left_out)
    chosen = named_columns(table, options.features)
    both = next((name for name in chosen if name in left_out), None)
    if both is not None:
        raise ValueError(f"--features names {both!r}, which is the target or left out by --id or --drop")
    return chosen


def categorical_columns(table: Table, names: list[str], estimator: Estimator, parameters: dict[str, Any]) -> list[str]:
    """Return the columns that are categories: those that hold text, or those that were named."""
    if "categorical_features" not in names_of(estimator) or parameters.get("categorical_features", "") is None:
        return []
    given = parameters.get("categorical_features", "from_dtype")
    if given == "from_dtype":
        return [name for name in names if table.is_category(name)]
    listed = given if isinstance(given, list) else [given]
    return [names[item] if isinstance(item, int) else item for item in named_items(table, listed)]


def named_items(table: Table, items: list[Any]) -> list[Any]:
    """Return positions as they are, and the columns that texts name."""
    return [each for item in items for each in (named_columns(table, [item]) if isinstance(item, str) else [item])]


def rows_to_learn(table: Table, names: list[str], categorical: list[str]) -> NDArray[Any]:
    """Return the features: numbers, and the levels of categories."""
    if not categorical:
        return table.numbers(names)
    rows = np.empty((table.n_rows, len(names)), dtype=object)
    for j, name in enumerate(names):
        rows[:, j] = table.levels(name) if name in categorical else table.numbers([name])[:, 0]
    return rows


def class_labels(table: Table, target: str) -> NDArray[Any]:
    """Return the labels; numbers with decimals are no classes."""
    labels = table.labels(target)
    numbers = [table.format.number(cell) for cell in table.columns[target]]
    broken = next((number for number in numbers if number is None or number != round(number)), None)
    if broken is not None and None not in numbers:
        raise ValueError(f"{table.name}: {target!r} has numbers such as {broken:g} and no classes: add --regression")
    return labels


def with_labels(parameters: dict[str, Any], y: NDArray[Any]) -> dict[str, Any]:
    """Return the parameters with the labels themselves as keys of the class weights, which JSON has as texts."""
    weights = parameters.get("class_weight")
    if not isinstance(weights, dict):
        return parameters
    labels = {str(label): label for label in np.unique(y).tolist()}
    return parameters | {"class_weight": {labels.get(key, key): weight for key, weight in weights.items()}}


def fit_with_progress(model: BaseTree, X: NDArray[Any], y: NDArray[Any], verbose: bool) -> None:
    """Fit the model; whoever sits at a terminal sees how far a long search is."""
    live = LiveLine()
    if verbose:
        model.verbose = 1
    elif model.reports_progress and sys.stderr.isatty():
        model.verbose = live
    try:
        model.fit(X, y)
    finally:
        live.clear()
        model.verbose = 0


def size_facts(model: BaseTree) -> list[str]:
    return [leaves_text(model.tree_.n_leaves), f"depth {model.tree_.max_depth}"]


def proof_text(model: BaseTree) -> str:
    splits = ~model.tree_.is_leaf
    return f"{int(model.tree_.proven[splits].sum())} of {int(splits.sum())} splits proven"


def score_text(model: BaseTree, rows: FloatArray, y: NDArray[Any]) -> str:
    """Return how well the model does on the rows that it was fitted to, as its tree takes them."""
    answers = model.answers_of(model.outputs_of(rows))
    if model.target_kind == Classes.kind:
        return f"{100 * np.mean(answers == y):.1f} % of the training rows right"
    spread = float(np.square(y - y.mean()).sum())
    return f"R² {1.0 - np.square(y - answers).sum() / (spread or 1.0):.3f} on the training rows"


def cross_validation_text(model: BaseTree, scores: FloatArray) -> str:
    """Return mean and standard deviation of the folds' scores."""
    mean, deviation = float(scores.mean()), float(scores.std())
    is_share = model.target_kind == Classes.kind
    text = f"{100 * mean:.1f} % ± {100 * deviation:.1f}" if is_share else f"R² {mean:.3f} ± {deviation:.3f}"
    return f"{text} in {len(scores)}-fold cross-validation"
