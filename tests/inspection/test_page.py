"""The interactive page, driven in headless Chromium as people use it."""

import numpy as np
import pytest

from browser import ActionChains, Browser, By, Keys, WebDriverWait, needs_browser
from cart_elc import CARTClassifier, export_html
from cart_elc.inspection.draw.colors import ON_DARK, PALETTE
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.page import notebook_frame
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import one_line
from inspection_models import HOSTILE_CLASSES, fitted

pytestmark = needs_browser
DESKTOP, PHONE = (1440, 900), (390, 844)
OVERLAPS = """
const boxes = [...document.querySelectorAll('.node .box')].map(b => b.getBoundingClientRect());
return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
"""
CLIPPED = """
return [...document.querySelectorAll('.node')].flatMap(node => {
  const box = node.querySelector('.box').getBoundingClientRect();
  return [...node.querySelectorAll('.rule, .caption')].filter(text => {
    const t = text.getBoundingClientRect();
    return t.left < box.left || t.right > box.right || t.top < box.top || t.bottom > box.bottom;
  }).map(text => text.textContent);
});
"""
OUTSIDE = """
const frame = document.getElementById('viewport').getBoundingClientRect();
const box = document.querySelector('.node.selected .box').getBoundingClientRect();
return box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
"""
CROPPED = """
const frame = document.getElementById('viewport').getBoundingClientRect();
return [...document.querySelectorAll('.node .box')].map(box => box.getBoundingClientRect()).filter(box =>
  box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom).length;
"""
PLACE = "return document.querySelector('#tree > g').getAttribute('transform')"
LIT = "return [...document.querySelectorAll('.node.lit')].map(n => Number(n.dataset.node)).sort((a, b) => a - b);"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    window = Browser(tmp_path_factory.mktemp("profile"))
    yield window
    window.quit()


@pytest.fixture
def show(browser, tmp_path):
    """Open the page of a model, and at the end see that it asked for nothing and complained about nothing."""

    def opened(model, X=None, y=None, size=DESKTOP, scheme="light", **options):
        page = tmp_path / "page.html"
        export_html(model, X, y, page, **options)
        browser.open(page, *size, scheme)
        return browser

    yield opened
    assert browser.console() == []
    assert browser.requests() == []


def pick(browser, row):
    browser.run(
        "const row = document.getElementById('row'); row.value = arguments[0];row.dispatchEvent(new Event('change'));",
        int(row),
    )


