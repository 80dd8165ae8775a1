"""The report as Markdown, its figures as SVG files beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cart_elc_reproduction.report.document import (
    SYMBOLS,
    Block,
    Cell,
    Figure,
    Highlights,
    Items,
    Listing,
    Report,
    Table,
)

FIGURE_FOLDER = "figures"


def render_markdown(report: Report) -> str:
    """Return the text."""
    parts = [f"# {report.title}", report.lead]
    for section in report.sections:
        parts += [f"## {section.title}", *map(block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def block(part: Block) -> str:
    """Return any block."""
    return RENDERERS[type(part)](part)


def highlights(part: Highlights) -> str:
    """Return the numbers that sum up the report."""
    return "\n".join(f"- **{value}** {name}" for value, name in part.items)


def items(part: Items) -> str:
    """Return a list."""
    return "\n".join(f"- {text}" for text in part.texts)


def listing(part: Listing) -> str:
    """Return text in fixed width."""
    return f"```text\n{part.text}\n```"


def figure(part: Figure) -> str:
    """Return a link to the figure's file."""
    return f"![{part.caption}]({FIGURE_FOLDER}/{part.name}.svg)\n\n*{part.caption}*"


def table(part: Table) -> str:
    """Return a table with its caption above and its note below."""
    lines = [line(part.header), line(["---"] + ["---:"] * (len(part.header) - 1))]
    lines += [line(map(cell, cells)) for cells in part.rows]
    note = f"\n\n{part.note}" if part.note else ""
    return f"**{part.caption}**\n\n" + "\n".join(lines) + note


def line(texts: Any) -> str:  # noqa: ANN401
    """Return a table's line."""
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def cell(part: Cell) -> str:
    """Return ours, the published figure and the difference in one cell."""
    text = f"**{part.text}**" if part.strong else part.text
    rest = [extra for extra in (part.published, part.difference) if extra]
    return " / ".join([text, *rest]) + SYMBOLS[part.mark]


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return text


RENDERERS: dict[type, Callable[[Any], str]] = {
    str: paragraph,
    Table: table,
    Figure: figure,
    Listing: listing,
    Highlights: highlights,
    Items: items,
}
