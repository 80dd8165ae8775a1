"""Stochastic gradient boosting on exact regression splits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from cart_elc.categories import Table
from cart_elc.estimators.ensembles.base_boosting import BaseBoosting
from cart_elc.estimators.ensembles.losses import probabilities_of
from cart_elc.estimators.model import Classifier, Regressor
from cart_elc.tree import FloatArray


@dataclass(kw_only=True, eq=False, repr=False)
class ELCBoostingClassifier(Classifier, BaseBoosting):
    """Boosted trees of exact oblique splits that lower the log-loss.

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

    def decision_function(self, X: Table) -> FloatArray:
        """Return the scores: of two classes the logit of the second, else one column a class."""
        scores = super().outputs_of(self._check_rows(X))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def outputs_of(self, rows: FloatArray) -> FloatArray:
        """Return the probabilities of the classes."""
        return self._probabilities(super().outputs_of(rows))

    def staged_predict_proba(self, X: Table) -> Iterator[FloatArray]:
        """Yield what `predict_proba` would return after each stage."""
        return map(self._probabilities, self._staged_scores(self._check_rows(X)))

    def staged_predict(self, X: Table) -> Iterator[NDArray[Any]]:
        """Yield what `predict` would return after each stage."""
        return map(self.answers_of, self.staged_predict_proba(X))

    def _probabilities(self, scores: FloatArray) -> FloatArray:
        return probabilities_of(scores)[:, : self.n_classes_]


@dataclass(kw_only=True, eq=False, repr=False)
class ELCBoostingRegressor(Regressor, BaseBoosting):
    """Boosted trees of exact oblique splits that lower the squared error.

    Notes
    -----
    A stage grows the tree of what is left of the numbers, by exact splits of least squared error. Features must be
    numbers; missing values go to the better side.

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

    def staged_predict(self, X: Table) -> Iterator[FloatArray]:
        """Yield what `predict` would return after each stage."""
        return map(self.answers_of, self._staged_scores(self._check_rows(X)))
