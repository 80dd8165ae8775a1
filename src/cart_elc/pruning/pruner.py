"""What a pruner is: a value that cuts a grown tree back."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from cart_elc.targets import TrainingRows
from cart_elc.tree import FloatArray, Tree

Grow = Callable[[FloatArray], Tree]
"""Grows a tree from weights of the training rows."""


class Pruner(ABC):
    """Prunes a tree: a frozen value that holds the method's parameters."""

    def growing_weights(self, rows: TrainingRows) -> FloatArray:
        """Return the weights that the tree is to be grown with: all rows' own, or zero for rows that are kept apart."""
        return rows.weights

    @abstractmethod
    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        """Return the pruned tree; ``grow`` makes further trees of other weights where the method needs them."""
