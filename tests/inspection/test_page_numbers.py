"""The page of a regression tree in a real browser: means and spreads where a classifier has classes and shares."""

import numpy as np
from sklearn.datasets import load_diabetes

from browser import needs_browser
from cart_elc import ELCRegressor
from cart_elc.inspection.named_tree import NamedTree
from page_probes import LIT, pick, text

pytestmark = needs_browser
X, Y = load_diabetes(return_X_y=True)
MODEL = ELCRegressor().fit(X, Y)


def test_a_picked_row_lights_its_path_and_ends_in_the_mean_its_spread_and_the_truth(show):
    browser, bands = show(MODEL, X, Y), NamedTree.of(MODEL).bands
    for row in range(0, len(X), 41):
        pick(browser, row)
        assert browser.run(LIT) == MODEL.decision_path(X[[row]]).indices.tolist()
        leaf = int(MODEL.apply(X[[row]])[0])
        verdict = text(browser, "#verdict")
        assert f"{bands.mean_text(leaf)}" in verdict
        assert bands.spread_text(leaf) in verdict
        assert f"true {Y[row]:g}" in verdict


def test_the_table_and_the_model_speak_of_means_and_variance(show):
    browser, bands = show(MODEL, X, Y), NamedTree.of(MODEL).bands
    assert browser.run("return document.getElementById('output-head').textContent") == "Mean"
    rows = browser.run("return document.getElementById('leaf-rows').textContent")
    assert all(bands.mean_text(leaf) in rows for leaf in np.flatnonzero(MODEL.tree_.is_leaf))
    about = browser.run("return document.getElementById('about-body').textContent")
    assert "Variance explained" in about
    assert f"{100 * MODEL.score(X, Y):.1f} %" in about
    assert "Confusion" not in about


def test_the_page_works_without_data(show):
    browser = show(MODEL)
    legend = browser.run("return document.getElementById('legend').textContent")
    assert all(name in legend for name in NamedTree.of(MODEL).labels)
