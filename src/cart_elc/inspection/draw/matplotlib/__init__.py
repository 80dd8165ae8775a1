"""Pictures with matplotlib, which is imported only when one is drawn."""
