"""The page inside a notebook."""

from __future__ import annotations

from html import escape

from cart_elc.inspection.named_tree import FittedTree, fitted_tree
from cart_elc.inspection.page.export import export_html

FRAME_HEIGHT = 760
MOST_LEAVES_IN_NOTEBOOK = 500


def notebook_frame(model: FittedTree) -> str:
    """Return the page in a frame of its own, so that neither styles the other; notebooks show it below the diagram."""
    leaves = fitted_tree(model).n_leaves
    if leaves > MOST_LEAVES_IN_NOTEBOOK:  # 5,000 of them are 5 MB in the notebook's file and ten seconds to show
        return f'<p>The tree has {leaves:,} leaves. <code>export_html(model, path="tree.html")</code> draws it.</p>'
    page = export_html(model)
    return (
        f'<iframe srcdoc="{escape(page)}" title="Decision tree" '
        'sandbox="allow-scripts allow-downloads allow-modals" allow="clipboard-write" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:1px solid rgba(128,128,128,.35);border-radius:8px">'
        "</iframe>"
    )
