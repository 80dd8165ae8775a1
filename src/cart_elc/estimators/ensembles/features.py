"""The features that a node may use, drawn anew for each node."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cart_elc.estimators.parameters import is_int, is_real, refusal
from cart_elc.splitters.node import Node
from cart_elc.tree import IntArray

ROOTS = {"sqrt": math.sqrt, "log2": math.log2}


@dataclass(frozen=True)
class FeatureDraw:
    """Draws so many features for each node; the draw depends on the node's seed alone."""

    n_features: int
    n_drawn: int

    def __call__(self, node: Node) -> IntArray | None:
        if self.n_drawn >= self.n_features:
            return None
        return np.sort(np.random.default_rng(node.seed).choice(self.n_features, self.n_drawn, replace=False))


def check_max_features(value: Any, n_features: int) -> int:  # noqa: ANN401
    """Return the number of features of a node that ``max_features`` asks for, at least one."""
    if value is None:
        return n_features
    if isinstance(value, str) and value in ROOTS:
        return max(1, int(ROOTS[value](n_features)))
    if is_int(value) and value >= 1:
        return min(int(value), n_features)
    if is_real(value) and not is_int(value) and 0.0 < value <= 1.0:
        return max(1, int(value * n_features))
    expected = "'sqrt', 'log2', an int >= 1, a float in (0, 1] or None"
    raise refusal("max_features", expected, value, isinstance(value, str) or is_real(value))
