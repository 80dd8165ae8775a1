"""A split on the path of a sample, with its arithmetic written out: ``0.62 x 1.8 + 4.9 = 6.02 >= 5.31``."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cart_elc.inspection.explain.changes import Change, LevelChange, Ranges, changes, total
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import worth_text
from cart_elc.inspection.rules import Rulebook, WrittenRule, WrittenSubset, relation, signed_terms
from cart_elc.inspection.wording import ANSWERS, as_text, level_text, number
from cart_elc.rounding.rule import RoundedRule, stored_rule
from cart_elc.tree import FloatArray

DIGITS = 6  # significant digits of a sample's values
FEWEST = 2  # decimals of a sum where the threshold has fewer, unless it has digits enough before the point
FIRST = np.zeros(1, dtype=np.int64)
PAST = 1e-9  # how far beyond a value, relative to it, whoever is past it must be at least


@dataclass(frozen=True)
class Term:
    """One product of a split's sum."""

    feature: int
    name: str
    weight: float
    value: float


@dataclass(frozen=True)
class Step:
    """A split on the path of a sample.

    Attributes
    ----------
    node : int
        Id in ``tree_``.
    rule : str
        The rounded rule that leads left, to "yes"; in full where rounding would say otherwise for this sample.
    sum : str
        The rule's sum for this sample, written out and compared with the threshold, or the level that a category has;
        empty if a value is missing.
    terms : tuple of Term
        The stored weights and the sample's values, missing ones filled if the model does so. Of a category the value
        is 1 if its level is among those that go left, otherwise 0.
    value : float
        The stored sum ``w.x``, which was compared with the threshold; NaN if a value is missing.
    threshold : float
    side : {"left", "right", "both"}
        Where the sample goes; left is ``value >= threshold``, which is "yes" to the rule.
    missing : tuple of str
        The split's features that the sample lacks; the split's policy then decided the side.
    margin : float
        Half the width of the band around the plane that is empty of training rows, in units of ``value``.
    distance : float
        ``(value - threshold) / margin``. Where the plane lies in the middle of its band (``planes="any"``), the
        nearest training rows are at 1 and -1. NaN if a value is missing or the margin is unknown or zero.
    changes : tuple of Change
        For every feature the change that, alone, takes the sample across, smallest first: in the feature's own units,
        or in standard deviations if rows were given, and then only those that stay in the range of the rows. For a
        category every level of the other side, see `LevelChange`. Empty if a value is missing.
    share : float
        Part of the sample that is here; less than 1 below a split that divided it.
    worth : str
        What the split saves and costs in bits, where its criterion has a price; otherwise empty.
    """

    node: int
    rule: str
    sum: str
    terms: tuple[Term, ...]
    value: float
    threshold: float
    side: str
    missing: tuple[str, ...]
    margin: float
    distance: float
    changes: tuple[Change, ...]
    share: float
    worth: str = ""

    @property
    def change(self) -> Change | None:
        """The smallest change of one feature that crosses the plane."""
        return self.changes[0] if self.changes else None

    @property
    def answer(self) -> str:
        """Where the sample goes, in the words of pictures and page."""
        return ANSWERS[self.side]

    def __str__(self) -> str:
        return "; ".join([f"{self.rule}: {self.reason()}", *self.nearness()])

    def reason(self) -> str:
        """Return the answer and why."""
        if self.missing:
            return f"{', '.join(map(as_text, self.missing))} missing, so {self.answer}"
        return f"{self.answer} ({self.sum})"

    def nearness(self) -> Iterator[str]:
        """Yield how far the plane is, and what would cross it; of a category, all the levels that would."""
        if np.isfinite(self.distance):
            yield f"{abs(self.distance):.3g} x margin from the plane"
        if self.change is not None:
            others = [level_text(change.new_level) for change in self.changes[1:] if isinstance(change, LevelChange)]
            yield " or ".join([f"crossed by {self.crossing_text(self.change)}", *others])
        if self.worth:
            yield f"the split {self.worth}"

    def crossing_text(self, change: Change) -> str:
        """Return a change in words."""
        if isinstance(change, LevelChange):
            return f"{as_text(change.name)} from {level_text(change.level)} to {level_text(change.new_level)}"
        return f"{as_text(change.name)} from {change.value:.6g} {self._goal(change)}"

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


def last_place(value: float) -> float:
    """Return the unit of the last digit that is written of a value."""
    return 0.0 if value == 0.0 else float(10.0 ** (np.floor(np.log10(abs(value))) + 1 - DIGITS))


