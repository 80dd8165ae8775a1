"""Looks up every link of a built site that stays within it: the file must be there, and the place that is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the names of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep what refers to something, and what can be referred to."""
        for name, value in attributes:
            if value and (name, tag) in {
                ("href", "a"),
                ("href", "link"),
                ("src", "img"),
                ("src", "script"),
                ("src", "iframe"),
            }:
                self.links.append(value)
            if value and name in {"id", "name"}:
                self.names.add(value)


@cache
def page_of(path: Path) -> Page:
    """Read a page once."""
    return Page(path.read_text(encoding="utf-8"))


def broken(site: Path, path: Path) -> Iterator[str]:
    """Yield what is wrong with the links of a page."""
    for link in page_of(path).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() else target
        if not target.exists() or site not in target.parents:
            yield f"{path.relative_to(site)}: {link}: no such file"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page_of(target).names:
            yield f"{path.relative_to(site)}: {link}: no such place"


def main(site: Path) -> int:
    """Print what is broken; whether anything is."""
    # The interactive pages are programs that link nowhere; the theme's own files have templates among them.
    pages = [
        path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] not in {"live", "_static"}
    ]
    wrong = [line for path in pages for line in broken(site, path)]
    n_links = sum(len(page_of(path).links) for path in pages)
    print(*wrong, f"{n_links} links of {len(pages)} pages looked up, {len(wrong)} broken", sep="\n")
    return int(bool(wrong) or not pages)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
