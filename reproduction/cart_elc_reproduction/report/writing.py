"""Writing the report's files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cart_elc_reproduction.protocol.tasks import Record
from cart_elc_reproduction.report.document import Figure
from cart_elc_reproduction.report.html import render_html
from cart_elc_reproduction.report.markdown import FIGURE_FOLDER, render_markdown
from cart_elc_reproduction.report.sections import build_report


def write_report(records: Sequence[Record], folder: Path) -> Path:
    """Write ``report.html``, ``report.md`` and the figures; return the page's path."""
    report = build_report(records)
    figures = folder / FIGURE_FOLDER
    figures.mkdir(parents=True, exist_ok=True)
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Figure):
                (figures / f"{block.name}.svg").write_text(block.drawing, encoding="utf-8")
    (folder / "report.md").write_text(render_markdown(report), encoding="utf-8")
    page = folder / "report.html"
    page.write_text(render_html(report), encoding="utf-8")
    return page
