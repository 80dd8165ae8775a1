"""Which rows a tree of an ensemble is grown from."""

from dataclasses import dataclass

import numpy as np

from cart_elc.splitters.node import MIX
from cart_elc.tree import FloatArray, IntArray


def row_order(X: FloatArray, labels: FloatArray | IntArray) -> IntArray:
    """Return an order of the rows that depends on what they are and not on how they came.

    Rows are sorted by a hash of their values and label, so that equal rows stand together.
    """
    keys = np.ascontiguousarray(labels, dtype=np.float64).view(np.uint64).copy()
    with np.errstate(over="ignore"):
        for column in np.ascontiguousarray(X.T + 0.0).view(np.uint64):  # -0 is 0
            keys = (keys ^ column) * np.uint64(MIX)
            keys ^= keys >> np.uint64(29)
    return np.argsort(keys, kind="stable").astype(np.int64, copy=False)


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Draws rows with replacement, in proportion to their weights.

    A draw is a place between 0 and the sum of all weights, where the rows lie end to end in ``order``. So a row of
    weight two is drawn as two equal rows would be, and the order in which rows came does not matter.
    """

    weights: FloatArray
    order: IntArray
    n_draws: int

    def counts(self, seed: int) -> FloatArray:
        """Return how often each row is drawn."""
        ends = np.cumsum(self.weights[self.order])
        places = np.random.RandomState(seed % 2**32).random_sample(self.n_draws) * ends[-1]
        drawn = np.minimum(np.searchsorted(ends, places, side="right"), len(ends) - 1)
        counts = np.zeros(len(ends))
        counts[self.order] = np.bincount(drawn, minlength=len(ends))
        return counts


@dataclass(frozen=True, eq=False)
class Subsample:
    """Draws a share of the rows without replacement, in proportion to ``counts``, which are weights that count rows.

    The rows lie end to end in ``order``, each as long as it counts, and every stretch of length 1 is drawn or not. So a
    row that counts twice is drawn as two equal rows would be, and the order in which rows came does not matter.
    """

    counts: FloatArray
    order: IntArray
    share: float

    def drawn(self, random: np.random.RandomState) -> FloatArray:
        """Return the share of each row that is drawn; all of them where none would be."""
        ends = np.cumsum(self.counts[self.order])
        kept = random.random_sample(int(np.ceil(ends[-1] - 1e-9))) < self.share
        until = np.concatenate(([0.0], np.cumsum(kept)))
        covered = np.diff(np.interp(ends, np.arange(len(until)), until), prepend=0.0)
        drawn = np.zeros(len(ends))
        own = self.counts[self.order]
        drawn[self.order] = np.divide(covered, own, out=np.zeros_like(own), where=own > 0)
        return drawn if drawn.any() else np.ones(len(ends))
