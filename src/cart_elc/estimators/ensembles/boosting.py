"""Stochastic gradient boosting on exact regression splits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from cart_elc.categories import Table
from cart_elc.estimators.ensembles.base_boosting import BaseBoosting
from cart_elc.estimators.ensembles.losses import probabilities_of
from cart_elc.targets import Classes, Number
from cart_elc.tree import FloatArray


@dataclass(kw_only=True, eq=False, repr=False)
class ELCBoostingClassifier(ClassifierMixin, BaseBoosting):
    """Boosted trees of exact oblique splits that lower the log-loss.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int

    Notes
    -----
    With ``g`` minus the first and ``h`` the second derivative of the loss at a row, a stage grows the tree of the
    numbers ``g / h`` with weights ``h`` by exact splits of least squared error. Features must be numbers; missing
    values go to the better side.

    References
    ----------
    J. Friedman, "Stochastic Gradient Boosting", Computational Statistics and Data Analysis 38, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import ELCBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ELCBoostingClassifier(n_estimators=10).fit(X, y)
    >>> model.estimators_.shape, bool(model.score(X, y) > 0.95)
    ((10, 3), True)
    """

    target_kind: ClassVar[str] = Classes.kind

    def decision_function(self, X: Table) -> FloatArray:
        """Return the scores: of two classes the logit of the second, else one column a class."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict_proba(self, X: Table) -> FloatArray:
        """Return the probabilities of the classes, in the order of ``classes_``."""
        return self._probabilities(self._scores(X))

    def predict_log_proba(self, X: Table) -> FloatArray:
        """Return the natural logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Table) -> NDArray[Any]:
        """Return the likeliest class, the first in ``classes_`` among equals."""
        return self._labels(self.predict_proba(X))

    def staged_predict_proba(self, X: Table) -> Iterator[FloatArray]:
        """Yield what `predict_proba` would return after each stage."""
        return map(self._probabilities, self._staged_scores(X))

    def staged_predict(self, X: Table) -> Iterator[NDArray[Any]]:
        """Yield what `predict` would return after each stage."""
        return map(self._labels, self.staged_predict_proba(X))

    def _probabilities(self, scores: FloatArray) -> FloatArray:
        return probabilities_of(scores)[:, : self.n_classes_]

    def _labels(self, probabilities: FloatArray) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return labels


@dataclass(kw_only=True, eq=False, repr=False)
class ELCBoostingRegressor(RegressorMixin, BaseBoosting):
    """Boosted trees of exact oblique splits that lower the squared error.

    Notes
    -----
    With ``g`` minus the first and ``h`` the second derivative of the loss at a row, a stage grows the tree of the
    numbers ``g / h`` with weights ``h`` by exact splits of least squared error. Features must be numbers; missing
    values go to the better side.

    References
    ----------
    J. Friedman, "Stochastic Gradient Boosting", Computational Statistics and Data Analysis 38, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from cart_elc import ELCBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ELCBoostingRegressor(n_estimators=10, max_features="sqrt", random_state=0).fit(X, y)
    >>> model.estimators_.shape
    (10, 1)
    """

    target_kind: ClassVar[str] = Number.kind

    def predict(self, X: Table) -> FloatArray:
        """Return the number of each row."""
        return self._scores(X)[:, 0]

    def staged_predict(self, X: Table) -> Iterator[FloatArray]:
        """Yield what `predict` would return after each stage."""
        return (scores[:, 0] for scores in self._staged_scores(X))
