"""Splitters: values that find the split of one node, each for one method."""

from cart_elc.splitters.node import Deadline, Limits, Node
from cart_elc.splitters.split import Split, Splitter

__all__ = ["Deadline", "Limits", "Node", "Split", "Splitter"]
