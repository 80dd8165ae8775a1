"""The page in windows and frames of every size, for small trees and large."""

import numpy as np
import pytest

from browser import ActionChains, By, Keys, WebDriverWait, needs_browser
from cart_elc.inspection.page import notebook_frame
from inspection_models import fitted
from page_probes import (
    CLIPPED,
    CROPPED,
    DESKTOP,
    LIT,
    OUTSIDE,
    OVERLAPS,
    PHONE,
    PLACE,
    SETTLED,
    SHOWN,
    click_node,
    least_text,
    pick,
    resize,
    scale,
    text,
)

pytestmark = needs_browser


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", ["r = 3", "hostile names", "ten features", "one leaf", "missing, divided"])
def test_nothing_overlaps_is_clipped_or_sticks_out(show, name, size):
    model, X, y = fitted(name)
    browser = show(model, X, y, size=size)
    for _ in range(2):  # as it opens, then as the other kind of drawing
        assert browser.run(OVERLAPS) == 0
        assert browser.run(CLIPPED) == []
        assert browser.run("return document.documentElement.scrollWidth") <= size[0]
        browser.driver.find_element(By.ID, "mode").click()


def test_phones_get_an_outline_and_desktops_a_tree(show):
    model, X, y = fitted("r = 2")
    assert show(model, X, y, size=PHONE).run("return document.getElementById('mode').textContent") == "As a tree"
    assert show(model, X, y).run("return document.getElementById('mode').textContent") == "As an outline"


@pytest.mark.parametrize("name", ["r = 2", "r = 3", "ten features", "hostile names", "arrays, int labels", "large"])
def test_the_drawing_opens_with_text_that_can_be_read(show, large, name):
    model, X, y = large if name == "large" else fitted(name)
    browser = show(model, X, y)
    assert least_text(browser) >= 11
    assert browser.run("return document.querySelectorAll('.node').length") >= min(model.tree_.n_nodes, 7)
    assert browser.run(CROPPED) == 0


