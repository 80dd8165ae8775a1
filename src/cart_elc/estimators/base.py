"""What all tree classifiers share: fitting, prediction, pruning and saving.

A classifier adds its parameters and `_make_splitter`; it has no growth loop, tree or prediction of its own.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Bunch, Tags
from sklearn.utils.validation import check_is_fitted

from cart_elc import storage
from cart_elc.estimators.data import Column, Table, TrainingSet, check_rows, check_training_set
from cart_elc.estimators.parameters import check_count, check_deadline, check_int, check_real
from cart_elc.growing import Stopping, grow
from cart_elc.importances import feature_importances
from cart_elc.pruning import prune, pruning_path
from cart_elc.splitters.reporting import ReportingSplitter
from cart_elc.splitters.split import Splitter
from cart_elc.tree import FloatArray, IntArray, Tree

FITTED = ("tree_", "classes_", "n_classes_", "n_features_in_", "feature_names_in_", "feature_importances_")


class BaseTreeClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the tree classifiers.

    A subclass stores its parameters in ``__init__`` as scikit-learn asks, among them those of the stopping rules,
    ``class_weight``, ``ccp_alpha`` and ``verbose``; a ``time_limit`` is optional.
    """

    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    min_impurity_decrease: float
    max_leaf_nodes: int | None
    class_weight: dict[Any, float] | str | None
    ccp_alpha: float
    verbose: int
    time_limit: float | None = None

    tree_: Tree
    classes_: NDArray[Any]
    n_classes_: int
    n_features_in_: int
    feature_importances_: FloatArray

    @abstractmethod
    def _make_splitter(self, n_features: int) -> Splitter:
        """Check the method's own parameters and return its splitter."""

    def fit(self, X: Table, y: Column, sample_weight: Column | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Numbers; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights. A row of weight zero is as good as absent, save that its class stays known.

        Returns
        -------
        self
            Interrupted or refused, the estimator is left unfitted.
        """
        self._forget()
        try:
            data, tree = self._grow(X, y, sample_weight)
            tree = prune(tree, check_real("ccp_alpha", self.ccp_alpha, 0.0))
            self._remember(tree, data.classes, feature_importances(tree, data.X, data.weights))
        except BaseException:
            self._forget()
            raise
        return self

    def _grow(self, X: Table, y: Column, sample_weight: Column | None) -> tuple[TrainingSet, Tree]:
        deadline = check_deadline(self.time_limit)
        data = check_training_set(self, X, y, sample_weight, self.class_weight)
        stopping = self._stopping(data.n_samples, deadline)
        splitter = self._make_splitter(data.X.shape[1])
        if check_int("verbose", self.verbose, 0):
            splitter = ReportingSplitter(splitter, partial(print, f"[{type(self).__name__}]"))
        return data, grow(data.X, data.y, data.weights, len(data.classes), splitter, stopping)

    def _stopping(self, n_samples: int, deadline: float | None) -> Stopping:
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

    def predict_proba(self, X: Table) -> FloatArray:
        """Return the class proportions of each row's leaf, columns in the order of ``classes_``."""
        check_is_fitted(self)
        return self.tree_.predict_value(check_rows(self, X))

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
        check_is_fitted(self)
        return self.tree_.apply(check_rows(self, X))

    def decision_path(self, X: Table) -> csr_matrix:
        """Return a sparse matrix whose entry (i, j) is true if row ``i`` passes through node ``j``."""
        check_is_fitted(self)
        return self.tree_.decision_path(check_rows(self, X))

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
        path = pruning_path(type(self)(**self.get_params(deep=False))._grow(X, y, sample_weight)[1])
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)

    def save(self, path: storage.PathLike) -> None:
        """Write the fitted model to a JSON file, documented in `cart_elc.storage`; `cart_elc.load` reads it."""
        check_is_fitted(self)
        storage.write(path, self._document())

    def _document(self) -> storage.Json:
        names = getattr(self, "feature_names_in_", None)
        return {
            "estimator": type(self).__name__,
            "params": storage.encode_params(self.get_params(deep=False)),
            "classes": storage.encode_labels(self.classes_),
            "n_features": self.n_features_in_,
            "feature_names": None if names is None else list(names),
            "feature_importances": self.feature_importances_,
            "nodes": storage.encode_tree(self.tree_),
        }

    @classmethod
    def _from_document(cls, document: storage.Json) -> Self:
        model = cls(**storage.decode_params(document["params"]))
        classes = storage.decode_labels(document["classes"])
        model.n_features_in_ = int(document["n_features"])
        if document["feature_names"] is not None:
            model.feature_names_in_ = storage.decode_column(document, "feature_names", object)
        tree = storage.decode_tree(document["nodes"], model.n_features_in_, len(classes))
        model._remember(tree, classes, storage.decode_column(document, "feature_importances", np.float64))
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
