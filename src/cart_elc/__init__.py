"""Oblique decision trees with proven-optimal splits, as scikit-learn estimators."""

from importlib.metadata import version

from cart_elc.estimators import CARTClassifier, ELCClassifier, HHCARTClassifier, best_split, load
from cart_elc.inspection import export_code, export_text
from cart_elc.splitters.split import Split
from cart_elc.tree import MissingPolicy, Tree

__version__ = version("cart-elc")

__all__ = [
    "CARTClassifier",
    "ELCClassifier",
    "HHCARTClassifier",
    "MissingPolicy",
    "Split",
    "Tree",
    "best_split",
    "export_code",
    "export_text",
    "load",
]
