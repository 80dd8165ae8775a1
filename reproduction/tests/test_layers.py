"""The rooms of the package build on each other in one order, and its modules are small."""

import ast
from pathlib import Path

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

import cart_elc_reproduction

PACKAGE = Path(cart_elc_reproduction.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
LAYERS = ("protocol", "results", "run", "report", "sensitivity", "pages")
OUTSIDE = ("__init__", "__main__", "command")


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cart_elc_reproduction."):
            yield node.module.split(".")[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_own_room_and_those_below(path):
    if room(path) not in OUTSIDE:
        allowed = LAYERS[: LAYERS.index(room(path)) + 1]
        assert set(imported_rooms(path)) <= set(allowed)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_has_one_idea_and_at_most_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
