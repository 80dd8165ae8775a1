"""A node's search among the features that it may use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, Splitter
from cart_elc.tree import IntArray


def find_split(splitter: Splitter, node: Node) -> Split:
    """Return the splitter's split of the node, on the features that the node allows.

    A restricted node is handed to the splitter as a table of its own that has only those columns, so that no splitter
    has to know of the restriction.
    """
    if node.features is None:
        return splitter(node)
    allowed = np.ascontiguousarray(node.X[:, node.features])
    return with_features(splitter(replace(node, X=allowed, features=None)), node.features)


def with_features(split: Split, features: IntArray) -> Split:
    """Return the split with its features numbered as in the whole matrix."""
    return replace(split, features=tuple(int(features[j]) for j in split.features))
