"""Planes with small whole coefficients: the best of all of them, ``2·age + 5·stage >= 140``.

For every feature set and every vector of whole numbers up to the largest one allowed, the sums of the rows make a
column, and the best cut of all such columns is found by the sorted scan that finds the best split on one feature. So
the answer is exact over those planes. Columns come in blocks, small coefficients first, and a later block has to be better: of
equal splits, the one with fewer features is taken, then the one with the smaller sum of coefficients, then the wider
margin.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product
from math import ceil, gcd

import numpy as np

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

    def keeps_direction(self, signs: IntArray) -> bool:
        """Whether all coefficients of features with a direction agree on the side that has the larger value."""
        return (
            len({int(sign) for sign in np.sign(signs[list(self.features)] * np.array(self.coefficients)) if sign}) < 2
        )

    def sign(self, signs: IntArray | None) -> int:
        """Return whether the value must rise (1) or fall (-1) with the sum."""
        if signs is None:
            return 0
        return int(np.sign((np.sign(signs[list(self.features)] * np.array(self.coefficients))).sum()))


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
        planes = [plane for plane in planes if signs is None or plane.keeps_direction(signs)]
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
