"""Checks of the constraints that a user puts on splits."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cart_elc.columns import position_of, positions_of
from cart_elc.estimators.data import TrainingSet
from cart_elc.splitters.constraints import Constraints
from cart_elc.targets import Classes
from cart_elc.tree import IntArray


def checked_constraints(
    groups: Any,  # noqa: ANN401
    directions: Any,  # noqa: ANN401
    planes: str,
    names: Sequence[Any],
    data: TrainingSet,
) -> Constraints | None:
    """Return the constraints by column; None where there are none."""
    if groups is None and directions is None:
        return None
    signs = None if directions is None else checked_signs(directions, names)
    if signs is not None:
        refuse_directions(signs, planes, names, data)
    return Constraints(() if groups is None else checked_groups(groups, names), signs)


def checked_groups(groups: Any, names: Sequence[Any]) -> tuple[tuple[int, ...], ...]:  # noqa: ANN401
    """Return the groups by position, and that of the features which are in none."""
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise TypeError(f"feature_groups must be a list of lists of features, got {groups!r}")
    known = [tuple(positions_of("feature_groups", group, names)) for group in groups]
    others = tuple(sorted(set(range(len(names))) - {feature for group in known for feature in group}))
    return tuple(group for group in (*known, others) if group)


def checked_signs(directions: Any, names: Sequence[Any]) -> IntArray:  # noqa: ANN401
    if isinstance(directions, Mapping):
        signs = np.zeros(len(names), dtype=object)
        for name, sign in directions.items():
            signs[position_of("monotonic_cst", name, names)] = sign
    else:
        signs = np.asarray(directions, dtype=object)
    if signs.shape != (len(names),) or not all(sign in (-1, 0, 1) for sign in signs):
        raise ValueError(
            f"monotonic_cst must have -1, 0 or 1 for each of {len(names)} features, or be a dict of them by name, "
            f"got {directions!r}"
        )
    return signs.astype(np.int64)


def refuse_directions(signs: IntArray, planes: str, names: Sequence[Any], data: TrainingSet) -> None:
    """Refuse directions of what has none: more than two classes, categories, planes through samples."""
    if planes != "any":
        raise ValueError(f"monotonic_cst must be None where planes={planes!r}")
    if isinstance(data.target, Classes) and data.target.n_classes > 2:
        raise ValueError(f"monotonic_cst needs two classes or numbers, got {data.target.n_classes} classes")
    nominal = data.categories.is_nominal if data.categories is not None else np.zeros(len(signs), dtype=bool)
    if np.any(signs[nominal]):
        wrong = names[int(np.flatnonzero(nominal & (signs != 0))[0])]
        raise ValueError(f"monotonic_cst must be 0 for categories, which have no direction, got one for {wrong!r}")
