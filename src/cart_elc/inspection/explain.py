"""Why one sample got its class: the path as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.named_tree import FittedTree, NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, is_number, number
from cart_elc.rounded_rule import round_rule
from cart_elc.tree import FloatArray, MissingPolicy

NUDGES = 60
DIGITS = 6
"""Significant digits of the values in the text."""
PAST = 1e-9
"""How far beyond a value, relative to it, whoever is past it must be at least."""


@dataclass(frozen=True)
class Term:
    """One product of a split's sum."""

    feature: int
    name: str
    weight: float
    value: float


@dataclass(frozen=True)
class Change:
    """What one feature alone would have to become for the sample to cross the plane."""

    feature: int
    name: str
    value: float
    new_value: float

    @property
    def by(self) -> float:
        """The difference, signed."""
        return self.new_value - self.value


@dataclass(frozen=True)
class Step:
    """A split on the path of a sample.

    Attributes
    ----------
    node : int
        Id in ``tree_``.
    rule : str
        The rounded rule that leads left; in full where rounding would say otherwise for this sample.
    terms : tuple of Term
        The stored weights and the sample's values, missing ones filled if the model does so.
    value : float
        The stored sum ``w.x``, which was compared with the threshold; NaN if a value is missing.
    threshold : float
    side : {"left", "right", "both"}
        Where the sample goes; left is ``value >= threshold``.
    missing : tuple of str
        The split's features that the sample lacks; the split's policy then decided the side.
    margin : float
        Half the width of the band around the plane that is empty of training rows, in units of ``value``.
    distance : float
        ``(value - threshold) / margin``. Where the plane lies in the middle of its band (``placement="margin"``), the
        nearest training rows are at 1 and -1. NaN if a value is missing or the margin is unknown or zero.
    changes : tuple of Change
        For every feature the change that, alone, takes the sample across; smallest first, each in the feature's own
        units. Empty if a value is missing.
    share : float
        Part of the sample that is here; less than 1 below a split that divided it.
    """

    node: int
    rule: str
    terms: tuple[Term, ...]
    value: float
    threshold: float
    side: str
    missing: tuple[str, ...]
    margin: float
    distance: float
    changes: tuple[Change, ...]
    share: float

    @property
    def change(self) -> Change | None:
        """The smallest change of one feature that crosses the plane."""
        return self.changes[0] if self.changes else None

    def __str__(self) -> str:
        if self.missing:
            return f"{self.rule}: {', '.join(map(as_text, self.missing))} missing, so {self.side}"
        text = f"{self.rule}: {'yes' if self.side == 'left' else 'no'}, so {self.side}"
        if np.isfinite(self.distance):
            text += f"; {abs(self.distance):.3g} x margin from the plane"
        if self.change is not None:
            text += f"; crossed by {as_text(self.change.name)} from {self.change.value:.6g} {self._goal(self.change)}"
        return text

    def _goal(self, change: Change) -> str:
        """Return where a feature must go, rounded only so far that whoever goes there has crossed the plane.

        The plane belongs to the left side: from there it is crossed only past the value.
        """
        word = "past" if self.side == "left" else "to"
        for digits in (change.new_value, change.new_value + np.copysign(last_place(change.new_value), change.by)):
            text = f"{digits:.{DIGITS}g}"
            beyond = np.copysign(PAST * abs(digits), change.by) if word == "past" else 0.0
            reached = float(float(text) + beyond)
            if self._left_at(change.feature, reached) != (self.side == "left"):
                return f"{word} {text}"
        return f"to {change.new_value!r}"

    def _left_at(self, feature: int, value: float) -> bool:
        """Whether the sample would go left if the feature had this value."""
        values = [value if term.feature == feature else term.value for term in self.terms]
        return total(np.array([term.weight for term in self.terms]), np.array(values)) >= self.threshold


@dataclass(frozen=True)
class Explanation:
    """A sample's class, its probabilities and its path.

    Attributes
    ----------
    label : object
        The predicted class.
    probabilities : dict
        From class to probability, as `predict_proba` gives it.
    steps : tuple of Step
        The splits passed, from the root; in preorder if a split divided the sample.
    leaves : tuple of int
        The leaf reached, or the leaves.
    """

    label: Any
    probabilities: dict[Any, float]
    steps: tuple[Step, ...]
    leaves: tuple[int, ...]

    def __str__(self) -> str:
        lines = [f"{i}. {step}" for i, step in enumerate(self.steps, start=1)]
        share = number(round(100 * self.probabilities[self.label], 1))
        name = as_text(str(self.label))
        return "\n".join([*lines, f"=> {f'class {name}' if is_number(name) else name} ({share} %)"])


