"""Estimators with scikit-learn's interface: the only modules that import it."""

from cart_elc.estimators.registry import ESTIMATORS

__all__ = ["ESTIMATORS"]
