"""Trees in other forms: rules in text, DOT, programs, ONNX."""

from cart_elc.inspection.export.code import export_code
from cart_elc.inspection.export.graphviz import export_graphviz
from cart_elc.inspection.export.onnx import export_onnx
from cart_elc.inspection.export.text import export_text

__all__ = ["export_code", "export_graphviz", "export_onnx", "export_text"]
