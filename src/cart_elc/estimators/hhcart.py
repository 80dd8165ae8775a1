"""HHCART: trees of oblique splits along Householder-reflected axes."""

from dataclasses import dataclass, field
from typing import ClassVar

from cart_elc.criteria import PAPERS
from cart_elc.estimators.base import BaseTreeClassifier
from cart_elc.estimators.parameters import check_choice, check_criterion
from cart_elc.splitters.householder import HouseholderSplitter
from cart_elc.splitters.reporting import Progress

VARIANTS = ("A", "D")


@dataclass(kw_only=True, eq=False, repr=False)
class HHCARTClassifier(BaseTreeClassifier):
    """HHCART: the best axis-parallel split after reflecting a class's principal direction to an axis.

    Parameters
    ----------
    variant : {"A", "D"}, default="A"
        Reflect all eigenvectors of each class's covariance, or the dominant one only.
    criterion : {"gini", "twoing", "information_gain"}, default="gini"
        The score of a split.

    Notes
    -----
    ``sample_weight`` and ``class_weight`` enter the covariance matrices, the means and the scores; a weight of two is a
    repeated row. Differs from the paper: the original axes are always searched too, and eigenvectors of zero variance,
    which are arbitrary, are not used. Features are not scaled, as in the paper: the splits depend on their units.

    References
    ----------
    D. Wickramarachchi, B. Robertson, M. Reale, C. Price, J. Brown, "HHCART: An oblique decision tree", Computational
    Statistics and Data Analysis 96 (2016), 12-23.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import HHCARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = HHCARTClassifier(variant="D", max_depth=2).fit(X, y)
    >>> model.get_n_leaves(), bool(model.score(X, y) > 0.95)
    (3, True)
    """

    imputes: ClassVar[bool] = True

    variant: str = field(default="A", kw_only=False)
    criterion: str = "gini"

    def _make_splitter(self, n_features: int, progress: Progress | None) -> HouseholderSplitter:
        return HouseholderSplitter(
            check_choice("variant", self.variant, VARIANTS), check_criterion(self.criterion, PAPERS)
        )
