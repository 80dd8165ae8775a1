"""Estimators with scikit-learn's interface: the only modules, with data sets, that import it."""

from cart_elc.estimators.best_split import best_split
from cart_elc.estimators.c45 import C45Classifier
from cart_elc.estimators.cart import CARTClassifier, CARTRegressor
from cart_elc.estimators.cartlc import CARTLCClassifier
from cart_elc.estimators.elc import ELCClassifier, ELCRegressor
from cart_elc.estimators.ensembles.boosting import ELCBoostingClassifier, ELCBoostingRegressor
from cart_elc.estimators.ensembles.forest import ELCForestClassifier, ELCForestRegressor
from cart_elc.estimators.hhcart import HHCARTClassifier
from cart_elc.estimators.oc1 import OC1Classifier
from cart_elc.estimators.registry import CLASSIFIERS, ENSEMBLES, ESTIMATORS, REGRESSORS, load

__all__ = [
    "CLASSIFIERS",
    "ENSEMBLES",
    "ESTIMATORS",
    "REGRESSORS",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "ELCBoostingClassifier",
    "ELCBoostingRegressor",
    "ELCClassifier",
    "ELCForestClassifier",
    "ELCForestRegressor",
    "ELCRegressor",
    "HHCARTClassifier",
    "OC1Classifier",
    "best_split",
    "load",
]
