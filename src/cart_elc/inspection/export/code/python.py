"""Python."""

from collections.abc import Iterator
from typing import Any

from cart_elc.inspection.export.code.program import NESTING, Program, Syntax
from cart_elc.inspection.wording import one_line


def member(program: Program, node: int) -> str:
    """Return whether the level of a category is one of those that lead left."""
    feature = program.tree.rule(node).features[0]
    codes, others = program.subset(node, leftwards=True)
    levels = ", ".join(literal(program.named.level(feature, code)) for code in codes)
    return f"x[{feature}] {'not in' if others else 'in'} ({levels},)"


INDENT, SYNTAX = "    ", Syntax(either="or", helper="_{}_{}", end="", member=member)
CALLED = frozenset({"float", "zip", "max"})  # what the program calls: a function of that name would call itself


def write(program: Program) -> str:
    body = divided(program) if program.divides else decided(program)
    return "\n".join([*header(program), *body]) + "\n"


def header(program: Program) -> Iterator[str]:
    yield f"# {program.title}"
    yield "# A row is a sequence of numbers in this order; None or nan is a missing value."
    for j, name in enumerate(program.named.features):
        levels = program.named.categories[j]
        known = "" if levels is None else f": one of {', '.join(one_line(repr(level)) for level in levels)}"
        yield f"#   x[{j}]  {one_line(name)}{known}"


def opening(program: Program) -> Iterator[str]:
    yield from ("", "", f"def {program.name}(x):")
    named, kept = program.named, ""
    ordered = [(j, levels) for j, levels in enumerate(named.categories) if levels is not None and not named.nominal[j]]
    for i, (j, levels) in enumerate(ordered):
        codes = ", ".join(f"{literal(level)}: {code}" for code, level in enumerate(levels))
        yield from ([] if i else [f"{INDENT}x = list(x)"])
        yield f"{INDENT}x[{j}] = {{{codes}}}.get(x[{j}])"
    if any(named.nominal):
        kept = f"value if j in {{{', '.join(str(j) for j, own in enumerate(named.nominal) if own)}}} else "
        yield f'{INDENT}x = [{kept}float("nan") if value is None else float(value) for j, value in enumerate(x)]'
    else:
        yield f'{INDENT}x = [float("nan") if value is None else float(value) for value in x]'
    if program.fill:
        yield f"{INDENT}fill = {program.fill!r}"
        yield f"{INDENT}x = [mean if value != value else value for value, mean in zip(x, fill)]"


def decided(program: Program) -> Iterator[str]:
    """Yield functions of nested conditions, one per block of the tree; the first block calls the others."""
    for root in program.block_roots():
        if root:
            yield from ("", "", f"def _{program.name}_{root}(x):")
        else:
            yield from opening(program)
        yield from branch(program, root, 0)


def branch(program: Program, node: int, level: int) -> Iterator[str]:
    indent = INDENT * (level + 1)
    if program.tree.is_leaf[node]:
        yield f"{indent}return {literal(program.named.output(node))}"
    elif level == NESTING:
        yield f"{indent}return _{program.name}_{node}(x)"
    else:
        left, right = program.named.children(node)
        yield f"{indent}if {program.condition(node, SYNTAX)}:  # {program.rules.text(node)}"
        yield from branch(program, left, level + 1)
        yield f"{indent}else:"
        yield from branch(program, right, level + 1)


def literal(label: Any) -> str:  # noqa: ANN401
    """Return a label; dates and the like as text."""
    return repr(label if isinstance(label, str | bool | int | float) else str(label))


def divided(program: Program) -> Iterator[str]:
    """Yield a function per split that adds a row's share to the class totals, and the one that users call."""
    for node in reversed(list(program.tree.split_nodes())):
        yield from ("", "", f"def _{program.name}_{node}(x, share, totals):  # {program.rules.text(node)}")
        for i, (test, statements) in enumerate(program.cases(node, SYNTAX)):
            yield f"{INDENT}{'elif' if i else 'if'} {test}:" if test else f"{INDENT}else:"
            yield from (f"{INDENT * 2}{statement}" for statement in statements)
    yield from opening(program)
    yield f"{INDENT}totals = [0.0] * {program.tree.n_classes}"
    yield f"{INDENT}_{program.name}_0(x, 1.0, totals)"
    labels = ", ".join(literal(label) for label in program.named.classes)
    yield f"{INDENT}return [{labels}][totals.index(max(totals))]"
