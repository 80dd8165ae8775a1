"""Options that are the parameters of the estimators: made from their fields and docstrings, so that none is left out.

An option that is not given is not passed on: the defaults are those of the library.
"""

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from cart_elc.estimators import CLASSIFIERS, ESTIMATORS, REGRESSORS
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.inherited_docs import entries, sections

Estimator = type[BaseTree]
BY_COMMAND = ("verbose",)
"""Parameters that have an option of the command's own."""
ALIASES = {"n_jobs": ["--jobs"]}
WORDS = {"none": None, "true": True, "false": False}


def algorithm_of(estimator: Estimator) -> str:
    """Return what an estimator is called on the command line.

    >>> [algorithm_of(estimator) for estimator in ESTIMATORS.values()][:2]
    ['elc', 'hhcart']
    """
    return estimator.__name__.removesuffix("Classifier").removesuffix("Regressor").lower()


FOR_CLASSES = {algorithm_of(estimator): estimator for estimator in CLASSIFIERS.values()}
FOR_NUMBERS = {algorithm_of(estimator): estimator for estimator in REGRESSORS.values()}
ALGORITHMS = list(FOR_CLASSES | FOR_NUMBERS)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """Add the choice of an algorithm, and an option for every parameter that one of them has."""
    text = f"how splits are found (default: {ALGORITHMS[0]})"
    parser.add_argument("--algorithm", choices=ALGORITHMS, default=ALGORITHMS[0], help=text)
    text = f"the target is a number and not a class; in {', '.join(FOR_NUMBERS)}"
    parser.add_argument("--regression", action="store_true", help=text)
    group = parser.add_argument_group("parameters of the algorithms")
    for name in dict.fromkeys(field.name for estimator in ESTIMATORS.values() for field in parameters(estimator)):
        add_parameter(group, name, [each for each in ESTIMATORS.values() if name in names(each)])


def chosen_estimator(options: argparse.Namespace) -> Estimator:
    estimators: Mapping[str, Estimator] = FOR_NUMBERS if options.regression else FOR_CLASSES
    if options.algorithm not in estimators:
        kind = "--regression" if options.regression else "classes"
        raise ValueError(f"--algorithm must be one of {', '.join(estimators)} for {kind}, got {options.algorithm}")
    return estimators[options.algorithm]


def parameters(estimator: Estimator) -> Iterable[Field[Any]]:
    return [field for field in fields(estimator) if field.name not in BY_COMMAND]


def names(estimator: Estimator) -> list[str]:
    return [field.name for field in parameters(estimator)]


def add_parameter(group: argparse._ArgumentGroup, name: str, estimators: list[Estimator]) -> None:
    field = next(field for field in parameters(estimators[0]) if field.name == name)
    flags = ["--" + name.replace("_", "-"), *ALIASES.get(name, [])]
    text = described(name, estimators)
    if field.type is bool:
        action = argparse.BooleanOptionalAction
        group.add_argument(*flags, dest=name, action=action, default=argparse.SUPPRESS, help=text)
    else:
        group.add_argument(*flags, dest=name, type=value_of, default=argparse.SUPPRESS, metavar="VALUE", help=text)


def described(name: str, estimators: list[Estimator]) -> str:
    """Return the first sentence about a parameter, its choices, its defaults, and which algorithms have it."""
    head, _, text = entries(sections(estimators[0].__doc__ or "")["Parameters"]).get(name, "").partition("\n")
    sentence = re.split(r"[.;:](?:\s|$)", " ".join(text.split()))[0].replace("``", "")
    choices = re.search(r"\{(.*?)\}", head)
    listed = f": {choices[1]}".replace('"', "") if choices and len(estimators) == 1 else ""
    defaults: dict[str, dict[str, None]] = {}
    for estimator in estimators:
        defaults.setdefault(as_written(default_of(estimator, name)), {})[algorithm_of(estimator)] = None
    everywhere = len(defaults) == 1 and list(next(iter(defaults.values()))) == ALGORITHMS
    parts = [value + ("" if everywhere else f" in {', '.join(where)}") for value, where in defaults.items()]
    return f"{sentence}{listed} (default: {'; '.join(parts)})".lstrip().replace("%", "%%")


def as_written(value: Any) -> str:  # noqa: ANN401
    """Return a default as it would be given."""
    return value if isinstance(value, str) else str(value).lower()


def default_of(estimator: Estimator, name: str) -> Any:  # noqa: ANN401
    default = next(field.default for field in parameters(estimator) if field.name == name)
    return "" if default is MISSING else default


def value_of(text: str) -> Any:  # noqa: ANN401
    """Return what a text on the command line means: a number, none, true, false, a JSON list or object, or itself.

    >>> [value_of(text) for text in ("2", "0.5", "none", "gini", '{"yes": 3}')]
    [2, 0.5, None, 'gini', {'yes': 3}]
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def given_parameters(options: argparse.Namespace, estimator: Estimator) -> dict[str, Any]:
    """Return the parameters that were given; one that the algorithm does not have is refused."""
    every = {name for each in ESTIMATORS.values() for name in names(each)}
    given = {name: value for name, value in vars(options).items() if name in every}
    for name in given:
        if name not in names(estimator):
            flag, known = "--" + name.replace("_", "-"), ", ".join(names(estimator)).replace("_", "-")
            raise ValueError(f"{flag} is no option of --algorithm {algorithm_of(estimator)}, which has {known}")
    return given
