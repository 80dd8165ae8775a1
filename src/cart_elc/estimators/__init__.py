"""Estimators with scikit-learn's interface: the only modules, with data sets, that import it."""

from cart_elc.estimators.registry import CLASSIFIERS, ESTIMATORS, REGRESSORS

__all__ = ["CLASSIFIERS", "ESTIMATORS", "REGRESSORS"]
