"""What is written in the box of a node, for every kind of picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cart_elc.inspection.draw.layout import Layout, Spacing, tidy_layout
from cart_elc.inspection.node_text import leaves_text, output_text, rows_text, share_text, summary_text
from cart_elc.inspection.rules import Rulebook, WrittenSubset
from cart_elc.inspection.wording import one_line, shortened, wrapped
from cart_elc.tree import BoolArray, Tree

RULE_WIDTH = 30  # characters of a rule in one line
NAME_WIDTH = 32  # characters of a feature's name; longer ones lose their middle
MOST_TERMS = 5  # terms of a rule before only the largest are written and the others counted
LABEL_WIDTH = 26  # characters of a class label


@dataclass(frozen=True)
class Card:
    """The box of a node: the rule or the class of a leaf, what is written below it, the bar of classes or bands."""

    title: tuple[str, ...]
    captions: tuple[str, ...]
    proportions: tuple[float, ...]
    leaf: bool

    @property
    def lines(self) -> tuple[str, ...]:
        return (*self.title, *self.captions)


def card(rules: Rulebook, node: int, n_hidden: int = 0) -> Card:
    """Return the card of a node; ``n_hidden`` leaves below it are not drawn."""
    named, leaf = rules.named, bool(rules.named.tree.is_leaf[node])
    label = output_text(named, node, LABEL_WIDTH)
    worth = share_text(named, node) if leaf else summary_text(named, node, LABEL_WIDTH)
    caption = f"#{node} · {rows_text(named, node)} · {worth}"
    return Card(
        title=(label,) if leaf else tuple(wrapped(rule_parts(rules, node), RULE_WIDTH)),
        captions=(caption, f"{leaves_text(n_hidden)} below") if n_hidden else (caption,),
        proportions=tuple(named.shares[node].tolist()),
        leaf=leaf,
    )


def cards(rules: Rulebook, opened: BoolArray) -> list[Card]:
    """Return the cards of all nodes; a split that is not opened says how many leaves it hides."""
    hidden = np.where(opened | rules.named.tree.is_leaf, 0, rules.named.leaf_counts)
    return [card(rules, node, n_hidden) for node, n_hidden in enumerate(hidden.tolist())]


def rule_parts(rules: Rulebook, node: int, spread: Mapping[int, float] | None = None) -> list[str]:
    """Return a rule in pieces between which a line may be broken: long names cut, of many terms the largest.

    The size of a term is its coefficient, times the ``spread`` of its feature if that is known.
    """
    names = [shortened(one_line(name), NAME_WIDTH) for name in rules.named.features]
    written = rules.written(node)
    *terms, comparison = written.parts(names)
    if len(terms) <= MOST_TERMS:
        return [*terms, comparison]
    if isinstance(written, WrittenSubset):
        return [*terms[:MOST_TERMS], f"and {len(terms) - MOST_TERMS + 1} more}}"]
    sizes = np.abs(written.rule.coefficients) * [1.0 if spread is None else spread[j] for j in written.rule.features]
    first, *others = sorted(np.argsort(-sizes, kind="stable")[: MOST_TERMS - 1].tolist())
    rest = f"+ {len(terms) - len(others) - 1} smaller terms"
    return [terms[first].removeprefix("+ "), *(terms[i] for i in others), rest, comparison]


@dataclass(frozen=True)
class Metrics:
    """Sizes of a card's parts, in any unit: line height, padding, bar height, and the width of texts."""

    line: float
    padding: float
    bar: float
    width: Callable[[str], float]


def arrange(tree: Tree, contents: list[Card], metrics: Metrics, spacing: Spacing, opened: BoolArray) -> Layout:
    """Return a layout in which every card has room for its text."""
    widths = np.array([max(metrics.width(text) for text in content.lines) for content in contents])
    lines = np.array([len(content.lines) for content in contents])
    heights = lines * metrics.line + metrics.bar + 3 * metrics.padding
    return tidy_layout(tree, widths + 2 * metrics.padding, heights, spacing, opened)


def opened_to(tree: Tree, max_depth: int | None) -> BoolArray:
    """Return which splits have their children drawn."""
    splits: BoolArray = ~tree.is_leaf
    return splits if max_depth is None else splits & (tree.node_depths() < max_depth)
