"""Fitted models as parts of records: the same JSON that `save` writes and `cart_elc.load` reads."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cart_elc import load
from cart_elc.estimators.base import BaseTreeClassifier

Json = dict[str, Any]
# Records of version 0.1.0 lack what the file format puts first.
HEADER: Json = {"format": "cart-elc", "version": 1}


def document_of(model: BaseTreeClassifier) -> Json:
    """Return the document that `save` writes for a model."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        document: Json = json.loads(path.read_text(encoding="utf-8"))
    return document


def model_of(document: Json) -> BaseTreeClassifier:
    """Return the model of a document.

    Raises
    ------
    ValueError
        If the document is not that of a whole model.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(json.dumps(HEADER | document), encoding="utf-8")
        return load(path)
