"""Pruning: values that cut a grown tree back, each by one method."""
