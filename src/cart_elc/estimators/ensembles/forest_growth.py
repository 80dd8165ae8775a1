"""The trees of a forest as tasks of their own: each depends on the data, the plan and its seed alone."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cart_elc.compiled_growth import GrownTree, grow_compiled
from cart_elc.estimators.data import as_counts
from cart_elc.estimators.ensembles.sampling import Bootstrap
from cart_elc.growing import Stopping
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import MIX, mixed
from cart_elc.targets import Classes, Number, Target
from cart_elc.tree import FloatArray, IntArray, Tree


@dataclass(frozen=True)
class ForestPlan:
    """How the trees of a forest are grown.

    ``n_classes`` is 0 where labels are numbers, ``n_draws`` is 0 where every tree has all rows. ``balanced`` gives the
    classes equal weight among the rows that a tree has drawn. ``given_up`` is no longer empty when the fit has ended
    without the forest: trees that other threads are growing then end too.
    """

    splitter: ELCSplitter
    stopping: Stopping
    max_features: int
    n_classes: int
    n_draws: int
    balanced: bool = False
    given_up: list[BaseException] = field(default_factory=list)

    def target(self, labels: FloatArray | IntArray) -> Target:
        return Classes(labels, self.n_classes) if self.n_classes else Number(labels)  # type: ignore[arg-type]


def tree_seed(forest_seed: int, number: int) -> int:
    """Return the seed of a forest's tree: trees that are added later have the seeds that they would have had."""
    return mixed(forest_seed * MIX + number)


class ForestRows(NamedTuple):
    """All rows, their labels, how often each is drawn, what a draw of it weighs, and the rows in `row_order`.

    One value that every task has with it: joblib's Dask backend would leave a large array of its own on one worker,
    and all tasks would be lost with that worker.
    """

    X: FloatArray
    labels: FloatArray | IntArray
    weights: FloatArray
    factors: FloatArray
    order: IntArray


def grow_forest_tree(rows: ForestRows, plan: ForestPlan, seed: int) -> GrownTree:
    """Grow one tree; a task that may run in another thread, process or machine."""
    drawn = drawn_weights(rows, plan, seed)
    if plan.splitter.criterion.startswith("mdl"):
        drawn = as_counts(drawn)
    return grow_compiled(
        rows.X,
        plan.target(rows.labels),
        plan.splitter,
        drawn,
        plan.stopping,
        max_features=plan.max_features,
        seed=seed,
        given_up=plan.given_up,
    )


def drawn_weights(rows: ForestRows, plan: ForestPlan, seed: int) -> FloatArray:
    """Return the weights of the rows in the tree of a seed; 0 for those out of its bag."""
    counts = Bootstrap(rows.weights, rows.order, plan.n_draws).counts(seed) if plan.n_draws else rows.weights
    if not plan.balanced:
        return counts * rows.factors
    labels = rows.labels.astype(np.int64, copy=False)
    totals = np.bincount(labels, weights=counts, minlength=plan.n_classes)
    even = totals.sum() / np.maximum(np.count_nonzero(totals) * totals, np.finfo(float).tiny)
    return counts * np.where(totals > 0, even, 1.0)[labels]


def mean_output(trees: list[Tree], rows: FloatArray) -> FloatArray:
    """Return the mean of what the trees predict, added up in their order."""
    total = trees[0].predict_value(rows)
    for tree in trees[1:]:
        total += tree.predict_value(rows)
    mean: FloatArray = total / len(trees)
    return mean
