"""Oblique decision trees with proven-optimal splits, as scikit-learn estimators."""

from importlib.metadata import version

from cart_elc.estimators import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    ELCClassifier,
    HHCARTClassifier,
    OC1Classifier,
    best_split,
    load,
)
from cart_elc.inspection import export_code, export_text
from cart_elc.splitters.split import Split
from cart_elc.tree import MissingPolicy, Tree

__version__ = version("cart-elc")

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "ELCClassifier",
    "HHCARTClassifier",
    "MissingPolicy",
    "OC1Classifier",
    "Split",
    "Tree",
    "best_split",
    "export_code",
    "export_text",
    "load",
]
