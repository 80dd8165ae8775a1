"""Planes with small whole coefficients: the best of all of them, ``2·age + 5·stage >= 140``.

For every feature set and every vector of whole numbers up to the largest one allowed, the sums of the rows make a
column, and the best cut of all such columns is found by the sorted scan that finds the best split on one feature. So
the answer is exact over those planes. Columns come in blocks, small coefficients first, and a later block has to be
better: of equal splits, the one with fewer features is taken, then the one with the smaller sum of coefficients, then
the wider margin.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import ceil, gcd

import numpy as np

from cart_elc.criteria import CRITERIA
from cart_elc.splitters.constraints import Constraints
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, best_of, no_split
from cart_elc.tree import FloatArray, IntArray, weighted_sums

MOST_NUMBERS = 4_000_000
"""Entries of a block of columns, 32 MB."""
MOST_DIGITS = 15


@dataclass(frozen=True)
class WholePlane:
    """Features and their whole coefficients; the first coefficient is positive, since a cut has two sides."""

    features: tuple[int, ...]
    coefficients: tuple[int, ...]

    def sums(self, X: FloatArray) -> FloatArray:
        return weighted_sums(X[:, list(self.features)], self.coefficients)

    def directions(self, signs: IntArray) -> set[int]:
        """Return the directions (1 or -1) that the value must have along the sum: it cannot have both."""
        return {int(sign) for sign in np.sign(signs[list(self.features)] * np.array(self.coefficients)) if sign}


def best_whole_plane(node: Node, r: int, largest: int, criterion: str, search: Callable[[Node, int], Split]) -> Split:
    """Return the best plane with whole coefficients, size by size; each has to be better than all before it.

    ``search`` finds the best cut of a column, given a node and the number of features that its columns stand for.
    """
    constraints, scale = node.constraints or Constraints(), float(CRITERIA[criterion].impurity(node.statistics()))
    best, n_planes = no_split(criterion, 0), 0
    for size in range(1, min(r, node.X.shape[1]) + 1):
        sets = constraints.feature_sets(node.X.shape[1], size)
        for planes in blocks(sets, size, largest, constraints.signs, len(node.rows)):
            best, n_planes = best_of([best, best_of_block(node, planes, size, search)], scale), n_planes + len(planes)
    return replace(best, n_candidates=n_planes * len(node.rows))


def best_of_block(node: Node, planes: list[WholePlane], size: int, search: Callable[[Node, int], Split]) -> Split:
    """Return the best cut of the sums of planes that all have so many features."""
    X = node.X[node.rows]
    columns = np.ascontiguousarray(np.column_stack([plane.sums(X) for plane in planes]))
    signs = None if node.constraints is None else node.constraints.signs
    own = Constraints(signs=None if signs is None else np.array([sum(plane.directions(signs)) for plane in planes]))
    table = replace(
        node,
        X=columns,
        target=node.target.of_rows(node.rows),
        rows=np.arange(len(X)),
        constraints=own,
        n_others=node.n_features - len(planes),  # a split is named among the features, not among the columns
    )
    split = search(table, size)
    if not split.found:
        return split
    plane, sums = planes[split.features[0]], columns[:, split.features[0]] * split.weights[0]
    above, below = sums[sums >= split.threshold], sums[sums < split.threshold]
    threshold = short_between(below.max(), above.min()) if len(above) and len(below) else split.threshold
    weights = split.weights[0] * np.array(plane.coefficients, dtype=np.float64)
    samples = tuple(int(node.rows[i]) for i in split.samples)
    return replace(split, features=plane.features, weights=weights, threshold=threshold, samples=samples)


def whole_vectors(size: int, largest: int) -> list[tuple[int, ...]]:
    """Return the vectors of whole numbers from 1 to ``largest`` in size, none a multiple of another, smallest first.

    Examples
    --------
    >>> whole_vectors(1, 5), whole_vectors(2, 2)
    ([(1,)], [(1, -1), (1, 1), (1, -2), (1, 2), (2, -1), (2, 1)])
    """
    numbers = [number for number in range(-largest, largest + 1) if number]
    vectors = [vector for vector in product(range(1, largest + 1), *[numbers] * (size - 1)) if gcd(*vector) == 1]
    return sorted(vectors, key=lambda vector: (sum(map(abs, vector)), vector))


def blocks(
    feature_sets: list[tuple[int, ...]], size: int, largest: int, signs: IntArray | None, n_rows: int
) -> Iterator[list[WholePlane]]:
    """Yield planes in blocks of one sum of coefficients and of bounded size, the smallest sums first."""
    most = max(1, MOST_NUMBERS // max(1, n_rows))
    for _, vectors in groupby(whole_vectors(size, largest), key=lambda vector: sum(map(abs, vector))):
        planes = [WholePlane(chosen, vector) for vector in vectors for chosen in feature_sets]
        planes = [plane for plane in planes if signs is None or len(plane.directions(signs)) < 2]
        yield from (planes[start : start + most] for start in range(0, len(planes), most))


def short_between(low: float, high: float) -> float:
    """Return the number in (low, high] with the fewest decimals that is nearest to the middle.

    Examples
    --------
    >>> short_between(139.0, 140.0), short_between(2.3, 2.5), short_between(-3.0, 8.0)
    (140.0, 2.4, 3.0)
    """
    middle = low + (high - low) / 2
    for digits in range(MOST_DIGITS):
        number = float(round(ceil(round(middle * 10**digits, 6)) / 10**digits, digits))
        if low < number <= high:
            return number
    return high
