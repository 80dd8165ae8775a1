"""Parameters, labels and columns of features as a model's file has them."""

import json
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.categories import Levels
from cart_elc.tree import FloatArray
from cart_elc.tree.fields import NOT_JSON, Field, Json

LABEL_KINDS = "biufUO"
LABEL_TYPES = r"[<>|](b1|[iu][1248]|f[248]|U\d{1,9})"
IMPORTANCES_OFF = 1e-6


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


def decode_params(params: Field) -> Json:
    return {name: decode_param(params[name]) for name in params.members()}


def decode_param(param: Field) -> Any:  # noqa: ANN401
    if isinstance(param.value, dict):
        if list(param.value) == ["text"]:
            return param["text"].text(NOT_JSON)
        if list(param.value) == ["items"]:
            return [decode_param(item) for item in param["items"].items()]
        pairs = [pair.items(2) for pair in param["pairs"].items()]
        return {decode_plain(key): decode_plain(value) for key, value in pairs}
    return decode_plain(param)


def decode_plain(param: Field) -> Any:  # noqa: ANN401
    if isinstance(param.value, dict):
        return param["text"].text(NOT_JSON)
    if isinstance(param.value, list):
        param.refuse("a plain value")
    return float(param.value) if param.value in NOT_JSON else param.value


def encode_labels(classes: NDArray[Any]) -> Json:
    values = classes.tolist()
    if classes.dtype.kind not in LABEL_KINDS or not all(isinstance(value, str | int | float) for value in values):
        raise TypeError(f"classes_ must be str, int, float or bool to be saved as JSON, got {classes!r}")
    if classes.dtype.kind == "U":
        classes = np.array(values)  # as wide as the longest label
    return {"dtype": "object" if classes.dtype.kind == "O" else classes.dtype.str, "values": values}


def decode_labels(labels: Field) -> NDArray[Any]:
    """Return the labels, all different and, where they are of one type, in order."""
    values = labels["values"]
    texts = [label for label in values.items() if not isinstance(label.value, str | int | float)]
    if texts:
        texts[0].refuse("a label")
    dtype = label_dtype(labels["dtype"], max((len(str(value)) for value in values.value), default=0))
    try:
        classes = np.array(values.value, dtype=dtype)
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"{values.name} must be labels of type {dtype}: {error}") from None
    plain = [(type(value), value) for value in classes.tolist()]
    if plain != [(type(value), value) for value in values.value] or len(set(values.value)) != len(plain) or not plain:
        values.refuse(f"different labels of type {dtype}")
    if dtype.kind != "O" and sorted(values.value) != values.value:
        values.refuse("in ascending order")
    return classes


def label_dtype(dtype: Field, longest: int) -> np.dtype[Any]:
    """Return the type of the labels; of texts, one that is no wider than the longest of them."""
    name = dtype.text()
    if name == "object" or not re.fullmatch(LABEL_TYPES, name):
        return np.dtype(object) if name == "object" else dtype.refuse("a type of labels, such as '<i8' or '<U6'")
    return np.dtype(f"{name[0]}U{max(longest, 1)}" if "U" in name else name)


def decode_column(column: Field, n_features: int) -> FloatArray:
    """Return an array with one finite number per feature."""
    return np.array([entry.real() for entry in column.items(n_features)])


def decode_importances(column: Field, n_features: int) -> FloatArray:
    """Return shares of the features, which make up 1 unless there are none."""
    importances = decode_column(column, n_features)
    if importances.min() < 0 or min(importances.sum(), abs(importances.sum() - 1.0)) > IMPORTANCES_OFF:
        column.refuse("shares that sum to 1 or 0")
    return importances


def decode_categories(categories: Field, n_features: int) -> list[Levels | None]:
    """Return the levels of each feature, all different, or None for each that has none."""
    return [None if own.value is None else decode_levels(own) for own in categories.items(n_features)]


def decode_levels(levels: Field) -> Levels:
    known = [decode_plain(level) for level in levels.items()]
    if not known or not all(isinstance(level, str | int | float) for level in known) or len(set(known)) < len(known):
        levels.refuse("different texts, numbers or booleans")
    return known
