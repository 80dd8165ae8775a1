"""Cost-complexity pruning whose price per leaf is chosen on rows that the tree has not seen.

Weakest-link pruning by training errors gives a nested sequence of trees; each is judged by its errors on a held-out
part or by cross-validation. The tree taken is the smallest whose error rate exceeds the least one, ``R``, by no more
than ``standard_errors`` times ``sqrt(R (1 - R) / N)``: 0 and 1 are the 0-SE and 1-SE rules of the book that
`CARTClassifier` cites, sections 3.3 and 3.4. Of numbers the errors are squared, and the standard error is that of
normal ones, ``R sqrt(2 / N)``.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cart_elc.pruning.cost_complexity import Link, Subtrees, weakest_links
from cart_elc.pruning.pruner import Grow, Pruner
from cart_elc.targets import Number, TrainingRows
from cart_elc.tree import FloatArray, IntArray, Tree
from cart_elc.tree.building import collapse

SAME_ALPHA = 1e-12


@dataclass(frozen=True, eq=False)
class Sequence:
    """A tree and its nested subtrees, from the largest to the root alone.

    ``links`` are the steps of weakest-link pruning by training errors. Each subtree takes ``lengths`` of them, steps of
    equal alpha together, and begins to be optimal at the price per leaf that ``alphas`` says.
    """

    tree: Tree
    links: list[Link]
    lengths: IntArray
    alphas: FloatArray

    @classmethod
    def of(cls, tree: Tree) -> Self:
        risk = errors_at(tree, tree.value) / tree.weighted_n_node_samples[0]
        links, same = list(weakest_links(tree, risk)), SAME_ALPHA * (risk[0] if tree.target == Number.kind else 1.0)
        # Rounding may let an alpha fall below its predecessor: a step's price is the largest so far.
        prices = np.maximum.accumulate(np.array([0.0] + [link.alpha for link in links]))
        first = np.insert(prices[1:] > prices[:-1] + same, 0, True)
        return cls(tree, links, np.append(np.flatnonzero(first)[1:] - 1, len(links)), prices[first])

    def errors(self, value: FloatArray) -> FloatArray:
        """Weight of errors that each subtree makes on rows with these class weights per node."""
        subtrees = Subtrees.of(self.tree, errors_at(self.tree, value))
        totals = [subtrees.leaf_risk[0]]
        for link in self.links:
            subtrees.collapse(link.node)
            totals.append(subtrees.leaf_risk[0])
        return np.array(totals)[self.lengths]

    def at(self, alphas: FloatArray) -> IntArray:
        """Position of the subtree that is optimal at each price."""
        return np.searchsorted(self.alphas, alphas, side="right") - 1

    def subtree(self, position: int) -> Tree:
        nodes = [link.node for link in self.links[: self.lengths[position]]]
        return collapse(self.tree, nodes)


def errors_at(tree: Tree, value: FloatArray) -> FloatArray:
    """Weight that each node would misclassify as a leaf, or its squared error, of rows with these statistics."""
    if tree.target == Number.kind:
        return value[:, 2] + value[:, 0] * np.square(value[:, 1] - tree.value[:, 1])
    predicted = np.argmax(tree.value, axis=1)
    errors: FloatArray = value.sum(axis=1) - value[np.arange(tree.n_nodes), predicted]
    return errors


def node_values(tree: Tree, rows: TrainingRows, chosen: IntArray) -> FloatArray:
    """Statistics at each node of the chosen rows."""
    paths = tree.decision_path(rows.X[chosen]).T.tocsr()
    reached = (chosen[part] for part in np.split(paths.indices, paths.indptr[1:-1]))
    return np.array([rows.target.statistics(part, rows.weights[part]) for part in reached])


def without(weights: FloatArray, apart: IntArray) -> FloatArray:
    kept = weights.copy()
    kept[apart] = 0.0
    return kept


def smallest_within(errors: FloatArray, total: float, standard_errors: float, n: int, *, squared: bool) -> int:
    """Position of the smallest subtree whose error rate is within the allowance of the least."""
    rates = np.maximum(errors / total, 0.0)  # sums of weights are rounded
    least = float(rates.min())
    spread = least * np.sqrt(2.0) if squared else np.sqrt(least * max(1.0 - least, 0.0))
    allowance = standard_errors * spread / np.sqrt(n)
    same = SAME_ALPHA * (float(rates.max()) if squared else 1.0)
    return int(np.flatnonzero(rates <= least + allowance + same)[-1])


@dataclass(frozen=True)
class HeldOut(Pruner):
    """The pruner that keeps a random part of the rows from growing and chooses the subtree on it.

    The fraction is rounded to a number of rows; where that is none, the tree is not pruned.
    """

    fraction: float
    standard_errors: float
    seed: int

    def growing_weights(self, rows: TrainingRows) -> FloatArray:
        return without(rows.weights, self._apart(rows))

    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        apart = self._apart(rows)
        if not len(apart):
            return tree
        sequence = Sequence.of(tree)
        errors = sequence.errors(node_values(tree, rows, apart))
        total = float(rows.weights[apart].sum())
        squared = tree.target == Number.kind
        return sequence.subtree(smallest_within(errors, total, self.standard_errors, len(apart), squared=squared))

    def _apart(self, rows: TrainingRows) -> IntArray:
        used = np.flatnonzero(rows.weights > 0)
        return np.random.default_rng(self.seed).permutation(used)[: round(self.fraction * len(used))]


@dataclass(frozen=True)
class CrossValidated(Pruner):
    """The pruner that grows with all rows and chooses the price per leaf by cross-validation.

    The price that stands for a subtree is the geometric mean of those at which it begins and ceases to be optimal.
    """

    n_folds: int
    standard_errors: float
    seed: int

    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        sequence = Sequence.of(tree)
        prices = np.append(np.sqrt(sequence.alphas[:-1] * sequence.alphas[1:]), np.inf)
        errors = np.zeros(len(prices))
        for apart in stratified_folds(rows, self.n_folds, self.seed):
            weights = without(rows.weights, apart)
            if weights.any():
                fold = Sequence.of(grow(weights))
                errors += fold.errors(node_values(fold.tree, rows, apart))[fold.at(prices)]
        n_used = int(np.count_nonzero(rows.weights))
        total, squared = float(rows.weights.sum()), tree.target == Number.kind
        return sequence.subtree(smallest_within(errors, total, self.standard_errors, n_used, squared=squared))


def stratified_folds(rows: TrainingRows, n_folds: int, seed: int) -> list[IntArray]:
    """Random parts of nearly equal size in which the classes are divided as evenly as they can be."""
    rng = np.random.default_rng(seed)
    used = rng.permutation(np.flatnonzero(rows.weights > 0))
    by_class = used[np.argsort(rows.target.y[used], kind="stable")]
    return [part for first in range(n_folds) if len(part := by_class[first::n_folds])]
