"""A tree as one SVG element, for pages that run no script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import partial
from html import escape

from cart_elc.inspection.draw.cards import Card, Metrics, arrange, cards, opened_to
from cart_elc.inspection.draw.colors import class_colors
from cart_elc.inspection.draw.layout import Layout, Spacing
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, number


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is in a sans-serif font; never much less than it is."""
    return size * sum(character_width(character) for character in text)


def character_width(character: str) -> float:
    """Return about how wide a character is, in units of the font size."""
    if unicodedata.category(character) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in " .,;:'|!()[]il·":
        return 0.34
    if character in "mwMW%@—":
        return 0.92
    return 0.7 if character.isupper() else 0.6


FONT = 13.0
METRICS = Metrics(line=18.0, padding=10.0, bar=7.0, width=partial(text_width, size=FONT))
SPACING, BORDER = Spacing(gap=18.0, level_gap=46.0), 12.0


def tree_svg(model: FittedTree) -> str:
    """Return a drawing of the tree: boxes with rule, class bar and counts; edges as thick as their share of rows.

    Text takes the colour of its surroundings, so the drawing suits light and dark pages. It has no style sheet and no
    identifiers, so several of them can stand in one page.

    Examples
    --------
    >>> from cart_elc import ELCClassifier
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> tree_svg(model)[:4]
    '<svg'
    """
    named = NamedTree.of(model)
    rules = Rulebook.of(named, decimals=2)
    opened = opened_to(named.tree, None)
    contents = cards(rules, opened)
    layout = arrange(named.tree, contents, METRICS, SPACING, opened)
    width, height = (side + 2 * BORDER for side in layout.size)
    title = f"{named.title}: decision tree with {named.tree.n_leaves} leaves"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="{-BORDER} {-BORDER} {width:.1f} {height:.1f}" '
        f'style="max-width:100%;height:auto" font-family="system-ui, sans-serif" font-size="{FONT:g}">',
        *edges(named, layout),
        *(box for node, content in enumerate(contents) for box in boxes(rules, layout, node, content)),
        "</svg>",
    ]
    return "\n".join(parts)


def edges(named: NamedTree, layout: Layout) -> Iterator[str]:
    """Yield curves from every node to its children, and the words at them."""
    tree = named.tree
    for node in tree.split_nodes():
        x0, y0 = layout.x[node], layout.y[node] + layout.heights[node]
        for child, word in ((int(tree.children_left[node]), "yes"), (int(tree.children_right[node]), "no")):
            x1, y1 = layout.x[child], layout.y[child]
            middle = (y0 + y1) / 2
            share = tree.weighted_n_node_samples[child] / tree.weighted_n_node_samples[0]
            yield (
                f'<path d="M{x0:.1f} {y0:.1f}C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}" '
                f'fill="none" stroke="currentColor" stroke-opacity="0.35" stroke-width="{1.2 + 9 * share:.1f}"/>'
            )
            anchor, dx = ("end", -9) if word == "yes" else ("start", 9)
            yield (
                f'<text x="{x1 + dx:.1f}" y="{y1 - 6:.1f}" text-anchor="{anchor}" font-size="11" '
                f'fill="currentColor" fill-opacity="0.75">{word}</text>'
            )


def boxes(rules: Rulebook, layout: Layout, node: int, content: Card) -> Iterator[str]:
    """Yield a node's box, texts and class bar; pointing at it shows the rule in full and the classes' counts."""
    named = rules.named
    left, top = layout.x[node] - layout.widths[node] / 2, layout.y[node]
    width, height, pad = layout.widths[node], layout.heights[node], METRICS.padding
    color = class_colors(named.tree.n_classes)[named.majority(node)]
    accent = f'fill="{color}" fill-opacity="0.14"' if content.leaf else 'fill="currentColor" fill-opacity="0.05"'
    tip = counts_text(named, node) if content.leaf else f"{rules.text(node)}: {counts_text(named, node)}"
    yield f"<g><title>{escape(tip)}</title>"
    yield (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="8" {accent} '
        f'stroke="{color if content.leaf else "currentColor"}" stroke-opacity="{0.9 if content.leaf else 0.35}"/>'
    )
    baseline = top + pad + FONT
    for i, line in enumerate(content.title):
        weight = ' font-weight="600"' if content.leaf else ""
        yield text_element(layout.x[node], baseline + i * METRICS.line, line, weight)
    caption = ' fill-opacity="0.75" font-size="12"'
    for i, line in enumerate(content.captions, start=len(content.title)):
        yield text_element(layout.x[node], baseline + i * METRICS.line, line, caption)
    yield from bar(named, left + pad, top + height - pad - METRICS.bar, width - 2 * pad, content)
    yield "</g>"


def counts_text(named: NamedTree, node: int) -> str:
    """Return a node's class counts in words."""
    values = zip(named.labels, named.tree.value[node].tolist(), strict=True)
    return ", ".join(f"{as_text(label)} {number(round(value, 3))}" for label, value in values if value)


def text_element(x: float, y: float, text: str, attributes: str) -> str:
    """Return a centred line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="currentColor"{attributes}>{escape(text)}</text>'


def bar(named: NamedTree, x: float, y: float, width: float, content: Card) -> Iterator[str]:
    """Yield the parts of a class bar, side by side."""
    for share, color in zip(content.proportions, class_colors(named.tree.n_classes), strict=True):
        if share > 0:
            part = f'x="{x:.1f}" y="{y:.1f}" width="{share * width:.1f}" height="{METRICS.bar:g}"'
            yield f'<rect {part} fill="{color}"/>'
            x += share * width
