"""Many trees that predict together."""
