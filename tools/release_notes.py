"""Prints what CHANGELOG.md says about the version that a tag names; fails where tag, version and changelog disagree."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def version() -> str:
    """The version of the package, which stands in pyproject.toml alone."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def sections() -> dict[str, str]:
    """The texts of CHANGELOG.md by version, newest first."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\S+).*\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def notes(tag: str) -> str:
    """The notes of the release that the tag names."""
    if tag != f"v{version()}":
        raise SystemExit(f"the tag is {tag}, the version of pyproject.toml is {version()}")
    if not sections().get(version()):
        raise SystemExit(f"CHANGELOG.md has no section {version()}")
    return sections()[version()]


if __name__ == "__main__":
    print(notes(sys.argv[1]))
