"""The losses that boosting makes smaller, with their first and second derivatives.

A loss works on scores: one column of numbers for each row, or one for each class where there are more than two. It is
asked for the start, the constant score that is best; for the `steps`, where ``g`` is minus the first and ``h`` the
second derivative at each row; and for its mean.
"""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from scipy.special import expit, log_softmax, softmax

from cart_elc.targets import Classes, Number
from cart_elc.tree import FloatArray, IntArray

LEAST_CURVATURE = 1e-6
"""Second derivatives of the log-loss are never taken for less: rows that are certain and wrong stay finite."""


class Loss(Protocol):
    """The loss of labels."""

    def of(self, rows: IntArray) -> Self:
        """Return the loss of some of the rows."""

    def start(self, weights: FloatArray) -> FloatArray:
        """Return the best constant score of each column."""

    def steps(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return minus the first derivative and the second, in the shape of the scores."""

    def mean(self, scores: FloatArray, weights: FloatArray) -> float:
        """Return the weighted mean loss."""


@dataclass(frozen=True, eq=False)
class SquaredLoss:
    """Half the squared error of a number."""

    y: FloatArray

    def of(self, rows: IntArray) -> Self:
        return type(self)(self.y[rows])

    def start(self, weights: FloatArray) -> FloatArray:
        return np.array([np.average(self.y, weights=weights)])

    def steps(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.y[:, None] - scores, np.ones_like(scores)

    def mean(self, scores: FloatArray, weights: FloatArray) -> float:
        return float(np.average(np.square(self.y - scores[:, 0]), weights=weights) / 2)


@dataclass(frozen=True, eq=False)
class LogLoss:
    """Minus the logarithm of the probability of a row's class.

    Two classes have one score, the logit of the second; more classes have one score each, and probabilities are the
    softmax of them. Of the second derivatives the diagonal is used.
    """

    y: IntArray
    n_classes: int

    def of(self, rows: IntArray) -> Self:
        return type(self)(self.y[rows], self.n_classes)

    def start(self, weights: FloatArray) -> FloatArray:
        shares = np.bincount(self.y, weights=weights, minlength=self.n_classes) / weights.sum()
        logs = np.log(np.clip(shares, np.finfo(np.float64).eps, 1.0))
        scores: FloatArray = logs[1:] - logs[0] if self.n_classes == 2 else logs - logs.mean()
        return scores

    def steps(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        p = probabilities_of(scores)[:, 1 if self.n_classes == 2 else 0 :]
        is_class = self.y[:, None] == (1 if self.n_classes == 2 else np.arange(self.n_classes))
        return is_class - p, np.maximum(p * (1 - p), LEAST_CURVATURE)

    def mean(self, scores: FloatArray, weights: FloatArray) -> float:
        if self.n_classes == 2:
            signed = np.where(self.y == 1, scores[:, 0], -scores[:, 0])
            losses = np.logaddexp(0.0, -signed)
        else:
            losses = -log_softmax(scores, axis=1)[np.arange(len(self.y)), self.y]
        return float(np.average(losses, weights=weights))


def probabilities_of(scores: FloatArray) -> FloatArray:
    """Return the probabilities of the classes: one score is the logit of the second of two, else there is one each."""
    if scores.shape[1] == 1:
        return np.column_stack([expit(-scores[:, 0]), expit(scores[:, 0])])
    probabilities: FloatArray = softmax(scores, axis=1)
    return probabilities


def loss_of(target: Classes | Number) -> Loss:
    return SquaredLoss(target.y) if isinstance(target, Number) else LogLoss(target.y, max(target.n_classes, 2))
