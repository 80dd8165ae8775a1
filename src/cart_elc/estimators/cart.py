"""CART: trees of axis-parallel splits."""

from dataclasses import dataclass

from cart_elc.criteria import PAPERS
from cart_elc.estimators.parameters import check_criterion
from cart_elc.estimators.validation_pruned import ValidationPrunedClassifier
from cart_elc.splitters.axis import AxisSplitter
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
