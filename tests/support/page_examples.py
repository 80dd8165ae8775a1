"""The programs in Markdown pages: a block of Python, and the block of text after it, which is what it prints.

The programs of a page are run in order in one namespace, so that a later one may use what an earlier one made. Run as a
program (``python tests/support/page_examples.py README.md docs/guide/*.md``) it writes what they print into the pages.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<output>.*?)```\n)?", flags=re.DOTALL)


def pages() -> list[Path]:
    """Every page whose programs are run: the README, the start, the forests and the guide."""
    alone = [ROOT / "README.md", ROOT / "docs" / "start.md", ROOT / "docs" / "forests.md"]
    return [*alone, *sorted((ROOT / "docs" / "guide").glob("*.md"))]


@dataclass(frozen=True)
class Example:
    """A program of a page and what the page says that it prints."""

    code: str
    output: str


def examples(text: str) -> list[Example]:
    """The programs of a page."""
    return [Example(found["code"], found["output"] or "") for found in PROGRAM.finditer(text)]


def printed(code: str, names: dict[str, Any]) -> str:
    """Run a program in a namespace; what it prints."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(code, names)
    return stream.getvalue()


def outputs(text: str) -> Iterator[str]:
    """What the programs of a page print, one after another."""
    names: dict[str, Any] = {"__name__": "page"}
    for example in examples(text):
        yield printed(example.code, names)


def filled(text: str) -> str:
    """The page with what its programs print."""
    texts = outputs(text)

    def block(found: re.Match[str]) -> str:
        output = next(texts)
        return f"```python\n{found['code']}```\n" + (f"\n```text\n{output}```\n" if output else "")

    return PROGRAM.sub(block, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(filled(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
