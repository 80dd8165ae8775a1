"""What is written in the box of a node, for every kind of picture."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cart_elc.inspection.draw.layout import Layout, Spacing, tidy_layout
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import number, one_line, shortened, wrapped
from cart_elc.tree import Tree

RULE_WIDTH = 30
"""Characters of a rule in one line."""
NAME_WIDTH = 32
"""Characters of a feature's name; longer ones lose their middle."""
MOST_PARTS = 6
"""Terms of a rule, threshold included, before the rest of them is only counted."""
LABEL_WIDTH = 26
"""Characters of a class label."""


@dataclass(frozen=True)
class Card:
    """The box of a node.

    Attributes
    ----------
    title : tuple of str
        Lines of the rule, or the class of a leaf.
    caption : str
        Number of rows and, at a split, the majority's share.
    proportions : tuple of float
        The class bar.
    leaf : bool
    """

    title: tuple[str, ...]
    caption: str
    proportions: tuple[float, ...]
    leaf: bool


def card(rules: Rulebook, node: int) -> Card:
    """Return the card of a node."""
    named, tree = rules.named, rules.named.tree
    code = named.majority(node)
    share = f"{100 * tree.proportions[node, code]:.3g} %"
    label = shortened(one_line(named.labels[code]), LABEL_WIDTH)
    leaf = bool(tree.is_leaf[node])
    title = (label,) if leaf else tuple(rule_lines(rules, node))
    caption = f"{rows_text(named, node)} · {share}" + ("" if leaf else f" {label}")
    return Card(title, caption, tuple(tree.proportions[node].tolist()), leaf)


def rule_lines(rules: Rulebook, node: int) -> list[str]:
    """Return a rule in lines; names that would fill a line are shortened."""
    names = [shortened(one_line(name), NAME_WIDTH) for name in rules.named.features]
    parts = rules.written(node).parts(names)
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS - 2], f"+ {len(parts) - MOST_PARTS + 1} more terms", parts[-1]]
    return wrapped(parts, RULE_WIDTH)


def rows_text(named: NamedTree, node: int) -> str:
    """Return the rows of a node, and their weight where it is another number."""
    rows, weight = int(named.tree.n_node_samples[node]), float(named.tree.weighted_n_node_samples[node])
    text = f"{rows:,} row" + ("" if rows == 1 else "s")
    return text if np.isclose(weight, rows) else f"{text}, weight {number(float(f'{weight:.4g}'))}"


def counts_text(named: NamedTree, node: int) -> str:
    """Return a node's class counts in words."""
    values = zip(named.labels, named.tree.value[node].tolist(), strict=True)
    return ", ".join(f"{one_line(label)} {number(round(value, 3))}" for label, value in values if value)


@dataclass(frozen=True)
class Metrics:
    """Sizes of a card's parts, in any unit: line height, padding, bar height, and the width of texts."""

    line: float
    padding: float
    bar: float
    width: Callable[[str], float]


def arrange(tree: Tree, cards: list[Card], metrics: Metrics, spacing: Spacing) -> Layout:
    """Return a layout in which every card has room for its text."""
    widths = np.array([max(metrics.width(text) for text in (*c.title, c.caption)) for c in cards])
    lines = np.array([len(c.title) + 1 for c in cards])
    heights = lines * metrics.line + metrics.bar + 3 * metrics.padding
    return tidy_layout(tree, widths + 2 * metrics.padding, heights, spacing)


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is in a sans-serif font; never much less than it is."""
    return size * sum(character_width(character) for character in text)


def character_width(character: str) -> float:
    """Return about how wide a character is, in units of the font size."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in " .,;:'|!()[]il·":
        return 0.34
    if character in "mwMW%@—":
        return 0.92
    return 0.7 if character.isupper() else 0.6
