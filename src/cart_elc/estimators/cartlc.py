"""CART-LC: trees of linear combination splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.estimators.parameters import check_choice, check_real
from cart_elc.estimators.validated import ValidatedTreeClassifier
from cart_elc.splitters.cartlc import CARTLCSplitter


class CARTLCClassifier(ValidatedTreeClassifier):
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
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease, max_leaf_nodes
        The stopping rules, as in `ELCClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class.
    ccp_alpha : float, default=0.0
        Price per leaf in minimal cost-complexity pruning by impurity.
    pruning, standard_errors, n_folds, holdout_fraction, random_state
        Of pruning, as in `CARTClassifier`; the search itself is deterministic.
    verbose : int or bool, default=0
        If positive, a line per search is printed.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_, tree_, feature_importances_
        As in `ELCClassifier`.
    fill_values_ : ndarray of shape (n_features_in_,)
        The weighted means of the training columns, which replace missing values in fit and predict.

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

    _imputes = True

    def __init__(
        self,
        *,
        criterion: str = "gini",
        tolerance: float = 0.0,
        deletion: float = 0.2,
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
        self.tolerance = tolerance
        self.deletion = deletion
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

    def _make_splitter(self, n_features: int) -> CARTLCSplitter:
        return CARTLCSplitter(
            criterion=check_choice("criterion", self.criterion, CRITERIA),
            tolerance=check_real("tolerance", self.tolerance, 0.0),
            deletion=check_real("deletion", self.deletion, 0.0, 1.0),
        )
