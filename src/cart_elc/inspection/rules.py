"""The rule of a split as people read it: ``0.62·petal_width + petal_length >= 5.31``."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_int_from_zero, check_option
from cart_elc.inspection.wording import as_text, counted, level_text, number
from cart_elc.rounding.rule import RoundedRule, stored_rule, whole_rule
from cart_elc.rounding.table import LEVELS, MOVES, SURE, Offsets, rule_of_entry, split_offsets
from cart_elc.tree import LEFT, RIGHT, FloatArray, weighted_sums

UNITS = ("original", "standard")


@dataclass(frozen=True)
class WrittenRule:
    """A split's rule and the digits that it is rounded to, None for the stored numbers in full.

    It is ``moved`` if the digits asked for would have sent a training row to the other side, so that more are written.
    """

    rule: RoundedRule
    digits: int | None
    moved: bool

    def text(self, names: list[str], holds: bool = True) -> str:
        return " ".join(self.parts(names, holds))

    def parts(self, names: list[str], holds: bool = True) -> list[str]:
        """Return the rule in pieces between which a line may be broken."""
        terms = signed_terms(self.rule, [as_text(names[feature]) for feature in self.rule.features], "·")
        return [*terms, f"{relation(self.rule, holds)} {number(self.rule.threshold)}"]

    def note(self, asked: int) -> str:
        if not self.moved:
            return ""
        written = "exact" if self.digits is None else counted(self.digits)
        return f"{written}: {counted(asked)} would move a training row"


@dataclass(frozen=True)
class WrittenSubset(WrittenRule):
    """The rule of a split on a category: ``colour in {blue, red}``; nothing in it is rounded.

    Where it holds for missing values alone, the levels are the ``others``, for which it does not hold.
    """

    levels: tuple[str, ...]
    others: bool

    def parts(self, names: list[str], holds: bool = True) -> list[str]:
        first, *others = self.levels
        head = f"{as_text(names[self.rule.features[0]])} {'in' if holds != self.others else 'not in'}"
        listed = [f"{{{first}", *others]
        return [head, *(f"{level}," for level in listed[:-1]), f"{listed[-1]}}}"]


def relation(rule: RoundedRule, holds: bool) -> str:
    """Return the sign between sum and threshold where the rule holds, or where it does not."""
    return (">=" if holds else "<") if rule.at_least else ("<=" if holds else ">")


def signed_terms(rule: RoundedRule, factors: list[str], times: str) -> list[str]:
    """Return the products of a rule's coefficients with what is written for its features; the first has no plus.

    >>> signed_terms(RoundedRule((0, 1), (0.62, -1.0), True, 5.31), ["width", "length"], times="·")
    ['0.62·width', '- length']
    """
    terms = []
    for i, (coefficient, factor) in enumerate(zip(rule.coefficients, factors, strict=True)):
        sign = ("-" if coefficient < 0 else "+") + " " if i else "-" * (coefficient < 0)
        terms.append(sign + ("" if abs(coefficient) == 1.0 else number(abs(coefficient)) + times) + factor)
    return terms


@dataclass(frozen=True, eq=False)
class Rulebook:
    """Writes the rules of a model, all in the same manner.

    In ``units="standard"`` a feature stands for its distance from its mean over ``X`` in standard deviations, so that
    the sizes of coefficients can be compared.
    """

    named: NamedTree
    decimals: int = 2
    units: str = "original"
    X: FloatArray | None = None

    @classmethod
    def of(cls, named: NamedTree, decimals: int, units: str = "original", X: ArrayLike | None = None) -> Self:
        check_option("units", units, UNITS)
        check_int_from_zero("decimals", decimals, LEVELS - 1)
        if units == "standard" and X is None:
            raise ValueError("units='standard' needs X, the training data: means and deviations are taken from it")
        return cls(named, decimals, units, None if X is None else named.rows(X))

    def written(self, node: int) -> WrittenRule:
        """Return the rule of a split with the fewest digits, from ``decimals`` on, that move no training row."""
        features, weights, threshold = self.named.tree.split(node)
        if self.named.tree.is_categorical[node]:
            left = self.named.levels_of(node, LEFT)
            levels = tuple(level_text(level) for level in left or self.named.levels_of(node, RIGHT))
            return WrittenSubset(stored_rule(features, weights, threshold), None, False, levels, not left)
        if self.named.whole and self.units == "original":
            return WrittenRule(whole_rule(features, weights, threshold), None, False)
        offsets = None if self.named.rounding is None else self.named.rounding[node]
        if self.units == "standard":
            weights, threshold, offsets = self._standard(node)
        entries = [SURE] * LEVELS if offsets is None else offsets.tolist()
        safe = [digits for digits in range(self.decimals, LEVELS) if entries[digits] != MOVES]
        if not safe:
            return WrittenRule(stored_rule(features, weights, threshold), None, True)
        rule = rule_of_entry(features, weights, threshold, safe[0], entries[safe[0]])
        return WrittenRule(rule, safe[0], safe[0] != self.decimals)

    def text(self, node: int, holds: bool = True) -> str:
        return self.written(node).text(self.named.features, holds)

    def _standard(self, node: int) -> tuple[FloatArray, float, Offsets]:
        """Return weights and threshold in standard units, and their rounding."""
        assert self.X is not None
        features, weights, threshold = self.named.tree.split(node)
        columns = self.X[:, features]
        centre, spread = np.nanmean(columns, axis=0), np.nanstd(columns, axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        at_node = self.named.tree.decision_path(self.X)[:, [node]].toarray()[:, 0]
        points = columns[at_node & ~np.isnan(columns).any(axis=1)]
        scaled_weights, shifted = weights * spread, float(threshold - weights @ centre)
        left = weighted_sums(points, weights) >= threshold
        return scaled_weights, shifted, split_offsets(scaled_weights, shifted, (points - centre) / spread, left)
