"""The interactive page, driven in headless Chromium as people use it: what it says and what can be done."""

import numpy as np
import pytest

from browser import By, needs_browser
from cart_elc import CARTClassifier
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import one_line
from inspection_models import HOSTILE_CLASSES, fitted
from page_probes import LIT, click_node, pick, plain, text, written_steps

pytestmark = needs_browser


def test_every_node_shows_its_rule_counts_and_certificate_when_clicked(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    named = NamedTree.of(model)
    rules = Rulebook.of(named, 2)
    for node in range(model.tree_.n_nodes):
        click_node(browser, node)
        body = text(browser, "#node-body")
        for label, value in zip(model.classes_, model.tree_.value[node], strict=True):
            assert label in body and f"· {value:g}" in body
        if model.tree_.is_leaf[node]:
            assert text(browser, "#node-title") == f"Leaf #{node}: {named.labels[named.majority(node)]}"
        else:
            assert plain(text(browser, ".rule-box code")) == rules.text(node)
            assert "proven: no candidate is better" in body
            assert browser.run("return document.querySelectorAll('#node-body .plot').length") == 1
            assert browser.run("return document.querySelectorAll('.point').length") == model.tree_.n_node_samples[node]


@pytest.mark.parametrize(
    "name", ["r = 1", "r = 2", "r = 3", "missing, learnt", "missing, divided", "missing, filled", "ten features"]
)
def test_a_picked_row_lights_the_path_that_the_model_takes(show, name):
    model, X, y = fitted(name)
    browser = show(model, X, y)
    paths, predicted, probabilities = model.decision_path(X), model.predict(X), model.predict_proba(X).max(axis=1)
    for row in range(0, len(X), 17):
        pick(browser, row)
        assert browser.run(LIT) == paths[[row]].indices.tolist()
        verdict = text(browser, "#verdict")
        assert one_line(str(predicted[row])) in verdict
        assert f"{float(f'{100 * probabilities[row]:.3g}'):g} %" in verdict


def test_the_sums_that_are_written_out_are_true(show):
    model, X, y = fitted("r = 3")
    browser = show(model, X, y)
    for row in range(0, len(X), 11):
        pick(browser, row)
        for step in written_steps(browser):
            comparison, _, side = step.rpartition(", ")
            assert side in ("yes", "no")
            terms, total = comparison.split(" = ")
            assert eval(total)
            assert eval(terms) == pytest.approx(float(total.split(" ")[0]), abs=0.006)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("name", ["r = 1", "r = 3"])
def test_histograms_fill_their_frame_in_any_unit(show, name, unit):
    model, X, y = fitted(name)
    model = model.fit(X * unit, y)
    browser = show(model, X * unit, y)
    places = browser.run("return [...document.querySelectorAll('.bar-part')].map(bar => Number(bar.getAttribute('x')))")
    assert min(places) < 80 and max(places) > 340  # of 52 to 390
    assert len(set(places)) > 6
    assert len(browser.run("return [...document.querySelectorAll('.plot text')].map(text => text.textContent)")) > 8


def test_a_lone_value_is_written_with_few_digits(show):
    X = np.random.default_rng(0).normal(size=(60, 1))
    model = CARTClassifier(max_depth=2).fit(X, X[:, 0] > X[7, 0])
    browser = show(model, X, model.predict(X))
    for row in range(0, 60, 7):
        pick(browser, row)
        for step in written_steps(browser):
            comparison = step.rpartition(", ")[0]
            assert eval(comparison)
            assert row == 7 or len(comparison.split(" ")[0]) <= 8


def test_a_typed_sample_is_followed_and_cleared(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    sample = [5.9, 3.1, 4.7, 1.6]
    for column, value in enumerate(sample):
        browser.driver.find_element(By.ID, f"value-{column}").send_keys(str(value))
    assert (
        browser.run(LIT) == model.decision_path(X.iloc[:1].assign(**dict(zip(X, sample, strict=True)))).indices.tolist()
    )
    browser.driver.find_element(By.ID, "clear").click()
    assert browser.run(LIT) == []
    assert text(browser, "#verdict") == ""


def test_a_point_of_the_plot_can_be_picked(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    browser.run("document.querySelectorAll('.point')[7].dispatchEvent(new MouseEvent('click'))")
    assert browser.run("return document.getElementById('row').value") == "7"
    assert browser.run("return document.querySelectorAll('.plot .here').length") == 1


def test_hostile_names_do_nothing_and_are_shown_as_they_are(show):
    model, X, y = fitted("hostile names")
    browser = show(model, X, y, title="</title><script>window.hacked = 4</script>{{script}}")
    for node in range(model.tree_.n_nodes):
        browser.run("document.getElementById('expand').click()")
        click_node(browser, node)
    pick(browser, 5)
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.querySelectorAll('img, b:not(code b), script').length") == 2
    assert text(browser, "h1") == "</title><script>window.hacked = 4</script>{{script}}"
    labels = browser.run("return [...document.querySelectorAll('#inputs label')].map(l => l.textContent)")
    assert labels == [one_line(str(X.columns[j])) for j in np.unique(model.tree_.features)]
    assert one_line(HOSTILE_CLASSES[0]) in text(browser, "#legend")


def test_a_row_that_is_not_in_the_page_is_replaced_with_a_word(show, large):
    model, X, y = large
    browser = show(model, X, y)
    rows = browser.run("return JSON.parse(document.getElementById('data').textContent).samples.rows")
    absent = next(row for row in range(10_000) if row not in set(rows))
    pick(browser, absent)
    assert text(browser, "#row-note") == f"Row {absent} is not in this page; this is the next that is."
    pick(browser, rows[3])
    assert text(browser, "#row-note") == ""


def test_the_table_has_every_leaf_and_rules_can_be_copied(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    assert browser.run("return document.querySelectorAll('#leaf-rows tr').length") == model.get_n_leaves()
    browser.run(
        "window.copied = [];"
        "document.execCommand = () => { copied.push(document.activeElement.value); return true; };"
        "if (navigator.clipboard) navigator.clipboard.writeText = async text => { copied.push(text); };"
    )
    browser.driver.find_element(By.CSS_SELECTOR, ".rule-box button").click()
    browser.driver.find_element(By.ID, "copy-all").click()
    assert browser.driver.find_element(By.ID, "copy-all").text == "Copied"
    rule, table = browser.run("return window.copied")
    assert rule == Rulebook.of(NamedTree.of(model), 2).text(0)
    assert table.count("\n") == model.get_n_leaves() - 1


def test_the_page_works_without_data(show):
    model, _, _ = fitted("r = 3")
    browser = show(model)
    assert "Pass X and y" in text(browser, "#node-body") or browser.run("return !!document.querySelector('.plot')")
    browser.driver.find_element(By.ID, "value-0").send_keys("5.1")
    assert len(browser.run(LIT)) >= 2
