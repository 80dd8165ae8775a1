"""What boosted classifiers and regressors share: parameters, stages, and their form in a file."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state

from cart_elc.categories import Table
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.data import Column, TrainingSet, as_counts, check_training_set
from cart_elc.estimators.elc import ELCRegressor
from cart_elc.estimators.ensembles.ensemble import Ensemble
from cart_elc.estimators.ensembles.losses import Loss, loss_of
from cart_elc.estimators.ensembles.parameters import check_max_features
from cart_elc.estimators.ensembles.sampling import Subsample, row_order
from cart_elc.estimators.ensembles.stages import Pace, ScoredRows, Stages, TreeMaker, steps_of
from cart_elc.estimators.ensembles.storage import decode_trees
from cart_elc.estimators.exact_search import ExactSearch
from cart_elc.estimators.parameters import (
    check_count,
    check_int,
    check_positive,
    check_real,
    check_verbose,
    check_whole,
)
from cart_elc.growing import Stopping
from cart_elc.splitters.reporting import LiveLine
from cart_elc.targets import Classes, Number
from cart_elc.tree import FloatArray, IntArray
from cart_elc.tree.fields import Field, Json


@dataclass(kw_only=True, eq=False, repr=False)
class BaseBoosting(Ensemble):
    """Base of the boosted trees: the parameters, and the stages.

    Parameters
    ----------
    n_estimators : int, default=200
        Number of stages; each has one tree, or one for each class where there are more than two.
    r : int, default=2
        The most features of a split.
    learning_rate : float, default=0.05
        What each stage's step is multiplied by.
    subsample : float, default=0.5
        Share of the rows, drawn without replacement and in proportion to their weights, that each stage sees.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        Features drawn for each node, at least ``r`` if there are so many: the square root or the logarithm of their
        number, a number, a share, or all.
    max_depth : int or None, default=3
        Largest depth of a leaf.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves of a tree; it is then grown best-first.
    min_samples_leaf : int or float, default=1
        Fewest rows on each side of a split; a float is a fraction of the rows.
    l2_regularization : float, default=1.0
        Added to the sum of second derivatives in a leaf's step ``sum g / (sum h + l2_regularization)``.
    validation_fraction : float, default=0.1
        Share of the rows that is held out if ``n_iter_no_change`` is given.
    n_iter_no_change : int or None, default=None
        Stop when the loss on the held-out rows has not fallen by ``tol`` for so many stages; None never stops early.
    tol : float, default=0.0001
        See ``n_iter_no_change``.
    random_state : int, RandomState or None, default=None
        Draws the rows, the features and the held-out rows.
    n_jobs : int or None, default=None
        Threads of each search: None is 1, -1 all processors. The model does not depend on it.
    verbose : int or bool, default=0
        If positive, a line on standard error shows the stage and the losses while they change, and the last of them
        are printed.

    Attributes
    ----------
    estimators_ : ndarray of ELCRegressor of shape (n_estimators_, n_trees_per_stage)
        The trees; each predicts its step before it is multiplied by ``learning_rate``.
    n_estimators_ : int
        Stages that were kept.
    start_ : ndarray of shape (n_trees_per_stage,)
        The scores before the first stage.
    train_score_ : ndarray of shape (n_estimators_,)
        The mean loss on the rows of the fit after each stage.
    validation_score_ : ndarray of shape (n_estimators_,)
        The same on the held-out rows; only if ``n_iter_no_change`` is given.
    """

    tree_class: ClassVar[type[BaseTree]] = ELCRegressor

    n_estimators: int = field(default=200, kw_only=False)
    r: int = 2
    learning_rate: float = 0.05
    subsample: float = 0.5
    max_features: str | int | float | None = "sqrt"
    max_depth: int | None = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: int | float = 1
    l2_regularization: float = 1.0
    validation_fraction: float = 0.1
    n_iter_no_change: int | None = None
    tol: float = 1e-4
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int | bool = 0

    def _learn(self, X: Table, y: Column, sample_weight: Column | None, before: Json) -> None:
        data = check_training_set(self, X, y, sample_weight, numbers=self.target_kind == Number.kind)
        self._keep(self._boosted(data), data)

    def _boosted(self, data: TrainingSet) -> Stages:
        pace, maker = self._pace(), self._tree_maker(data.X.shape[1], data.n_samples)
        random, report = check_random_state(self.random_state), self._report()
        stages = self._stages(data, maker, pace, random)
        try:
            stages.run(report)
        finally:
            report.clear()
        if self.verbose:
            print(f"[{type(self).__name__}] {stages.progress}")
        return stages

    def _pace(self) -> Pace:
        return Pace(
            n_stages=check_whole("n_estimators", self.n_estimators, 1),
            learning_rate=check_positive("learning_rate", self.learning_rate),
            subsample=check_positive("subsample", self.subsample, 1.0),
            l2=check_real("l2_regularization", self.l2_regularization, 0.0),
            patience=check_int("n_iter_no_change", self.n_iter_no_change, 1, optional=True),
            tol=check_real("tol", self.tol, 0.0),
        )

    def _tree_maker(self, n_features: int, n_samples: int) -> TreeMaker:
        r = min(check_whole("r", self.r, 1), n_features)
        max_features = max(r, check_max_features(self.max_features, n_features))
        search = ExactSearch(r=r, criterion="squared_error", planes="any", missing="learn", n_jobs=self.n_jobs)
        stopping = Stopping(
            max_depth=check_int("max_depth", self.max_depth, 1, optional=True),
            min_samples_leaf=check_count("min_samples_leaf", self.min_samples_leaf, 1, n_samples),
            max_leaf_nodes=check_int("max_leaf_nodes", self.max_leaf_nodes, 2, optional=True),
        )
        return TreeMaker(search.splitter(max_features), stopping, max_features)

    def _report(self) -> LiveLine:
        return LiveLine(0.25 if check_verbose(self.verbose, or_callable=False) else inf)

    def _stages(self, data: TrainingSet, maker: TreeMaker, pace: Pace, random: np.random.RandomState) -> Stages:
        rows, loss = np.flatnonzero(data.weights > 0), loss_of(data.target)
        held_out = rows[:0]
        if pace.patience is not None:
            share = check_positive("validation_fraction", self.validation_fraction, 1.0)
            labels = data.target.y[rows] if isinstance(data.target, Classes) else None
            rows, held_out = train_test_split(rows, test_size=share, stratify=labels, random_state=random)
        start = loss.of(rows).start(data.weights[rows])
        parts = [scored_rows(data, loss, part, start) for part in (rows, held_out)]
        order = row_order(parts[0].X, data.target.y[rows])
        sample = Subsample(as_counts(data.weights[rows]), order, pace.subsample)
        return Stages(start, parts[0], parts[1] if len(held_out) else None, maker, pace, sample, random)

    def _keep(self, stages: Stages, data: TrainingSet) -> None:
        self._note_classes(data)
        self.start_, self.n_estimators_ = stages.start, len(stages.trees)
        self.train_score_ = np.array(stages.fitted.losses)
        if stages.held_out is not None:
            self.validation_score_ = np.array(stages.held_out.losses)
        self.estimators_ = np.empty((len(stages.trees), len(stages.start)), dtype=object)
        for stage, trees in enumerate(stages.trees):
            self.estimators_[stage] = [self._as_estimator(tree) for tree in trees]

    def _tree_parameters(self) -> Json:
        names = ("r", "max_depth", "max_leaf_nodes", "min_samples_leaf")
        return {"criterion": "squared_error"} | {name: getattr(self, name) for name in names}

    def check_parameters(self, n_features: int, classes: NDArray[Any] | None) -> None:
        """Check the parameters as fitting to so many features does."""
        self._pace()
        self._tree_maker(n_features, 1)

    def _own_facts(self) -> Json:
        losses = {"train_score": self.train_score_, "validation_score": getattr(self, "validation_score_", None)}
        return {"start": self.start_} | losses

    @classmethod
    def from_document(cls, document: Field) -> Self:
        """Return the model of a document; every field is checked."""
        model = cls.from_heading(document)
        model.start_ = np.array([entry.real() for entry in document["start"].items()])
        per_stage = model._trees_per_stage()
        if len(model.start_) != per_stage:
            document["start"].refuse(f"a list of {per_stage} entries")
        of_all = model.of_all_trees() | {"n_classes": None}
        trees = [model._as_estimator(one) for one in decode_trees(document["trees"], **of_all)]
        model.n_estimators_ = len(trees) // per_stage
        if not trees or len(trees) % per_stage:
            raise ValueError(f"trees must be so many for each stage: {per_stage}, got {len(trees)}")
        model.estimators_ = np.empty((model.n_estimators_, per_stage), dtype=object)
        model.estimators_.ravel()[:] = trees
        for name in ("train_score", "validation_score"):
            if document[name].value is not None:
                losses = [entry.real() for entry in document[name].items(model.n_estimators_)]
                setattr(model, name + "_", np.array(losses))
        return model

    def _trees_per_stage(self) -> int:
        n_classes = self.n_classes_ if self.target_kind == Classes.kind else 1
        return n_classes if n_classes > 2 else 1

    def _staged_scores(self, rows: FloatArray) -> Iterator[FloatArray]:
        scores = np.tile(self.start_, (len(rows), 1))
        for trees in self.estimators_:
            scores = scores + self.learning_rate * steps_of([model.tree_ for model in trees], rows)
            yield scores

    def outputs_of(self, rows: FloatArray) -> FloatArray:
        """Return the scores after the last stage."""
        return deque(self._staged_scores(rows), maxlen=1).pop()

    def apply(self, X: Table) -> NDArray[np.int64]:
        """Return the leaf of each row in each tree, of shape (n_samples, n_estimators_, n_trees_per_stage)."""
        rows = self._check_rows(X)
        leaves = [tree.apply(rows) for tree in self._trees()]
        return np.stack(leaves, axis=1).reshape(len(rows), *self.estimators_.shape)


def scored_rows(data: TrainingSet, loss: Loss, rows: IntArray, start: FloatArray) -> ScoredRows:
    X = np.ascontiguousarray(data.X[rows])
    return ScoredRows(X, loss.of(rows), data.weights[rows], np.tile(start, (len(rows), 1)))
