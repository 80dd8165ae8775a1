"""Oblique decision trees with proven-optimal splits, as scikit-learn estimators."""

from importlib.metadata import version

from cart_elc.estimators import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTRegressor,
    ELCBoostingClassifier,
    ELCBoostingRegressor,
    ELCClassifier,
    ELCForestClassifier,
    ELCForestRegressor,
    ELCRegressor,
    HHCARTClassifier,
    OC1Classifier,
    best_split,
    load,
)
from cart_elc.inspection import (
    explain,
    export_code,
    export_graphviz,
    export_html,
    export_onnx,
    export_text,
    plot_boundaries,
    plot_importances,
    plot_splits,
    plot_tree,
)
from cart_elc.splitters.reporting import SearchProgress
from cart_elc.splitters.split import Split
from cart_elc.tree import MissingPolicy, Tree
from cart_elc.verification import Verification, verify

__version__ = version("cart-elc")

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "ELCBoostingClassifier",
    "ELCBoostingRegressor",
    "ELCClassifier",
    "ELCForestClassifier",
    "ELCForestRegressor",
    "ELCRegressor",
    "HHCARTClassifier",
    "MissingPolicy",
    "OC1Classifier",
    "SearchProgress",
    "Split",
    "Tree",
    "Verification",
    "best_split",
    "explain",
    "export_code",
    "export_graphviz",
    "export_html",
    "export_onnx",
    "export_text",
    "load",
    "plot_boundaries",
    "plot_importances",
    "plot_splits",
    "plot_tree",
    "verify",
]
