"""What a pruner is: a value that cuts a grown tree back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cart_elc.targets import Target
from cart_elc.tree import FloatArray, Tree

Grow = Callable[[FloatArray], Tree]
"""Grows a tree from weights of the training rows."""


class Rows(Protocol):
    """The training rows: a matrix, labels and weights."""

    @property
    def X(self) -> FloatArray:  # noqa: N802
        """Rows in C order."""

    @property
    def target(self) -> Target:
        """Labels."""

    @property
    def weights(self) -> FloatArray:
        """Non-negative weights."""


class Pruner(Protocol):
    """Prunes a tree: a frozen value that holds the method's parameters."""

    def growing_weights(self, rows: Rows) -> FloatArray:
        """Return the weights that the tree is to be grown with; zero for rows that are kept apart."""

    def __call__(self, tree: Tree, rows: Rows, grow: Grow) -> Tree:
        """Return the pruned tree; ``grow`` makes further trees of other weights where the method needs them."""
