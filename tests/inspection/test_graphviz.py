"""DOT: valid for the dot program, with scikit-learn's options, whatever the names are."""

import inspect
import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import export_graphviz as sklearn_export

from cart_elc import CARTClassifier, export_graphviz, load
from inspection_models import NAMES, fitted

GOLDEN = Path(__file__).parents[1] / "golden"
DOT = shutil.which("dot")
needs_dot = pytest.mark.skipif(DOT is None, reason="Graphviz is not installed")
STYLES = [
    {},
    {"filled": True, "rounded": True, "special_characters": True},
    {"leaves_parallel": True, "rotate": True, "node_ids": True, "proportion": True, "label": "root"},
    {"max_depth": 1, "filled": True, "label": "none", "impurity": False, "class_names": False},
]


def drawn(text):
    return subprocess.run([DOT, "-Tplain"], input=text, capture_output=True, text=True, check=True, timeout=60)


@needs_dot
@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "deep"])
def test_dot_reads_it_without_a_word(name, style):
    model, _, _ = fitted(name)
    done = drawn(export_graphviz(model, **style))
    assert [line for line in done.stderr.splitlines() if "font" not in line.lower()] == []
    if "max_depth" not in style:
        assert done.stdout.count("\nnode ") == model.tree_.n_nodes


def test_it_has_all_of_scikit_learns_options():
    ours, theirs = (inspect.signature(function).parameters for function in (export_graphviz, sklearn_export))
    for name in set(theirs) - {"decision_tree"}:
        assert (ours[name].default, ours[name].kind) == (theirs[name].default, theirs[name].kind)


@needs_dot
def test_hostile_names_arrive_unchanged():
    model, _, _ = fitted("hostile names")
    svg = subprocess.run(
        [DOT, "-Tsvg"], input=export_graphviz(model), capture_output=True, text=True, check=True
    ).stdout
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg
    used = {int(j) for j in model.tree_.features}
    assert 4 not in used or "&amp;lt;" in svg


def test_text_on_dark_paint_is_white():
    X = np.arange(12.0)[:, None]
    text = export_graphviz(CARTClassifier().fit(X, np.arange(12)), filled=True)
    painted = re.findall(r'fillcolor="(#\w+)"(, fontcolor="white")?', text)
    assert len(painted) == 23
    assert {bool(white) for _, white in painted} == {True, False}
    for color, white in painted:
        assert bool(white) == (luminance(color) < 0.179)


def luminance(color):
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("rotate", [False, True])
def test_the_edges_of_the_root_say_yes_and_no(rotate):
    model, _, _ = fitted("r = 2")
    left, right = model.tree_.children_left[0], model.tree_.children_right[0]
    words = dict(re.findall(r'0 -> (\d+) \[.*headlabel="(\w+)"', export_graphviz(model, rotate=rotate)))
    assert words == {str(left): "yes", str(right): "no"}


def test_the_golden_rendering():
    text = export_graphviz(load(GOLDEN / "model.json"), filled=True, rounded=True)
    assert text + "\n" == (GOLDEN / "graph.dot").read_text(encoding="utf-8")


def test_it_writes_a_file_and_takes_other_names(tmp_path):
    model, _, _ = fitted("r = 2")
    names = {"feature_names": list("abcd"), "class_names": ["x", "y", "z"]}
    text = export_graphviz(model, **names)
    assert export_graphviz(model, tmp_path / "tree.dot", **names) is None
    assert (tmp_path / "tree.dot").read_text(encoding="utf-8") == text + "\n"
    assert "class = z" in text
    assert "petal" not in text
    with pytest.raises(ValueError, match="feature_names must have 4 entries, got 2"):
        export_graphviz(model, feature_names=["a", "b"])
    with pytest.raises(ValueError, match="class_names must have 3 entries, got 1"):
        export_graphviz(model, class_names=["a"])


def test_it_writes_to_an_open_file_as_scikit_learn_does():
    model, _, _ = fitted("r = 2")
    file = io.StringIO()
    assert export_graphviz(model, file) is None
    assert file.getvalue() == export_graphviz(model) + "\n"


@pytest.mark.parametrize("bad", [{"precision": -1}, {"precision": 16}, {"max_depth": -1}, {"label": "some"}])
def test_bad_options_are_refused_by_their_names(bad):
    model, _, _ = fitted("r = 2")
    with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
        export_graphviz(model, **bad)
