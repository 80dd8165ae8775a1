"""The page for large trees: depth, search, a map, boxes that shed detail, crowded points."""

import re

import numpy as np

from browser import ActionChains, By, Keys, needs_browser
from cart_elc import ELCClassifier
from inspection_models import fitted
from page_probes import OUTSIDE, PLACE, SHOWN, scale, text

pytestmark = needs_browser
ROWS = "return JSON.parse(document.getElementById('data').textContent).samples.rows"


def test_a_depth_can_be_chosen(show, large):
    model, X, y = large
    browser = show(model, X, y)
    depths = model.tree_.node_depths()
    for depth in (1, 5, 3):
        browser.run(
            "const depth = document.getElementById('depth'); depth.value = arguments[0];"
            "depth.dispatchEvent(new Event('change'))",
            depth,
        )
        assert browser.run(SHOWN) == np.flatnonzero(depths <= depth).tolist()
        assert browser.run("return document.getElementById('depth').value") == str(depth)


def test_boxes_are_found_by_feature_class_and_number(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    field = browser.driver.find_element(By.ID, "search")
    found = "return [...document.querySelectorAll('.node.found')].map(n => Number(n.dataset.node))"
    field.send_keys("VIRGIN")
    virginica = [n for n in np.flatnonzero(model.tree_.is_leaf) if model.tree_.value[n].argmax() == 2]
    assert browser.run(found) == virginica
    assert text(browser, "#found").startswith(f"{len(virginica)} found")
    for node in virginica:
        field.send_keys(Keys.ENTER)
        assert text(browser, "#node-title").startswith(f"Leaf #{node}:")
    field.send_keys(Keys.ESCAPE)
    assert browser.run(found) == []
    field.send_keys("petal_width")
    width = list(X.columns).index("petal_width")
    assert browser.run(found) == [n for n in model.tree_.split_nodes() if width in model.tree_.split(n)[0]]
    field.send_keys(Keys.ESCAPE)
    field.send_keys("nose")
    assert text(browser, "#found") == "Nothing found"


def test_a_found_box_that_is_folded_is_opened(show, large):
    browser = show(*large)
    browser.driver.find_element(By.ID, "search").send_keys("#300", Keys.ENTER)
    assert re.search(r"#300\b", text(browser, "#node-title"))
    assert not browser.run(OUTSIDE)


def test_a_map_shows_what_is_out_of_sight_and_moves_the_view(show, large):
    model, X, y = large
    browser = show(model, X, y)
    shown = "return !document.getElementById('map').hasAttribute('hidden')"
    assert not browser.run(shown)
    browser.driver.find_element(By.ID, "expand").click()
    for _ in range(8):
        browser.driver.find_element(By.ID, "zoom-in").click()
    assert browser.run(shown)
    assert browser.run("return document.querySelectorAll('#map rect').length") == model.tree_.n_nodes + 1
    before = browser.run(PLACE)
    small = browser.driver.find_element(By.ID, "map")
    ActionChains(browser.driver).move_to_element_with_offset(small, 30, 10).click().perform()
    assert browser.run(PLACE) != before


def test_boxes_shed_detail_when_they_are_small(show, large):
    browser = show(*large)
    browser.driver.find_element(By.ID, "expand").click()

    def shown(selector):
        displays = "return [...document.querySelectorAll(arguments[0])].map(e => getComputedStyle(e).display)"
        return sum(display != "none" for display in browser.run(displays, selector))

    assert scale(browser) < 0.3
    assert shown(".node text") == 0 and shown(".node .box") == 399
    while 13 * scale(browser) < 6:
        browser.driver.find_element(By.ID, "zoom-in").click()
    assert shown(".node .rule") >= 399 and shown(".node .caption") == 0
    while 13 * scale(browser) < 9:
        browser.driver.find_element(By.ID, "zoom-in").click()
    assert shown(".node .caption") >= 399


def test_whole_numbers_are_spread_but_never_across_the_line(show):
    X = np.random.default_rng(0).integers(0, 6, size=(400, 2)).astype(float)
    y = (X[:, 0] + 2 * X[:, 1] > 7).astype(int)
    model = ELCClassifier(r=2, criterion="gini", max_depth=1).fit(X, y)
    browser = show(model, X, y)
    assert "whole numbers are spread a little" in text(browser, "figcaption")
    places = browser.run("return [...document.querySelectorAll('.point')].map(p => p.getAttribute('transform'))")
    assert len(set(places)) > 300
    line = (
        "const line = document.querySelector('.plane'); return ['x1', 'y1', 'x2', 'y2'].map(n => +line.getAttribute(n))"
    )
    x1, y1, x2, y2 = browser.run(line)
    marks = np.array([[float(value) for value in re.findall(r"[\d.]+", place)] for place in places])
    sides = (x2 - x1) * (marks[:, 1] - y1) - (y2 - y1) * (marks[:, 0] - x1)
    left = model.apply(X[browser.run(ROWS)]) == model.tree_.children_left[0]
    assert (sides[left] * sides[left][0] > 0).all() and (sides[~left] * sides[left][0] < 0).all()