def test_a_page_that_gets_its_size_late_can_be_read_too(show, large):
    model, X, y = large
    browser = show(model, X, y, size=(300, 150))
    for size in (DESKTOP, (800, 500), DESKTOP):
        browser.emulate("setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        WebDriverWait(browser.driver, 5).until(lambda _, width=size[0]: browser.run("return innerWidth") == width)
        browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert least_text(browser) >= 11
        assert browser.run(CROPPED) == 0
    assert browser.run("return document.querySelectorAll('.node').length") >= 15


@pytest.mark.parametrize("name", ["hostile names", "arrays, int labels", "deep"])
def test_a_page_that_was_narrow_shows_as_much_as_one_that_never_was(show, name):
    model, X, y = fitted(name)
    browser = show(model, X, y, size=(1280, 900))
    expected = browser.run(SHOWN)
    browser = show(model, X, y, size=(600, 900))
    assert browser.run("return document.getElementById('mode').textContent") == "As a tree"
    resize(browser, 1280, 900)
    assert browser.run("return document.getElementById('mode').textContent") == "As an outline"
    assert browser.run(SHOWN) == expected
    assert browser.run(CROPPED) == 0


def test_what_the_reader_folded_or_chose_outlives_another_size(show, large):
    browser = show(*large)
    browser.driver.find_element(By.ID, "collapse").click()
    resize(browser, 900, 700)
    assert len(browser.run(SHOWN)) == 3
    browser.driver.find_element(By.ID, "mode").click()
    resize(browser, 1440, 900)
    assert browser.run("return document.getElementById('mode').textContent") == "As a tree"
    assert len(browser.run(SHOWN)) == 3


def test_a_lit_path_outlives_another_size(show, large):
    model, X, y = large
    browser = show(model, X, y, size=(600, 900))
    pick(browser, 100)
    resize(browser, 1280, 900)
    path = model.decision_path(X[[100]]).indices.tolist()
    assert browser.run(LIT) == path
    browser.driver.find_element(By.ID, "clear").click()
    assert len(browser.run(SHOWN)) >= 15


@pytest.mark.parametrize("early", ["width: 120px", "width: 650px", "width: 0", "display: none"])
def test_a_frame_that_gets_its_size_late_shows_as_much_as_one_that_had_it(browser, tmp_path, early):
    frame, page = notebook_frame(fitted("hostile names")[0]), tmp_path / "notebook.html"
    seen = []
    for style in ("width: auto", early):
        page.write_text(f"<!doctype html><meta charset=utf-8><div style='{style}'>{frame}</div>", encoding="utf-8")
        browser.open(page, 1280, 900)
        browser.run(SETTLED)
        browser.run("document.querySelector('div').removeAttribute('style')")
        browser.driver.switch_to.frame(0)
        WebDriverWait(browser.driver, 5).until(lambda _: browser.run("return innerWidth") > 1200)
        browser.run(SETTLED)
        seen.append([browser.run(script) for script in (SHOWN, CROPPED, PLACE)])
        browser.driver.switch_to.default_content()
    assert seen[0] == seen[1]
    assert len(seen[0][0]) > 3 and seen[0][1] == 0
    assert browser.console() == [] and browser.requests() == []


def test_the_tree_never_covers_the_table(show, large):
    browser = show(*large)
    for share in (0.3, 0.6, 1.0):
        browser.run("scrollTo(0, arguments[0] * document.documentElement.scrollHeight)", share)
        bottom, top = browser.run(
            "return ['picture', 'leaves'].map((id, i) => document.getElementById(id).getBoundingClientRect()"
            "[i ? 'top' : 'bottom'])"
        )
        assert bottom <= top


def test_what_is_selected_is_in_view_and_nothing_jumps(show, large):
    model, X, y = large
    browser = show(model, X, y)
    browser.driver.find_element(By.ID, "expand").click()
    before = browser.run(PLACE)
    for node in (250, 12, 398):
        click_node(browser, node)
        assert browser.run(PLACE) == before  # everything is in view
        assert not browser.run(OUTSIDE)
    for _ in range(9):
        browser.driver.find_element(By.ID, "zoom-in").click()
    browser.run("document.getElementById('node-398').focus()")
    for key in [Keys.ARROW_UP] * 5 + [Keys.HOME] + [Keys.ARROW_DOWN] * 5 + [Keys.END]:
        browser.driver.switch_to.active_element.send_keys(key)
        assert not browser.run(OUTSIDE)
    browser.run("document.querySelectorAll('#leaf-rows button')[0].click()")
    assert not browser.run(OUTSIDE)


def test_folding_keeps_the_box_in_view_and_clearing_opens_what_was_open(show, large):
    model, X, y = large
    browser = show(model, X, y)
    shown = "return [...document.querySelectorAll('.node')].map(n => Number(n.dataset.node))"
    before = browser.run(shown)
    folded = [node for node in before if not model.tree_.is_leaf[node]][-1]
    browser.run(
        "document.querySelector('#node-' + arguments[0] + ' .toggle').dispatchEvent(new MouseEvent('click'))", folded
    )
    opened = browser.run(shown)
    assert set(opened) > set(before)
    click_node(browser, folded)
    assert not browser.run(OUTSIDE)
    pick(browser, 100)
    assert browser.run(shown) != opened
    browser.driver.find_element(By.ID, "clear").click()
    assert browser.run(shown) == opened


def test_two_hundred_leaves_and_ten_thousand_rows(show, large):
    model, X, y = large
    browser = show(model, X, y)
    assert model.get_n_leaves() == 200
    seconds = browser.run("return performance.getEntriesByType('navigation')[0].duration / 1000")
    assert seconds < 10
    assert browser.run("return document.querySelectorAll('.node').length") < 40
    assert "of 10,000 rows are in this page" in text(browser, "#footer")
    assert "of 10,000 rows drawn" in text(browser, "figcaption")
    browser.driver.find_element(By.ID, "expand").click()
    assert browser.run("return document.querySelectorAll('.node').length") == 399
    assert browser.run(OVERLAPS) == 0
    drawn = browser.run("return JSON.parse(document.getElementById('data').textContent).samples.rows")
    assert 1500 < len(drawn) < 3000
    assert set(model.apply(X[drawn])) == set(model.apply(X))
    paths = model.decision_path(X)
    for row in drawn[::300]:
        pick(browser, row)
        assert browser.run(LIT) == paths[[row]].indices.tolist()


def test_zoom_and_drag_move_the_drawing(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    first = browser.run(PLACE)
    browser.driver.find_element(By.ID, "zoom-in").click()
    second = browser.run(PLACE)
    browser.driver.find_element(By.ID, "fit").click()
    assert first != second != browser.run(PLACE)
    before, tree = scale(browser), browser.driver.find_element(By.ID, "tree")
    place = browser.driver.find_element(By.CSS_SELECTOR, "#node-0 .rule").location
    ActionChains(browser.driver).move_to_element_with_offset(tree, -300, 200).click_and_hold().move_by_offset(
        60, -40
    ).release().perform()
    moved = browser.driver.find_element(By.CSS_SELECTOR, "#node-0 .rule").location
    assert (moved["x"] - place["x"], moved["y"] - place["y"]) == (60, -40)
    assert scale(browser) == before
    browser.run(
        "document.getElementById('tree').dispatchEvent(new WheelEvent('wheel', {deltaY: -120, ctrlKey: true, "
        "clientX: 300, clientY: 300, bubbles: true, cancelable: true}))"
    )
    assert scale(browser) > before


def test_in_a_notebook_the_page_runs_in_a_frame_without_rights(browser, tmp_path):
    model, _, _ = fitted("hostile names")
    page = tmp_path / "notebook.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{notebook_frame(model)}", encoding="utf-8")
    browser.open(page)
    browser.driver.switch_to.frame(0)
    assert browser.run("return document.querySelectorAll('.node').length") > 3
    assert browser.run("return window.hacked") is None
    browser.driver.switch_to.default_content()
    assert browser.run("return window.hacked") is None
    assert browser.console() == [] and browser.requests() == []


@pytest.mark.parametrize("name", ["r = 3", "ten features", "large"])
def test_no_text_is_smaller_than_eleven_pixels_and_nothing_sticks_out(show, large, name):
    model, X, y = large if name == "large" else fitted(name)
    browser = show(model, X, y, size=(320, 700))
    for width, height in ((320, 700), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1440, 900)):
        resize(browser, width, height)
        assert least_text(browser) >= 11
        assert browser.run("return document.documentElement.scrollWidth") <= width


