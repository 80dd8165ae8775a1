"""Pictures with matplotlib, which is imported only when one is drawn."""

from cart_elc.inspection.draw.matplotlib.boundaries import plot_boundaries
from cart_elc.inspection.draw.matplotlib.importances import plot_importances
from cart_elc.inspection.draw.matplotlib.splits import plot_splits
from cart_elc.inspection.draw.matplotlib.tree import plot_tree

__all__ = ["plot_boundaries", "plot_importances", "plot_splits", "plot_tree"]
