"""Questions to an open page, and what people do with it."""

import re

from browser import WebDriverWait

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
SHOWN = "return [...document.querySelectorAll('.node')].map(node => Number(node.dataset.node))"
SETTLED = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(browser, width, height):
    """Give the window another size, and wait until it is drawn."""
    browser.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    WebDriverWait(browser.driver, 5).until(lambda _: browser.run("return innerWidth") == width)
    browser.run(SETTLED)


LEAST_TEXT = """
const shown = e => e.textContent.trim() && e.getClientRects().length && !e.closest('details:not([open])');
const sizes = [...document.querySelectorAll('svg text')].filter(shown).map(e =>
  parseFloat(getComputedStyle(e).fontSize) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b));
const texts = [...document.querySelectorAll('body *:not(svg *):not(script):not(style)')].filter(e =>
  shown(e) && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()));
return Math.min(...sizes, ...texts.map(e => parseFloat(getComputedStyle(e).fontSize)));
"""


def least_text(browser):
    """Return the size of the smallest text on the screen, in pixels."""
    return browser.run(LEAST_TEXT)


def scale(browser):
    return float(browser.run(PLACE).partition("scale(")[2].rstrip(")"))


def pick(browser, row):
    browser.run(
        "const row = document.getElementById('row'); row.value = arguments[0];row.dispatchEvent(new Event('change'));",
        int(row),
    )


def plain(written):
    """Return what is printed with the signs of programs."""
    signs = {"\u2265": ">=", "\u2264": "<=", "\u2212": "-", "\u00d7": "*", "\u00a0": " "}
    return written.translate(str.maketrans(signs))


def written_steps(browser):
    """Return the sums of the lit path, as programs write them."""
    return map(plain, browser.run("return [...document.querySelectorAll('#steps code')].map(c => c.textContent)"))


def contrast(one, other):
    """Return the contrast of two colours as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    """Return the relative luminance of ``#rrggbb``, ``rgb(r, g, b)`` or what the browser makes of a mixture."""
    if colour.startswith("#"):
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    else:
        whole = 1 if colour.startswith("color(") else 255
        channels = [float(part) / whole for part in re.findall(r"[\d.]+(?:e-\d+)?", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def text(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def click_node(browser, node):
    browser.run("document.getElementById('node-' + arguments[0]).dispatchEvent(new MouseEvent('click'))", node)
