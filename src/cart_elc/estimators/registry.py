"""The estimators by name, and loading of saved ones."""

from cart_elc.estimators import persistence
from cart_elc.estimators.base import BaseTree, BaseTreeClassifier, BaseTreeRegressor
from cart_elc.estimators.c45 import C45Classifier
from cart_elc.estimators.cart import CARTClassifier, CARTRegressor
from cart_elc.estimators.cartlc import CARTLCClassifier
from cart_elc.estimators.elc import ELCClassifier, ELCRegressor
from cart_elc.estimators.hhcart import HHCARTClassifier
from cart_elc.estimators.oc1 import OC1Classifier
from cart_elc.tree.storage import Json

CLASSIFIERS: dict[str, type[BaseTreeClassifier]] = {
    estimator.__name__: estimator
    for estimator in (ELCClassifier, HHCARTClassifier, OC1Classifier, CARTLCClassifier, CARTClassifier, C45Classifier)
}
REGRESSORS: dict[str, type[BaseTreeRegressor]] = {
    estimator.__name__: estimator for estimator in (ELCRegressor, CARTRegressor)
}
ESTIMATORS: dict[str, type[BaseTree]] = {**CLASSIFIERS, **REGRESSORS}
"""Every estimator of the package. The tests run over this dict: an estimator is tested by being here."""


def load(path: persistence.PathLike) -> BaseTree:
    """Return the model that ``save`` wrote; it predicts the same to the last bit.

    Only the package's own estimators are made, so that loading runs no code from the file.

    Raises
    ------
    ValueError
        If the file is truncated or damaged, of a newer version, or not a cart-elc model.
    """
    return persistence.parse(path, persistence.read(path), from_document)


def from_document(document: Json) -> BaseTree:
    name = document["estimator"]
    if name not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(ESTIMATORS)}, got {name!r}")
    return ESTIMATORS[name].from_document(document)
