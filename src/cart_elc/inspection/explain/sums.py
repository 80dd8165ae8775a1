"""The arithmetic of a step, written out: ``0.62 x 1.8 + 4.9 = 6.02 >= 5.31``."""

from __future__ import annotations

from cart_elc.inspection.wording import number
from cart_elc.rounding.rule import RoundedRule
from cart_elc.tree import FloatArray

DIGITS = 6
"""Significant digits of a sample's values."""
FEWEST = 2
"""Decimals of a sum where the threshold has fewer."""


def sum_text(rule: RoundedRule, row: FloatArray, holds: bool) -> str:
    """Return the rule's sum for a row and how it compares with the threshold."""
    value = float(rule.sums(row[None, :])[0])
    relation = (">=" if holds else "<") if rule.at_least else ("<=" if holds else ">")
    compared = f"{truthful(value, rule, holds)} {relation} {number(rule.threshold)}"
    if len(rule.features) == 1 and rule.coefficients[0] == 1.0:
        return compared
    return f"{' '.join(terms(rule, row))} = {compared}"


def terms(rule: RoundedRule, row: FloatArray) -> list[str]:
    """Return the products with their signs; the first has none if it is positive."""
    texts = []
    for i, (feature, coefficient) in enumerate(zip(rule.features, rule.coefficients, strict=True)):
        value = float(f"{row[feature]:.{DIGITS}g}")
        shown = f"({number(value)})" if value < 0 else number(value)
        size = "" if abs(coefficient) == 1.0 else f"{number(abs(coefficient))} x "
        sign = ("- " if i else "-") if coefficient < 0 else ("+ " if i else "")
        texts.append(f"{sign}{size}{shown}")
    return texts


def truthful(value: float, rule: RoundedRule, holds: bool) -> str:
    """Return the sum with the fewest decimals, from the threshold's on, with which the comparison reads true."""
    for digits in range(max(FEWEST, decimals(rule.threshold)), 16):
        shown = round(value, digits)
        if (shown >= rule.threshold if rule.at_least else shown <= rule.threshold) == holds:
            return number(float(shown) + 0.0)
    return number(value)


def decimals(value: float) -> int:
    """Return how many digits after the point a number is written with.

    Examples
    --------
    >>> decimals(0.0875), decimals(28.0), decimals(1.5e-07)
    (4, 0, 8)
    """
    mantissa, _, exponent = repr(value).partition("e")
    return max(0, len(mantissa.removesuffix(".0").partition(".")[2]) - int(exponent or 0))
