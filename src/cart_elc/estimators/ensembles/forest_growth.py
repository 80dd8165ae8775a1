"""The trees of a forest as tasks of their own: each depends on the data, the plan and its seed alone."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cart_elc.compiled_growth import GrownTree, grow_compiled
from cart_elc.estimators.data import as_counts
from cart_elc.estimators.ensembles.sampling import Bootstrap
from cart_elc.growing import Stopping
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import MIX, mixed
from cart_elc.targets import Classes, Number, Target
from cart_elc.tree import FloatArray, IntArray


@dataclass(frozen=True)
class ForestPlan:
    """How the trees of a forest are grown.

    ``n_classes`` is 0 where labels are numbers, ``n_draws`` is 0 where every tree has all rows. ``balanced`` gives the
    classes equal weight among the rows that a tree has drawn.
    """

    splitter: ELCSplitter
    stopping: Stopping
    max_features: int
    n_classes: int
    n_draws: int
    balanced: bool = False

    def target(self, labels: FloatArray | IntArray) -> Target:
        return Classes(labels, self.n_classes) if self.n_classes else Number(labels)  # type: ignore[arg-type]


def tree_seed(forest_seed: int, number: int) -> int:
    """Return the seed of a forest's tree: trees that are added later have the seeds that they would have had."""
    return mixed(forest_seed * MIX + number)


class ForestRows(NamedTuple):
    """The labels of all rows, how often each is drawn, what a draw of it weighs, and the rows in `row_order`."""

    labels: FloatArray | IntArray
    weights: FloatArray
    factors: FloatArray
    order: IntArray


def grow_forest_tree(
    X: FloatArray,
    labels: FloatArray | IntArray,
    weights: FloatArray,
    factors: FloatArray,
    order: IntArray,
    plan: ForestPlan,
    seed: int,
) -> GrownTree:
    """Grow one tree; a task that may run in another thread, process or machine.

    Its arrays are arguments of their own, because joblib's backends send such an array only once.
    """
    drawn = drawn_weights(ForestRows(labels, weights, factors, order), plan, seed)
    if plan.splitter.criterion.startswith("mdl"):
        drawn = as_counts(drawn)
    limits = {"max_features": plan.max_features, "seed": seed}
    return grow_compiled(X, plan.target(labels), plan.splitter, drawn, plan.stopping, **limits)


def drawn_weights(rows: ForestRows, plan: ForestPlan, seed: int) -> FloatArray:
    """Return the weights of the rows in the tree of a seed; 0 for those out of its bag."""
    counts = Bootstrap(rows.weights, rows.order, plan.n_draws).counts(seed) if plan.n_draws else rows.weights
    if not plan.balanced:
        return counts * rows.factors
    labels = rows.labels.astype(np.int64, copy=False)
    totals = np.bincount(labels, weights=counts, minlength=plan.n_classes)
    even = totals.sum() / np.maximum(np.count_nonzero(totals) * totals, np.finfo(float).tiny)
    return counts * np.where(totals > 0, even, 1.0)[labels]
