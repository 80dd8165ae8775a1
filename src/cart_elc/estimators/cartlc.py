"""CART-LC: trees of linear combination splits."""

from dataclasses import dataclass
from typing import ClassVar

from cart_elc.criteria import PAPERS
from cart_elc.estimators.parameters import check_criterion, check_real
from cart_elc.estimators.validation_pruned import ValidationPrunedClassifier
from cart_elc.splitters.cartlc import CARTLCSplitter
from cart_elc.splitters.reporting import Progress


@dataclass(kw_only=True, eq=False, repr=False)
class CARTLCClassifier(ValidationPrunedClassifier):
    """CART-LC: linear combination splits found coefficient by coefficient, with backward deletion of features.

    Parameters
    ----------
    criterion : {"gini", "twoing", "information_gain"}, default="gini"
        The score of a split.
    tolerance : float, default=0.0
        The search ends with the first cycle over all coefficients that improves the score by no more than this. At 0 a
        combination is a local optimum of each of its coefficients.
    deletion : float, default=0.2
        A feature is deleted from a combination if that costs less than this share of what deleting the most important
        feature costs; 0 keeps all.

    Notes
    -----
    ``sample_weight`` and ``class_weight`` enter the medians, the quartiles and the scores; a weight of two is a
    repeated row. ``docs/algorithms.md`` lists where this differs from the book.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, section 5.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import CARTLCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTLCClassifier(max_depth=2).fit(X, y)
    >>> model.get_n_leaves(), bool(model.score(X, y) > 0.95)
    (3, True)
    """

    imputes: ClassVar[bool] = True

    criterion: str = "gini"
    tolerance: float = 0.0
    deletion: float = 0.2

    def _make_splitter(self, n_features: int, progress: Progress | None) -> CARTLCSplitter:
        return CARTLCSplitter(
            criterion=check_criterion(self.criterion, PAPERS),
            tolerance=check_real("tolerance", self.tolerance, 0.0),
            deletion=check_real("deletion", self.deletion, 0.0, 1.0),
        )
