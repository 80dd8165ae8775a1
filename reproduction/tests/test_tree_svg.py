"""The drawing of a tree in the report: as it was, and whatever the names are."""

from pathlib import Path

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc import load
from cart_elc_reproduction.report.tree_svg import tree_svg
from inspection_models import HOSTILE_NAMES, fitted

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"


def test_the_drawing_is_golden_and_escapes_names():
    drawing = tree_svg(load(GOLDEN / "model.json"))
    assert drawing + "\n" == Path(__file__).with_name("tree.svg").read_text(encoding="utf-8")
    drawing = tree_svg(fitted("hostile names")[0])
    assert "<script" not in drawing
    assert "<img" not in drawing
    assert len(HOSTILE_NAMES) == 6


def test_classes_that_are_numbers_are_called_classes():
    assert ">class 1</text>" in tree_svg(fitted("arrays, int labels")[0])
