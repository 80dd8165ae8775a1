"""What the three languages share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import leaves_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.tree import MissingPolicy, Tree

NESTING = 60  # nested blocks before a function of its own is made: Python's parser allows 100


@dataclass(frozen=True, eq=False)
class Program:
    """A model to be written as code."""

    named: NamedTree
    name: str

    @property
    def tree(self) -> Tree:
        return self.named.tree

    @property
    def title(self) -> str:
        return f"{self.named.title} with {leaves_text(self.tree.n_leaves)}, written by cart-elc"

    @cached_property
    def rules(self) -> Rulebook:
        """The rounded rules, for comments."""
        return Rulebook.of(self.named, decimals=2)

    @cached_property
    def divides(self) -> bool:
        """Whether a split sends rows with a missing value both ways."""
        both = (self.tree.missing == MissingPolicy.BOTH) & ~self.tree.is_leaf
        return bool(np.any(both)) and not self.fill

    @property
    def fill(self) -> list[float]:
        """What replaces missing values, per feature; empty where the tree sees them."""
        return [] if self.named.fill is None else self.named.fill.tolist()

    def terms(self, node: int) -> list[tuple[int, float]]:
        """Return features and weights of a split, zeros included: a missing value counts there too."""
        features, weights, _ = self.tree.split(node)
        return [(int(feature), float(weight)) for feature, weight in zip(features, weights, strict=True)]

    def test(self, node: int, number: Callable[[float], str], column: Callable[[int], str], sign: str = ">=") -> str:
        """Return the comparison of a split, its sum to be added from left to right."""
        terms = self.terms(node)
        total = " + ".join(column(j) if weight == 1.0 else f"{number(weight)} * {column(j)}" for j, weight in terms)
        return f"{total} {sign} {number(float(self.tree.thresholds[node]))}"

    def missing(self, node: int, either: str) -> str:
        """Return the test for a missing value of a row ``x``, as Python and C write it but for their word for "or"."""
        return f" {either} ".join(f"x[{j}] != x[{j}]" for j, _ in self.terms(node))

    def condition(self, node: int, either: str) -> str:
        """Return the test that leads left, see `missing`; a comparison with NaN is false and leads right."""
        test = self.test(node, repr, "x[{}]".format)
        return f"{self.missing(node, either)} {either} {test}" if self.policy(node) == MissingPolicy.LEFT else test

    def policy(self, node: int) -> MissingPolicy:
        """Return what the split does with missing values; of no account where they are filled."""
        return MissingPolicy.RIGHT if self.fill else MissingPolicy(self.tree.missing[node])

    def additions(self, leaf: int, share: str) -> Iterator[str]:
        """Yield the statements that add a row's share to the totals of the classes in a leaf."""
        for code, proportion in enumerate(self.tree.proportions[leaf].tolist()):
            if proportion:
                yield f"totals[{code}] += {share if proportion == 1.0 else f'{share} * {proportion!r}'}"

    def block_roots(self) -> Iterator[int]:
        """Yield the nodes at which a block of nested conditions begins, deepest first: the root is the last."""
        depths = self.tree.node_depths()
        for node in range(self.tree.n_nodes - 1, -1, -1):
            if depths[node] % NESTING == 0 and (node == 0 or not self.tree.is_leaf[node]):
                yield node
