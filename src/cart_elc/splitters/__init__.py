"""Splitters: values that find the split of one node, each for one method."""

from cart_elc.splitters.split import Limits, Node, Split, Splitter

__all__ = ["Limits", "Node", "Split", "Splitter"]
