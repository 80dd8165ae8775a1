"""Which side of a partition is left, and which signs the weights of its plane must have for that."""

from dataclasses import replace

import numpy as np

from cart_elc.splitters.constraints import ROUNDING
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split
from cart_elc.tree import LEFT, RIGHT, UNKNOWN, FloatArray, MissingPolicy, Sides


def oriented(node: Node, split: Split, side: Sides, missing: str) -> tuple[Split, Sides]:
    """Name the sides as the target has them; under ``missing="right"`` left is the one without missing values.

    Where nothing is missing, missing values are to go with the heavier side or, under "right", right.
    """
    absent, left = side == UNKNOWN, split.goes_left(side)
    turned = node.target.is_turned(node.statistics(left), node.statistics(~left))
    if missing == "right":
        turned = bool(absent.any()) and split.missing_left
    if turned:
        side = np.where(absent, UNKNOWN, np.where(side == LEFT, RIGHT, LEFT)).astype(np.int8)
        left = ~left
    heavier_left = missing == "learn" and bool(2 * node.weights[left].sum() >= node.weight)
    missing_left = bool(left[absent][0]) if absent.any() else heavier_left
    weights = -split.weights if turned else split.weights
    return replace(split, weights=weights, missing=MissingPolicy(missing_left)), side


def signs_to_keep(node: Node, split: Split, side: Sides) -> FloatArray:
    """The signs that the weights must have, or 0 for any, so that the side with the larger value has it."""
    assert node.constraints is not None and node.constraints.signs is not None
    left = split.goes_left(side)
    upper, lower = (float(node.target.values(node.statistics(part))) for part in (left, ~left))
    signs = node.constraints.signs[list(split.features)].astype(np.float64)
    equal = abs(upper - lower) <= ROUNDING * node.value_scale
    is_lower = (signs * split.weights).sum() < 0 if equal else upper < lower
    return -signs if is_lower else signs
