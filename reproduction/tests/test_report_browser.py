"""The report in headless Chromium, at desktop and phone widths, light and dark."""

import re

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from browser import Browser, needs_browser

pytestmark = needs_browser
LEGIBLE = 12


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    window = Browser(tmp_path_factory.mktemp("profile"))
    yield window
    window.quit()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_page_fits_the_window_and_can_be_read(browser, page, width, height):
    browser.open(page, width, height)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    sizes = browser.run(
        "return [...document.querySelectorAll('td, th, p, li, dd, dt, .pub, .diff')].filter(e => e.offsetParent)"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= LEGIBLE
    charts = browser.run(
        "return [...document.querySelectorAll('.panel svg')].map(e => e.getBoundingClientRect().width)"
    )
    assert min(charts) > 250
    letters = browser.run(
        "return [...document.querySelectorAll('.panel text, .legend text')]"
        ".map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a)"
    )
    assert min(letters) >= LEGIBLE
    beyond = browser.run(
        "return [...document.querySelectorAll('.panel svg, .legend svg')].flatMap(s => [...s.querySelectorAll('text')]"
        ".filter(t => t.getBoundingClientRect().right > s.getBoundingClientRect().right).map(t => t.textContent))"
    )
    assert beyond == []
    assert browser.console() == []
    assert browser.requests() == []


def test_wide_tables_scroll_in_their_own_box_on_a_phone(browser, page):
    browser.open(page, 390, 844)
    boxes = browser.run("return [...document.querySelectorAll('.scroll')].map(e => [e.clientWidth, e.scrollWidth])")
    assert all(client <= 390 for client, _ in boxes)
    assert any(scroll > client for client, scroll in boxes)


def test_links_to_sections_work_and_dark_mode_is_dark(browser, page):
    browser.open(page, scheme="dark")
    links = "[...document.querySelectorAll('nav a')]"
    assert browser.run(f"return {links}.length") > 10
    assert browser.run(f"return {links}.filter(a => !document.querySelector(a.hash)).length") == 0
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", background)[:3])) < 64
