"""Bands of numbers: what takes the place of classes in the pictures of a regression tree.

A band is a range of numbers with a colour. The tree's own leaves say where bands end, midway between neighbouring
means, so that every leaf is in one band; where there are more than six, those of about equal weight are joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from cart_elc.inspection.wording import number
from cart_elc.tree import FloatArray, IntArray, Tree

MOST_BANDS = 6


@dataclass(frozen=True, eq=False)
class Bands:
    """The bands of a tree of numbers, and numbers as they are written beside it."""

    tree: Tree

    @property
    def means(self) -> FloatArray:
        """What each node predicts."""
        return self.tree.value[:, 1]

    @property
    def spreads(self) -> FloatArray:
        """The standard deviation of each node's rows."""
        spreads: FloatArray = np.sqrt(self.tree.value[:, 2] / self.tree.value[:, 0])
        return spreads

    @cached_property
    def edges(self) -> FloatArray:
        """Where bands end, ascending; a number on an edge is in the upper band."""
        leaves = self.tree.is_leaf
        means, place = np.unique(self.means[leaves], return_inverse=True)
        middles = means[:-1] / 2 + means[1:] / 2
        below = np.cumsum(np.bincount(place, weights=self.tree.weighted_n_node_samples[leaves]))
        wanted = below[-1] * np.arange(1, MOST_BANDS) / MOST_BANDS
        chosen = np.unique(np.searchsorted(below[:-1], wanted).clip(max=max(len(middles) - 1, 0)))
        return middles if len(middles) < MOST_BANDS else middles[chosen]

    def codes(self, numbers: FloatArray) -> IntArray:
        """Return the band of each number."""
        return np.searchsorted(self.edges, numbers, side="right")

    @property
    def names(self) -> list[str]:
        """The bands in words."""
        ends = [self.text(edge) for edge in self.edges.tolist()]
        if not ends:
            return ["all numbers"]
        return [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"from {ends[-1]}"]

    @cached_property
    def weights(self) -> FloatArray:
        """The weight of each node's rows in leaves of each band."""
        weights = np.zeros((self.tree.n_nodes, len(self.edges) + 1))
        leaves, parents = np.flatnonzero(self.tree.is_leaf), self.tree.parents()
        weights[leaves, self.codes(self.means[leaves])] = self.tree.weighted_n_node_samples[leaves]
        for node in range(self.tree.n_nodes - 1, 0, -1):
            weights[parents[node]] += weights[node]
        return weights

    def text(self, value: float) -> str:
        """Return a number with as many digits as tell apart a hundredth of the spread of all rows."""
        spread = float(self.spreads[0])
        return number(round(value, int(2 - np.floor(np.log10(spread)))) + 0.0) if spread > 0 else number(value)

    def mean_text(self, node: int) -> str:
        """Return what a node predicts."""
        return self.text(float(self.means[node]))

    def spread_text(self, node: int) -> str:
        """Return the standard deviation of a node's rows."""
        return f"± {self.text(float(self.spreads[node]))}"
