"""Looking at fitted trees: rules, pictures, a page, code. Only `tree_` and names of a model are read."""

from cart_elc.inspection.draw.matplotlib.boundaries import plot_boundaries
from cart_elc.inspection.draw.matplotlib.splits import plot_splits
from cart_elc.inspection.draw.matplotlib.tree import plot_tree
from cart_elc.inspection.explain import explain
from cart_elc.inspection.export.code import export_code
from cart_elc.inspection.export.graphviz import export_graphviz
from cart_elc.inspection.export.onnx import export_onnx
from cart_elc.inspection.export.text import export_text
from cart_elc.inspection.page import export_html

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
