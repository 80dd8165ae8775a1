"""The site's sources: public names, pages and links all have their place.

The site itself is built by ``make docs``, with warnings as errors.
"""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

import cart_elc

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = {"reference.md", "gallery", "generated", "_live"}
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if path.relative_to(DOCS).parts[0] not in GENERATED]
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))
LINK = re.compile(r"(?<!`)\[[^\]]*\]\((?!https?:|#)([^)#\s]+)[^)]*\)")


def generated_pages():
    specification = importlib.util.spec_from_file_location("generated_pages", DOCS / "_ext" / "generated_pages.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_reference_has_every_public_name_once():
    groups = generated_pages().grouped_names()
    assert sorted(name for names in groups.values() for name in names) == sorted(cart_elc.__all__)
    assert all(groups.values())
    listed = re.findall(r"^   (\w+)$", generated_pages().reference(), flags=re.MULTILINE)
    assert sorted(listed) == sorted(cart_elc.__all__)


def entries(page):
    blocks = re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    return {(page.parent / line).relative_to(DOCS).as_posix() for line in lines}


def test_every_page_is_in_a_menu_and_every_menu_entry_is_a_page():
    listed = set().union(*map(entries, PAGES))
    names = {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES}
    assert names - listed == {"index"}
    assert listed - names == {"reference", "gallery/index"}


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted(ROOT.glob("*.md"))], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_link_of_a_page_leads_to_a_file(page):
    for address in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / address).resolve()
        made = target.is_relative_to(DOCS) and target.relative_to(DOCS).parts[0] in GENERATED
        assert made or target.exists(), address


def test_the_gallery_has_examples_with_a_title_and_a_text():
    assert len(EXAMPLES) >= 6
    for path in EXAMPLES:
        title, line, *text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).splitlines()
        assert line == "=" * len(title), path.name
        assert any(text), path.name
