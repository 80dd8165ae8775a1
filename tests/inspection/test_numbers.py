"""A regression tree can be looked at in every way: a leaf is its mean, its spread and its rows."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from cart_elc import (
    CARTRegressor,
    ELCRegressor,
    explain,
    export_code,
    export_graphviz,
    export_html,
    export_onnx,
    export_text,
)
from cart_elc.inspection.bands import MOST_BANDS, Bands
from cart_elc.inspection.named_tree import NamedTree

X, Y = load_diabetes(return_X_y=True)
HOLES = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
MODELS = {
    "bits": ELCRegressor().fit(X, Y),
    "deep": CARTRegressor(max_depth=6).fit(X, Y),
    "missing": ELCRegressor(r=2, criterion="squared_error", max_depth=3).fit(HOLES, Y),
    "leaf": ELCRegressor(max_depth=1, min_samples_leaf=400).fit(X, Y),
}
every = pytest.mark.parametrize("name", MODELS)
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def test_the_text_names_mean_spread_and_rows_of_every_leaf():
    model = MODELS["bits"]
    text = export_text(model)
    for node in np.flatnonzero(model.tree_.is_leaf):
        weight, mean, squares = model.tree_.value[node]
        assert f"{mean:.1f} ± {np.sqrt(squares / weight):.1f} ({int(weight)} rows)" in text
    assert re.search(r"saves [\d.]+ bits, costs [\d.]+; proven", text)


@every
def test_bands_are_between_the_means_of_leaves_and_hold_all_weight(name):
    tree = MODELS[name].tree_
    bands = Bands(tree)
    assert len(bands.names) == len(bands.edges) + 1 <= MOST_BANDS
    assert not np.isin(bands.edges, tree.value[tree.is_leaf, 1]).any()
    assert bands.weights.sum(axis=1) == pytest.approx(tree.weighted_n_node_samples)
    assert ((bands.weights[tree.is_leaf] > 0).sum(axis=1) == 1).all()
    assert (bands.weights[0] > 0).all()


@every
def test_a_node_has_the_colour_of_the_band_of_its_mean(name):
    named = NamedTree.of(MODELS[name])
    assert len(named.colors()) == named.n_classes
    predicted = named.predicted(named.rows(HOLES))
    leaves = named.tree.apply(HOLES)
    assert predicted.tolist() == [named.majority(leaf) for leaf in leaves]


@every
def test_python_and_sql_predict_the_same_to_the_last_bit(name):
    model, space = MODELS[name], {}
    exec(export_code(model), space)
    assert [space["predict"](row) for row in HOLES] == model.predict(HOLES).tolist()
    sqlite3 = pytest.importorskip("sqlite3")
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE t ({', '.join(f'x{j} REAL' for j in range(X.shape[1]))})")
    rows = [[None if np.isnan(v) else v for v in row] for row in HOLES.tolist()]
    database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * X.shape[1])})", rows)
    answers = database.execute(f"SELECT {export_code(model, 'sql')}\nFROM t ORDER BY rowid")
    assert [row[0] for row in answers] == model.predict(HOLES).tolist()


@every
@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_c_predicts_the_same_to_the_last_bit(name, tmp_path):
    model, m = MODELS[name], X.shape[1]
    main = f"""
#include <stdio.h>
int main(void) {{
    double x[{m}], y;
    while (fread(x, sizeof(double), {m}, stdin) == {m}) {{ y = predict(x); fwrite(&y, sizeof y, 1, stdout); }}
    return 0;
}}
"""
    (tmp_path / "model.c").write_text(export_code(model, "c") + main, encoding="utf-8")
    subprocess.run(
        [COMPILER, "-O2", "-std=c99", "-Wall", "-Werror", "-o", "model", "model.c"], cwd=tmp_path, check=True
    )
    done = subprocess.run([tmp_path / "model"], input=HOLES.tobytes(), capture_output=True, check=True)
    assert np.frombuffer(done.stdout).tolist() == model.predict(HOLES).tolist()


@every
def test_onnx_predicts_the_same(name):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(
        export_onnx(MODELS[name]).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (numbers,) = session.run(["prediction"], {"X": HOLES})
    assert numbers[:, 0] == pytest.approx(MODELS[name].predict(HOLES), rel=1e-12)


def test_an_explanation_ends_in_the_number_and_its_spread():
    model = MODELS["bits"]
    explanation = explain(model, X[0], X=X)
    (leaf,) = explanation.leaves
    weight, mean, squares = model.tree_.value[leaf]
    assert explanation.label == model.predict(X[:1])[0] == mean
    assert explanation.probabilities == {}
    assert str(explanation).endswith(f"=> {mean:.1f} ± {np.sqrt(squares / weight):.1f}")
    assert f"{mean:.1f} ±" in explanation._repr_html_()


def test_dot_has_variance_samples_and_mean_and_no_classes():
    text = export_graphviz(MODELS["bits"], filled=True)
    assert "variance = 5929.885" in text
    assert "value = 152.133" in text
    assert "class" not in text


@every
def test_every_picture_can_be_drawn(name):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    from cart_elc import plot_boundaries, plot_splits, plot_tree

    model = MODELS[name]
    labels = NamedTree.of(model).labels
    drawn = [text.get_text() for text in plot_tree(model).texts]
    assert all(label in drawn for label in labels)
    if model.get_n_leaves() > 1:
        figure = plot_splits(model, X, Y)
        assert [text.get_text() for text in figure.legends[0].get_texts()] == labels
        axes = plot_boundaries(model, X, Y)
        assert [text.get_text() for text in axes.get_legend().get_texts()] == labels
    pyplot.close("all")


@every
def test_the_page_has_the_means(name):
    page = export_html(MODELS[name], X, Y)
    assert '"numbers":true' in page
    assert NamedTree.of(MODELS[name]).bands.mean_text(0) in page


def test_labels_of_another_length_are_refused():
    with pytest.raises(ValueError, match=r"y must have shape \(442,\), got \(3,\)"):
        export_html(MODELS["bits"], X, Y[:3])
