"""What forests and boosted trees share: trees that are estimators of their own, and their form in a file."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cart_elc.compiled_growth import GrownTree
from cart_elc.estimators.base import BaseTree
from cart_elc.estimators.ensembles.storage import write_ensemble
from cart_elc.estimators.model import Model
from cart_elc.estimators.persistence import PathLike
from cart_elc.targets import Classes
from cart_elc.tree import FloatArray, Tree
from cart_elc.tree.fields import Json


class Ensemble(Model):
    """Base of the estimators of many trees, which are ``estimators_``: fitted estimators of the class ``tree_class``.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features_in_,)
        The mean over the trees that have a split; normalised to sum to 1.
    """

    tree_class: ClassVar[type[BaseTree]]

    estimators_: Any

    @abstractmethod
    def _tree_parameters(self) -> Json:
        """Return the parameters of the trees."""

    @abstractmethod
    def _own_facts(self) -> Json:
        """Return what the ensemble's file says beside its heading and its trees."""

    def _as_estimator(self, grown: GrownTree | None) -> BaseTree:
        """Return a tree as an estimator of its own; without one, an estimator that has its parameters."""
        model = self.tree_class(**self._tree_parameters())
        if grown is not None:
            of_classes = ("classes_", "n_classes_") if self.tree_class.target_kind == Classes.kind else ()
            for name in ("n_features_in_", "feature_names_in_", *of_classes):
                if hasattr(self, name):
                    setattr(model, name, getattr(self, name))
            model.tree_, model.feature_importances_ = grown
        return model

    def tree_criterion(self) -> str:
        """Return what `cart_elc.criteria` calls the criterion of the trees."""
        return self._as_estimator(None).tree_criterion()

    def _models(self) -> list[BaseTree]:
        """Return the trees as estimators, one after the other."""
        check_is_fitted(self)
        return list(np.ravel(self.estimators_))

    def _trees(self) -> list[Tree]:
        return [model.tree_ for model in self._models()]

    @property
    def feature_importances_(self) -> FloatArray:
        """The mean of the importances of the trees that have a split; they sum to 1."""
        mean: FloatArray = np.mean([model.feature_importances_ for model in self._models()], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean

    def save(self, path: PathLike) -> None:
        """Write the fitted ensemble to a file that `cart_elc.load` reads.

        It is JSON or, where the name ends in ``.npz``, a compact archive of arrays; both are documented in
        `cart_elc.estimators.ensembles.storage`. Of the rows out of a forest's bags only the score is kept.
        """
        trees = [GrownTree(model.tree_, model.feature_importances_) for model in self._models()]
        write_ensemble(path, self.heading() | self._own_facts(), trees)
