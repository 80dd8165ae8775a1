"""What one feature alone would have to become for a sample to cross a plane."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.tree import LEFT, RIGHT, FloatArray, weighted_sums

NUDGES = 60


@dataclass(frozen=True)
class Change:
    """A value of one feature with which the sample, otherwise as it is, would be on the other side.

    ``deviations`` is the size of the change in standard deviations of the feature over the rows that were given; NaN if
    there were none.
    """

    feature: int
    name: str
    value: float
    new_value: float
    deviations: float = math.nan

    @property
    def by(self) -> float:
        """The difference, signed."""
        return self.new_value - self.value


@dataclass(frozen=True)
class LevelChange(Change):
    """A level of a category with which the sample would be on the other side; ``value`` and ``new_value`` are codes."""

    level: Any = None
    new_level: Any = None


@dataclass(frozen=True, eq=False)
class Ranges:
    """Smallest and largest value and standard deviation of each feature over some rows."""

    low: FloatArray
    high: FloatArray
    deviation: FloatArray

    @classmethod
    def of(cls, X: FloatArray) -> Self:
        """Look at the rows; a feature without values has an empty range."""
        known = ~np.isnan(X)
        low = np.min(X, axis=0, where=known, initial=np.inf)
        high = np.max(X, axis=0, where=known, initial=-np.inf)
        deviation = np.array(
            [np.std(column[there]) if there.any() else 0.0 for column, there in zip(X.T, known.T, strict=True)]
        )
        return cls(low, high, deviation)

    def deviations(self, feature: int, by: float) -> float:
        return abs(by) / float(self.deviation[feature]) if self.deviation[feature] > 0 else math.inf


def changes(named: NamedTree, node: int, row: FloatArray, ranges: Ranges | None) -> tuple[Change, ...]:
    """Return for every feature with a weight the nearest value on the other side, the smallest change first.

    With ``ranges``, those that leave them are left out, and sizes are compared in standard deviations.
    """
    features, weights, threshold = named.tree.split(node)
    if named.tree.is_categorical[node]:
        return tuple(level_changes(named, node, row))
    values, found = row[features], []
    for position, feature in enumerate(features.tolist()):
        value, new_value = float(values[position]), crossing(weights, values, threshold, position)
        if new_value is not None and (ranges is None or ranges.low[feature] <= new_value <= ranges.high[feature]):
            size = math.nan if ranges is None else ranges.deviations(feature, new_value - value)
            found.append(Change(feature, named.features[feature], value, new_value, size))
    return tuple(sorted(found, key=lambda change: abs(change.by) if ranges is None else change.deviations))


def level_changes(named: NamedTree, node: int, row: FloatArray) -> Iterator[LevelChange]:
    """Yield the levels that the split sends to the other side than the row's own."""
    rule = named.tree.rule(node)
    feature, code = rule.features[0], int(row[rule.features[0]])
    assert rule.levels is not None
    for other in rule.levels_of(RIGHT if rule.levels[code] == LEFT else LEFT):
        levels = {"level": named.level(feature, code), "new_level": named.level(feature, other)}
        yield LevelChange(feature, named.features[feature], float(code), float(other), **levels)


def crossing(weights: FloatArray, values: FloatArray, threshold: float, position: int) -> float | None:
    """Return the value of one feature at which the stored rule changes its answer, or None if none is finite.

    The solution of the equation may lie on the wrong side by rounding; it is then moved by doubling steps of its last
    bit.
    """
    weight, inside = float(weights[position]), total(weights, values) >= threshold
    if weight == 0.0:
        return None
    with np.errstate(over="ignore"):
        start = float(values[position] + (threshold - total(weights, values)) / np.float64(weight))
    onward = np.inf if (weight > 0) != inside else -np.inf
    for k in range(NUDGES):
        gap = abs(float(np.nextafter(start, onward)) - start)
        candidate = start if k == 0 else start + np.sign(onward) * gap * 2.0 ** (k - 1)
        moved = values.copy()
        moved[position] = candidate
        if np.isfinite(candidate) and (total(weights, moved) >= threshold) != inside:
            return float(candidate)
    return None


def total(weights: FloatArray, values: FloatArray) -> float:
    """Return the sum from left to right, as prediction does."""
    return float(weighted_sums(values[None, :], weights)[0])
