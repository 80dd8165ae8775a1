"""Models as JSON files that a person can read and that run no code when they are loaded.

A file is one object: ``format`` ("cart-elc"), ``version`` (1), ``estimator`` (its class name), ``params``, ``classes``
(``dtype`` and ``values``; only of classifiers), ``n_features``, ``feature_names`` (or null), ``feature_importances``,
``saw_missing`` (which features lacked values; may be absent), ``rounding`` (see `cart_elc.rounding`; may be absent),
``categories`` (the levels of each feature, null for one without) with ``is_categorical`` (both absent where no feature
has levels), ``refined`` (the fields of a `Refinement`; only of refined trees), ``fill_values`` (what replaces missing
values; only for estimators that impute) and ``nodes``. Nodes stand in preorder, one per line: ``n_samples``,
``weight``, ``impurity`` and ``value`` (weight per class; of regressors weight, mean and sum of squared deviations); a
split adds ``left`` and ``right`` (node numbers), ``features``, ``weights``, ``threshold``, ``missing`` ("left", "right"
or "both"), on a category ``left_levels`` and ``right_levels`` (positions among its levels), and its certificate:
``score``, ``bound``, ``proven``, ``n_candidates``, ``margin``. Numbers are written so that they read back to the same
bits; those that JSON lacks are the strings "nan", "inf" and "-inf". In ``params`` a dict is ``{"pairs":
[[key, value], ...]}``, a list ``{"items": [...]}``, and a text that reads as one of those numbers ``{"text": "inf"}``.
"""

import os
import warnings
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cart_elc.categories import Levels
from cart_elc.estimators.stored_values import (
    decode_categories,
    decode_column,
    decode_importances,
    decode_labels,
    decode_params,
    dumps,
    encode_labels,
    encode_param,
    encode_params,
)
from cart_elc.rounding.table import Offsets, decode_table
from cart_elc.targets import Classes
from cart_elc.tree import BoolArray, FloatArray, Tree
from cart_elc.tree.fields import Field, Json, parsed
from cart_elc.tree.storage import LARGEST_COUNT, decode_tree, encode_tree

FORMAT = "cart-elc"
VERSION = 1
T = TypeVar("T")
PathLike = str | os.PathLike[str]


def write(path: PathLike, document: Json) -> None:
    write_whole(path, render(headed(document)))


def headed(document: Json) -> Json:
    return {"format": FORMAT, "version": VERSION} | document


def write_whole(path: PathLike, content: str | bytes) -> None:
    """Write a file of which a reader never sees half, since it is put in place when complete.

    A link is followed. A device or pipe such as ``/dev/stdout`` is written to: a file put in place would remove it.
    """
    content = content.encode() if isinstance(content, str) else content
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    target = target.resolve()
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def render(document: Json) -> str:
    """Return the JSON text: one key per line, and one node, or one tree of several, per line."""
    listed = "nodes" if "nodes" in document else "trees"
    lines = [f'  "{key}": {dumps(value)}' for key, value in document.items() if key != listed]
    entries = ",\n".join("    " + dumps(entry) for entry in document[listed])
    return "{\n" + ",\n".join([*lines, f'  "{listed}": [\n{entries}\n  ]']) + "\n}\n"


