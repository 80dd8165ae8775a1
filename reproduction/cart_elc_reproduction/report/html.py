"""The report as one page of HTML that needs nothing else: no script, no font, no picture from outside."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from cart_elc_reproduction.report.document import SYMBOLS, Block, Cell, Report, anchor

LONG_LIST = 12
WORDS = 40


def render_html(report: Report) -> str:
    """Return the page."""
    return environment().get_template("page.html").render(report=report)


def environment() -> Environment:
    """Return Jinja's environment; every text is escaped, drawings alone are let through by the template."""
    made = Environment(
        loader=PackageLoader("cart_elc_reproduction.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"anchor": anchor, "kind": kind, "marks": marks}
    made.globals |= {"symbols": SYMBOLS, "long_list": LONG_LIST}
    return made


def kind(block: Block) -> str:
    """Return what the template calls a block."""
    return "paragraph" if isinstance(block, str) else type(block).__name__.lower()


def marks(cell: Cell) -> str:
    """Return the classes of a cell: whether it differs for better or worse, and whether it holds words."""
    marked = "" if not cell.mark else "better" if cell.good else "worse"
    return " ".join(name for name in (marked, "words" if len(cell.text) > WORDS else "") if name)
