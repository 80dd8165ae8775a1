"""HHCART's split (sections 2 and 3 of the paper that `HHCARTClassifier` cites): the best cut of the reflected data.

A class that is stretched along a direction ``d``, a unit eigenvector of its covariance matrix, is easy to split off
across ``d``. The Householder matrix ``H = I - 2 u u'`` with ``u = (e_1 - d) / |e_1 - d|`` maps ``d`` to the first axis.
Axis ``j`` of the reflected data is the direction ``H e_j`` of the original data, so a cut there is the oblique split
``(H e_j).x >= t``: no data is reflected, and prediction needs no reflection either.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cart_elc import _core
from cart_elc.splitters.heuristic_split import NEGLIGIBLE, ScanSplitter, limits_of, node_arrays, placed_split
from cart_elc.splitters.node import Node
from cart_elc.splitters.placement import middle
from cart_elc.splitters.split import Split, no_split
from cart_elc.tree import FloatArray

SAME_VALUE = 1e-9
"""Values along a direction that differ by less than this share of its range are one: rounding does not make a cut."""
NO_VARIANCE = 1e-12
"""An eigenvalue of a smaller share of the largest is zero: its eigenvector is arbitrary."""
ON_AXIS = 1e-12
"""An eigenvector nearer to the first axis than this is on it, and there is nothing to reflect."""
TIED = 1e-8
"""Components of an eigenvector this near to the largest are as large."""


@dataclass(frozen=True)
class HouseholderSplitter(ScanSplitter):
    """Finds the best cut along the axes and the reflected axes of all classes.

    Ties go to the first direction, then to the smallest value. The directions are the axes themselves, then, class
    by class and from the largest eigenvalue down, the m axes of each reflection. With k classes there are k m of them
    for variant "D" and k m^2 for "A", and each costs O(n m + n log n).

    The parameters are those of `HHCARTClassifier`.
    """

    variant: str = "A"
    criterion: str = "gini"

    def search(self, node: Node) -> Split:
        directions = reflected_axes(node, self.variant)
        chosen, low, high, _, missing_high, n_cuts = _core.direction_search(
            node_arrays(node), directions, self.criterion, **limits_of(node), gap=SAME_VALUE
        )
        if chosen < 0:
            return no_split(self.criterion, n_cuts)
        threshold, margin = middle(low, high), (high - low) / 2
        return placed_split(node, directions[chosen], threshold, margin, self.criterion, n_cuts, missing_high)


def reflected_axes(node: Node, variant: str) -> FloatArray:
    """The directions to search, one per row: the axes, and the reflected axes of each eigenvector."""
    n_features = node.X.shape[1]
    reflections = [axes for vector in eigenvectors(node, variant) if (axes := householder_axes(vector)) is not None]
    return np.ascontiguousarray(np.concatenate([np.eye(n_features), *reflections]))


def eigenvectors(node: Node, variant: str) -> Iterator[FloatArray]:
    """Unit eigenvectors of each class's covariance with positive eigenvalue, the dominant one first.

    A class with one sample, or whose samples are equal, has none.
    """
    points, classes = node.X[node.rows], node.classes.y[node.rows]
    for label in np.unique(classes):
        of_class = classes == label
        covariance = class_covariance(points[of_class], node.weights[of_class])
        if not np.isfinite(covariance).all():
            continue
        values, vectors = np.linalg.eigh(covariance)
        n_wanted = 1 if variant == "D" else len(values)
        for index in range(len(values) - 1, len(values) - 1 - n_wanted, -1):
            if values[index] > NO_VARIANCE * values[-1]:
                yield oriented(vectors[:, index])


def class_covariance(points: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted covariance of the rows; equal rows give exactly zero."""
    shares = weights / weights.sum()
    with np.errstate(over="ignore", invalid="ignore"):  # the caller leaves out what is not finite
        offsets = points - points[0]
        centred = offsets - shares @ offsets
        covariance: FloatArray = (centred * shares[:, None]).T @ centred
    return covariance


def oriented(vector: FloatArray) -> FloatArray:
    """The eigenvector or its opposite: the first of its largest components is positive.

    Both have the same first reflected axis, but not the same others, so the sign is part of the method.
    """
    size = np.abs(vector)
    first_largest = int(np.flatnonzero(size >= size.max() * (1 - TIED))[0])
    return vector if vector[first_largest] > 0 else -vector


def householder_axes(vector: FloatArray) -> FloatArray | None:
    """Rows ``H e_j`` of the Householder matrix that maps the vector to the first axis; None if it lies there."""
    normal = -vector
    normal[0] += 1.0
    length = float(np.linalg.norm(normal))
    if length < ON_AXIS:
        return None
    normal /= length
    axes = np.eye(len(vector)) - 2.0 * np.outer(normal, normal)
    return np.where(np.abs(axes) > NEGLIGIBLE, axes, 0.0)