def read(path: PathLike) -> Json:
    """Read a document and check that it is complete, one of ours, and of a version that we know."""
    try:
        document = parsed(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a complete cart-elc model file: {error}") from None
    return checked(path, document)


def checked(path: PathLike, document: Any) -> Json:  # noqa: ANN401
    """Return a document that is one of ours and of a version that we know."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'{path} is not a cart-elc model file: it has no "format": "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise ValueError(
            f"{path} has version {version!r} and this cart-elc reads versions 1 to {VERSION}: upgrade cart-elc"
        )
    return document


def parse(path: PathLike, document: Json, build: Callable[[Json], T]) -> T:
    """Build something from the document; whatever is wrong in it is reported with the names of file and field."""
    try:
        return build(document)
    except ValueError as error:
        raise ValueError(f"{path} is a damaged cart-elc model file: {error}") from error


class SavedModel:
    """What the file of any model says: its name, parameters, classes and features."""

    target_kind: ClassVar[str]

    classes_: NDArray[Any]
    n_classes_: int
    n_features_in_: int

    def heading(self) -> Json:
        """Return the document without what is fitted to the rows."""
        names = getattr(self, "feature_names_in_", None)
        classes = {"classes": encode_labels(self.classes_)} if self.target_kind == Classes.kind else {}
        return {
            "estimator": type(self).__name__,
            "params": encode_params(self._plain_params()),
            **classes,
            "n_features": self.n_features_in_,
            "feature_names": None if names is None else list(names),
        }

    def _plain_params(self) -> Json:
        """Return the parameters; a callable that shows progress is for one fit alone, and no part of the model."""
        params: Json = self.get_params(deep=False)  # type: ignore[attr-defined]
        return params | ({"verbose": 0} if callable(params.get("verbose")) else {})

    @classmethod
    def _current_params(cls, params: Json) -> Json:
        """Return the parameters of a file that an earlier version may have written as they are called now."""
        return params

    @classmethod
    def from_heading(cls, document: Field) -> Self:
        """Return the model without what is fitted to the rows; every field is checked."""
        model = cls._with_params(document["params"])
        if cls.target_kind == Classes.kind:
            model.classes_ = decode_labels(document["classes"])
            model.n_classes_ = len(model.classes_)
        n_features = model.n_features_in_ = document["n_features"].integer(1, LARGEST_COUNT)
        if "feature_importances" in document:  # its length bounds the number of features by the size of the file
            decode_importances(document["feature_importances"], n_features)
        model._check_params(document["params"])
        names = document["feature_names"]
        if names.value is not None:
            columns = [name.text() for name in names.items(n_features)]
            model.feature_names_in_ = np.array(columns, dtype=object)  # type: ignore[attr-defined]
        return model

    @classmethod
    def _with_params(cls, params: Field) -> Self:
        """Return an unfitted estimator with the parameters of a file."""
        current = cls._current_params(decode_params(params))
        known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        unknown = next((name for name in current if name not in known), None)
        if unknown is not None:
            raise ValueError(f"{params.name} must be those of {cls.__name__}, which has no {unknown!r}")
        return cls(**current)

    def _check_params(self, params: Field) -> None:
        """Check the parameters as fitting does, without drawing a random number."""
        seed = {"random_state": 0} if getattr(self, "random_state", 0) is None else {}
        twin = type(self)(**(self.get_params(deep=False) | seed))  # type: ignore[attr-defined]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what a fit would cost
                twin.check_parameters(self.n_features_in_, getattr(self, "classes_", None))  # type: ignore[attr-defined]
        except (TypeError, ValueError) as error:
            raise ValueError(f"{params.name}.{error}") from None

    def of_all_trees(self) -> Json:
        """Return what `decode_tree` needs to know of the model."""
        levels = getattr(self, "categories_", [None] * self.n_features_in_)
        return {
            "n_classes": self.n_classes_ if self.target_kind == Classes.kind else None,
            "criterion": self.tree_criterion(),  # type: ignore[attr-defined]
            "n_levels": [len(own or ()) for own in levels],
        }


class SavedTree(SavedModel):
    """The fitted attributes of an estimator of one tree, and their form in a file."""

    imputes: ClassVar[bool] = False

    tree_: Tree
    feature_importances_: FloatArray
    saw_missing_: BoolArray
    rounding_: Offsets
    fill_values_: FloatArray
    categories_: list[Levels | None]
    is_categorical_: BoolArray

    def document(self) -> Json:
        """Return the fitted model as a JSON document, as it is described at the top of this module."""
        fill = {"fill_values": self.fill_values_} if self.imputes else {}
        return {
            **self.heading(),
            "feature_importances": self.feature_importances_,
            "saw_missing": getattr(self, "saw_missing_", None),
            "rounding": getattr(self, "rounding_", None),
            **self._encoded_categories(),
            **fill,
            "nodes": encode_tree(self.tree_),
        }

    def _encoded_categories(self) -> Json:
        levels = getattr(self, "categories_", None)
        if levels is None or all(own is None for own in levels):
            return {}
        encoded = [own and [encode_param("categories_", level) for level in own] for own in levels]
        return {"categories": encoded, "is_categorical": self.is_categorical_}

    @classmethod
    def from_document(cls, document: Field) -> Self:
        """Return the model of a document; every field is checked."""
        model = cls.from_heading(document)
        n_features = model.n_features_in_
        model.feature_importances_ = decode_importances(document["feature_importances"], n_features)
        if "saw_missing" in document and document["saw_missing"].value is not None:
            model.saw_missing_ = np.array([entry.flag() for entry in document["saw_missing"].items(n_features)])
        if cls.imputes:
            model.fill_values_ = decode_column(document["fill_values"], n_features)
        if "categories" in document:
            model.categories_ = decode_categories(document["categories"], n_features)
            flags = document["is_categorical"].items(n_features)
            model.is_categorical_ = np.array([entry.flag() for entry in flags])
        model.tree_ = decode_tree(document["nodes"], **model.of_all_trees())
        if "rounding" in document and document["rounding"].value is not None:
            model.rounding_ = decode_table(document["rounding"], model.tree_)
        return model
