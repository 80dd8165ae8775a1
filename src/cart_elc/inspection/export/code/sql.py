"""SQL: one expression over columns that are named as the features."""

from collections.abc import Iterator
from functools import partial
from math import frexp, isfinite
from typing import Any

import numpy as np

from cart_elc.inspection.export.code.program import Program
from cart_elc.tree import MissingPolicy

INDENT = "  "
EXACT_POWER_OF_TEN = 22  # 10**22 is the largest power of ten that a double holds exactly


def write(program: Program) -> str:
    body = divided(program) if program.divides else branch(program, 0, "")
    return "\n".join([f"-- {program.title}", *body])


def branch(program: Program, node: int, indent: str) -> Iterator[str]:
    """Yield the lines of a subtree.

    The side with fewer leaves is nested, the other goes on in the same CASE: databases limit nesting (SQLite's parser
    to about 30 levels), and so it is at most the logarithm of the number of leaves.
    """
    if program.tree.is_leaf[node]:
        yield indent + literal(program.named.output(node))
        return
    leaves = program.named.leaf_counts
    yield f"{indent}CASE"
    while not program.tree.is_leaf[node]:
        left, right = program.named.children(node)
        nest_left = bool(leaves[left] <= leaves[right])
        test, comment = condition(program, node, nest_left), program.rules.text(node, nest_left)
        yield f"{indent}{INDENT}WHEN {test} THEN  -- {comment}"
        yield from branch(program, left if nest_left else right, indent + INDENT * 2)
        node = right if nest_left else left
    yield f"{indent}{INDENT}ELSE"
    yield from branch(program, node, indent + INDENT * 2)
    yield f"{indent}END"


def condition(program: Program, node: int, leftwards: bool = True) -> str:
    """Return the test that leads left, or the one that leads right; a comparison with NULL is unknown and fails."""
    if program.tree.is_categorical[node]:
        return member(program, node, leftwards)
    test = program.test(node, double, partial(column, program), ">=" if leftwards else "<")
    with_missing = not program.fill and (program.policy(node) == MissingPolicy.LEFT) == leftwards
    return f"{missing(program, node)} OR {test}" if with_missing else test


def member(program: Program, node: int, leftwards: bool) -> str:
    """Return whether the level of a category is one of those that lead to a side."""
    feature = program.tree.rule(node).features[0]
    codes, others = program.subset(node, leftwards)
    levels, name = ", ".join(literal(program.named.level(feature, code)) for code in codes), quoted(program, feature)
    return f"{name} IS NULL OR {name} NOT IN ({levels})" if others else f"{name} IN ({levels})"


def missing(program: Program, node: int) -> str:
    return " OR ".join(f"{column(program, j)} IS NULL" for j, _ in program.terms(node))


def column(program: Program, feature: int) -> str:
    """Return a quoted name, with what replaces NULL if the model fills missing values.

    A category with an order is the number of its level.
    """
    name, levels = quoted(program, feature), program.named.categories[feature]
    if levels is not None:
        cases = " ".join(f"WHEN {literal(level)} THEN {code}E0" for code, level in enumerate(levels))
        return f"(CASE {name} {cases} END)"
    return f"COALESCE({name}, {double(program.fill[feature])})" if program.fill else name


def quoted(program: Program, feature: int) -> str:
    return '"' + program.named.features[feature].replace('"', '""') + '"'


def literal(label: Any) -> str:  # noqa: ANN401
    if isinstance(label, bool):
        return str(label).upper()
    if isinstance(label, int):
        return str(label)
    return double(label) if isinstance(label, float) else "'" + str(label).replace("'", "''") + "'"


def double(value: float) -> str:
    """Return a double that every database reads to the last bit.

    >>> double(2.45), double(0.1 + 0.2)
    ('2.45E0', '(5404319552844596 / 18014398509481984E0)')
    """
    text = repr(value)
    if reads_exactly(text, value):
        return text.replace("e", "E") if "e" in text else f"{text}E0"
    return ratio(value)


def reads_exactly(text: str, value: float) -> bool:
    """Whether digits times a power of ten, in double or in extended precision, gives the value.

    Databases convert so; only a correctly rounded conversion (Python's, C's) may be trusted with 16 digits and more.
    """
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    digits, power = int(whole + fraction), int(exponent or 0) - len(fraction)
    if digits >= 2**53 or abs(power) > EXACT_POWER_OF_TEN:
        return digits == 0
    for precision in (np.float64, np.longdouble):
        ten = precision(10) ** abs(power)
        if float(precision(digits) * ten if power >= 0 else precision(digits) / ten) != abs(value):
            return False
    return True


def ratio(value: float) -> str:
    """Return the value as a whole number over powers of two, each of them exact."""
    if not isfinite(value):
        raise ValueError(f"SQL has no way to write {value!r}")
    fraction, exponent = frexp(value)
    text, power = str(int(fraction * 2**53)), exponent - 53
    while power:
        step = max(-60, min(60, power))
        text += f" {'*' if step > 0 else '/'} {2 ** abs(step)}E0"
        power -= step
    return f"({text})"


def divided(program: Program) -> Iterator[str]:
    """Yield a query without a table of its own: factors of the splits, then class totals, then the likeliest class."""
    tree = program.tree
    yield "(SELECT CASE"
    codes = range(tree.n_classes)
    for code in codes[:-1]:
        others = " AND ".join(f"total_{code} >= total_{other}" for other in codes[code + 1 :])
        yield f"{INDENT}WHEN {others} THEN {literal(program.named.classes[code])}"
    yield f"{INDENT}ELSE {literal(program.named.classes[-1])}"
    yield "END FROM (SELECT"
    yield ",\n".join(f"{INDENT}{class_total(program, code)} AS total_{code}" for code in codes)
    yield "FROM (SELECT"
    yield ",\n".join(f"{INDENT}{share} AS share_{leaf}" for leaf, share in leaf_shares(program).items())
    yield "FROM (SELECT"
    yield ",\n".join(factor for node in tree.split_nodes() for factor in factors(program, node))
    yield ") AS factors) AS shares) AS totals)"


def factors(program: Program, node: int) -> Iterator[str]:
    """Yield the parts of a row that go left and right, as columns."""
    share = float(program.named.left_shares[node])
    ways = {"left": (double(share), "1E0", "0E0"), "right": (double(1.0 - share), "0E0", "1E0")}
    for way, (unknown, inside, outside) in ways.items():
        divide = f"WHEN {missing(program, node)} THEN {unknown} " if program.policy(node) == MissingPolicy.BOTH else ""
        test = f"CASE {divide}WHEN {condition(program, node)} THEN {inside} ELSE {outside} END"
        yield f"{INDENT}{test} AS {way}_{node}"


def leaf_shares(program: Program) -> dict[int, str]:
    """Return the product that is each leaf's share, factors from the root down."""
    shares = {0: ""}
    for node in program.tree.split_nodes():
        path = shares.pop(node)
        for way, child in zip(("left", "right"), program.named.children(node), strict=True):
            shares[child] = f"{path} * {way}_{node}" if path else f"{way}_{node}"
    return dict(sorted(shares.items()))


def class_total(program: Program, code: int) -> str:
    """Return the sum of a class over the leaves, in the order in which prediction adds them."""
    terms = []
    for leaf in np.flatnonzero(program.tree.is_leaf):
        proportion = float(program.tree.proportions[leaf, code])
        if proportion:
            terms.append(f"share_{leaf}" if proportion == 1.0 else f"share_{leaf} * {double(proportion)}")
    return " + ".join(terms) or "0E0"