def text(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def click_node(browser, node):
    browser.run("document.getElementById('node-' + arguments[0]).dispatchEvent(new MouseEvent('click'))", node)


def test_every_node_shows_its_rule_counts_and_certificate_when_clicked(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    named = NamedTree.of(model)
    rules = Rulebook.of(named, 2)
    for node in range(model.tree_.n_nodes):
        click_node(browser, node)
        body = text(browser, "#node-body")
        for label, value in zip(model.classes_, model.tree_.value[node], strict=True):
            assert label in body and f"{value:g} ·" in body
        if model.tree_.is_leaf[node]:
            assert text(browser, "#node-title") == f"Leaf {node}: {named.labels[named.majority(node)]}"
        else:
            assert text(browser, ".rule-box code") == rules.text(node)
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
        for step in browser.run("return [...document.querySelectorAll('#steps code')].map(c => c.textContent)"):
            comparison, _, side = step.rpartition(", ")
            assert side in ("left", "right")
            terms, total = comparison.split(" = ")
            assert eval(total)
            assert eval(terms.replace("\u00d7", "*")) == pytest.approx(float(total.split(" ")[0]), abs=0.006)


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
        for step in browser.run("return [...document.querySelectorAll('#steps code')].map(c => c.textContent)"):
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


def test_the_keyboard_walks_folds_and_selects(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    browser.run("document.getElementById('node-0').focus()")

    def press(key):
        browser.driver.switch_to.active_element.send_keys(key)
        return browser.run("return Number(document.activeElement.dataset.node)")

    left, right = int(model.tree_.children_left[0]), int(model.tree_.children_right[0])
    assert press(Keys.ARROW_RIGHT) == left
    assert press(Keys.ARROW_LEFT) == 0 or not model.tree_.is_leaf[left]
    assert press(Keys.END) == model.tree_.n_nodes - 1
    assert press(Keys.HOME) == 0
    assert press(Keys.ENTER) == 0
    assert browser.run("return document.getElementById('node-0').getAttribute('aria-expanded')") == "false"
    assert browser.run("return document.querySelectorAll('.node').length") == 1
    assert press(Keys.SPACE) == 0
    assert browser.run("return document.querySelectorAll('.node').length") == model.tree_.n_nodes
    assert right < model.tree_.n_nodes


def test_screen_readers_get_roles_names_and_levels(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    items = browser.run(
        "return [...document.querySelectorAll('[role=tree] [role=treeitem]')].map(n => "
        "[n.getAttribute('aria-label'), Number(n.getAttribute('aria-level')), n.getAttribute('tabindex')])"
    )
    assert [level for _, level, _ in items] == (model.tree_.node_depths() + 1).tolist()
    tree = model.tree_
    for node, (label, _, _) in enumerate(items):
        answer = "Yes: " if node in tree.children_left else "No: " if node else ""
        assert label.startswith(f"{answer}{'Leaf' if tree.is_leaf[node] else 'Split'} {node}: ")
    assert [tabindex for _, _, tabindex in items].count("0") == 1
    unnamed = browser.run(
        "return [...document.querySelectorAll('button, input, [role=img]')].filter(e => !(e.textContent.trim() || "
        "e.getAttribute('aria-label') || (e.labels && e.labels.length))).map(e => e.outerHTML)"
    )
    assert unnamed == []


def test_the_browser_tells_screen_readers_of_a_tree_with_levels(show):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y)
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    found = [node for node in nodes if not node.get("ignored") and node["role"]["value"] == "treeitem"]
    levels = [next(p["value"]["value"] for p in node["properties"] if p["name"] == "level") for node in found]
    assert sorted(levels) == sorted((model.tree_.node_depths() + 1).tolist())
    roles = [node["role"]["value"] for node in nodes if not node.get("ignored")]
    assert roles.count("tree") == roles.count("main") == 1
    assert "graphics-symbol" not in roles  # two thousand points are not read out one by one


def test_tab_goes_through_the_page_in_reading_order_and_shows_where_it_is(show):
    browser = show(*fitted("r = 2"))
    seen = []
    for _ in range(24):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(
            browser.run(
                "const e = document.activeElement, ring = e.querySelector('.ring');"
                "const style = getComputedStyle(ring || e);"
                "return [e.id, ring ? style.stroke !== 'none' : style.outlineStyle === 'solid']"
            )
        )
    assert all(visible for _, visible in seen)
    ids = [name for name, _ in seen if name]
    assert ids[:8] == ["theme", "mode", "expand", "collapse", "zoom-out", "fit", "zoom-in", "node-0"]
    assert ids[8:] == [
        "row",
        "previous",
        "next",
        "random",
        "value-0",
        "value-1",
        "value-2",
        "value-3",
        "clear",
        "copy-all",
    ]


def test_the_first_tab_stop_leads_past_the_heading_into_the_tree(show):
    browser = show(*fitted("r = 2"))
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "node-0"


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(show, scheme):
    model, X, y = fitted("r = 2")
    browser = show(model, X, y, scheme=scheme)
    colours = browser.run(
        "const s = getComputedStyle(document.documentElement);"
        "const names = ['--ink', '--faint', '--good', '--warn', '--surface', '--raised', '--ground'];"
        "return names.map(name => s.getPropertyValue(name))"
    )
    *inks, surface, raised, ground = [luminance(colour.strip()) for colour in colours]
    for ink in inks:
        for paper in (surface, raised, ground):
            assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5
    assert (surface < 0.2) == (scheme == "dark")
    browser.driver.find_element(By.ID, "theme").click()
    assert browser.run("return document.documentElement.dataset.theme") == "light"


def test_twelve_classes_stand_out_from_either_ground():
    for ground, palette, least in (("#1a1e25", ON_DARK, 3.0), ("#ffffff", PALETTE[6:], 3.0), ("#ffffff", PALETTE, 2.2)):
        for colour in palette:
            one, other = sorted((luminance(ground), luminance(colour)))
            assert (other + 0.05) / (one + 0.05) >= least


def luminance(colour):
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


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


@pytest.fixture(scope="module")
def large():
    """A tree of 200 leaves, and its 10,000 rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 6))
    y = ((X[:, :3] > 0) @ [1, 2, 4] + random.integers(0, 3, len(X))) % 4
    return CARTClassifier(max_leaf_nodes=200).fit(X, y), X, y


def scale(browser):
    return float(browser.run(PLACE).partition("scale(")[2].rstrip(")"))


@pytest.mark.parametrize("name", ["r = 2", "r = 3", "ten features", "hostile names", "arrays, int labels", "large"])
def test_the_drawing_opens_with_text_that_can_be_read(show, large, name):
    model, X, y = large if name == "large" else fitted(name)
    browser = show(model, X, y)
    assert 13 * scale(browser) >= 9
    assert browser.run("return document.querySelectorAll('.node').length") >= min(model.tree_.n_nodes, 7)
    assert browser.run(CROPPED) == 0


def test_a_page_that_gets_its_size_late_can_be_read_too(show, large):
    model, X, y = large
    browser = show(model, X, y, size=(300, 150))
    for size in (DESKTOP, (800, 500), DESKTOP):
        browser.emulate("setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        WebDriverWait(browser.driver, 5).until(lambda _, width=size[0]: browser.run("return innerWidth") == width)
        browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert 13 * scale(browser) >= 9
        assert browser.run(CROPPED) == 0
    assert browser.run("return document.querySelectorAll('.node').length") == 15


SHOWN = "return [...document.querySelectorAll('.node')].map(node => Number(node.dataset.node))"
SETTLED = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(browser, width, height):
    """Give the window another size, and wait until it is drawn."""
    browser.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    WebDriverWait(browser.driver, 5).until(lambda _: browser.run("return innerWidth") == width)
    browser.run(SETTLED)


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
    assert len(browser.run(SHOWN)) == 15


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


def test_a_mouse_click_leaves_the_keyboard_in_the_tree(show):
    browser = show(*fitted("r = 2"))
    box = browser.driver.find_element(By.CSS_SELECTOR, "#node-2 .rule")
    ActionChains(browser.driver).move_to_element(box).click().perform()
    assert text(browser, "#node-title") == "Split 2"
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert text(browser, "#node-title").startswith(("Split 3", "Leaf 3"))


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


def test_a_row_that_is_not_in_the_page_is_replaced_with_a_word(show, large):
    model, X, y = large
    browser = show(model, X, y)
    rows = browser.run("return JSON.parse(document.getElementById('data').textContent).samples.rows")
    absent = next(row for row in range(10_000) if row not in set(rows))
    pick(browser, absent)
    assert text(browser, "#row-note") == f"Row {absent} is not in this page; this is the next that is."
    pick(browser, rows[3])
    assert text(browser, "#row-note") == ""


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


def test_the_page_works_without_data(show):
    model, _, _ = fitted("r = 3")
    browser = show(model)
    assert "Pass X and y" in text(browser, "#node-body") or browser.run("return !!document.querySelector('.plot')")
    browser.driver.find_element(By.ID, "value-0").send_keys("5.1")
    assert len(browser.run(LIT)) >= 2


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
