"""The interactive page."""

from __future__ import annotations

from cart_elc.inspection.subject import FittedTree


def notebook_frame(model: FittedTree) -> str:
    """Return what notebooks show below scikit-learn's diagram."""
    return ""
