"""The report as one page of HTML that needs nothing else: no script, no font, no picture from outside."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import Any

from cart_elc.experiments.report.charts import chart_style
from cart_elc.experiments.report.document import (
    SYMBOLS,
    Block,
    Cell,
    Facts,
    Figure,
    Items,
    Listing,
    Report,
    Section,
    Table,
    anchor,
)

LONG_LIST = 12
WORDS = 40


def render_html(report: Report) -> str:
    """Return the page."""
    style = (files("cart_elc.experiments.report") / "page.css").read_text(encoding="utf-8") + chart_style()
    links = "".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in report.sections)
    body = "".join(map(section, report.sections))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(report.title)}</title><style>{style}</style></head>\n<body>'
        f'<header><h1>{escape(report.title)}</h1><p class="lead">{escape(report.lead)}</p></header>'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n<main>{body}</main>'
        "<footer>Made by <code>cart-elc reproduce</code>; every number comes from the records beside this page."
        "</footer></body></html>\n"
    )


def section(part: Section) -> str:
    """Return a section."""
    blocks = "\n".join(map(block, part.blocks))
    return f'<section id="{part.anchor}"><h2>{escape(part.title)}</h2>\n{blocks}</section>\n'


def block(part: Block) -> str:
    """Return any block."""
    return RENDERERS[type(part)](part)


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return f"<p>{escape(text)}</p>"


def facts(part: Facts) -> str:
    """Return the figures that sum up the report."""
    pairs = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for value, name in part.items)
    return f'<dl class="facts">{pairs}</dl>'


def items(part: Items) -> str:
    """Return a list; a long one is folded."""
    entries = "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in part.texts) + "</ul>"
    if len(part.texts) <= LONG_LIST:
        return entries
    return f"<details><summary>Show all {len(part.texts)}</summary>{entries}</details>"


def listing(part: Listing) -> str:
    """Return text in fixed width, folded."""
    text = f'<pre tabindex="0" role="region" aria-label="{escape(part.title)}">{escape(part.text)}</pre>'
    return f"<details><summary>{escape(part.title)}</summary>{text}</details>"


def figure(part: Figure) -> str:
    """Return a figure: charts side by side, a lone drawing at its own size."""
    key = f'<div class="legend">{part.legend}</div>' if part.legend else ""
    if part.legend:
        panels = "".join(f'<div class="panel">{panel.svg}</div>' for panel in part.panels)
        drawing = f'{key}<div class="panels">{panels}</div>'
    else:
        box = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(part.caption)}">'
        drawing = "".join(f"{box}{panel.svg}</div>" for panel in part.panels)
    return f"<figure><figcaption>{escape(part.caption)}</figcaption>{drawing}</figure>"


def table(part: Table) -> str:
    """Return a table in a box that scrolls sideways where the page is narrow."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in part.header)
    rows = "".join(
        f'<tr><th scope="row">{escape(line[0].text)}</th>{"".join(map(data_cell, line[1:]))}</tr>' for line in part.rows
    )
    note = f'<p class="note">{escape(part.note)}</p>' if part.note else ""
    name = f"caption-{anchor(part.caption)}"
    content = (
        f'<div class="table"><p class="caption" id="{name}">{escape(part.caption)}</p>'
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}"><table aria-labelledby="{name}">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}</div>"
    )
    return f"<details><summary>{escape(part.folded)}</summary>{content}</details>" if part.folded else content


def data_cell(cell: Cell) -> str:
    """Return a cell: ours, then smaller the published figure and the difference."""
    text = f"<b>{escape(cell.text)}</b>" if cell.strong else escape(cell.text)
    published = f'<span class="pub">{escape(cell.published)}</span>' if cell.published else ""
    difference = f'<span class="diff">{escape(cell.difference)}{SYMBOLS[cell.mark]}</span>' if cell.difference else ""
    marked = "" if not cell.mark else "better" if cell.good else "worse"
    names = " ".join(name for name in (marked, "words" if len(cell.text) > WORDS else "") if name)
    start = f'<td class="{names}">' if names else "<td>"
    return f"{start}{text}{published}{difference}</td>"


RENDERERS: dict[type, Callable[[Any], str]] = {
    str: paragraph,
    Table: table,
    Figure: figure,
    Listing: listing,
    Facts: facts,
    Items: items,
}
