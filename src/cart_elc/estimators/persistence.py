"""Models as JSON files that a person can read and that run no code when they are loaded.

A file is one object: ``format`` ("cart-elc"), ``version`` (1), ``estimator`` (its class name), ``params``, ``classes``
(``dtype`` and ``values``; only of classifiers), ``n_features``, ``feature_names`` (or null), ``feature_importances``,
``rounding`` (see `cart_elc.rounding`; may be absent), ``categories`` (the levels of each feature, null for one without)
with ``is_categorical`` (both absent where no feature has levels), ``refined`` (the fields of a `Refinement`; only of
refined trees), ``fill_values`` (what replaces missing values; only for estimators that impute) and ``nodes``. Nodes
stand in preorder, one per line: ``n_samples``, ``weight``, ``impurity`` and ``value`` (weight per class; of regressors
weight, mean and sum of squared deviations); a split adds ``left`` and ``right`` (node numbers), ``features``,
``weights``, ``threshold``, ``missing`` ("left", "right" or "both"), on a category ``left_levels`` and ``right_levels``
(positions among its levels), and its certificate: ``score``, ``bound``, ``proven``, ``n_candidates``, ``margin``.
Numbers are written so that they read back to the same bits; those that JSON lacks are the strings "nan", "inf" and
"-inf". In ``params`` a dict is ``{"pairs": [[key, value], ...]}``, a list ``{"items": [...]}``, and a text that reads
as one of those numbers ``{"text": "inf"}``.
"""

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cart_elc.categories import Levels
from cart_elc.rounding.table import Offsets, decode_table
from cart_elc.targets import Classes
from cart_elc.tree import LEFT, RIGHT, BoolArray, FloatArray, Tree
from cart_elc.tree.storage import Json, decode_tree, encode_tree

FORMAT = "cart-elc"
VERSION = 1
T = TypeVar("T")
PathLike = str | os.PathLike[str]

LABEL_KINDS = "biufUO"
NOT_JSON = ("nan", "inf", "-inf")


def write(path: PathLike, document: Json) -> None:
    write_whole(path, render({"format": FORMAT, "version": VERSION} | document))


def write_whole(path: PathLike, text: str) -> None:
    """Write a file of which a reader never sees half, since it is put in place when complete.

    A link is followed. A device or pipe such as ``/dev/stdout`` is written to: a file put in place would remove it.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def render(document: Json) -> str:
    """Return the JSON text: one key per line, and one node per line."""
    lines = [f'  "{key}": {dumps(value)}' for key, value in document.items() if key != "nodes"]
    nodes = ",\n".join("    " + dumps(node) for node in document["nodes"])
    return "{\n" + ",\n".join([*lines, f'  "nodes": [\n{nodes}\n  ]']) + "\n}\n"


def dumps(value: Any) -> str:  # noqa: ANN401
    """Return JSON of any nesting of dicts, lists and scalars, NumPy's included."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False)


def plain(value: Any) -> Any:  # noqa: ANN401
    """Replace NumPy scalars and arrays by Python's, and numbers that JSON lacks by strings."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read(path: PathLike) -> Json:
    """Read a document and check that it is complete, one of ours, and of a version that we know."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a complete cart-elc model file: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'{path} is not a cart-elc model file: it has no "format": "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise ValueError(
            f"{path} has version {version!r} and this cart-elc reads versions 1 to {VERSION}: upgrade cart-elc"
        )
    return document


