"""What is said of a node in words and numbers: the one place for pictures, text and page alike.

A node has an impurity, a split has a score; where both would be called by the same word, the score says that it is of
the two sides.
"""

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.inspection.intervals import interval_text, share_interval
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.wording import isolated, number, one_line, shortened

OF_SIDES = {name: f"{name} of sides" for name in ("gini", "error", "squared error")}
SCORE_NAMES = OF_SIDES | {"mdl": "bits", "mdl squared error": "bits"}
"""What a split's score is called where the criterion's own name would mean the impurity of a node."""
MEANINGS = {
    "gini": "The Gini impurity of the two sides, weighted by their rows: 0 is two pure sides. Lower is better.",
    "twoing": "How differently the two sides are made up of classes, times the shares of their rows. Higher is better.",
    "information gain": "How many bits of a row's class the answer to the rule tells. Higher is better.",
    "gain ratio": "The information gain over the information in the sizes of the two sides. Higher is better.",
    "error": "The weight of the rows that are not of their side's majority. Lower is better.",
    "mdl": "The bits that the split saves when the classes are written down, minus what it costs to name the split.",
    "squared error": "The mean squared error if each side predicts its mean. Lower is better.",
    "mdl squared error": "The bits that the split saves when the numbers are written down, minus what naming it costs.",
}


def output_text(named: NamedTree, node: int, width: int | None = None) -> str:
    """Return what the node predicts: the label of its majority, cut in its middle to ``width``, or a mean."""
    if named.bands is not None:
        return named.bands.mean_text(node)
    label = one_line(named.labels[named.majority(node)])
    return isolated(label if width is None else shortened(label, width))


def share_text(named: NamedTree, node: int) -> str:
    """Return how much of the node's weight has the class that it predicts, or how far its rows are from the mean."""
    if named.bands is not None:
        return named.bands.spread_text(node)
    return f"{100 * named.tree.proportions[node, named.majority(node)]:.3g} %"


def summary_text(named: NamedTree, node: int, width: int | None = None) -> str:
    """Return what the node predicts and how sure that is: ``67 % versicolor``, or ``152.1 ± 45.2``."""
    parts = [share_text(named, node), output_text(named, node, width)]
    return " ".join(parts if named.bands is None else parts[::-1])


def counted_rows(rows: int) -> str:
    return f"{rows:,} row" + ("" if rows == 1 else "s")


def rows_text(named: NamedTree, node: int) -> str:
    """Return the rows of a node, and their weight where it is another number."""
    rows, weight = int(named.tree.n_node_samples[node]), float(named.tree.weighted_n_node_samples[node])
    text = counted_rows(rows)
    return text if np.isclose(weight, rows) else f"{text}, weight {number(float(f'{weight:.4g}'))}"


def leaf_line(named: NamedTree, node: int) -> str:
    """Return a leaf in one line: what it predicts, how much of its training weight has it and how sure that is."""
    if named.bands is not None:
        return f"{summary_text(named, node)} ({rows_text(named, node)})"
    value, code = named.tree.value[node], named.majority(node)
    counts = f"{number(round(float(value[code]), 4))} of {number(round(float(value.sum()), 4))}"
    interval = interval_text(share_interval(named, node))
    return f"{output_text(named, node)} ({counts}, {share_text(named, node)}; {interval})"


def leaves_text(n_leaves: int) -> str:
    return "1 leaf" if n_leaves == 1 else f"{n_leaves:,} leaves"


def score_name(named: NamedTree) -> str:
    return SCORE_NAMES.get(named.criterion, named.criterion)


def score_text(named: NamedTree, node: int) -> str:
    """Return the score of a split with its name; where a split has a price, what it saves and what it costs."""
    return worth_text(named, node) or f"{score_name(named)} {named.tree.score[node]:.4f}"


def worth_text(named: NamedTree, node: int) -> str:
    """Return what a split saves and costs in bits; empty where the criterion has no price.

    The score is what the saving leaves of the price.
    """
    tree, criterion = named.tree, CRITERIA[named.tree.criterion]
    if criterion.price is None:
        return ""
    saved = float(criterion.score(*tree.value[list(named.children(node))]))
    return f"saves {saved:.1f} bits, costs {saved - float(tree.score[node]):.1f}"