def explain(model: FittedTree, x: ArrayLike | Mapping[str, float], *, decimals: int = 2) -> Explanation:
    """Return the path of one sample as data.

    Parameters
    ----------
    model : fitted classifier
    x : array-like of shape (n_features,), dict, Series or DataFrame of one row
        NaN or None is a missing value. What has names is read by them, in any order.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.

    Returns
    -------
    Explanation
        Printed, it reads as a list of steps.

    Examples
    --------
    >>> from cart_elc import ELCClassifier, explain
    >>> model = ELCClassifier(r=1).fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> explanation = explain(model, [3.25])
    >>> print(explanation)
    1. x0 <= 2.5: no, so right; 0.5 x margin from the plane; crossed by x0 from 3.25 to 2.5
    => yes (100 %)
    >>> explanation.steps[0].change.by
    -0.75
    """
    named = NamedTree.of(model)
    row = named.sample(x)
    probabilities = named.tree.predict_value(row)[0]
    rules = Rulebook.of(named, decimals)
    walk = list(visits(named, row[0]))
    return Explanation(
        label=named.classes[int(np.argmax(probabilities))],
        probabilities=dict(zip(named.classes, probabilities.tolist(), strict=True)),
        steps=tuple(step(named, rules, row[0], *visit) for visit in walk if not named.tree.is_leaf[visit[0]]),
        leaves=tuple(node for node, _, _ in walk if named.tree.is_leaf[node]),
    )


def visits(named: NamedTree, row: FloatArray) -> Iterator[tuple[int, float, str]]:
    """Yield the nodes that a row reaches in preorder, with its share and the side that it takes there."""
    tree, pending = named.tree, [(0, 1.0)]
    while pending:
        node, share = pending.pop()
        side = "" if tree.is_leaf[node] else side_of(named, node, row)
        yield node, share, side
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if side == "both":
            weights = tree.weighted_n_node_samples
            part = float(weights[left] / (weights[left] + weights[right]))
            pending += [(child, share * p) for child, p in ((right, 1.0 - part), (left, part)) if p > 0]
        elif side:
            pending.append((left if side == "left" else right, share))


def side_of(named: NamedTree, node: int, row: FloatArray) -> str:
    """Return where the row goes: "left", "right" or "both"."""
    features, weights, threshold = named.tree.split(node)
    if np.isnan(row[features]).any():
        return MissingPolicy(named.tree.missing[node]).name.lower()
    return "left" if total(weights, row[features]) >= threshold else "right"


def last_place(value: float) -> float:
    """Return the unit of the last digit that is written of a value."""
    return 0.0 if value == 0.0 else float(10.0 ** (np.floor(np.log10(abs(value))) + 1 - DIGITS))


def total(weights: FloatArray, values: FloatArray) -> float:
    """Return the sum from left to right, as prediction does."""
    result = 0.0
    for weight, value in zip(weights.tolist(), values.tolist(), strict=True):
        result += weight * value
    return result


def step(named: NamedTree, rules: Rulebook, row: FloatArray, node: int, share: float, side: str) -> Step:
    """Return the data of one split on the path."""
    features, weights, threshold = named.tree.split(node)
    values = row[features]
    names = [named.features[j] for j in features]
    value, margin = total(weights, values), float(named.tree.margin[node])
    missing = tuple(name for name, v in zip(names, values, strict=True) if np.isnan(v))
    columns = zip(features.tolist(), names, weights.tolist(), values.tolist(), strict=True)
    return Step(
        node=node,
        rule=rule_for(rules, node, row, side) if not missing else rules.text(node),
        terms=tuple(Term(*column) for column in columns),
        value=value,
        threshold=threshold,
        side=side,
        missing=missing,
        margin=margin,
        distance=(value - threshold) / margin if margin > 0 else float("nan"),
        changes=() if missing else changes(named, node, row),
        share=share,
    )


def rule_for(rules: Rulebook, node: int, row: FloatArray, side: str) -> str:
    """Return the rule as it is written, or with its stored numbers if the written one would send the row elsewhere."""
    written = rules.written(node)
    if bool(written.rule.holds(row[None, :])[0]) != (side == "left"):
        written = replace(written, rule=round_rule(*rules.named.tree.split(node), None))
    return written.text(rules.named.features)


def changes(named: NamedTree, node: int, row: FloatArray) -> tuple[Change, ...]:
    """Return for every feature with a weight the nearest value on the other side, smallest change first."""
    features, weights, threshold = named.tree.split(node)
    values = row[features]
    found = []
    for position, feature in enumerate(features.tolist()):
        new_value = crossing(weights, values, threshold, position)
        if new_value is not None:
            found.append(Change(feature, named.features[feature], float(values[position]), new_value))
    return tuple(sorted(found, key=lambda change: abs(change.by)))


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
