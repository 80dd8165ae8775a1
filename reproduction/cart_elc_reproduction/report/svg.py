"""Matplotlib's drawings as SVG: files that stand alone, and elements that fit into a page beside others."""

from __future__ import annotations

import re
from html import escape
from io import StringIO

import matplotlib
from matplotlib.figure import Figure as Canvas

INK = "#222222"
"""The colour of text and grid, which within a page is that of its text."""

NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def new_canvas(width: float, height: float) -> Canvas:
    """Return an empty drawing; a unit of its SVG is a point, and text has the size that it is given."""
    return Canvas(figsize=(width / 72, height / 72), dpi=72)


def element(canvas: Canvas, label: str, transparent: bool) -> str:
    """Return the drawing as an SVG element that scales and has a name; the same drawing is the same text."""
    buffer = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "cart-elc"}):
        canvas.savefig(buffer, format="svg", transparent=transparent, metadata=NO_METADATA)
    text = buffer.getvalue()
    body = text[text.index(">", text.index("<svg")) + 1 :]
    # This style would hold for the whole page.
    body = re.sub(r"<style[^>]*>.*?</style>", "", body, flags=re.DOTALL)
    width, height = 72.0 * canvas.get_size_inches()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}">{body}'
    )


def inline_svg(canvas: Canvas, label: str, name: str) -> str:
    """Return the drawing for a page: in its ink, and with names that no other drawing has."""
    svg = element(canvas, label, transparent=True).replace(INK, "currentColor")
    return re.sub(r'( id="|href="#)', rf"\g<1>{name}-", svg)


def file_svg(canvas: Canvas, label: str) -> str:
    """Return the drawing as a file of its own, on white."""
    return element(canvas, label, transparent=False)
