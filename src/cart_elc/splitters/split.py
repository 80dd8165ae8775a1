"""The node problem: what a splitter is given (`Node`) and what it returns (`Split`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cart_elc import _core
from cart_elc.tree import FloatArray, IntArray, MissingPolicy

LEFT, RIGHT, UNKNOWN = 1, 0, 2
"""Sides of a row; UNKNOWN where a value that the split needs is missing."""


@dataclass(frozen=True, eq=False)
class Split:
    """An oblique split with its certificate.

    Attributes
    ----------
    features : tuple of int
        The features of the plane, ascending; empty if there is no admissible candidate.
    weights : ndarray
        Coefficients aligned with ``features``, in the data's own units.
    threshold : float
        A row goes left iff ``X[:, features] @ weights >= threshold``.
    score : float
        Value of the criterion in the paper's units.
    samples : tuple of int
        The rows that define the plane, as indices into the ``X`` given.
    criterion, orientation : str
        The parameters of the search.
    missing_left : bool
        Whether rows with a missing value on ``features`` go left.
    bound : float
        Proven bound on the score of any candidate (lower for Gini, upper otherwise); equals ``score`` if proven.
    proven : bool
        Whether no candidate is better.
    n_candidates : int
        Number of candidates covered, ``C(n, r) * C(m, r)``.
    n_boxes : int
        Number of boxes of hyperplanes that the search opened.
    seconds : float
        Time of the search.
    missing : int
        `MissingPolicy`; follows ``missing_left`` unless given.
    margin : float
        Half the width of the empty band around the plane in units of ``w.x``, NaN if unknown.
    """

    features: tuple[int, ...]
    weights: FloatArray
    threshold: float
    score: float
    samples: tuple[int, ...]
    criterion: str
    orientation: str
    missing_left: bool
    bound: float
    proven: bool
    n_candidates: int
    n_boxes: int
    seconds: float
    missing: int = -1
    margin: float = float("nan")

    def __post_init__(self) -> None:
        if self.missing < 0:
            object.__setattr__(self, "missing", int(MissingPolicy(self.missing_left)))

    @property
    def found(self) -> bool:
        """Whether there is an admissible candidate at all."""
        return bool(self.features)

    def sides(self, X: FloatArray, rows: IntArray) -> NDArray[np.int8]:
        """Return the side of each of the ``rows`` of ``X`` by the rule that prediction uses.

        Values are `LEFT`, `RIGHT`, and `UNKNOWN` where a value is missing. ``X`` is C-contiguous float64.
        """
        features = np.asarray(self.features, dtype=np.int32)
        weights = np.ascontiguousarray(self.weights, dtype=np.float64)
        return _core.sides(X, rows, features, weights, float(self.threshold))


@dataclass(frozen=True)
class Limits:
    """What both sides of a candidate must have: this many rows, and this much weight."""

    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0

    @property
    def least_weight(self) -> float:
        """``min_weight_leaf`` less what rounding may have added to it, as the compiled search takes it."""
        return self.min_weight_leaf * (1 - 1e-12)

    def admit(self, weights: FloatArray) -> bool:
        """Whether a side with rows of these weights is large enough."""
        return len(weights) >= max(1, self.min_samples_leaf) and float(weights.sum()) >= self.least_weight


@dataclass(frozen=True, eq=False)
class Node:
    """The rows to be split.

    Attributes
    ----------
    X : float64 array of shape (n_samples, n_features)
        The whole matrix of the fit, C-contiguous.
    y : int64 array of n_samples
        The class codes of all rows.
    rows : int64 array
        Indices of the node's rows; all of them have positive weight.
    weights : float64 array
        Aligned with ``rows``.
    n_classes : int
    depth : int
    limits : Limits
    deadline : float or None
        Time on `time.monotonic`'s clock after which the best split so far is wanted.
    fit_rows : int64 array or None
        Indices of all rows that the tree is grown from, whatever node they are in.
    """

    X: FloatArray
    y: IntArray
    rows: IntArray
    weights: FloatArray
    n_classes: int
    depth: int = 0
    limits: Limits = Limits()
    deadline: float | None = None
    fit_rows: IntArray | None = None

    def class_weights(self) -> FloatArray:
        """Return the weight of the node's rows in each class."""
        counts = np.bincount(self.y[self.rows], weights=self.weights, minlength=self.n_classes)
        return counts.astype(np.float64, copy=False)


class Splitter(Protocol):
    """Finds the split of a node: a frozen value that holds the method's parameters."""

    @property
    def criterion(self) -> str:
        """Name of the criterion, a key of `cart_elc.criteria.MEASURES`."""

    def __call__(self, node: Node) -> Split:
        """Return the node's split; one whose ``found`` is false if there is none."""
