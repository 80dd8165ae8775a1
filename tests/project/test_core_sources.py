"""The compiled sources: headers of one idea, each named in the page that says in which order to read them."""

from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "src" / "core"
SOURCES = sorted(path for path in CORE.rglob("*.?pp"))
LONGEST = 250


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(CORE).as_posix())
def test_a_source_is_short_and_says_what_it_is(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    assert lines[0].startswith("// ")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(CORE).as_posix())
def test_the_reading_order_names_every_source(path):
    assert f"`{path.name}`" in (CORE / "README.md").read_text(encoding="utf-8")
