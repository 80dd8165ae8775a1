"""C."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from cart_elc.inspection.export.code.program import NESTING, Program, Syntax
from cart_elc.inspection.wording import one_line


def member(program: Program, node: int) -> str:
    """Return whether the code of a category's level is one of those that lead left."""
    feature = program.tree.rule(node).features[0]
    codes, others = program.subset(node, leftwards=True)
    found = " || ".join(f"x[{feature}] == {code}" for code in codes)
    return f"!({found})" if others else found


INDENT, SYNTAX = "    ", Syntax(either="||", helper="{}_{}", end=";", member=member)
WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
"""
KEYWORDS = frozenset(WORDS.split())
OWN_NAMES = frozenset({"main", "x", "fill", "row", "j", "share", "totals", "best", "k"})
"""Names with a meaning of their own: the program's start, and variables that would hide a function."""


def write(program: Program) -> str:
    body = divided(program) if program.divides else decided(program)
    # GCC does not know the standard pragma and fuses by default; others know the pragma.
    prelude = files("cart_elc.inspection.export.code").joinpath("prelude.h").read_text(encoding="utf-8")
    names = [labels(program)] if program.named.bands is None else []
    return "\n".join([*header(program), prelude, *names, *body]) + "\n"


def kind(program: Program) -> str:
    """Return the type of an answer: a position among the labels, or a number."""
    return "int" if program.named.bands is None else "double"


def header(program: Program) -> Iterator[str]:
    yield f"/* {program.title}"
    answer = f"a position in {program.name}_labels" if program.named.bands is None else "the predicted number"
    yield f"   {program.name}(x) returns {answer}; NaN is a missing value."
    for j, name in enumerate(program.named.features):
        yield f"   x[{j}]  {comment(one_line(name))}"
        for code, level in enumerate(program.named.categories[j] or ()):
            yield f"     {code} is {comment(one_line(str(level)))}"
    yield "*/"


def comment(text: str) -> str:
    """Return text that cannot end a comment or seem to begin another."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /").rstrip("\\")


def labels(program: Program) -> str:
    """Return the array of labels: strings, or numbers if all classes are numbers."""
    classes, kind = program.named.classes, "const char *const"
    if all(isinstance(label, bool | int | float) for label in classes):
        kind = "const double" if any(isinstance(label, float) for label in classes) else "const long long"
    return f"{kind} {program.name}_labels[{len(classes)}] = {{{', '.join(map(literal, classes))}}};"


def literal(label: Any) -> str:  # noqa: ANN401
    """Return a number, or a string whose unusual bytes are octal escapes of its UTF-8 form."""
    if isinstance(label, bool | int):
        return str(int(label))
    if isinstance(label, float):
        return repr(label)
    plain = set(range(32, 127)) - set(b'"\\?')
    raw = str(label).encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in raw) + '"'


def decided(program: Program) -> Iterator[str]:
    """Yield functions of nested conditions, one per block of the tree; the last is the one that users call."""
    for root in program.block_roots():
        yield ""
        yield from [f"static {kind(program)} {program.name}_{root}(const double *x) {{"] if root else opening(program)
        yield from branch(program, root, 0)
        yield "}"


def opening(program: Program) -> Iterator[str]:
    """Yield the head of the function that users call; a lone leaf does not look at the row."""
    yield f"{kind(program)} {program.name}(const double *x) {{"
    if program.tree.n_nodes == 1:
        yield f"{INDENT}(void)x;"
    elif program.fill:
        n = len(program.fill)
        yield f"{INDENT}static const double fill[{n}] = {{{', '.join(map(repr, program.fill))}}};"
        yield f"{INDENT}double row[{n}];"
        yield f"{INDENT}int j;"
        yield f"{INDENT}for (j = 0; j < {n}; ++j) row[j] = x[j] != x[j] ? fill[j] : x[j];"
        yield f"{INDENT}x = row;"


def branch(program: Program, node: int, level: int) -> Iterator[str]:
    indent = INDENT * (level + 1)
    if program.tree.is_leaf[node]:
        if program.named.bands is not None:
            yield f"{indent}return {program.named.output(node)!r};"
            return
        code = program.named.majority(node)
        yield f"{indent}return {code}; /* {comment(one_line(program.named.labels[code]))} */"
    elif level == NESTING:
        yield f"{indent}return {program.name}_{node}(x);"
    else:
        left, right = program.named.children(node)
        yield f"{indent}if ({program.condition(node, SYNTAX)}) {{ /* {comment(program.rules.text(node))} */"
        yield from branch(program, left, level + 1)
        yield f"{indent}}} else {{"
        yield from branch(program, right, level + 1)
        yield f"{indent}}}"


def divided(program: Program) -> Iterator[str]:
    """Yield a function per split that adds a row's share to the class totals, and the one that users call."""
    for node in reversed(list(program.tree.split_nodes())):
        yield from ("", f"/* {comment(program.rules.text(node))} */")
        yield f"static void {program.name}_{node}(const double *x, double share, double *totals) {{"
        for i, (test, statements) in enumerate(program.cases(node, SYNTAX)):
            yield f"{INDENT}{'} else if' if i else 'if'} ({test}) {{" if test else f"{INDENT}}} else {{"
            yield from (f"{INDENT * 2}{statement}" for statement in statements)
        yield from (f"{INDENT}}}", "}")
    yield from ("", *opening(program), f"{INDENT}double totals[{program.tree.n_classes}] = {{0.0}};")
    yield f"{INDENT}int best = 0, k;"
    yield f"{INDENT}{program.name}_0(x, 1.0, totals);"
    yield f"{INDENT}for (k = 1; k < {program.tree.n_classes}; ++k)"
    yield f"{INDENT * 2}if (totals[k] > totals[best]) best = k;"
    yield from (f"{INDENT}return best;", "}")
