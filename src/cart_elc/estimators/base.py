"""What all tree classifiers share: fitting, prediction, pruning and saving.

A classifier adds its parameters and `_make_splitter`; it has no growth loop, tree or prediction of its own.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Bunch, Tags, estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from cart_elc import storage
from cart_elc.estimators.data import Column, Table, TrainingSet, check_rows, check_training_set, column_means, filled
from cart_elc.estimators.notices import warn_if_cut_short
from cart_elc.estimators.parameters import check_count, check_int, check_real, check_time_limit, check_verbose
from cart_elc.growing import Deadline, Growth, Stopping
from cart_elc.importances import feature_importances
from cart_elc.inspection.page import notebook_frame
from cart_elc.pruning import CostComplexity, Pruner, pruning_path
from cart_elc.rounding import decode_table, rounding_table
from cart_elc.rounding_offsets import Offsets
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import LiveLine, ReportingSplitter
from cart_elc.splitters.split import Splitter
from cart_elc.tree import FloatArray, IntArray, Tree

FITTED = (
    "tree_",
    "classes_",
    "n_classes_",
    "n_features_in_",
    "feature_names_in_",
    "feature_importances_",
    "rounding_",
    "fill_values_",
)


class BaseTreeClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the tree classifiers.

    A subclass stores its parameters in ``__init__`` as scikit-learn asks, among them those of the stopping rules,
    ``class_weight``, ``ccp_alpha`` and ``verbose``; a ``time_limit`` is optional. Where a method cannot do with missing
    values, ``_imputes`` makes the base fill them, in fit and predict, with the weighted means of the training columns.
    """

    _imputes: ClassVar[bool] = False

    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    min_impurity_decrease: float
    max_leaf_nodes: int | None
    class_weight: dict[Any, float] | str | None
    ccp_alpha: float
    verbose: Any
    time_limit: float | None = None

    tree_: Tree
    classes_: NDArray[Any]
    n_classes_: int
    n_features_in_: int
    feature_importances_: FloatArray
    rounding_: Offsets
    fill_values_: FloatArray

    @abstractmethod
    def _make_splitter(self, n_features: int) -> Splitter:
        """Check the method's own parameters and return its splitter."""

    def _make_pruner(self) -> Pruner:
        """Check the parameters of pruning and return the pruner."""
        return CostComplexity(check_real("ccp_alpha", self.ccp_alpha, 0.0))

    def fit(self, X: Table, y: Column, sample_weight: Column | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Numbers; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,) or a number, optional
            Non-negative weights; one number is the weight of every row. A row of weight zero is as good as absent,
            save that its class stays known.

        Returns
        -------
        self
            Interrupted or refused, the estimator is left unfitted.
        """
        self._forget()
        try:
            data, growth = self._prepare(X, y, sample_weight)
            tree = self._make_pruner()(data, growth)
            warn_if_cut_short(growth.stopping.deadline, tree)
            self._learn_from_rows(tree, data)
        except BaseException:
            self._forget()
            raise
        return self

    def _learn_from_rows(self, tree: Tree, data: TrainingSet) -> None:
        """Keep the tree, and what can be known of it only while the training rows are at hand."""
        used = data.weights > 0
        rows, weights = data.X if used.all() else data.X[used], data.weights[used]
        node_rows = tree.node_rows(rows)
        self._remember(tree, data.classes, feature_importances(tree, rows, weights, node_rows))
        self.rounding_ = rounding_table(tree, rows, node_rows)

    def _prepare(self, X: Table, y: Column, sample_weight: Column | None) -> tuple[TrainingSet, Growth]:
        """Check everything and return the data with what grows a tree from weights of its rows."""
        deadline = check_time_limit(self.time_limit)
        data = check_training_set(self, X, y, sample_weight, self.class_weight)
        if self._imputes:
            self.fill_values_ = column_means(data.X, data.weights)
            data = replace(data, X=filled(data.X, self.fill_values_))
        stopping = self._stopping(data.n_samples, deadline)
        splitter = self._reporting(self._make_splitter(data.X.shape[1]))
        return data, Growth(data.X, data.y, len(data.classes), splitter, stopping)

    def _reporting(self, splitter: Splitter) -> Splitter:
        """The splitter, told to report as ``verbose`` asks: not at all, by a line a split, or by a callback."""
        if callable(self.verbose) and isinstance(splitter, ELCSplitter):
            return replace(splitter, progress=self.verbose)
        if not check_verbose(self.verbose, or_callable=isinstance(splitter, ELCSplitter)):
            return splitter
        live = LiveLine()
        if isinstance(splitter, ELCSplitter):
            splitter = replace(splitter, progress=live)
        return ReportingSplitter(splitter, partial(print, f"[{type(self).__name__}]"), live)

    def _stopping(self, n_samples: int, deadline: Deadline | None) -> Stopping:
        """Check the stopping rules and turn fractions into counts."""
        return Stopping(
            max_depth=check_int("max_depth", self.max_depth, 1, optional=True),
            min_samples_split=check_count("min_samples_split", self.min_samples_split, 2, n_samples),
            min_samples_leaf=check_count("min_samples_leaf", self.min_samples_leaf, 1, n_samples),
            min_weight_fraction_leaf=check_real("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5),
            min_impurity_decrease=check_real("min_impurity_decrease", self.min_impurity_decrease, 0.0),
            max_leaf_nodes=check_int("max_leaf_nodes", self.max_leaf_nodes, 2, optional=True),
            deadline=deadline,
        )

    def _forget(self) -> None:
        for name in FITTED:
            self.__dict__.pop(name, None)

    def _remember(self, tree: Tree, classes: NDArray[Any], importances: FloatArray) -> None:
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.feature_importances_ = importances
        self.tree_ = tree

    def _check_rows(self, X: Table) -> FloatArray:
        check_is_fitted(self)
        return self._filled(check_rows(self, X))

    def _filled(self, rows: FloatArray) -> FloatArray:
        """Return rows as the tree takes them: without missing values where the method cannot have any."""
        return filled(rows, self.fill_values_) if self._imputes else rows

    def predict_proba(self, X: Table) -> FloatArray:
        """Return the class proportions of each row's leaf, columns in the order of ``classes_``."""
        rows = self._check_rows(X)
        return self.tree_.predict_value(rows)

    def predict_log_proba(self, X: Table) -> FloatArray:
        """Return the natural logarithm of `predict_proba`; -inf where a class is absent from the leaf."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Table) -> NDArray[Any]:
        """Return the most frequent class of each row's leaf, the first in ``classes_`` among equals."""
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        labels: NDArray[Any] = self.classes_[likeliest]
        return labels

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
        data, growth = type(self)(**self.get_params(deep=False))._prepare(X, y, sample_weight)
        tree = growth(data.weights)
        warn_if_cut_short(growth.stopping.deadline, tree)
        path = pruning_path(tree)
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)

    def save(self, path: storage.PathLike) -> None:
        """Write the fitted model to a JSON file, documented in `cart_elc.storage`; `cart_elc.load` reads it."""
        check_is_fitted(self)
        storage.write(path, self._document())

    def _document(self) -> storage.Json:
        names = getattr(self, "feature_names_in_", None)
        fill = {"fill_values": self.fill_values_} if self._imputes else {}
        return {
            "estimator": type(self).__name__,
            "params": storage.encode_params(self.get_params(deep=False)),
            "classes": storage.encode_labels(self.classes_),
            "n_features": self.n_features_in_,
            "feature_names": None if names is None else list(names),
            "feature_importances": self.feature_importances_,
            "rounding": getattr(self, "rounding_", None),
            **fill,
            "nodes": storage.encode_tree(self.tree_),
        }

    @classmethod
    def _from_document(cls, document: storage.Json) -> Self:
        model = cls(**storage.decode_params(document["params"]))
        classes = storage.decode_labels(document["classes"])
        model.n_features_in_ = int(document["n_features"])
        if document["feature_names"] is not None:
            model.feature_names_in_ = storage.decode_column(document, "feature_names", object)
        if cls._imputes:
            model.fill_values_ = storage.decode_column(document, "fill_values", np.float64)
        tree = storage.decode_tree(document["nodes"], model.n_features_in_, len(classes))
        model._remember(tree, classes, storage.decode_column(document, "feature_importances", np.float64))
        if document.get("rounding") is not None:
            model.rounding_ = decode_table(document["rounding"], tree.n_nodes)
        return model

    def _html_repr(self) -> str:
        """Return scikit-learn's diagram for notebooks, and below it the tree once there is one."""
        diagram: str = estimator_html_repr(self)
        return diagram + notebook_frame(self) if hasattr(self, "tree_") else diagram

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
