"""What a record is: the fields that say what was run, those that say what came out, and what each must be.

A record's identity is its ``kind`` and the fields that `IDENTITY` lists for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from cart_elc.datasets import CATALOGUE
from cart_elc.estimators import persistence
from cart_elc.estimators.registry import from_document
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.specification import EXTENDED_R, TARGETS
from cart_elc_reproduction.protocol.tasks import FIRST_SEED, N_FOLDS, Record

FIT = ("dataset", "algorithm", "criterion", "r", "max_depth", "trial", "fold", "inner")
IDENTITY: dict[str, tuple[str, ...]] = {
    "fit": FIT,
    "model": ("dataset", "algorithm", "criterion", "r", "max_depth"),
    "split": ("n", "r"),
    "gap": ("dataset",),
    "part": ("part",),
}
RESULTS: dict[str, tuple[str, ...]] = {
    "fit": (
        *("accuracy", "leaves", "depth", "proven", "seconds", "seed", "grown_with"),
        *("data", "versions", "machine", "finished"),
    ),
    "model": ("model", "seconds", "versions", "machine", "finished"),
    "split": ("seconds", "proven", "n_boxes", "n_candidates", "versions", "machine", "finished"),
    "gap": ("reason",),
    "part": (),
}
LARGEST_R = max(EXTENDED_R.values())
Key = tuple[object, ...]


def is_text(value: object) -> bool:
    """Whether a value is a text that says something."""
    return isinstance(value, str) and value != ""


def is_count(value: object) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_count_or_none(value: object) -> bool:
    """Whether a value is a whole number from 0 on, or absent."""
    return value is None or is_count(value)


def is_amount(value: object) -> bool:
    """Whether a value is a finite number from 0 on."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_mapping(value: object) -> bool:
    """Whether a value is a mapping that holds something."""
    return isinstance(value, dict) and bool(value)


def is_machine(value: object) -> bool:
    """Whether a value tells what `machine` tells."""
    return isinstance(value, dict) and {"system", "processor", "processors"} <= set(value)


def is_model(value: object) -> bool:
    """Whether a value is a whole model."""
    if not isinstance(value, dict):
        return False
    try:
        persistence.parse("the record", value, from_document)
    except ValueError:
        return False
    return True


CHECKS: dict[str, Callable[[object], bool]] = {
    "dataset": lambda value: isinstance(value, str) and value in CATALOGUE,
    "algorithm": lambda value: isinstance(value, str) and value in ALGORITHMS,
    "criterion": is_text,
    "r": is_count_or_none,
    "n": is_count,
    "max_depth": is_count_or_none,
    "trial": is_count,
    "fold": is_count,
    "inner": is_count_or_none,
    "accuracy": is_share,
    "leaves": lambda value: is_count(value) and value != 0,
    "depth": is_count,
    "seconds": is_amount,
    "proven": lambda value: isinstance(value, bool),
    "seed": is_count,
    "data": lambda value: isinstance(value, dict) and is_text(value.get("digest")) and "copy" in value,
    "grown_with": is_mapping,
    "versions": is_mapping,
    "machine": is_machine,
    "finished": is_text,
    "model": is_model,
    "n_boxes": is_count,
    "n_candidates": is_amount,
    "reason": is_text,
    "part": lambda value: isinstance(value, str) and value in TARGETS,
}
"""What each field must be, so that a damaged line is told from a record before a report is made of it."""


def key_of(record: Record) -> Key:
    """Return a record's identity as a key."""
    kind = record["kind"]
    return (kind, *(record[name] for name in IDENTITY[kind]))


def parse(line: str) -> Record | None:
    """Return the record of a line, or None if it is not a whole record."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    kind = record.get("kind") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in IDENTITY:
        return None
    names = (*IDENTITY[kind], *RESULTS[kind])
    whole = all(name in record and CHECKS[name](record[name]) for name in names)
    return record if whole and is_of_the_protocol(record) else None


def is_of_the_protocol(record: Record) -> bool:
    """Whether a fit or model is of the algorithm's grid, and a fit of a fold of the trial whose seed it has."""
    if "algorithm" not in IDENTITY[record["kind"]]:
        return True
    algorithm = ALGORITHMS[record["algorithm"]]
    in_grid = (
        record["criterion"] in algorithm.criteria
        and record["max_depth"] in algorithm.depths
        and (record["r"] in range(1, LARGEST_R + 1) if algorithm.searches_r else record["r"] is None)
    )
    if record["kind"] == "model":
        return in_grid
    folds = (record["fold"], record["inner"] or 0)
    return in_grid and max(folds) < N_FOLDS and record["seed"] == FIRST_SEED + record["trial"]
