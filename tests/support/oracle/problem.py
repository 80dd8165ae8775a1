"""What is asked of a table: the criterion, the candidates that count, and the smallest leaves."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

CRITERIA = ("gini", "twoing", "information_gain", "mdl", "error")
NUMBER_CRITERIA = ("squared_error", "mdl_squared_error")
"""The criteria of labels that are numbers."""
MINIMISED = ("gini", "error", "squared_error")
PRICED = ("mdl", "mdl_squared_error")
PLANES = ("any", "through", "canonical")
MISSING = ("learn", "right")


@dataclass(frozen=True)
class Problem:
    """The criterion, the candidates, where missing values go, the smallest leaves and the price of a split.

    A split must save more than `min_saving` bits, beyond its price, for each class; for numbers twice that.
    """

    criterion: str = "gini"
    planes: str = "any"
    missing: str = "learn"
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    price: float = 1.0
    min_saving: float = 0.0

    @property
    def minimise(self) -> bool:
        """Whether a smaller score is better."""
        return self.criterion in MINIMISED

    @property
    def worst(self) -> float:
        """The score of a node without a candidate."""
        return no_candidate(self.criterion)

    def better(self, a: float, b: float) -> float:
        """The better of two scores."""
        return min(a, b) if self.minimise else max(a, b)


def no_candidate(criterion: str) -> float:
    """The score of a node without a candidate: as bad as can be."""
    return inf if criterion in MINIMISED else -inf
