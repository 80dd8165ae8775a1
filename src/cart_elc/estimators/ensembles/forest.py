"""Forests of trees whose every split is proven best on the features that its node has drawn."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, r2_score

from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.data import TrainingSet, class_factors
from cart_elc.estimators.elc import ELCClassifier, ELCRegressor
from cart_elc.estimators.ensembles.base_forest import BaseForest
from cart_elc.estimators.model import Classifier, Regressor
from cart_elc.tree import FloatArray, IntArray


@dataclass(kw_only=True, eq=False, repr=False)
class ELCForestClassifier(Classifier, BaseForest):
    """A random forest whose every split is the proven best linear one on the features that its node has drawn.

    Each tree is grown from a bootstrap sample to pure leaves. At each node ``max_features`` features are drawn, and of
    all linear splits on at most ``r`` of them the best is taken; where there is none, other features are drawn. A
    forest predicts better than one tree and cannot be read as one can: see ``docs/forests.md``.

    Parameters
    ----------
    criterion : {"gini", "twoing", "information_gain", "mdl"}, default="gini"
        The score of a split, as in `ELCClassifier`.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        Features drawn at each node: a number, a share, or a function of their number; None is all.
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        Factors of the rows' weights by class; "balanced_subsample" balances the rows that each tree has drawn.

    Attributes
    ----------
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        What trees that have not drawn a row predict for it; NaN where all have. Only with ``oob_score``.

    Notes
    -----
    Rows are drawn in proportion to ``sample_weight``, which so counts rows; ``class_weight`` is what a draw weighs.
    Differs from scikit-learn's forest, where rows are drawn evenly and weights count only within a tree.

    References
    ----------
    L. Breiman, "Random Forests", Machine Learning 45, 2001, 5-32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import ELCForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ELCForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.93), len(forest.estimators_)
    (True, 50)
    """

    tree_class: ClassVar[type[BaseTree]] = ELCClassifier

    criterion: str = "gini"
    max_features: int | float | str | None = "sqrt"
    class_weight: dict[Any, float] | str | None = None

    def _factors(self, data: TrainingSet) -> FloatArray:
        weighting = None if self._balances_draws else self.class_weight
        codes: IntArray = data.target.y  # type: ignore[assignment]
        return class_factors(weighting, data.classes, codes, data.weights)[codes]

    def _score_out_of_bag(self, data: TrainingSet, outputs: FloatArray, seen: NDArray[np.bool_]) -> None:
        self.oob_decision_function_ = outputs
        metric = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = float(metric(self.classes_[data.target.y[seen]], self.answers_of(outputs[seen])))


@dataclass(kw_only=True, eq=False, repr=False)
class ELCForestRegressor(Regressor, BaseForest):
    """A random forest for numbers; its splits leave the least squared error of all linear ones on the drawn features.

    Parameters
    ----------
    criterion : {"squared_error", "mdl"}, default="squared_error"
        The score of a split, as in `ELCRegressor`.
    max_features : int, float, {"sqrt", "log2"} or None, default=0.75
        Features drawn at each node: a number, a share, or a function of their number; None is all.

    Attributes
    ----------
    oob_prediction_ : ndarray of shape (n_samples,)
        What trees that have not drawn a row predict for it; NaN where all have. Only with ``oob_score``.

    Notes
    -----
    Rows are drawn in proportion to ``sample_weight``, as by `ELCForestClassifier`.

    References
    ----------
    L. Breiman, "Random Forests", Machine Learning 45, 2001, 5-32.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from cart_elc import ELCForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ELCForestRegressor(20, max_depth=4, random_state=0).fit(X, y)
    >>> forest.predict(X).shape
    (442,)
    """

    tree_class: ClassVar[type[BaseTree]] = ELCRegressor

    criterion: str = "squared_error"
    max_features: int | float | str | None = 0.75

    def _factors(self, data: TrainingSet) -> FloatArray:
        return np.ones(len(data.X))

    def _score_out_of_bag(self, data: TrainingSet, outputs: FloatArray, seen: NDArray[np.bool_]) -> None:
        self.oob_prediction_ = outputs[:, 0]
        metric = self.oob_score if callable(self.oob_score) else r2_score
        self.oob_score_ = float(metric(data.target.y[seen], self.oob_prediction_[seen]))
