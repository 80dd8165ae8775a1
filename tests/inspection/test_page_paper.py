"""The page on paper and as a picture."""

import base64
import io
import re

import numpy as np
import pytest

from browser import SCHEMES, By, needs_browser
from inspection_models import fitted
from page_probes import pick

pytestmark = needs_browser
A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True, "preferCSSPageSize": False}
PAGES = {"r = 1": 2, "r = 3": 2, "one leaf": 1, "ten features": 3, "missing, divided": 3}
DISPLAYED = "return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length).length"


def printed(browser):
    """Return the number of pages of the printed page."""
    pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", A4)["data"])
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def on_paper(browser):
    """Show on the screen what is printed."""
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    browser.emulate("setEmulatedMedia", media="print", features=[SCHEMES["dark"]])


@pytest.mark.parametrize(("name", "most"), PAGES.items())
def test_paper_holds_the_whole_tree_all_rules_and_no_controls(show, name, most):
    model, X, y = fitted(name)
    browser = show(model, X, y, scheme="dark")
    if model.tree_.n_nodes > 1:
        browser.driver.find_element(By.ID, "collapse").click()
        pick(browser, 5)
    assert 1 <= printed(browser) <= most
    on_paper(browser)
    try:
        assert browser.run(DISPLAYED, ".printed .node") == model.tree_.n_nodes
        assert browser.run(DISPLAYED, "#paper-rows tr") == np.count_nonzero(~model.tree_.is_leaf)
        assert browser.run(DISPLAYED, "#leaf-rows tr") == model.get_n_leaves()
        assert browser.run(DISPLAYED, "input, #work, #theme, .control, #copy-all, .ask, .toggle") == 0
        assert (
            browser.run("return document.querySelectorAll('.printed .lit, .printed [id], .printed [tabindex]').length")
            == 0
        )
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert browser.run("return document.documentElement.dataset.theme") == "light"
    finally:
        browser.emulate("setEmulatedMedia", media="", features=[SCHEMES["dark"]])
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelectorAll('#paper-tree *, #paper-rows *').length") == 0
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    if model.tree_.n_nodes > 1:
        assert browser.run("return document.querySelectorAll('.node.lit').length") > 1


def test_a_tree_that_is_too_large_for_a_sheet_is_printed_as_tables(show, large):
    model, X, y = large
    browser = show(model, X, y)
    on_paper(browser)
    try:
        assert browser.run(DISPLAYED, ".printed") == 0
        assert "too large for a sheet" in browser.run("return document.getElementById('paper-tree').textContent")
        assert browser.run(DISPLAYED, "#paper-rows tr") == 199
        assert browser.run(DISPLAYED, "#leaf-rows tr") == 200
    finally:
        browser.emulate("setEmulatedMedia", media="", features=[SCHEMES["dark"]])


SAVED = """
const done = arguments[arguments.length - 1];
HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
URL.createObjectURL = file => {
  const reader = new FileReader();
  reader.onload = () => done([window.savedAs, file.type, reader.result]);
  setTimeout(() => reader.readAsDataURL(file));
  return 'blob:none';
};
document.getElementById(arguments[0]).click();
"""


def saved(browser, button):
    name, kind, address = browser.driver.execute_async_script(SAVED, button)
    return name, kind, base64.b64decode(address.partition(",")[2])


def test_what_is_saved_is_complete_at_any_zoom_and_has_a_key_of_the_colours(show, large):
    model, X, y = large
    browser = show(model, X, y)
    whole = saved(browser, "save-svg")[2].decode("utf-8")
    texts = re.findall("<text[^>]*>([^<]*)</text>", whole)
    assert texts[-len(model.classes_) :] == [f"class {label}" for label in model.classes_]
    for _ in range(6):
        browser.driver.find_element(By.ID, "zoom-out").click()
    assert browser.run("return document.getElementById('tree').matches('.brief, .tiny')")
    assert saved(browser, "save-svg")[2].decode("utf-8") == whole
    assert browser.run("return document.getElementById('tree').matches('.brief, .tiny')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_drawing_is_saved_as_svg_and_png(show, tmp_path, scheme):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    model, X, y = fitted("r = 2")
    browser = show(model, X, y, scheme=scheme)
    browser.driver.find_element(By.ID, "expand").click()
    name, kind, content = saved(browser, "save-svg")
    drawing = content.decode("utf-8")
    assert (name, kind) == ("tree.svg", "image/svg+xml")
    assert drawing.startswith("<svg") and "var(--" not in drawing and "class=" not in drawing
    for label in model.classes_:
        assert label in drawing
    assert all(f"#{node} " in drawing for node in range(model.tree_.n_nodes))
    name, kind, content = saved(browser, "save-png")
    assert (name, kind) == ("tree.png", "image/png")
    image = pyplot.imread(io.BytesIO(content))
    width, height = (float(value) for value in re.search(r'width="([\d.]+)" height="([\d.]+)"', drawing).groups())
    assert np.allclose(image.shape[:2], (2 * height, 2 * width), atol=2)
    ground = image[2, 2, :3].mean()
    assert (ground > 0.8) == (scheme == "light")
    assert (np.abs(image[..., :3].mean(axis=2) - ground) > 0.3).mean() > 0.01  # text and lines
    (tmp_path / "saved.svg").write_text(drawing, encoding="utf-8")
    browser.driver.get((tmp_path / "saved.svg").as_uri())
    assert browser.run("return document.documentElement.tagName") == "svg"
    assert browser.run("return document.querySelectorAll('text').length") > model.tree_.n_nodes
