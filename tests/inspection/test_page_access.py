"""The page for keyboards, screen readers and eyes of every kind."""

from pathlib import Path

import numpy as np
import pytest

from browser import ActionChains, By, Keys, needs_browser
from cart_elc import CARTClassifier
from cart_elc.inspection.draw.colors import ON_DARK, PALETTE
from inspection_models import fitted
from page_probes import contrast, luminance, pick, text

pytestmark = needs_browser


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
    for _ in range(32):
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
    assert ids == [
        *("theme", "search", "mode", "depth", "expand", "collapse", "zoom-out", "fit", "zoom-in", "node-0"),
        *("save-svg", "save-png", "print"),
        *("row", "previous", "next", "random", "value-0", "value-1", "value-2", "value-3", "clear", "copy-all"),
    ]


def test_the_first_tab_stop_leads_past_the_heading_into_the_tree(show):
    browser = show(*fitted("r = 2"))
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "node-0"


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


def test_a_mouse_click_leaves_the_keyboard_in_the_tree(show):
    browser = show(*fitted("r = 2"))
    box = browser.driver.find_element(By.CSS_SELECTOR, "#node-2 .rule")
    ActionChains(browser.driver).move_to_element(box).click().perform()
    assert text(browser, "#node-title") == "Split #2"
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert text(browser, "#node-title").startswith(("Split #3", "Leaf #3"))


AXE = """
const done = arguments[arguments.length - 1];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
axe.run(document, { runOnly: tags }).then(found => done(found.violations.map(
  rule => [rule.id, rule.nodes.map(node => node.html.slice(0, 120) + ' ' + node.failureSummary)])));
"""


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("r = 3", 1280, "light"),
        ("r = 3", 1280, "dark"),
        ("r = 3", 320, "light"),
        ("r = 3", 320, "dark"),
        ("hostile names", 1280, "dark"),
        ("ten features", 320, "light"),
        ("one leaf", 1280, "light"),
        ("missing, divided", 320, "dark"),
    ],
)
def test_axe_finds_nothing(show, name, width, scheme):
    axe = pytest.importorskip("axe_core_python")
    model, X, y = fitted(name)
    size = (width, 800)
    browser = show(model, X, y, size=size, scheme=scheme)
    browser.run((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8") + "\nwindow.axe = axe;")
    assert browser.driver.execute_async_script(AXE) == []
    if model.tree_.n_nodes > 1:
        pick(browser, 5)
        browser.run("for (const ask of document.querySelectorAll('.ask')) ask.click()")
        assert browser.driver.execute_async_script(AXE) == []


def test_axe_would_find_something(show):
    axe = pytest.importorskip("axe_core_python")
    browser = show(*fitted("r = 1"))
    browser.run((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8") + "\nwindow.axe = axe;")
    browser.run(
        "const button = document.createElement('button'); document.querySelector('main').append(button);"
        "document.getElementById('summary').style.color = '#aaa'"
    )
    assert {rule for rule, _ in browser.driver.execute_async_script(AXE)} == {"button-name", "color-contrast"}


PAINTS = """
const colours = (selector, name) => [...document.querySelectorAll(selector)].map(e => getComputedStyle(e)[name]);
const ground = selector => getComputedStyle(document.querySelector(selector)).backgroundColor;
return {
  texts: colours('.node text', 'fill').concat(colours('.word', 'fill')),
  lines: colours('.node .box', 'stroke').concat(colours('.edge', 'stroke'), colours('.rim', 'stroke'),
    colours('button.quiet, input', 'borderTopColor'), colours('.point, .chip, .bar-part', 'stroke')),
  fills: colours('.node .box', 'fill'),
  opacities: ['.node', '.node .box', '.node text', '.edge', '.word', '.rim'].flatMap(s =>
    ['opacity', 'strokeOpacity', 'fillOpacity'].flatMap(name => colours(s, name))),
  grounds: ['#viewport', 'section', 'button.quiet'].map(ground),
};
"""


@pytest.mark.parametrize("lit", [False, True], ids=["plain", "path lit"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["r = 2", "many classes"])
def test_texts_borders_and_dimmed_boxes_have_contrast(show, name, scheme, lit):
    if name == "many classes":
        X, y = np.arange(240.0)[:, None], np.arange(240) // 20
        model = CARTClassifier().fit(X, y)
    else:
        model, X, y = fitted(name)
    browser = show(model, X, y, scheme=scheme)
    browser.driver.find_element(By.ID, "expand").click()
    if lit:
        pick(browser, 5)
    paints = browser.run(PAINTS)
    assert set(paints["opacities"]) == {"1"}
    for ink in set(paints["texts"]):
        assert min(contrast(ink, ground) for ground in {*paints["grounds"], *paints["fills"]}) >= 4.5
    for line in set(paints["lines"]):
        assert min(contrast(line, ground) for ground in paints["grounds"]) >= 3.0
