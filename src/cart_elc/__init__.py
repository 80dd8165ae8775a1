"""Oblique decision trees with proven-optimal splits."""

from cart_elc.splitters.split import Split

__all__ = ["Split"]
