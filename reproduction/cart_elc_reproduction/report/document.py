"""A report as a value: sections of paragraphs, tables, figures and listings, rendered as HTML and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["", "above", "below"]
SYMBOLS: dict[Mark, str] = {"": "", "above": " ▲", "below": " ▼"}
NOTHING = "\N{EN DASH}"


@dataclass(frozen=True)
class Cell:
    """A table's cell: our figure, what was published, and the difference.

    Tables of our figures alone have there what tells most about each: the grid point chosen, or what else was measured.
    ``mark`` says that the difference exceeds two standard deviations, and in which direction; ``good`` says whether
    that is for the better. ``strong`` marks the best of a column.
    """

    text: str
    published: str = ""
    difference: str = ""
    mark: Mark = ""
    strong: bool = False
    good: bool = True


@dataclass(frozen=True)
class Table:
    """Rows under a header; the first column names the row.

    A page shows a table with a text in ``folded`` only when that text is chosen.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    note: str = ""
    folded: str = ""


@dataclass(frozen=True)
class Panel:
    """One drawing of a figure: a complete SVG element."""

    title: str
    svg: str


@dataclass(frozen=True)
class Figure:
    """Panels under one caption; ``name`` is that of its file, ``drawing`` the whole of it as one SVG file."""

    name: str
    panels: tuple[Panel, ...]
    caption: str
    drawing: str
    legend: str = ""


@dataclass(frozen=True)
class Listing:
    """Text in fixed width."""

    text: str
    title: str


@dataclass(frozen=True)
class Highlights:
    """A few numbers that sum up the report, each with what it counts."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]


Block = str | Table | Figure | Listing | Highlights | Items
"""A plain string is a paragraph."""


@dataclass(frozen=True)
class Section:
    """A part of the report."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def anchor(self) -> str:
        """A name for links."""
        return anchor(self.title)


@dataclass(frozen=True)
class Report:
    """The whole report."""

    title: str
    lead: str
    sections: tuple[Section, ...] = field(default=())


def anchor(text: str) -> str:
    """Return a text as a name for links."""
    kept = "".join(c if c.isalnum() else "-" for c in text.lower())
    return "-".join(part for part in kept.split("-") if part)


def row(title: str, *cells: Cell | str) -> tuple[Cell, ...]:
    """Return a table's row; strings become cells."""
    return (Cell(title), *(cell if isinstance(cell, Cell) else Cell(cell) for cell in cells))
