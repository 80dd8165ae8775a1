"""Pictures with matplotlib: nothing overlaps, every kind of split is drawn, and they look as they did."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

import cart_elc
from cart_elc import CARTClassifier, ELCClassifier, load, plot_boundaries, plot_splits, plot_tree
from inspection_models import blobs, fitted, iris

os.environ.setdefault("MPLBACKEND", "Agg")
pd = pytest.importorskip("pandas")
pyplot = pytest.importorskip("matplotlib.pyplot")
# Names in scripts that the default font lacks: matplotlib says so and draws boxes instead.
pytestmark = pytest.mark.filterwarnings("ignore:Glyph")
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def boxes(ax):
    return [patch for patch in ax.patches if str(patch.get_gid() or "").startswith("node-")]


def overlapping(extents):
    return [
        (a, b)
        for i, a in enumerate(extents)
        for b in extents[i + 1 :]
        if a.shrunk(0.98, 0.98).overlaps(b.shrunk(0.98, 0.98))
    ]


@pytest.mark.parametrize("rotate", [None, False, True])
@pytest.mark.parametrize("given_axes", [False, True])
@pytest.mark.parametrize(
    "name", ["r = 3", "missing, divided", "one leaf", "hostile names", "ten features", "full depth 5"]
)
def test_boxes_do_not_overlap_and_hold_their_text(name, given_axes, rotate):
    if name == "full depth 5":
        model = CARTClassifier(max_depth=5).fit(*blobs(2000, 6, 3, seed=9))
        assert model.get_n_leaves() > 28
    else:
        model, _, _ = fitted(name)
    ax = plot_tree(model, pyplot.subplots(figsize=(16, 9))[1] if given_axes else None, rotate=rotate)
    ax.figure.canvas.draw()
    extents = [box.get_window_extent() for box in boxes(ax)]
    assert len(extents) == model.tree_.n_nodes
    assert overlapping(extents) == []
    lines = [text.get_window_extent().padded(-0.5) for text in ax.texts if text.get_zorder() == 4]  # whole pixels
    assert overlapping(lines) == []
    frame = ax.get_window_extent()
    for word in (text for text in ax.texts if text.get_text() in ("yes", "no")):
        assert not any(word.get_window_extent().shrunk(0.9, 0.9).overlaps(box) for box in extents)
    for text in ax.texts:
        extent = text.get_window_extent()
        assert frame.x0 - 1 <= extent.x0 and extent.x1 <= frame.x1 + 1
        if text.get_zorder() == 4:
            assert any(box.x0 <= extent.x0 and extent.x1 <= box.x1 and box.contains(*middle(extent)) for box in extents)


def test_a_wide_tree_grows_to_the_right_and_keeps_the_size_of_its_text():
    X, y = blobs(2000, 6, 3, seed=9)
    names = [f"a feature with a long name, number {j}" for j in range(6)]
    model = CARTClassifier(max_depth=5).fit(X, y)
    ax = plot_tree(model, feature_names=names)
    width, height = ax.figure.get_size_inches()
    assert width <= 20 and height <= 40
    assert max(text.get_fontsize() for text in ax.texts) == pytest.approx(9.0)
    root, leaf = (next(box for box in boxes(ax) if box.get_gid() == f"node-{node}") for node in (0, 5))
    assert root.get_window_extent().x1 < leaf.get_window_extent().x0
    assert plot_tree(CARTClassifier(max_depth=2).fit(X, y)).figure.get_size_inches()[0] < 16


def test_the_legend_of_a_tree_names_every_class():
    model = CARTClassifier(max_depth=1).fit(*blobs(300, 6, 5, seed=2))
    texts = [text.get_text() for text in plot_tree(model).texts if text.get_zorder() == 2]
    assert texts == ["yes", "no", *(f"class {k}" for k in range(5))]


@pytest.mark.parametrize("name", ["r = 1", "r = 2", "r = 3", "missing, learnt"])
def test_the_word_at_a_side_is_the_rules_answer_there(name):
    model, X, y = fitted(name)
    for node in list(model.tree_.split_nodes())[:3]:
        figure = plot_splits(model, X, y, nodes=[node])
        figure.canvas.draw()
        axes = figure.subfigs[0].axes[-1]
        features, weights, threshold = model.tree_.split(node)
        for word in axes.texts:
            middle_of_word = word.get_window_extent()
            x, y_there = axes.transData.inverted().transform(middle(middle_of_word))
            if len(features) == 2:
                holds = weights @ [x, y_there] >= threshold
            elif len(features) == 1:
                holds = weights[0] * x >= threshold
            else:  # signed distance, oriented by the largest coefficient
                holds = (x >= 0) == (weights[np.argmax(np.abs(weights))] > 0)
            assert (word.get_text() == "yes") == holds
        assert sorted(word.get_text() for word in axes.texts) == ["no", "yes"]


def test_whole_numbers_are_spread_but_never_across_the_line():
    X = np.random.default_rng(0).integers(0, 6, size=(400, 2)).astype(float)
    y = (X[:, 0] + 2 * X[:, 1] > 7).astype(int)
    model = ELCClassifier(r=2, criterion="gini", max_depth=1).fit(X, y)
    _, weights, threshold = model.tree_.split(0)
    drawn = plot_splits(model, X, y).subfigs[0].axes[0].collections[:2]
    places = np.concatenate([np.asarray(points.get_offsets()) for points in drawn])
    assert len(places) == 400 and len(np.unique(places.round(6), axis=0)) > 300
    assert np.abs(places - places.round()).max() <= 0.25
    assert ((places @ weights >= threshold) == (places.round() @ weights >= threshold)).all()


def test_signed_distances_are_distances():
    X, y = iris()
    model = ELCClassifier(r=3, criterion="gini", planes="through", max_depth=1).fit(X, y)
    features, weights, threshold = model.tree_.split(0)
    axes = plot_splits(model, X, y).subfigs[0].axes[-1]
    bars = [bar for container in axes.containers for bar in container if bar.get_height() > 0]
    distances = (X.to_numpy()[:, features] @ weights - threshold) / np.linalg.norm(weights)
    distances *= np.sign(weights[np.argmax(np.abs(weights))])
    width = bars[0].get_width()
    assert min(bar.get_x() for bar in bars) == pytest.approx(distances.min(), abs=width)
    assert max(bar.get_x() for bar in bars) == pytest.approx(distances.max(), abs=width)
    assert sum(bar.get_height() for bar in bars) == 150
    above = sum(bar.get_height() for bar in bars if bar.get_x() > -width / 2)
    assert above == np.count_nonzero(distances >= 0)


def test_thousands_of_points_keep_their_colours():
    X, y = blobs(5000, 6, 3, seed=9)
    model = CARTClassifier(max_depth=2).fit(X, y)
    points = [drawn for drawn in plot_boundaries(model, X, y).collections if drawn.get_gid() is None]
    assert all(len(p.get_edgecolors()) == 0 or p.get_linewidths()[0] == 0 for p in points)
    assert [text.get_text() for text in pyplot.gca().get_legend().get_texts()] == ["class 0", "class 1", "class 2"]


def test_nodes_and_columns_of_plot_splits_are_checked():
    model, X, y = fitted("r = 2")
    for bad in ([1], [0, 99], []):
        with pytest.raises(ValueError, match="nodes must be splits of the tree"):
            plot_splits(model, X, y, nodes=bad)
    with pytest.raises(ValueError, match="columns must be"):
        plot_splits(model, X, y, columns=-1)


def middle(extent):
    return (extent.x0 + extent.x1) / 2, (extent.y0 + extent.y1) / 2


@pytest.mark.parametrize("name", ["r = 1", "r = 2", "r = 3", "missing, learnt", "missing, filled", "hostile names"])
def test_every_split_has_its_panel(name):
    model, X, y = fitted(name)
    nodes = list(model.tree_.split_nodes())[:4]
    figure = plot_splits(model, X, y, nodes=nodes)
    figure.canvas.draw()
    panels = [panel for panel in figure.subfigs if panel.axes]
    assert len(panels) == len(nodes)
    for panel, node in zip(panels, nodes, strict=True):
        n_features = len(model.tree_.split(node)[0])
        assert len(panel.axes) == (2 if n_features > 2 else 1)
        view = panel.axes[-1]
        assert (len(view.collections) > 0) == (n_features == 2)


def test_a_tree_without_splits_is_refused_by_plot_splits():
    model, X, y = fitted("one leaf")
    with pytest.raises(ValueError, match="there is no split to draw"):
        plot_splits(model, X, y)


def test_a_tree_can_be_drawn_to_a_depth():
    model = CARTClassifier(max_depth=5).fit(*blobs(2000, 6, 3, seed=9))
    ax = plot_tree(model, max_depth=2)
    depths = model.tree_.node_depths()
    assert [box.get_gid() for box in boxes(ax)] == [f"node-{node}" for node in np.flatnonzero(depths <= 2)]
    below = [text.get_text() for text in ax.texts if text.get_text().endswith(" below")]
    assert sum(int(text.split()[0]) for text in below) == model.get_n_leaves() - model.tree_.is_leaf[depths <= 2].sum()
    with pytest.raises(ValueError, match="max_depth must be an int of at least 0, got -1"):
        plot_tree(model, max_depth=-1)


def test_of_many_splits_the_dozen_largest_are_drawn_and_any_number_on_demand():
    X, y = load_digits(return_X_y=True)
    model = CARTClassifier(max_leaf_nodes=60).fit(X, y)
    figure = plot_splits(model, X, y)
    assert len(figure.subfigs) == 12
    assert any("The 12 of 59 splits that the most rows reach" in text.get_text() for text in figure.texts)
    drawn = {int(panel._suptitle.get_text().split(":")[0][1:]) for panel in figure.subfigs}
    rows = model.tree_.n_node_samples
    assert min(rows[list(drawn)]) >= max(rows[[n for n in model.tree_.split_nodes() if n not in drawn]])
    every = list(model.tree_.split_nodes())[:40]
    start = time.process_time()
    figure = plot_splits(model, X, y, nodes=every)
    figure.canvas.draw()
    assert len(figure.subfigs) == 40
    assert time.process_time() - start < 60


def test_panels_keep_to_their_places():
    model, X, y = fitted("ten features")
    figure = plot_splits(model, X, y)
    figure.canvas.draw()
    for panel in figure.subfigs:
        extents = [axes.get_tightbbox() for axes in panel.axes]
        assert overlapping(extents) == []
        assert all(extent.y1 < panel._suptitle.get_window_extent().y0 for extent in extents)


def test_labels_that_the_model_does_not_know_are_refused():
    X, y = iris()
    model = ELCClassifier(r=1, criterion="gini").fit(X, y)
    with pytest.raises(ValueError, match="y must hold labels of the model"):
        plot_splits(model, X, ["daisy"] * len(X))


def coarse(image, size=16):
    """Mean colours of a coarse grid: fonts and versions of matplotlib differ in details only."""
    rows, columns = (np.array_split(np.arange(n), size) for n in image.shape[:2])
    return np.array([[image[np.ix_(r, c)][..., :3].mean(axis=(0, 1)) for c in columns] for r in rows])


def difference(one, other):
    return np.abs(coarse(one) - coarse(other)).mean()


@pytest.mark.parametrize("name", ["plot_tree", "plot_splits", "plot_boundaries"])
def test_pictures_look_as_they_did(name, tmp_path):
    from make_golden import pictures

    X, y = iris(0.1)
    pictures(load(GOLDEN / "model.json"), X, y)[name].savefig(tmp_path / "now.png", dpi=40)
    now, then = (pyplot.imread(path) for path in (tmp_path / "now.png", GOLDEN / f"{name}.png"))
    assert np.allclose(np.array(now.shape[:2]) / then.shape[:2], 1.0, atol=0.15)
    assert difference(now, then) < 0.25 * difference(np.ones_like(then), then)
    # What is drawn elsewhere is noticed.
    assert max(difference(then[:, ::-1], then), difference(then[::-1], then)) > 0.3 * difference(
        np.ones_like(then), then
    )


WITHOUT_EXTRAS = """
import sys
for name in ("matplotlib", "onnx", "graphviz"):
    sys.modules[name] = None
