"""What every estimator is, of one tree or of many: fitted whole or not at all, and with one way to predict."""

from abc import ABCMeta, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from cart_elc.categories import Table
from cart_elc.estimators.data import Column, TrainingSet, check_rows
from cart_elc.estimators.inherited_docs import with_inherited
from cart_elc.estimators.persistence import SavedModel
from cart_elc.targets import Classes, Number
from cart_elc.tree import FloatArray
from cart_elc.tree.fields import Field, Json

FITTED = ("tree_", "estimators_")
"""What a fitted model has one of."""


class Model(SavedModel, BaseEstimator, metaclass=ABCMeta):
    """Base of all estimators; the docstring of each gets what its bases say of parameters and attributes.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had names, all of them strings.
    """

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        super().__init_subclass__(**options)
        for base in cls.__bases__:
            cls.__doc__ = with_inherited(cls.__doc__ or "", base.__doc__ or "")

    def fit(self, X: Table, y: Column, sample_weight: Column | None = None) -> Self:
        """Grow the tree or the trees.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Numbers; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type; numbers for a regressor.
        sample_weight : array-like of shape (n_samples,) or a number, optional
            Non-negative weights; one number is the weight of every row. A row of weight zero is as good as absent,
            save that its class stays known.

        Returns
        -------
        self
            Interrupted or refused, the estimator is left unfitted.
        """
        before = self._forget()
        try:
            self._learn(X, y, sample_weight, before)
        except BaseException:
            self._forget()
            raise
        return self

    @abstractmethod
    def _learn(self, X: Table, y: Column, sample_weight: Column | None, before: Json) -> None:
        """Check the data and learn from them; ``before`` has what the last fit gave, by name."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: Field) -> Self:
        """Return the model of a document; every field is checked."""

    @abstractmethod
    def outputs_of(self, rows: FloatArray) -> FloatArray:
        """Return what is predicted for rows as the trees take them: the shares of the classes, or one number each."""

    @abstractmethod
    def answers_of(self, outputs: FloatArray) -> NDArray[Any]:
        """Return the answers that outputs stand for: labels or numbers."""

    def predict(self, X: Table) -> NDArray[Any]:
        """Return the likeliest class of each row, the first in ``classes_`` among equals, or its number.

        The number of a tree is the mean of the row's leaf, and that of a forest the mean over its trees.
        """
        return self.answers_of(self._outputs(X))

    def _outputs(self, X: Table) -> FloatArray:
        return self.outputs_of(self._check_rows(X))

    def _check_rows(self, X: Table) -> FloatArray:
        check_is_fitted(self)
        return self.as_tree_rows(check_rows(self, X))

    def as_tree_rows(self, rows: FloatArray) -> FloatArray:
        """Return rows as the trees take them: without missing values where the method cannot have any."""
        return rows

    def _forget(self) -> Json:
        """Remove what fitting gave the estimator, and return it."""
        fitted = {name: value for name, value in vars(self).items() if name.endswith("_")}
        for name in fitted:
            delattr(self, name)
        return fitted

    def _note_classes(self, data: TrainingSet) -> None:
        if self.target_kind == Classes.kind:
            self.classes_, self.n_classes_ = data.classes, len(data.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return any(name in vars(self) for name in FITTED)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class Classifier(ClassifierMixin, Model):
    """A model that predicts classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
    """

    target_kind: ClassVar[str] = Classes.kind

    def predict_proba(self, X: Table) -> FloatArray:
        """Return the probabilities of the classes, in the order of ``classes_``.

        Those of a tree are the class proportions of each row's leaf, and those of a forest their means over its trees.
        """
        return self._outputs(X)

    def predict_log_proba(self, X: Table) -> FloatArray:
        """Return the natural logarithm of `predict_proba`; -inf where that is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def answers_of(self, outputs: FloatArray) -> NDArray[Any]:
        """Return the labels of the largest shares."""
        labels: NDArray[Any] = self.classes_[np.argmax(outputs, axis=1)]
        return labels


class Regressor(RegressorMixin, Model):
    """A model that predicts numbers."""

    target_kind: ClassVar[str] = Number.kind

    def answers_of(self, outputs: FloatArray) -> FloatArray:
        """Return the numbers."""
        return outputs[:, 0]
