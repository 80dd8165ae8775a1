"""What the splitters of the rivals' methods share: a compiled scan, and a `Split` of what it found.

These searches examine their own candidates and prove nothing about others: their splits say ``proven=False``, with the
best value that the criterion can take at the node as the bound. Only the axis-parallel search covers all candidates.
"""

import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from cart_elc import _core
from cart_elc.criteria import CRITERIA, class_numbers
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, rescored
from cart_elc.tree import FloatArray, MissingPolicy

NEGLIGIBLE = 1e-12
"""A weight that moves ``w.x`` by a smaller share than this of the largest is zero."""


class ScanSplitter(ABC):
    """A splitter that searches by compiled scans, which need their time whatever the limit is."""

    goes_on_without_time: ClassVar[bool] = False

    criterion: str

    def __call__(self, node: Node) -> Split:
        start = time.monotonic()
        split = self.search(node)
        return replace(split, seconds=time.monotonic() - start)

    @abstractmethod
    def search(self, node: Node) -> Split:
        """Return the node's split; one whose ``found`` is false if there is none."""


def node_arrays(node: Node, criterion: str = "") -> _core.NodeArrays:
    """The node as the compiled scans take it.

    The sum of variances takes class codes as numbers: for it the codes go by frequency at the node.
    """
    y = class_numbers(node.statistics())[node.classes.y] if criterion == "sum_of_variances" else node.classes.y
    return _core.NodeArrays(node.X, y, node.rows, node.weights, node.classes.n_classes)


def limits_of(node: Node) -> dict[str, float]:
    return {"min_rows": float(node.limits.min_samples_leaf), "min_weight": node.limits.min_weight_leaf}


def placed_split(
    node: Node, weights: FloatArray, threshold: float, margin: float, criterion: str, n_cuts: int, missing_left: bool
) -> Split:
    """The split of a plane with dense weights, scored by the partition that its rule gives."""
    features = np.flatnonzero(weights)
    split = Split(
        features=tuple(int(j) for j in features),
        weights=weights[features],
        threshold=threshold,
        score=0.0,
        criterion=criterion,
        missing=MissingPolicy(missing_left),
        bound=CRITERIA[criterion].best_possible(node.statistics()),
        proven=False,
        n_candidates=n_cuts,
        margin=margin,
    )
    return rescored(node, split)
