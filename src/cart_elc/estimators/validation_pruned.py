"""Trees that can choose their size on rows kept apart: CART-ELC, CART, CART-LC and OC1."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from cart_elc.estimators.base import BaseTree, BaseTreeClassifier
from cart_elc.estimators.parameters import check_choice, check_real, check_whole
from cart_elc.pruning.pruner import Pruner
from cart_elc.pruning.validated import CrossValidated, HeldOut

PRUNING = ("cv", "holdout")


@dataclass(kw_only=True, eq=False, repr=False)
class ValidationPruned(BaseTree):
    """An estimator with the parameters of validated pruning.

    Parameters
    ----------
    pruning : {"cv", "holdout"} or None, default=None
        Choose the price per leaf, in errors or squared errors, by cross-validation or on a held-out part of the rows.
        The default is none, because a random choice of rows cannot treat a weight of two like a repeated row.
    standard_errors : float, default=0.0
        The smallest tree within this many standard errors of the least error is taken: 0 is the 0-SE rule, 1 the 1-SE.
    n_folds : int, default=10
        Folds of the cross-validation.
    holdout_fraction : float, default=0.1
        The held-out part.
    random_state : int, RandomState or None, default=None
        Chooses the folds or the held-out part.
    """

    pruning: str | None = None
    standard_errors: float = 0.0
    n_folds: int = 10
    holdout_fraction: float = 0.1
    random_state: int | np.random.RandomState | None = None

    def _make_pruner(self) -> Pruner:
        by_price = super()._make_pruner()
        standard_errors = check_real("standard_errors", self.standard_errors, 0.0)
        n_folds = check_whole("n_folds", self.n_folds, 2)
        fraction = check_real("holdout_fraction", self.holdout_fraction, 0.0, 0.9)
        if self.pruning is None:
            return by_price
        method = check_choice("pruning", self.pruning, PRUNING)
        if self.ccp_alpha > 0:
            raise ValueError(f"ccp_alpha must be 0 where pruning={method!r} chooses the tree, got {self.ccp_alpha!r}")
        seed = random_seed(self.random_state)
        if method == "cv":
            return CrossValidated(n_folds, standard_errors, seed)
        return HeldOut(fraction, standard_errors, seed)


@dataclass(kw_only=True, eq=False, repr=False)
class ValidationPrunedClassifier(ValidationPruned, BaseTreeClassifier):
    """A classifier with the parameters of validated pruning."""


def random_seed(random_state: Any) -> int:  # noqa: ANN401
    """Return a seed: the int itself, or one drawn from a generator or from NumPy's global one."""
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
