"""What the page writes: names of every length and direction, one word for one thing, sums and numbers that agree."""

import re

import numpy as np
import pytest

from browser import By, needs_browser
from cart_elc import CARTClassifier, ELCClassifier, HHCARTClassifier, export_html
from cart_elc.inspection.explain.steps import decimals
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from inspection_models import fitted, iris, wide
from page_probes import click_node, pick, plain, text, written_steps

pd = pytest.importorskip("pandas")
pytestmark = needs_browser
HEBREW = ["אורך", "רוחב", "גובה", "עומק"]
# Where the characters of each line of a box stand, from left to right.
ORDER = """
return [...document.querySelectorAll('.node .rule')].filter(text => /[≤≥]/.test(text.textContent)).map(text => {
  const places = [...text.textContent].map((c, i) => [text.getStartPositionOfChar(i).x, c]);
  return [text.textContent, places.filter(([, c]) => /[-+\\u2212·≤≥<>0-9.]/.test(c)).map(([x]) => x)];
});
"""


def test_names_from_right_to_left_leave_the_signs_where_they_are(show):
    X, y = iris()
    X = X.set_axis(HEBREW, axis=1)
    browser = show(ELCClassifier(r=3, criterion="gini").fit(X, y), X, y)
    lines = browser.run(ORDER)
    assert len(lines) > 2
    for written, places in lines:
        assert any(name in written for name in HEBREW) or re.fullmatch(r"(>=|<=) -?[\d.]+", plain(written))
        assert places == sorted(places)
    pick(browser, 70)
    assert all("\u2068" not in plain(step) for step in written_steps(browser))


@pytest.fixture(scope="module")
def long_names():
    """Thirty features, and classes, with names of seventy characters."""
    X, y = wide()
    X = pd.DataFrame(X, columns=[f"mean_of_a_property_of_the_cell_nucleus_in_the_image_{j}" for j in range(10)])
    labels = np.array(["a_benign_growth_that_need_not_be_treated_at_all", "a_malignant_growth_that_must_be_treated"])[y]
    return HHCARTClassifier(max_depth=2).fit(X, labels), X, labels


@pytest.mark.parametrize("width", [320, 390, 1024])
def test_long_names_leave_room_for_bars_and_stay_on_the_screen(show, long_names, width):
    model, X, y = long_names
    browser = show(model, X, y, size=(width, 800))
    assert browser.run("return document.documentElement.scrollWidth") <= width
    meters = browser.run("return [...document.querySelectorAll('.meter')].map(m => m.getBoundingClientRect().width)")
    assert min(meters) >= 40
    bars = browser.run(
        "return [...document.querySelectorAll('.coefficient')].map(b => b.getBoundingClientRect().width)"
    )
    assert max(bars) > 30
    outside = browser.run(
        "return [...document.querySelectorAll('main *, header *')].filter(e => e.getClientRects().length && "
        "!e.closest('.scroll, #viewport') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
    )
    assert outside == []


def test_what_is_cut_can_be_read_by_pointing_at_it(show, long_names):
    browser = show(*long_names)
    for cut, title in browser.run(
        "return [...document.querySelectorAll('svg text')].filter(t => /…/.test(t.textContent)).map(t => "
        "[t.firstChild.data, (t.querySelector('title') || t.closest('.node').querySelector('title')).textContent])"
    ):
        start = re.split("[ \u00b7]", cut.split("…")[0])[-1]
        assert start in title and len(title) > len(cut)


def test_dense_splits_show_their_largest_terms(show):
    X, y = wide()
    X = X * 10.0 ** np.arange(-5, 5)  # units differ, importance does not
    model = HHCARTClassifier(max_depth=1).fit(X, y)
    browser = show(model, X, y)
    features, weights, _ = model.tree_.split(0)
    largest = set(features[np.argsort(-np.abs(weights * X.std(axis=0)[features]))[:4]].tolist())
    shown = text(browser, ".rule-box code")
    assert {int(j) for j in re.findall(r"x(\d+)", shown)} == largest
    assert "smaller terms" in shown
    assert len(set(re.findall(r"x\d+", text(browser, "#node-body details code")))) == len(weights)


def test_bars_and_the_numbers_beside_them_are_the_same_quantity(show):
    model, X, y = fitted("ten features")
    browser = show(model, X, y)
    sizes, numbers = browser.run(
        "const plot = document.querySelector('.plot');"
        "return [[...plot.querySelectorAll('.coefficient')].map(b => +b.getAttribute('width')),"
        "[...plot.querySelectorAll('text:not(.name)')].map(t => t.textContent)]"
    )
    values = np.array([abs(float(plain(number))) for number in numbers])
    assert np.array(sizes) / max(sizes) == pytest.approx(values / values.max(), abs=0.01)
    click_node(browser, 0)
    for meter, number in browser.run(
        "return [...document.querySelectorAll('#node-body .meter')].map(m => "
        "[parseFloat(m.firstChild.style.width), m.nextSibling.textContent])"
    ):
        assert meter == pytest.approx(float(number.split(" %")[0]), abs=0.06)


