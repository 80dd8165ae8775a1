"""What a user forbids of splits: features that may not stand together, and directions that predictions must keep."""

from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from cart_elc.tree import BoolArray, FloatArray, IntArray, Rule

ROUNDING = 1e-12
"""By so much of the size of the labels values may be out of order."""
Limits = tuple[float, float]
"""The smallest and the largest value that a node may have: a mean, or the share of the second of two classes."""
FREE: Limits = (-np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class Constraints:
    """Constraints by the columns of a node's table.

    Attributes
    ----------
    groups : tuple of tuple of int
        The features of a split must all be in one of them; empty is one group of all.
    signs : int64 array or None
        For each feature whether the prediction may not fall (1) or rise (-1) as it rises, or is free (0).
    """

    groups: tuple[tuple[int, ...], ...] = ()
    signs: IntArray | None = None

    def restricted(self, allowed: IntArray) -> Self:
        """Return the constraints of a table that has only these columns."""
        place = {int(feature): position for position, feature in enumerate(allowed)}
        groups = tuple(tuple(place[feature] for feature in group if feature in place) for group in self.groups)
        signs = None if self.signs is None else self.signs[allowed]
        return type(self)(tuple(group for group in groups if group), signs)

    def feature_sets(self, n_features: int, size: int) -> list[tuple[int, ...]]:
        """Return the sets of so many features that may stand together, in order."""
        groups = self.groups or (tuple(range(n_features)),)
        return sorted({chosen for group in groups for chosen in combinations(sorted(group), size)})

    def direction(self, rule: Rule) -> int:
        """Return which side must have the larger value: left (1), right (-1) or either (0)."""
        if self.signs is None or rule.levels is not None:
            return 0
        signs = {int(sign) for sign in np.sign(self.signs[list(rule.features)] * rule.weights) if sign}
        if len(signs) > 1:
            raise ValueError(f"the weights {rule.weights} of features {rule.features} have no direction to keep")
        return signs.pop() if signs else 0

    def limits_below(self, rule: Rule, limits: Limits, left: float, right: float) -> tuple[Limits, Limits]:
        """Return the limits of a split's sides, which have these values.

        Where one side must have the larger value, the middle between the two parts them for good: no node below may
        pass it. So a prediction keeps its direction in the whole tree.
        """
        direction, middle = self.direction(rule), left + (right - left) / 2
        if direction == 0:
            return limits, limits
        low, high = (limits[0], min(limits[1], middle)), (max(limits[0], middle), limits[1])
        return (high, low) if direction > 0 else (low, high)


def are_within(limits: Limits, values: FloatArray, scale: float) -> BoolArray:
    """Return which values lie between the limits, rounding of numbers of this size aside."""
    slack = ROUNDING * scale
    within: BoolArray = (values >= limits[0] - slack) & (values <= limits[1] + slack)
    return within
