"""Estimators with scikit-learn's interface: the only modules, with data sets, that import it."""

from cart_elc.estimators.registry import ESTIMATORS

__all__ = ["ESTIMATORS"]