def test_a_deep_path_on_a_phone_keeps_its_text_readable(show, large):
    model, X, y = large
    deepest = int(np.argmax(np.diff(model.decision_path(X).indptr)))
    browser = show(model, X, y, size=(320, 700), max_points=len(X))
    pick(browser, deepest)
    assert len(browser.run(LIT)) > 15
    assert least_text(browser) >= 11
    assert browser.run("return document.documentElement.scrollWidth") <= 320
    assert browser.run(CLIPPED) == []


def test_at_1024_pixels_the_whole_tree_of_iris_is_open_and_uses_the_height(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y, size=(1024, 768))
    assert browser.run(SHOWN) == list(range(model.tree_.n_nodes))
    assert browser.run(CROPPED) == 0
    used, height, side = browser.run(
        "const boxes = [...document.querySelectorAll('.node .box')].map(b => b.getBoundingClientRect());"
        "return [Math.max(...boxes.map(b => b.bottom)) - Math.min(...boxes.map(b => b.top)),"
        "document.getElementById('viewport').clientHeight, document.getElementById('side').clientWidth]"
    )
    assert used > 0.75 * height
    assert side <= 300


LEAF_OUTSIDE = """
const frame = document.getElementById('viewport').getBoundingClientRect();
const box = document.querySelector('.node.lit.leaf .box').getBoundingClientRect();
return box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
"""
LEAF_COVERED = """
const map = document.getElementById('map').getBoundingClientRect();
const box = document.querySelector('.node.lit.leaf .box').getBoundingClientRect();
return map.width > 0 && map.left < box.right && box.left < map.right && map.top < box.bottom && box.top < map.bottom;
"""
ROWS = "return JSON.parse(document.getElementById('data').textContent).samples.rows"


@pytest.mark.parametrize("name", ["large", "deep"])
def test_the_leaf_that_a_sample_reaches_is_in_sight(show, large, name):
    model, X, y = large if name == "large" else fitted(name)
    browser = show(model, X, y)
    for size in ((1440, 900), (1024, 768)):
        resize(browser, *size)
        for row in browser.run(ROWS)[3:200:90]:
            pick(browser, row)
            assert not browser.run(LEAF_OUTSIDE)
            assert not browser.run(LEAF_COVERED)
            assert least_text(browser) >= 11
