"""A small splitter in NumPy, so that growth, pruning and storage are tested without the exact search."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.growing import Grower, Stopping
from cart_elc.splitters import Deadline, Split
from cart_elc.targets import Classes
from cart_elc.tree import MissingPolicy


@dataclass(frozen=True)
class AxisSplitter:
    """Tries every midpoint of every feature; rows with a missing value follow `missing`."""

    goes_on_without_time: ClassVar[bool] = False

    criterion: str = "gini"
    missing: MissingPolicy = MissingPolicy.RIGHT

    def __call__(self, node):
        criterion = CRITERIA[self.criterion]
        best = self.split((), 0.0, criterion.worst)
        for feature in range(node.X.shape[1]):
            for threshold in midpoints(node.X[node.rows, feature]):
                score = self.score(node, feature, threshold)
                if score is not None and criterion.better(score, best.score):
                    best = self.split((feature,), threshold, score)
        return best

    def score(self, node, feature, threshold):
        values = node.X[node.rows, feature]
        left = np.where(np.isnan(values), self.missing == MissingPolicy.LEFT, values >= threshold)
        if not (node.limits.admit(node.weights[left]) and node.limits.admit(node.weights[~left])):
            return None
        return float(CRITERIA[self.criterion].score(node.statistics(left), node.statistics(~left)))

    def split(self, features, threshold, score):
        return Split(
            features=features,
            weights=np.ones(len(features)),
            threshold=float(threshold),
            score=score,
            criterion=self.criterion,
            bound=score,
            proven=True,
            n_candidates=1,
            seconds=0.0,
            missing=self.missing,
        )


@dataclass(frozen=True)
class ObliqueSplitter:
    """The difference of two class means as normal, the midpoint between them as threshold: any plane will do."""

    goes_on_without_time: ClassVar[bool] = False

    criterion: str = "gini"

    def __call__(self, node):
        labels = node.target.y[node.rows]
        features = tuple(range(node.X.shape[1]))
        means = [node.X[node.rows[labels == label]].mean(axis=0) for label in np.unique(labels)[:2]]
        weights = means[0] - means[1]
        threshold = math.fsum(weights * (means[0] + means[1]) / 2)
        return Split(
            features=features if np.any(weights) else (),
            weights=weights,
            threshold=threshold,
            score=0.5,
            criterion=self.criterion,
            bound=-math.inf,
            proven=False,
            n_candidates=10**400,
            seconds=0.0,
        )


def midpoints(values):
    levels = np.unique(values[~np.isnan(values)])
    return levels[:-1] + np.diff(levels) / 2


def grown(X, y, splitter=None, weights=None, deadline=None, target=None, **stopping):
    """Grow a tree on any data with the stand-in; labels are classes unless a target is given."""
    X = np.ascontiguousarray(X, dtype=np.float64)
    if target is None:
        classes, codes = np.unique(y, return_inverse=True)
        target = Classes(codes.astype(np.int64), len(classes))
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    return Grower(X, target, splitter or AxisSplitter(), Stopping(**stopping), deadline or Deadline())(weights)
