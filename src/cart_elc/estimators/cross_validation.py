"""How well a method does on rows that it was not fitted on."""

from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from cart_elc.categories import Table
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.data import Column
from cart_elc.tree import FloatArray


def cross_validated_scores(model: BaseTree, X: Table, y: Column, n_folds: int) -> FloatArray:
    """Return the score of each fold: accuracy or, of a regressor, R². Folds are shuffled, always in the same way."""
    folds = StratifiedKFold if is_classifier(model) else KFold
    silent = clone(model).set_params(verbose=0)
    scores: FloatArray = cross_val_score(silent, X, y, cv=folds(n_folds, shuffle=True, random_state=0))
    return scores
