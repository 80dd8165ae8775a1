"""Estimators with scikit-learn's interface: the only modules, with data sets, that import it."""

from cart_elc.estimators.best_split import best_split
from cart_elc.estimators.c45 import C45Classifier
from cart_elc.estimators.cart import CARTClassifier
from cart_elc.estimators.cartlc import CARTLCClassifier
from cart_elc.estimators.elc import ELCClassifier
from cart_elc.estimators.hhcart import HHCARTClassifier
from cart_elc.estimators.oc1 import OC1Classifier
from cart_elc.estimators.registry import ESTIMATORS, load

__all__ = [
    "ESTIMATORS",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "ELCClassifier",
    "HHCARTClassifier",
    "OC1Classifier",
    "best_split",
    "load",
]
