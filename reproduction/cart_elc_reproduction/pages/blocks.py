"""Generated blocks within a page: what stands between ``<!-- name:begin -->`` and ``<!-- name:end -->`` is replaced."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cart_elc.estimators.persistence import write_whole

BLOCK = re.compile(r"<!-- ([\w ,:=-]+):begin -->\n.*?<!-- \1:end -->", flags=re.DOTALL)
FIGURE = re.compile(r"!\[[^]]*\]\([^)]*\)\n\n")
PACKAGE = Path(__file__).resolve().parents[1]
# What the build's digest leaves out, and a text may still depend on: formats, verdicts, published numbers.
PATTERNS = ("sensitivity.py", "report/*.py", "results/*.py", "published/*.csv")


def sections(report: str) -> dict[str, str]:
    """Return the text of the report's sections by title."""
    parts = re.split(r"^## (.+)\n", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def filled(page: str, texts: Mapping[str, str]) -> str:
    """Return the page with every block filled."""

    def block(found: re.Match[str]) -> str:
        name = found.group(1)
        text = FIGURE.sub("", texts[name])
        return f"<!-- {name}:begin -->\n\n{text}\n\n<!-- {name}:end -->"

    return BLOCK.sub(block, page)


def kept(name: str, run: Path, make: Callable[[], str], sources: Iterable[Path] = ()) -> str:
    """Return a text that takes long to make; it is kept in the run's folder until its sources change."""
    path = run / "blocks" / f"{name}-{digest_of(sources)}.md"
    if not path.is_file():
        print(f"{name} ...", file=sys.stderr, flush=True)
        text = make()
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
    return path.read_text(encoding="utf-8").strip()


def digest_of(sources: Iterable[Path], package: Path = PACKAGE) -> str:
    """Return a digest of some files and of the modules that every text depends on."""
    modules = sorted(path for pattern in PATTERNS for path in package.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in (*sources, *modules))).hexdigest()[:12]
