"""CART: trees of axis-parallel splits."""

from dataclasses import dataclass

from cart_elc.criteria import PAPERS
from cart_elc.estimators.base import BaseTreeRegressor
from cart_elc.estimators.parameters import check_choice, check_criterion
from cart_elc.estimators.validation_pruned import ValidationPruned, ValidationPrunedClassifier
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import Progress


@dataclass(kw_only=True, eq=False, repr=False)
class CARTClassifier(ValidationPrunedClassifier):
    """CART: the best cut on one feature, thresholds midway between neighbouring values.

    Parameters
    ----------
    criterion : {"gini", "twoing", "information_gain"}, default="gini"
        The score of a split.

    Notes
    -----
    ``sample_weight`` and ``class_weight`` count as numbers of rows everywhere; a weight of two is a repeated row.
    Differs from the book: rows with a missing value go as one block to the side where they score better, where CART
    uses surrogate splits.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, chapters 2-4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> CARTClassifier(pruning="cv", standard_errors=1.0, random_state=0).fit(X, y).get_n_leaves()
    3
    """

    criterion: str = "gini"

    def _make_splitter(self, n_features: int, progress: Progress | None) -> AxisSplitter:
        return AxisSplitter(check_criterion(self.criterion, PAPERS))


@dataclass(kw_only=True, eq=False, repr=False)
class CARTRegressor(ValidationPruned, BaseTreeRegressor):
    """CART for numbers: the cut on one feature that leaves the least squared error, midway between two values.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        The score of a split.

    Notes
    -----
    Equally good cuts are decided by the wider gap between the values and then by the first feature, where scikit-learn
    draws one of the features.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, chapter 8.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from cart_elc import CARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> CARTRegressor(max_depth=2).fit(X, y).get_n_leaves()
    4
    """

    criterion: str = "squared_error"

    def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
        return ELCSplitter(r=1, criterion=check_choice("criterion", self.criterion, ("squared_error",)))
