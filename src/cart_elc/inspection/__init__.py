"""Looking at fitted trees. These modules see `tree_` and the names of features and classes, nothing else."""

from cart_elc.inspection.text import export_text

__all__ = ["export_text"]
