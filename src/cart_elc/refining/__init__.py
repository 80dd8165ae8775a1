"""Refining: a grown tree whose every split is made the proven best given all the others."""
