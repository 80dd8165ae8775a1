"""What forests share: trees are independent tasks, and a forest predicts the mean of what they do."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.utils import check_random_state

from cart_elc.categories import Table
from cart_elc.estimators import parameters
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.data import Column, TrainingSet, check_training_set, class_factors
from cart_elc.estimators.elc import MIN_SAVING
from cart_elc.estimators.ensembles.ensemble import Ensemble
from cart_elc.estimators.ensembles.forest_growth import (
    ForestPlan,
    ForestRows,
    drawn_weights,
    grow_forest_tree,
    mean_output,
    tree_seed,
)
from cart_elc.estimators.ensembles.parameters import check_max_features, check_max_samples
from cart_elc.estimators.ensembles.sampling import row_order
from cart_elc.estimators.ensembles.storage import decode_trees
from cart_elc.estimators.exact_search import ExactSearch
from cart_elc.estimators.stopping import StoppingRules
from cart_elc.estimators.user_warnings import warn_user
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.targets import Number
from cart_elc.tree import FloatArray, IntArray
from cart_elc.tree.fields import Field, Json

OF_TREES = ("r", "criterion", "missing", *(rule.name for rule in fields(StoppingRules)))
"""The parameters that a forest hands to its trees."""


@dataclass(kw_only=True, eq=False, repr=False)
class BaseForest(StoppingRules, Ensemble):
    """What forests share.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    r : int, default=2
        The most features of a split.
    max_depth : int or None, default=None
        Largest depth of a leaf. Without limits trees grow until their leaves are pure.
    min_samples_leaf : int or float, default=1
        Fewest rows on each side of a split; a row that was drawn twice counts once.
    bootstrap : bool, default=True
        Whether each tree is grown from rows that are drawn with replacement, in proportion to ``sample_weight``.
    max_samples : int, float or None, default=None
        Draws for each tree: a number, or a share of the rows; None is as many as there are rows.
    oob_score : bool or callable, default=False
        Whether to score the forest on the rows that trees have not drawn: by accuracy or R², or by a callable
        ``metric(y_true, y_pred)``.
    missing : {"learn", "right"}, default="learn"
        Where rows with a missing value on the split's features go.
    warm_start : bool, default=False
        Whether another fit keeps the trees and adds those that are wanting. With the same ``random_state`` the forest
        is the one that a single fit would have grown.
    random_state : int, RandomState or None, default=None
        Draws rows and features. The forest does not depend on ``n_jobs`` nor on the order of the rows.
    n_jobs : int or None, default=None
        Trees that are grown at a time, as joblib counts. Trees are tasks of joblib's: under its Dask backend a forest
        is grown by a cluster.
    verbose : int, default=0
        How much joblib tells.

    Attributes
    ----------
    estimators_ : list of ELCClassifier or ELCRegressor
        The trees, each a fitted estimator that can be drawn, exported and explained.
    oob_score_ : float
        Only with ``oob_score``.
    """

    n_estimators: int = field(default=100, kw_only=False)
    r: int = 2
    bootstrap: bool = True
    max_samples: int | float | None = None
    oob_score: bool | Callable[..., float] = False
    missing: str = "learn"
    warm_start: bool = False
    random_state: int | np.random.RandomState | None = None
    n_jobs: int | None = None
    verbose: int = 0

    @abstractmethod
    def _factors(self, data: TrainingSet) -> FloatArray:
        """Return what one draw of each row weighs."""

    @abstractmethod
    def _score_out_of_bag(self, data: TrainingSet, outputs: FloatArray, seen: NDArray[np.bool_]) -> None:
        """Keep what trees predict for rows that they have not drawn, and its score on those that have any."""

    def _learn(self, X: Table, y: Column, sample_weight: Column | None, before: Json) -> None:
        data = check_training_set(self, X, y, sample_weight, numbers=self.target_kind == Number.kind)
        self._grow(data, self._kept_trees(data, before))

    def _kept_trees(self, data: TrainingSet, before: Json) -> list[BaseTree]:
        """Return the trees of the fit before in a warm start, which they must fit in with."""
        if not parameters.check_bool("warm_start", self.warm_start) or not before:
            return []
        same_width = before["n_features_in_"] == self.n_features_in_
        if not same_width or not np.array_equal(before.get("classes_", data.classes), data.classes):
            raise ValueError("warm_start must be False where X has other features or y other classes than before")
        return list(before["estimators_"])

    def _grow(self, data: TrainingSet, kept: list[BaseTree]) -> None:
        plan, n_trees = self._plan(data), parameters.check_whole("n_estimators", self.n_estimators, 1)
        if len(kept) > n_trees:
            raise ValueError(f"n_estimators must be at least {len(kept)} with warm_start, got {n_trees}")
        seed = int(check_random_state(self.random_state).randint(2**31))
        rows = ForestRows(data.X, data.target.y, data.weights, self._factors(data), row_order(data.X, data.target.y))
        seeds = [tree_seed(seed, number) for number in range(n_trees)]
        parallel = Parallel(n_jobs=self.n_jobs, verbose=self.verbose, prefer="threads")
        try:
            grown = parallel(delayed(grow_forest_tree)(rows, plan, seed) for seed in seeds[len(kept) :])
        except BaseException as error:
            plan.given_up.append(error)
            raise
        self._note_classes(data)
        self.estimators_ = kept + [self._as_estimator(one) for one in grown]
        if self.oob_score:
            self._look_out_of_bag(data, plan, rows, seeds)

    def _plan(self, data: TrainingSet) -> ForestPlan:
        n_features, n_rows = data.X.shape[1], data.n_samples
        bootstrap = parameters.check_bool("bootstrap", self.bootstrap)
        if not bootstrap and self.max_samples is not None:
            raise ValueError(f"max_samples must be None where bootstrap is False, got {self.max_samples!r}")
        if not bootstrap and self.oob_score:
            raise ValueError("oob_score must be False where bootstrap is False: no row is out of the bag")
        if not callable(self.oob_score):
            parameters.check_bool("oob_score", self.oob_score)
        max_features = check_max_features(self.max_features, n_features)
        return ForestPlan(
            splitter=self._splitter(max_features),
            stopping=self._stopping(n_rows),
            max_features=max_features,
            n_classes=len(data.classes),
            n_draws=check_max_samples(self.max_samples, data.weights) if bootstrap else 0,
            balanced=self._balances_draws,
        )

    def check_parameters(self, n_features: int, classes: NDArray[Any] | None) -> None:
        """Check the parameters as fitting to so many features, and to these classes if any, does."""
        if classes is not None and not self._balances_draws:
            class_factors(getattr(self, "class_weight", None), classes, np.arange(len(classes)), np.ones(len(classes)))
        parameters.check_whole("n_estimators", self.n_estimators, 1)
        self._splitter(check_max_features(self.max_features, n_features))
        self._stopping(1)

    @property
    def _balances_draws(self) -> bool:
        """Whether the classes have equal weight among the rows that a tree has drawn."""
        weighting = getattr(self, "class_weight", None)
        return isinstance(weighting, str) and weighting == "balanced_subsample"

    def _splitter(self, n_drawn: int) -> ELCSplitter:
        """Return the splitter of nodes that have drawn so many features."""
        criterion, missing = self.tree_criterion(), self.missing
        search = ExactSearch(
            r=self.r, criterion=criterion, planes="any", missing=missing, n_jobs=1, min_saving=MIN_SAVING
        )
        return search.splitter(n_drawn)

    def _tree_parameters(self) -> Json:
        return {name: getattr(self, name) for name in OF_TREES}

    def _look_out_of_bag(self, data: TrainingSet, plan: ForestPlan, rows: ForestRows, seeds: list[int]) -> None:
        """Average over the trees what they predict for the rows that they have not drawn."""
        sums, n_trees = np.zeros((len(data.X), 1)), np.zeros(len(data.X))
        for model, seed in zip(self.estimators_, seeds, strict=True):
            outside = drawn_weights(rows, plan, seed) == 0
            outputs = np.where(outside[:, None], model.tree_.predict_value(data.X), 0.0)
            sums, n_trees = sums + outputs, n_trees + outside
        seen = (n_trees > 0) & (data.weights > 0)
        if not seen[data.weights > 0].all():
            warn_user("Some rows were drawn by every tree and have no out-of-bag prediction: grow more trees.")
        with np.errstate(invalid="ignore"):
            self._score_out_of_bag(data, sums / n_trees[:, None], seen)

    def outputs_of(self, rows: FloatArray) -> FloatArray:
        """Return the mean of what the trees predict, added up in their order for any number of threads."""
        trees = self._trees()
        parts = np.array_split(rows, max(1, min(len(rows), effective_n_jobs(self.n_jobs))))
        means = Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(mean_output)(trees, part) for part in parts)
        return np.concatenate(means)

    def apply(self, X: Table) -> IntArray:
        """Return the leaf of each row in each tree, an array of shape (n_samples, n_estimators)."""
        rows = self._check_rows(X)
        return np.column_stack([tree.apply(rows) for tree in self._trees()])

    def decision_path(self, X: Table) -> tuple[csr_matrix, IntArray]:
        """Return which nodes each row passes through.

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, n_nodes of all trees)
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The columns from ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` are those of tree ``i``.
        """
        rows, trees = self._check_rows(X), self._trees()
        ends = np.cumsum([0] + [tree.n_nodes for tree in trees])
        return hstack([tree.decision_path(rows) for tree in trees]).tocsr(), ends

    def _own_facts(self) -> Json:
        return {"oob_score": self.oob_score_} if hasattr(self, "oob_score_") else {}

    @classmethod
    def from_document(cls, document: Field) -> Self:
        """Return the forest of a document; every field is checked."""
        model = cls.from_heading(document)
        stored = decode_trees(document["trees"], **model.of_all_trees())
        model.estimators_ = [model._as_estimator(one) for one in stored]
        if "oob_score" in document:
            model.oob_score_ = document["oob_score"].real()
        return model