from cart_elc import *
X, y = [[0.0, 1.0], [1.0, 0.0], [4.0, 4.0]], [0, 0, 1]
model = ELCClassifier(r=1, criterion="gini").fit(X, y)
export_text(model), export_graphviz(model), export_html(model, X, y), export_code(model), explain(model, X[0])
calls = [lambda: plot_tree(model), lambda: plot_splits(model, X, y), lambda: plot_boundaries(model, X, y)]
for call in [*calls, lambda: export_onnx(model)]:
    try:
        call()
    except ImportError as error:
        print(error)
"""


def test_without_the_extras_everything_else_works_and_the_functions_name_them():
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "plot_tree needs matplotlib: pip install matplotlib, or pip install '.[plot]' in a checkout of cart-elc",
        "plot_splits needs matplotlib: pip install matplotlib, or pip install '.[plot]' in a checkout of cart-elc",
        "plot_boundaries needs matplotlib: pip install matplotlib, or pip install '.[plot]' in a checkout of cart-elc",
        "export_onnx needs onnx: pip install onnx, or pip install '.[onnx]' in a checkout of cart-elc",
    ]


def test_importing_the_package_imports_no_extra():
    script = "import sys, cart_elc; print([m for m in ('matplotlib', 'onnx', 'selenium') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert "plot_tree" in cart_elc.__all__
