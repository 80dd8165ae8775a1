"""What the three languages share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import leaves_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.tree import LEFT, RIGHT, MissingPolicy, Tree

NESTING = 60  # nested blocks before a function of its own is made: Python's parser allows 100


@dataclass(frozen=True)
class Syntax:
    """What Python and C write differently in conditions and calls.

    That is "or", names of functions, the end of a statement, and whether a level is one of several.
    """

    either: str
    helper: str
    end: str
    member: Callable[["Program", int], str]


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

    def subset(self, node: int, leftwards: bool) -> tuple[list[int], bool]:
        """Return the levels, by their codes, of a category's split that lead to a side, or with True those that do not.

        Missing values and levels that the split does not know lead to the side of the latter.
        """
        rule, here, there = self.tree.rule(node), LEFT if leftwards else RIGHT, RIGHT if leftwards else LEFT
        others = rule.missing_left == leftwards
        return rule.levels_of(there if others else here), others

    def missing(self, node: int, syntax: Syntax) -> str:
        return f" {syntax.either} ".join(f"x[{j}] != x[{j}]" for j, _ in self.terms(node))

    def condition(self, node: int, syntax: Syntax) -> str:
        """Return the test that leads left; a comparison with NaN is false and leads right."""
        if self.tree.is_categorical[node]:
            return syntax.member(self, node)
        test = self.test(node, repr, "x[{}]".format)
        with_missing = self.policy(node) == MissingPolicy.LEFT
        return f"{self.missing(node, syntax)} {syntax.either} {test}" if with_missing else test

    def cases(self, node: int, syntax: Syntax) -> Iterator[tuple[str, list[str]]]:
        """Yield the tests of a split, the last one empty, each with the statements that pass on a row's share."""
        left, right = self.named.children(node)
        if self.policy(node) == MissingPolicy.BOTH:
            part = float(self.named.left_shares[node])
            to_left = self.passed_on(left, f"share * {part!r}", syntax)
            yield self.missing(node, syntax), to_left + self.passed_on(right, f"share * {1.0 - part!r}", syntax)
        yield self.condition(node, syntax), self.passed_on(left, "share", syntax)
        yield "", self.passed_on(right, "share", syntax)

    def passed_on(self, node: int, share: str, syntax: Syntax) -> list[str]:
        """Return the call of a child's function, or the additions of a leaf's proportions to the class totals."""
        if not self.tree.is_leaf[node]:
            return [f"{syntax.helper.format(self.name, node)}(x, {share}, totals){syntax.end}"]
        shares = [(code, part) for code, part in enumerate(self.tree.proportions[node].tolist()) if part]
        products = [(code, share if part == 1.0 else f"{share} * {part!r}") for code, part in shares]
        return [f"totals[{code}] += {product}{syntax.end}" for code, product in products]

    def policy(self, node: int) -> MissingPolicy:
        """Return what the split does with missing values; of no account where they are filled."""
        return MissingPolicy.RIGHT if self.fill else MissingPolicy(self.tree.missing[node])

    def block_roots(self) -> Iterator[int]:
        """Yield the nodes at which a block of nested conditions begins, deepest first: the root is the last."""
        depths = self.tree.node_depths()
        for node in range(self.tree.n_nodes - 1, -1, -1):
            if depths[node] % NESTING == 0 and (node == 0 or not self.tree.is_leaf[node]):
                yield node
