"""What all tree estimators share: fitting, prediction, pruning and saving.

An estimator adds its parameters and `_make_splitter`; it has no growth loop, tree or prediction of its own.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils import Bunch, estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from cart_elc.categories import Table
from cart_elc.estimators import persistence
from cart_elc.estimators.data import (
    REFUSED,
    Column,
    TrainingSet,
    check_training_set,
    class_factors,
    column_means,
    filled,
)
from cart_elc.estimators.model import Classifier, Model, Regressor
from cart_elc.estimators.parameters import check_real, check_time_limit, check_verbose
from cart_elc.estimators.stopping import StoppingRules
from cart_elc.estimators.user_warnings import LongFitNotice, warn_if_cut_short
from cart_elc.growing import Grower
from cart_elc.inspection.page import notebook_frame
from cart_elc.pruning.cost_complexity import CostComplexity, pruning_path
from cart_elc.pruning.pruner import Grow, Pruner
from cart_elc.rounding.table import rounding_table
from cart_elc.splitters.node import Deadline
from cart_elc.splitters.reporting import LiveLine, Progress, ReportingSplitter
from cart_elc.splitters.split import Splitter
from cart_elc.targets import Number
from cart_elc.tree import FloatArray, IntArray, Tree
from cart_elc.tree.fields import Json
from cart_elc.tree.importances import feature_importances


@dataclass(kw_only=True, eq=False, repr=False)
class BaseTree(StoppingRules, persistence.SavedTree, Model):
    """Base of the tree estimators: a dataclass whose fields are the parameters that all methods have.

    A subclass is a dataclass too and adds the fields of its own. Where a method cannot do with missing values,
    ``imputes`` makes the base fill them, in fit and predict, with the weighted means of the training columns. Where its
    splitter tells how far it is, ``reports_progress`` lets ``verbose`` be a callable.

    Parameters
    ----------
    ccp_alpha : float, default=0.0
        Price per leaf in minimal cost-complexity pruning by impurity.
    verbose : int or bool, default=0
        If positive, a line per search is printed.

    Attributes
    ----------
    tree_ : cart_elc.tree.Tree
        The fitted tree with the certificate of every split.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Each split's weighted impurity decrease is shared among its features in proportion to ``|w_j| s_j``, with
        ``s_j`` the standard deviation of the feature over the node's training rows; normalised to sum to 1.
    saw_missing_ : bool array of shape (n_features_in_,)
        Which features lacked a value in a training row of positive weight.
    fill_values_ : ndarray of shape (n_features_in_,)
        The weighted means of the training columns, which replace missing values in fit and predict; only where the
        method cannot have any.
    """

    reports_progress: ClassVar[bool] = False

    ccp_alpha: float = 0.0
    verbose: Any = 0

    @abstractmethod
    def _make_splitter(self, n_features: int, progress: Progress | None) -> Splitter:
        """Check the method's own parameters and return its splitter, which may tell ``progress`` how far it is."""

    def tree_criterion(self) -> str:
        """Return what `cart_elc.criteria` calls the criterion."""
        return str(self.criterion)

    def _make_pruner(self) -> Pruner:
        return CostComplexity(check_real("ccp_alpha", self.ccp_alpha, 0.0))

    def _learn(self, X: Table, y: Column, sample_weight: Column | None, before: Json) -> None:
        data, self.tree_ = self._grow(X, y, sample_weight)
        self._note_classes(data)
        self._learn_from_rows(data)

    def grown_tree(self, X: Table, y: Column, sample_weight: Column | None = None) -> Tree:
        """Return the tree that `fit` would grow, and leave the estimator as it is.

        Importances and the digits of printed rules, which `fit` computes from the training rows, are not computed: for
        ensembles of many trees that nobody asks them of.
        """
        return type(self)(**self.get_params(deep=False))._grow(X, y, sample_weight)[1]

    def _grow(
        self, X: Table, y: Column, sample_weight: Column | None, pruner: Pruner | None = None
    ) -> tuple[TrainingSet, Tree]:
        """Validate the data and encode the labels; then grow; then prune, as the parameters say unless told how."""
        deadline = check_time_limit(getattr(self, "time_limit", None))
        data = self._training_set(X, y, sample_weight)
        grow, prune = self._make_grower(data, deadline), pruner or self._make_pruner()
        tree = grow(prune.growing_weights(data))
        self._note_growth(grow)
        tree = prune(tree, data, grow)
        warn_if_cut_short(deadline, tree)
        return data, tree

    def _note_growth(self, grow: Grow) -> None:
        """Keep what is to be known of how the tree was grown: here nothing."""

    def _training_set(self, X: Table, y: Column, sample_weight: Column | None) -> TrainingSet:
        """Check the data, encode the labels, and fill missing values where the method cannot have any."""
        class_weight, numbers = getattr(self, "class_weight", None), self.target_kind == Number.kind
        categorical = getattr(self, "categorical_features", REFUSED)
        data = check_training_set(
            self, X, y, sample_weight, class_weight, numbers=numbers, categorical_features=categorical
        )
        if data.categories is not None:
            self.categories_, self.is_categorical_ = data.categories.levels, data.categories.is_nominal
        self.saw_missing_ = np.asarray(np.isnan(data.X[data.weights > 0]).any(axis=0))
        if not self.imputes:
            return data
        self.fill_values_ = column_means(data.X, data.weights)
        return replace(data, X=filled(data.X, self.fill_values_))

    def check_parameters(self, n_features: int, classes: NDArray[Any] | None) -> None:
        """Check the parameters as fitting to so many features, and to these classes if any, does."""
        check_time_limit(getattr(self, "time_limit", None))
        if classes is not None:
            class_factors(getattr(self, "class_weight", None), classes, np.arange(len(classes)), np.ones(len(classes)))
        self._stopping(1)
        self._make_pruner()
        self._reporting_splitter(n_features)

    def _make_grower(self, data: TrainingSet, deadline: Deadline) -> Grow:
        stopping = self._stopping(data.n_samples)
        splitter = self._reporting_splitter(data.X.shape[1])
        return Grower(data.X, data.target, splitter, stopping, deadline, n_levels=data.n_levels)

    def _reporting_splitter(self, n_features: int) -> Splitter:
        """The splitter, told to report as ``verbose`` asks: by a line a split, a callback, or only if a fit is long."""
        if callable(self.verbose) and self.reports_progress:
            return self._make_splitter(n_features, self.verbose)
        if not check_verbose(self.verbose, or_callable=self.reports_progress):
            has_limit = getattr(self, "time_limit", None) is not None
            return self._make_splitter(n_features, LongFitNotice() if self.reports_progress and not has_limit else None)
        live = LiveLine()
        splitter = self._make_splitter(n_features, live)
        return ReportingSplitter(splitter, partial(print, f"[{type(self).__name__}]"), live)

    def _learn_from_rows(self, data: TrainingSet) -> None:
        """Learn what can be known of the tree only while the training rows are at hand: importances and digits."""
        used = data.weights > 0
        rows, weights = data.X if used.all() else data.X[used], data.weights[used]
        node_rows = self.tree_.node_rows(rows)
        self.feature_importances_ = feature_importances(self.tree_, rows, weights, node_rows)
        self.rounding_ = rounding_table(self.tree_, rows, node_rows)

    def as_tree_rows(self, rows: FloatArray) -> FloatArray:
        """Return rows without missing values where the method cannot have any."""
        return filled(rows, self.fill_values_) if self.imputes else rows

    def outputs_of(self, rows: FloatArray) -> FloatArray:
        """Return what each row's leaf predicts: the shares of the classes, or the mean."""
        return self.tree_.predict_value(rows)

    def apply(self, X: Table) -> IntArray:
        """Return the id in ``tree_`` of each row's leaf."""
        rows = self._check_rows(X)
        return self.tree_.apply(rows)

    def decision_path(self, X: Table) -> csr_matrix:
        """Return a sparse matrix whose entry (i, j) is true if row ``i`` passes through node ``j``."""
        rows = self._check_rows(X)
        return self.tree_.decision_path(rows)

    def get_depth(self) -> int:
        """Return the depth of the tree; a lone root has depth 0."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(self, X: Table, y: Column, sample_weight: Column | None = None) -> Bunch:
        """Return the effective alphas of minimal cost-complexity pruning for this data.

        The tree is grown anew; the estimator is not changed.

        Returns
        -------
        Bunch
            ``ccp_alphas``, ascending values of ``ccp_alpha`` at which the tree changes, and ``impurities``, the total
            impurity of the leaves at each.
        """
        fresh = type(self)(**self.get_params(deep=False))
        _, tree = fresh._grow(X, y, sample_weight, CostComplexity())
        return Bunch(**pruning_path(tree)._asdict())

    def save(self, path: persistence.PathLike) -> None:
        """Write the fitted model to a JSON file, documented in `cart_elc.estimators.persistence`.

        `cart_elc.load` reads it.
        """
        check_is_fitted(self)
        persistence.write(path, self.document())

    def _html_repr(self) -> str:
        """Return scikit-learn's diagram for notebooks, and below it the tree once there is one."""
        diagram: str = estimator_html_repr(self)
        return diagram + notebook_frame(self) if hasattr(self, "tree_") else diagram


@dataclass(kw_only=True, eq=False, repr=False)
class BaseTreeClassifier(Classifier, BaseTree):
    """Base of the tree classifiers.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class.
    """

    class_weight: dict[Any, float] | str | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class BaseTreeRegressor(Regressor, BaseTree):
    """Base of the tree regressors."""