def parse(path: PathLike, document: Json, build: Callable[[Json], T]) -> T:
    """Build something from the document; whatever is wrong in it is reported as a damaged file."""
    try:
        return build(document)
    except KeyError as error:
        raise ValueError(f"{path} is a damaged cart-elc model file: it lacks {error}") from error
    except (AttributeError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{path} is a damaged cart-elc model file: {error}") from error


def encode_params(params: Json) -> Json:
    return {name: encode_param(name, value) for name, value in params.items()}


def encode_param(name: str, value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {"pairs": [[encode_param(name, item) for item in pair] for pair in value.items()]}
    if isinstance(value, list | tuple | np.ndarray):
        return {"items": [encode_param(name, item) for item in list(value)]}
    if isinstance(value, str) and value in NOT_JSON:
        return {"text": str(value)}
    value = plain(value)
    if not isinstance(value, str | int | float | bool | None):
        raise TypeError(f"{name} must be a plain value to be saved as JSON, got {value!r}")
    return value


def decode_params(params: Json) -> Json:
    return {name: decode_param(value) for name, value in params.items()}


def decode_param(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        if "items" in value:
            return [decode_param(item) for item in value["items"]]
        return value["text"] if "text" in value else {decode_param(k): decode_param(v) for k, v in value["pairs"]}
    if isinstance(value, list):
        raise ValueError(f"a parameter must be a plain value, got {value!r}")
    return float(value) if isinstance(value, str) and value in NOT_JSON else value


def encode_labels(classes: NDArray[Any]) -> Json:
    values = classes.tolist()
    scalars = (str, int, float, bool, type(None))
    if classes.dtype.kind not in LABEL_KINDS or not all(isinstance(value, scalars) for value in values):
        raise TypeError(f"classes_ must be str, int, float or bool to be saved as JSON, got {classes!r}")
    return {"dtype": "object" if classes.dtype.kind == "O" else classes.dtype.str, "values": values}


def decode_labels(labels: Json) -> NDArray[Any]:
    dtype = np.dtype(labels["dtype"])
    if dtype.kind not in LABEL_KINDS:
        raise ValueError(f"labels of dtype {dtype}")
    return np.array(labels["values"], dtype=dtype)


def decode_column(document: Json, name: str, dtype: type) -> NDArray[Any]:
    """Return an array with one entry per feature."""
    column: NDArray[Any] = np.array(document[name], dtype=dtype)
    if column.shape != (document["n_features"],):
        raise ValueError(f"{name} must have {document['n_features']} entries, got {document[name]!r}")
    return column


def decode_categories(document: Json) -> list[Levels | None]:
    """Return the levels of each feature, or None for each that has none."""
    categories = [None if own is None else [decode_param(level) for level in own] for own in document["categories"]]
    if len(categories) != document["n_features"]:
        raise ValueError(f"categories must have {document['n_features']} entries, got {len(categories)}")
    if not all(isinstance(level, str | int | float) for own in categories for level in own or ()):
        raise ValueError("categories must be text, numbers or booleans")
    return categories


def check_level_codes(tree: Tree, categories: list[Levels | None]) -> None:
    for node in np.flatnonzero(tree.is_categorical).tolist():
        rule = tree.rule(node)
        if max(rule.levels_of(LEFT) + rule.levels_of(RIGHT)) >= len(categories[rule.features[0]] or ()):
            raise ValueError("a split has levels that its category lacks")


class FittedTree:
    """An estimator's fitted attributes, and their form in a file."""

    imputes: ClassVar[bool] = False
    target_kind: ClassVar[str] = Classes.kind

    tree_: Tree
    classes_: NDArray[Any]
    n_classes_: int
    n_features_in_: int
    feature_importances_: FloatArray
    rounding_: Offsets
    fill_values_: FloatArray
    categories_: list[Levels | None]
    is_categorical_: BoolArray

    def document(self) -> Json:
        """Return the fitted model as a JSON document, as it is described at the top of this module."""
        names = getattr(self, "feature_names_in_", None)
        fill = {"fill_values": self.fill_values_} if self.imputes else {}
        classes = {"classes": encode_labels(self.classes_)} if self.target_kind == Classes.kind else {}
        return {
            "estimator": type(self).__name__,
            "params": encode_params(self.get_params(deep=False)),  # type: ignore[attr-defined]
            **classes,
            "n_features": self.n_features_in_,
            "feature_names": None if names is None else list(names),
            "feature_importances": self.feature_importances_,
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
    def _current_params(cls, params: Json) -> Json:
        """Return the parameters of a file that an earlier version may have written as they are called now."""
        return params

    @classmethod
    def from_document(cls, document: Json) -> Self:
        """Return the model of a document."""
        model = cls(**cls._current_params(decode_params(document["params"])))
        width = 3
        if cls.target_kind == Classes.kind:
            model.classes_ = decode_labels(document["classes"])
            width = model.n_classes_ = len(model.classes_)
        model.n_features_in_ = int(document["n_features"])
        if document["feature_names"] is not None:
            model.feature_names_in_ = decode_column(document, "feature_names", object)  # type: ignore[attr-defined]
        if cls.imputes:
            model.fill_values_ = decode_column(document, "fill_values", np.float64)
        model.feature_importances_ = decode_column(document, "feature_importances", np.float64)
        model.tree_ = decode_tree(
            document["nodes"],
            n_features=model.n_features_in_,
            width=width,
            criterion=model.tree_criterion(),  # type: ignore[attr-defined]
            target=cls.target_kind,
        )
        if "categories" in document:
            model.categories_ = decode_categories(document)
            model.is_categorical_ = decode_column(document, "is_categorical", np.bool_)
            check_level_codes(model.tree_, model.categories_)
        if document.get("rounding") is not None:
            model.rounding_ = decode_table(document["rounding"], model.tree_.n_nodes)
        return model
