"""What is said of a node in words and numbers: the one place for pictures, text and page alike."""

from __future__ import annotations

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.wording import as_text, isolated, number, one_line, shortened


def output_text(named: NamedTree, node: int, width: int | None = None) -> str:
    """Return what the node predicts: the label of its majority, cut in its middle to ``width`` characters."""
    label = one_line(named.labels[named.majority(node)])
    return isolated(label if width is None else shortened(label, width))


def share_text(named: NamedTree, node: int) -> str:
    """Return how much of the node's weight has the class that it predicts."""
    return f"{100 * named.tree.proportions[node, named.majority(node)]:.3g} %"


def rows_text(named: NamedTree, node: int) -> str:
    """Return the rows of a node, and their weight where it is another number."""
    rows, weight = int(named.tree.n_node_samples[node]), float(named.tree.weighted_n_node_samples[node])
    text = f"{rows:,} row" + ("" if rows == 1 else "s")
    return text if np.isclose(weight, rows) else f"{text}, weight {number(float(f'{weight:.4g}'))}"


def counts_text(named: NamedTree, node: int) -> str:
    """Return a node's class counts in words."""
    values = zip(named.labels, named.tree.value[node].tolist(), strict=True)
    return ", ".join(f"{as_text(label)} {number(round(value, 3))}" for label, value in values if value)


def leaf_line(named: NamedTree, node: int) -> str:
    """Return a leaf in one line: what it predicts, how much of its training weight has it, and the share."""
    value, code = named.tree.value[node], named.majority(node)
    counts = f"{number(round(float(value[code]), 4))} of {number(round(float(value.sum()), 4))}"
    return f"{output_text(named, node)} ({counts}, {share_text(named, node)})"


def leaves_text(n_leaves: int) -> str:
    """Return a number of leaves in words."""
    return "1 leaf" if n_leaves == 1 else f"{n_leaves:,} leaves"
