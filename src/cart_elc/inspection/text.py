"""A tree as readable rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import Tree


class FittedTree(Protocol):
    """What is needed of a model."""

    tree_: Tree
    classes_: NDArray[np.generic]


def export_text(model: FittedTree, decimals: int = 2) -> str:
    """Return the fitted tree as indented rules, with the proof of each split.

    Parameters
    ----------
    model : fitted classifier
    decimals : int, default=2
        Digits after the point of weights and thresholds.

    Examples
    --------
    >>> from cart_elc import ELCClassifier, export_text
    >>> model = ELCClassifier(r=1).fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> print(export_text(model))
    if x0 >= 2.50:  [gini 0.0000, proven]
      yes (1 of 1)
    else:
      no (2 of 2)
    """
    tree = model.tree_
    names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(tree.n_features)])
    criterion = getattr(model, "criterion", "score").replace("_", " ")
    labels = [str(label) for label in model.classes_]
    writer = RuleWriter(tree, [str(name) for name in names], labels, criterion, decimals)
    return "\n".join(writer.lines())


@dataclass(frozen=True)
class RuleWriter:
    """Writes the nodes of a tree in preorder."""

    tree: Tree
    names: list[str]
    labels: list[str]
    criterion: str
    decimals: int

    def lines(self) -> Iterator[str]:
        """Yield the lines of the whole tree."""
        pending: list[int | str] = [0]
        depths = self.tree.node_depths()
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
            elif self.tree.is_leaf[item]:
                yield "  " * depths[item] + self.leaf(item)
            else:
                indent = "  " * depths[item]
                yield indent + self.head(item)
                left, right = int(self.tree.children_left[item]), int(self.tree.children_right[item])
                pending.extend([right, indent + "else:", left])

    def head(self, node: int) -> str:
        """Return the condition of a split, with its score and proof."""
        proof = "proven" if self.tree.proven[node] else f"not proven, bound {self.tree.bound[node]:.4f}"
        return f"if {self.condition(node)}:  [{self.criterion} {self.tree.score[node]:.4f}, {proof}]"

    def condition(self, node: int) -> str:
        """Return the rule, divided so that the largest coefficient is 1 and the first is positive."""
        features, weights, threshold = self.tree.split(node)
        scale = np.abs(weights).max() * (-1.0 if weights[0] < 0 else 1.0)
        terms = [self.term(self.names[j], w) for j, w in zip(features, weights / scale, strict=True)]
        left_side = "".join(terms).removeprefix(" + ")
        return f"{left_side} {'>=' if scale > 0 else '<='} {self.number(threshold / scale)}"

    def term(self, name: str, weight: float) -> str:
        """Return one signed term of the sum."""
        size = self.number(abs(weight))
        return (" - " if weight < 0 else " + ") + (name if float(size) == 1.0 else f"{size} {name}")

    def number(self, value: float) -> str:
        """Return the value with the wanted decimals, or digits if it is too small for them."""
        text = f"{value:.{self.decimals}f}"
        return f"{value:.{max(1, self.decimals)}g}" if value and float(text) == 0.0 else text

    def leaf(self, node: int) -> str:
        """Return the leaf's class and how much of its training weight has it."""
        value = self.tree.value[node]
        return f"{self.labels[int(np.argmax(value))]} ({value.max():g} of {value.sum():g})"
