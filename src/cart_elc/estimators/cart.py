"""CART: trees of axis-parallel splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.estimators.parameters import check_choice
from cart_elc.estimators.validated import ValidatedTreeClassifier
from cart_elc.splitters.axis import AxisSplitter


class CARTClassifier(ValidatedTreeClassifier):
    """CART: the best cut on one feature, thresholds midway between neighbouring values.

    Parameters
    ----------
    criterion : {"gini", "twoing", "information_gain"}, default="gini"
        The score of a split.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease, max_leaf_nodes
        The stopping rules, as in `ELCClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class.
    ccp_alpha : float, default=0.0
        Price per leaf in minimal cost-complexity pruning by impurity.
    pruning : {"cv", "holdout"} or None, default=None
        Choose the price per leaf, in errors, by cross-validation or on a held-out part of the rows. The default is
        none, because a random choice of rows cannot treat a weight of two like a repeated row.
    standard_errors : float, default=0.0
        The smallest tree within this many standard errors of the least error is taken: 0 is the 0-SE rule, 1 the 1-SE.
    n_folds : int, default=10
        Folds of the cross-validation.
    holdout_fraction : float, default=0.1
        The held-out part.
    random_state : int, RandomState or None, default=None
        Chooses the folds or the held-out part.
    verbose : int or bool, default=0
        If positive, a line per search is printed.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_, tree_, feature_importances_
        As in `ELCClassifier`.

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

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: dict[Any, float] | str | None = None,
        ccp_alpha: float = 0.0,
        pruning: str | None = None,
        standard_errors: float = 0.0,
        n_folds: int = 10,
        holdout_fraction: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.standard_errors = standard_errors
        self.n_folds = n_folds
        self.holdout_fraction = holdout_fraction
        self.random_state = random_state
        self.verbose = verbose

    def _make_splitter(self, n_features: int) -> AxisSplitter:
        return AxisSplitter(check_choice("criterion", self.criterion, CRITERIA))
