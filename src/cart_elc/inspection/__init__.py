"""Looking at fitted trees: rules, pictures, a page, code. Only `tree_` and names of a model are read."""

from cart_elc.inspection.code import export_code
from cart_elc.inspection.explain import explain
from cart_elc.inspection.graphviz import export_graphviz
from cart_elc.inspection.html import export_html
from cart_elc.inspection.onnx import export_onnx
from cart_elc.inspection.plotting import plot_boundaries, plot_splits, plot_tree
from cart_elc.inspection.text import export_text

__all__ = [
    "explain",
    "export_code",
    "export_graphviz",
    "export_html",
    "export_onnx",
    "export_text",
    "plot_boundaries",
    "plot_splits",
    "plot_tree",
]
