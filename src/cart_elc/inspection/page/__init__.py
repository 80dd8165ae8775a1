"""The interactive page, as a file and in notebooks."""

from cart_elc.inspection.page.export import export_html, notebook_frame

__all__ = ["export_html", "notebook_frame"]