def visits(named: NamedTree, row: FloatArray) -> Iterator[tuple[int, float, str]]:
    """Yield in preorder the nodes that a row reaches, the part of it that does, and where it goes on: "" at a leaf."""
    tree, pending = named.tree, [(0, 1.0)]
    while pending:
        node, share = pending.pop()
        side = "" if tree.is_leaf[node] else side_of(named, node, row)
        yield node, share, side
        left, right = named.children(node)
        if side == "both":
            part = float(named.left_shares[node])
            pending += [(child, share * p) for child, p in ((right, 1.0 - part), (left, part)) if p > 0]
        elif side:
            pending.append((left if side == "left" else right, share))


def side_of(named: NamedTree, node: int, row: FloatArray) -> str:
    """Return where the row goes: "left", "right" or "both"."""
    rule = named.tree.rule(node)
    values = rule.points(row[None, :], FIRST)[0]
    if np.isnan(values).any():
        return rule.missing.name.lower()
    return "left" if total(rule.weights, values) >= rule.threshold else "right"


def make_step(rules: Rulebook, row: FloatArray, visit: tuple[int, float, str], ranges: Ranges | None) -> Step:
    named, (node, share, side) = rules.named, visit
    stored = named.tree.rule(node)
    values, names = stored.points(row[None, :], FIRST)[0], [named.features[j] for j in stored.features]
    value, margin = total(stored.weights, values), float(named.tree.margin[node])
    missing = tuple(name for name, v in zip(names, values, strict=True) if np.isnan(v))
    rule = rules.written(node) if missing else rule_for(rules, node, row, side)
    columns = zip(stored.features, names, stored.weights.tolist(), values.tolist(), strict=True)
    return Step(
        node=node,
        rule=rule.text(named.features),
        sum="" if missing else reason_text(named, rule, row, side == "left"),
        terms=tuple(Term(*column) for column in columns),
        value=value,
        threshold=stored.threshold,
        side=side,
        missing=missing,
        margin=margin,
        distance=(value - stored.threshold) / margin if margin > 0 else float("nan"),
        changes=() if missing else changes(named, node, row, ranges),
        share=share,
        worth=worth_text(rules.named, node),
    )


def rule_for(rules: Rulebook, node: int, row: FloatArray, side: str) -> WrittenRule:
    """Return the rule as it is written, or with its stored numbers if the written one would send the row elsewhere."""
    written = rules.written(node)
    if isinstance(written, WrittenSubset):
        return written
    if bool(written.rule.holds(row[None, :])[0]) != (side == "left"):
        written = replace(written, rule=stored_rule(*rules.named.tree.split(node)))
    return written


def reason_text(named: NamedTree, written: WrittenRule, row: FloatArray, holds: bool) -> str:
    """Return the arithmetic of the rule for a row, or the level that a category has there."""
    if not isinstance(written, WrittenSubset):
        return sum_text(written.rule, row, holds)
    feature = written.rule.features[0]
    return f"{as_text(named.features[feature])} is {level_text(named.level(feature, row[feature]))}"


def sum_text(rule: RoundedRule, row: FloatArray, holds: bool) -> str:
    """Return the rule's sum for a row and how it compares with the threshold."""
    value = float(rule.sums(row[None, :])[0])
    compared = f"{truthful(value, rule, holds)} {relation(rule, holds)} {number(rule.threshold)}"
    if len(rule.features) == 1 and rule.coefficients[0] == 1.0:
        return compared
    values = [float(f"{row[feature]:.{DIGITS}g}") for feature in rule.features]
    shown = [f"({number(value)})" if value < 0 else number(value) for value in values]
    return f"{' '.join(signed_terms(rule, shown, ' x '))} = {compared}"


def truthful(value: float, rule: RoundedRule, holds: bool) -> str:
    """Return the sum with the fewest decimals, from the threshold's on, with which the comparison reads true."""
    before = int(np.log10(max(10.0, abs(rule.threshold))))
    for digits in range(max(0, FEWEST + 1 - before, decimals(rule.threshold)), 16):
        shown = round(value, digits)
        if (shown >= rule.threshold if rule.at_least else shown <= rule.threshold) == holds:
            return number(float(shown) + 0.0)
    return number(value)


def decimals(value: float) -> int:
    """Return how many digits after the point a number is written with.

    >>> decimals(0.0875), decimals(28.0), decimals(1.5e-07)
    (4, 0, 8)
    """
    mantissa, _, exponent = repr(value).partition("e")
    return max(0, len(mantissa.removesuffix(".0").partition(".")[2]) - int(exponent or 0))
