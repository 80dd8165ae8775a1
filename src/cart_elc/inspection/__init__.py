"""Looking at fitted trees: rules, pictures, a page, code. Only `tree_` and names of a model are read."""

from cart_elc.inspection.draw.matplotlib import plot_boundaries, plot_importances, plot_splits, plot_tree
from cart_elc.inspection.explain import explain
from cart_elc.inspection.export import export_code, export_graphviz, export_onnx, export_text
from cart_elc.inspection.page import export_html

__all__ = [
    "explain",
    "export_code",
    "export_graphviz",
    "export_html",
    "export_onnx",
    "export_text",
    "plot_boundaries",
    "plot_importances",
    "plot_splits",
    "plot_tree",
]
