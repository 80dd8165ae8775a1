"""Looking at fitted trees: rules, pictures, a page, code. Only `tree_` and names of a model are read."""

from cart_elc.inspection.code import export_code
from cart_elc.inspection.text import export_text

__all__ = ["export_code", "export_text"]
