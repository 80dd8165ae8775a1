"""What the numbers of a split are called, and what they mean.

A node has an impurity, a split has a score; where both would be called by the same word, the score says that it is of
the two sides.
"""

from __future__ import annotations

from cart_elc.criteria import CRITERIA
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.tree import Tree

SCORE_NAMES = {
    "mdl": "bits",
    "gini": "gini of sides",
    "error": "error of sides",
    "squared error": "squared error of sides",
}
"""What a split's score is called where the criterion's own name would mean the impurity of a node."""
MEANINGS = {
    "gini": "The Gini impurity of the two sides, weighted by their rows: 0 is two pure sides. Lower is better.",
    "twoing": "How differently the two sides are made up of classes, times the shares of their rows. Higher is better.",
    "information gain": "How many bits of a row's class the answer to the rule tells. Higher is better.",
    "gain ratio": "The information gain over the information in the sizes of the two sides. Higher is better.",
    "error": "The weight of the rows that are not of their side's majority. Lower is better.",
    "mdl": "The bits that the split saves when the classes are written down, minus what it costs to name the split.",
}


def score_name(named: NamedTree) -> str:
    """Return what the score of a split is called."""
    return SCORE_NAMES.get(named.criterion, named.criterion)


def score_meaning(named: NamedTree) -> str:
    """Return a sentence or two on the score."""
    return MEANINGS.get(named.criterion, "What the criterion says of the split.")


def score_text(named: NamedTree, node: int) -> str:
    """Return the score of a split with its name; where a split has a price, what it saves and what it costs."""
    return worth_text(named, node) or f"{score_name(named)} {named.tree.score[node]:.4f}"


def worth_text(named: NamedTree, node: int) -> str:
    """Return what a split saves and costs in bits; empty where the criterion has no price."""
    if CRITERIA[named.tree.criterion].price is None:
        return ""
    saved, cost = bits_of(named.tree, node)
    return f"saves {saved:.1f} bits, costs {cost:.1f}"


def bits_of(tree: Tree, node: int) -> tuple[float, float]:
    """Return the bits that a split saves in writing down its rows' classes, and those that it takes to name it.

    The first are the fall of the entropy, by weight, from the node to its children; the score is what is left of them.
    """
    bits = tree.impurity * tree.weighted_n_node_samples
    saved = float(bits[node] - bits[tree.children_left[node]] - bits[tree.children_right[node]])
    return saved, saved - float(tree.score[node])
