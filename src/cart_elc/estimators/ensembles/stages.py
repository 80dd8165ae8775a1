"""The stages of boosting: each adds trees that step towards a smaller loss.

With ``g`` minus the first and ``h`` the second derivative of the loss at a row, the loss of a tree's steps ``s`` is, to
second order, ``sum h (g/h - s)^2 / 2`` and a constant: the squared error of the numbers ``g/h`` with weights ``h``. So
a stage grows a regression tree of exact splits, and its leaves step by ``sum g / (sum h + l2)``.

References
----------
J. Friedman, "Stochastic Gradient Boosting", Computational Statistics and Data Analysis 38, 2002.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cart_elc.compiled_growth import GrownTree, grow_compiled
from cart_elc.estimators.ensembles.losses import Loss
from cart_elc.estimators.ensembles.sampling import Subsample
from cart_elc.growing import Stopping
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.targets import Number
from cart_elc.tree import FloatArray, Tree


@dataclass(frozen=True)
class Pace:
    """How far a stage goes, and when there are enough of them."""

    n_stages: int
    learning_rate: float
    subsample: float
    l2: float
    patience: int | None = None
    tol: float = 0.0


@dataclass(frozen=True)
class TreeMaker:
    """What every tree is grown with."""

    splitter: ELCSplitter
    stopping: Stopping
    max_features: int

    def __call__(self, X: FloatArray, target: Number, weights: FloatArray, seed: int) -> GrownTree:
        return grow_compiled(
            X, target, self.splitter, weights, self.stopping, max_features=self.max_features, seed=seed
        )


@dataclass(frozen=True)
class Progress:
    """Where the stages are: how many of them, and the mean losses."""

    n_done: int
    n_stages: int
    loss: float
    held_out: float | None

    def __str__(self) -> str:
        held_out = "" if self.held_out is None else f", on held-out rows {self.held_out:.5g}"
        return f"stage {self.n_done}/{self.n_stages}: loss {self.loss:.5g}{held_out}"


@dataclass(eq=False)
class ScoredRows:
    """Rows with their scores so far, and the mean loss after each stage."""

    X: FloatArray
    loss: Loss
    weights: FloatArray
    scores: FloatArray
    losses: list[float] = field(default_factory=list)

    def step(self, trees: Sequence[Tree], learning_rate: float) -> None:
        self.scores += learning_rate * steps_of(trees, self.X)
        self.losses.append(self.loss.mean(self.scores, self.weights))


@dataclass(eq=False)
class Stages:
    """The stages of one fit, which begin with constant scores."""

    start: FloatArray
    fitted: ScoredRows
    held_out: ScoredRows | None
    maker: TreeMaker
    pace: Pace
    rows: Subsample
    random: np.random.RandomState
    trees: list[list[GrownTree]] = field(default_factory=list)

    def run(self, report: Callable[[Progress], None]) -> None:
        while len(self.trees) < self.pace.n_stages and not self.is_over():
            self.add()
            report(self.progress)

    @property
    def progress(self) -> Progress:
        held_out = None if self.held_out is None else self.held_out.losses[-1]
        return Progress(len(self.trees), self.pace.n_stages, self.fitted.losses[-1], held_out)

    def is_over(self) -> bool:
        """Whether the loss on the held-out rows has not fallen by the tolerance for so many stages."""
        patience = self.pace.patience
        if self.held_out is None or patience is None or len(self.held_out.losses) <= patience:
            return False
        before, lately = self.held_out.losses[:-patience], self.held_out.losses[-patience:]
        return min(lately) > min(before) - self.pace.tol

    def add(self) -> None:
        """Add a stage: a tree for each column of the scores."""
        gradient, curvature = self.fitted.loss.steps(self.fitted.scores)
        weights = self.fitted.weights
        if self.pace.subsample < 1:
            weights = weights * self.rows.drawn(self.random)
        trees = [self.grown(g, h, weights) for g, h in zip(gradient.T, curvature.T, strict=True)]
        self.trees.append(trees)
        for rows in filter(None, (self.fitted, self.held_out)):
            rows.step([tree for tree, _ in trees], self.pace.learning_rate)

    def grown(self, gradient: FloatArray, curvature: FloatArray, weights: FloatArray) -> GrownTree:
        """Return the tree of a column; its nodes' means are their steps."""
        weights = weights * curvature
        seed = int(self.random.randint(np.iinfo(np.int32).max))
        target = Number(np.ascontiguousarray(gradient / curvature))
        tree, shares = self.maker(self.fitted.X, target, weights, seed)
        value = tree.value.copy()
        value[:, 1] *= value[:, 0] / (value[:, 0] + self.pace.l2)
        return GrownTree(replace(tree, value=value), shares)


def steps_of(trees: Sequence[Tree], X: FloatArray) -> FloatArray:
    """Return the step of each row in each tree."""
    return np.column_stack([tree.predict_value(X)[:, 0] for tree in trees])
