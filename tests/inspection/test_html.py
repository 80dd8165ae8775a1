"""The page as text, and what notebooks show; the page in a browser is in test_inspection_page."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

from cart_elc import CARTClassifier, ELCClassifier, export_html
from cart_elc.inspection.page.data import thinned
from inspection_models import NAMES, blobs, fitted, iris


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize("name", NAMES)
def test_the_page_holds_the_tree_and_the_rows_to_the_last_bit(name):
    model, X, y = fitted(name)
    data = data_of(export_html(model, X, y))
    assert [node["n"] for node in data["nodes"]] == model.tree_.n_node_samples.tolist()
    assert [w for node in data["nodes"] for w in node.get("weights", [])] == model.tree_.weights.tolist()
    assert data["samples"]["codes"] == np.searchsorted(model.classes_, y)[data["samples"]["rows"]].tolist()


def test_the_page_names_no_address_and_forbids_all_requests():
    page = export_html(*fitted("r = 2"))
    assert "default-src 'none'" in page
    assert set(re.findall(r"https?://[^\s\"']*", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe)|@import|url\(|\bfetch\(|XMLHttpRequest|innerHTML|\beval\(", page)


def test_hostile_names_leave_the_markup_as_it_is():
    page = export_html(*fitted("hostile names"), title="</title><script>")
    assert page.count("<script") == page.count("</script>") == 2
    assert page.count("<title>") == page.count("</title>") == 1


def test_the_file_is_what_is_returned_without_a_path(tmp_path):
    model, X, y = fitted("r = 1")
    assert export_html(model, X, y, tmp_path / "tree.html") is None
    assert (tmp_path / "tree.html").read_text(encoding="utf-8") == export_html(model, X, y)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_in_the_place_of_the_rows_is_that_of_the_page(tmp_path, kind):
    model, _, _ = fitted("r = 1")
    assert export_html(model, kind(tmp_path / "tree.html")) is None
    assert (tmp_path / "tree.html").read_text(encoding="utf-8") == export_html(model)
    with pytest.raises(ValueError, match="X must be rows where there is a path"):
        export_html(model, "a.html", path=tmp_path / "b.html")


def test_without_labels_points_have_predicted_classes():
    model, X, _ = fitted("r = 1")
    samples = data_of(export_html(model, X))["samples"]
    assert not samples["labelled"]
    assert model.classes_[samples["codes"]].tolist() == model.predict(X).tolist()


def test_labels_without_rows_are_refused():
    model, _, y = fitted("r = 1")
    with pytest.raises(ValueError, match="y must come with X"):
        export_html(model, y=y)


def test_thinning_is_even_repeatable_and_reaches_every_leaf_and_class():
    random = np.random.default_rng(0)
    leaves = random.choice([3, 5, 8, 11], 20_000, p=[0.9, 0.09, 0.0099, 0.0001])
    codes = random.integers(0, 3, len(leaves))
    chosen = thinned(leaves, codes, 1000)
    assert len(chosen) == 1000
    assert (chosen == thinned(leaves, codes, 1000)).all()
    assert set(leaves[chosen]) == set(leaves)
    assert np.mean(leaves[chosen] == 3) == pytest.approx(0.9, abs=0.02)
    assert np.bincount(codes[chosen]) / len(chosen) == pytest.approx(np.bincount(codes) / len(codes), abs=0.02)


@pytest.mark.parametrize("limit", [0, 1, 7, 40, 100, 2000])
def test_never_more_rows_than_asked_for_are_in_the_page(limit):
    X, y = blobs(3000, 6, 3)
    model = CARTClassifier(max_leaf_nodes=100).fit(X, y)
    samples = data_of(export_html(model, X, y, max_points=limit))["samples"]
    assert len(samples["rows"]) == len(set(samples["rows"])) == limit
    assert len(set(model.apply(X)[samples["rows"]])) == min(limit, model.get_n_leaves())


def test_notebooks_show_scikit_learns_diagram_and_below_it_the_fitted_tree():
    model = ELCClassifier(r=2, criterion="gini", max_depth=2)
    unfitted = model._repr_html_()
    assert "<iframe" not in unfitted
    assert "sk-container" in unfitted
    model.fit(*iris())
    assert "sk-container" in model._repr_html_()
    assert "<iframe srcdoc=" in model._repr_html_()
    assert model._repr_mimebundle_()["text/html"].count("<iframe") == 1
    assert model._repr_mimebundle_()["text/plain"] == "ELCClassifier(criterion='gini', max_depth=2)"


def test_a_notebook_is_not_filled_with_thousands_of_leaves():
    X = np.arange(1202.0)[:, None]
    model = CARTClassifier().fit(X, np.arange(1202) % 2)
    shown = model._repr_html_()
    assert "sk-container" in shown and "<iframe" not in shown
    assert "The tree has 1,202 leaves." in shown


def test_a_number_of_points_below_zero_is_refused():
    with pytest.raises(ValueError, match="max_points must be an int of at least 0, got -1"):
        export_html(*fitted("r = 1"), max_points=-1)


def test_scikit_learns_own_machinery_still_works():
    pipeline = make_pipeline(StandardScaler(), ELCClassifier(r=2, criterion="gini", max_depth=2)).fit(*iris())
    assert "ELCClassifier" in estimator_html_repr(pipeline)
    assert "<iframe" not in pipeline._repr_html_()
    with config_context(display="text"):
        assert not hasattr(pipeline[-1], "_repr_html_")
        assert "text/html" not in pipeline[-1]._repr_mimebundle_()