def test_sums_have_the_digits_of_their_threshold(show):
    random = np.random.default_rng(0)
    X = random.uniform(0, 0.2, size=(200, 2))
    model = ELCClassifier(r=2, criterion="gini", max_depth=2).fit(X, X @ [1, 1] > 0.2)
    browser = show(model, X, model.predict(X), decimals=4)
    rules = Rulebook.of(NamedTree.of(model), 4)
    for row in range(0, 200, 23):
        pick(browser, row)
        path = [node for node in model.decision_path(X[[row]]).indices if not model.tree_.is_leaf[node]]
        for node, step in zip(path, written_steps(browser), strict=True):
            rule = rules.written(node).rule
            total, _, threshold = step.rpartition(", ")[0].rpartition(" = ")[2].split(" ")
            assert float(threshold) == rule.threshold
            assert float(total) == pytest.approx(
                rule.sums(X[[row]])[0], rel=0, abs=0.501 * 10.0 ** -max(4, decimals(rule.threshold))
            )


def test_answers_are_yes_and_no_and_signs_are_those_of_print(show):
    model, X, y = fitted("missing, divided")
    browser = show(model, X, y)
    pick(browser, 3)
    page = browser.run("return document.querySelector('main').innerText")
    assert not re.search(r"\b(left|right)\b", page)
    assert not re.search(r"[<>]=", page)
    assert "\u2265" in page or "\u2264" in page


def test_score_and_impurity_have_different_names(show):
    model, X, y = fitted("r = 2")
    body = text(show(model, X, y), "#node-body")
    assert f"Impurity of the node (gini){model.tree_.impurity[0]:.4f}" in body
    assert f"Score of the split (gini of sides){model.tree_.score[0]:.4f}" in body


def test_a_node_has_the_same_number_in_boxes_plots_and_tables(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    for node in range(model.tree_.n_nodes):
        click_node(browser, node)
        assert text(browser, "#node-title").startswith(
            ("Leaf #" if model.tree_.is_leaf[node] else "Split #") + str(node)
        )
        assert f"#{node} " in text(browser, f"#node-{node} .caption")
        if model.tree_.is_leaf[node]:
            assert text(browser, f"#leaf-rows tr[data-node='{node}'] button") == f"#{node}"
        else:
            assert text(browser, "#node-body figcaption").startswith(f"#{node}: ")
    pick(browser, 70)
    steps = browser.run("return [...document.querySelectorAll('#steps li')].map(s => s.textContent.split(' ')[0])")
    assert steps == [f"#{node}" for node in model.decision_path(X.iloc[[70]]).indices[:-1]]


@pytest.mark.parametrize("labelled", [True, False])
def test_a_picked_row_shows_its_true_class(show, labelled):
    X, y = iris()
    model = CARTClassifier(max_depth=2).fit(X, y)
    browser = show(model, X, y if labelled else None)
    predicted = model.predict(X)
    for row in (0, 70, int(np.flatnonzero(predicted != y)[0])):
        pick(browser, row)
        verdict = text(browser, "#verdict")
        assert verdict.startswith(f"Predicted{predicted[row]}")
        assert ("true class" in verdict) == labelled
        if labelled:
            assert verdict.endswith(f"{'✓' if predicted[row] == y[row] else '✗'} true class{y[row]}")
    if labelled:
        browser.driver.find_element(By.ID, "value-0").send_keys("1")
        assert "true class" not in text(browser, "#verdict")


def test_help_says_what_the_words_mean(show):
    browser = show(*fitted("information gain"))
    for key, words in {"score": "bits", "certificate": "covered every candidate", "candidates": "planes"}.items():
        ask = browser.driver.find_element(By.CSS_SELECTOR, f"[aria-controls='help-{key}']")
        help_text = browser.driver.find_element(By.ID, f"help-{key}")
        assert not help_text.is_displayed() and ask.get_attribute("aria-expanded") == "false"
        ask.click()
        assert words in help_text.text and ask.get_attribute("aria-expanded") == "true"
    glossary = text(browser, ".glossary")
    assert all(term in glossary for term in ("Impurity", "Score", "Certificate", "Candidates", "Bits"))


def test_the_page_tells_of_the_model_as_a_whole(show):
    X, y = iris()
    model = CARTClassifier(max_depth=2).fit(X, y)
    new, truth = X.iloc[::3], y[::3]
    browser = show(model, new, truth)
    about = text(browser, "#about")
    right = int((model.predict(new) == truth).sum())
    assert f"{float(f'{100 * model.score(X, y):.3g}'):g} %" in about
    assert f"50 rows of this page's data{float(f'{2 * right:.3g}'):g} % ({right} correct)" in about
    matrix = browser.run(
        "return [...document.querySelectorAll('.confusion tbody tr')].map(row => "
        "[...row.querySelectorAll('td')].map(cell => Number(cell.textContent)))"
    )
    predicted = model.predict(new)
    assert matrix == [[int(((truth == a) & (predicted == b)).sum()) for b in model.classes_] for a in model.classes_]
    names = dict(zip(X.columns, model.feature_importances_, strict=True))
    shown = browser.run("return [...document.querySelectorAll('#about .feature')].map(e => e.textContent)")
    assert shown == sorted((n for n in names if names[n] > 0), key=lambda n: -names[n])
    parameters = browser.run("return [...document.querySelectorAll('.parameters dt')].map(e => e.textContent)")
    assert parameters == list(model.get_params())


def test_without_labels_there_is_no_confusion_matrix(show):
    model, X, _ = fitted("r = 2")
    browser = show(model, X)
    assert browser.run("return document.querySelectorAll('.confusion').length") == 0
    assert "Training rows" in text(browser, "#about")


def test_a_model_that_is_no_estimator_is_shown_too(tmp_path):
    class Bare:
        tree_ = fitted("r = 1")[0].tree_
        classes_ = fitted("r = 1")[0].classes_

    assert '"parameters":[],"importances":null' in export_html(Bare())
