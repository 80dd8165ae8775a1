"""The estimators by name, and loading of saved ones."""

from cart_elc.estimators import persistence
from cart_elc.estimators.base import BaseTree, BaseTreeClassifier, BaseTreeRegressor
from cart_elc.estimators.c45 import C45Classifier
from cart_elc.estimators.cart import CARTClassifier, CARTRegressor
from cart_elc.estimators.cartlc import CARTLCClassifier
from cart_elc.estimators.elc import ELCClassifier, ELCRegressor
from cart_elc.estimators.ensembles.boosting import ELCBoostingClassifier, ELCBoostingRegressor
from cart_elc.estimators.ensembles.ensemble import Ensemble
from cart_elc.estimators.ensembles.forest import ELCForestClassifier, ELCForestRegressor
from cart_elc.estimators.ensembles.storage import is_compact, read_compact
from cart_elc.estimators.hhcart import HHCARTClassifier
from cart_elc.estimators.model import Model
from cart_elc.estimators.oc1 import OC1Classifier
from cart_elc.tree.fields import Field, Json

CLASSIFIERS: dict[str, type[BaseTreeClassifier]] = {
    estimator.__name__: estimator
    for estimator in (ELCClassifier, HHCARTClassifier, OC1Classifier, CARTLCClassifier, CARTClassifier, C45Classifier)
}
REGRESSORS: dict[str, type[BaseTreeRegressor]] = {
    estimator.__name__: estimator for estimator in (ELCRegressor, CARTRegressor)
}
ESTIMATORS: dict[str, type[BaseTree]] = {**CLASSIFIERS, **REGRESSORS}
"""Every estimator of one tree. The tests run over this dict: an estimator is tested by being here."""
ENSEMBLES: dict[str, type[Ensemble]] = {
    estimator.__name__: estimator
    for estimator in (ELCForestClassifier, ELCForestRegressor, ELCBoostingClassifier, ELCBoostingRegressor)
}
"""Every estimator of many trees."""


def load(path: persistence.PathLike) -> Model:
    """Return the model that ``save`` wrote; it predicts the same to the last bit.

    Only the package's own estimators are made, so that loading runs no code from the file.

    Raises
    ------
    ValueError
        If the file is truncated or damaged, of a newer version, or not a cart-elc model.
    """
    read = read_compact if is_compact(path) else persistence.read
    return persistence.parse(path, read(path), from_document)


def from_document(document: Json) -> Model:
    fields = Field(document)
    known: dict[str, type[Model]] = {**ESTIMATORS, **ENSEMBLES}
    return known[fields["estimator"].text(known)].from_document(fields)
