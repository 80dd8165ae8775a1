"""Splits on features that are drawn at each node: what the compiled growth of a forest's trees is compared with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cart_elc.splitters.node import MIX, Node, mixed
from cart_elc.splitters.split import Split, Splitter, find_split
from cart_elc.tree import IntArray


@dataclass(frozen=True)
class DrawnFeatures:
    """Lets a splitter see ``max_features`` features of each node, drawn by the node's seed.

    Where it finds no split on them, as many others are drawn, until there is one or no feature is left.
    """

    splitter: Splitter
    max_features: int

    @property
    def criterion(self) -> str:
        return self.splitter.criterion

    @property
    def goes_on_without_time(self) -> bool:
        return self.splitter.goes_on_without_time

    def __call__(self, node: Node) -> Split:
        for features in drawn_features(node.seed, node.X.shape[1], self.max_features):
            split = find_split(self.splitter, replace(node, features=features))
            if split.found:
                break
        return split


def drawn_features(seed: int, n_features: int, max_features: int) -> Iterator[IntArray]:
    """Yield the features by ``max_features`` at a time, ascending; which of them are together depends on the seed.

    Features are drawn in the order of a hash of the seed and their number.

    Examples
    --------
    >>> [sorted(features.tolist()) for features in drawn_features(7, 3, 3)]
    [[0, 1, 2]]
    >>> sum(len(features) for features in drawn_features(7, 10, 3))
    10
    """
    keys = [mixed(seed + (feature + 1) * MIX) for feature in range(n_features)]
    order = np.argsort(np.array(keys, dtype=np.uint64), kind="stable")
    for start in range(0, n_features, max_features):
        yield np.sort(order[start : start + max_features]).astype(np.int64, copy=False)
