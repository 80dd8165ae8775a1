"""The selection rule: which point of a grid stands for it in a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cart_elc_reproduction.protocol.specification import TOLERANCE


class GridPoint(NamedTuple):
    """What a result belongs to."""

    dataset: str
    algorithm: str
    criterion: str
    r: int | None
    max_depth: int | None


@dataclass(frozen=True, eq=False)
class Candidate:
    """A grid point's figures as the selection rule sees them."""

    point: GridPoint
    accuracy: float
    leaves: float


def select_point(candidates: Iterable[Candidate]) -> GridPoint | None:
    """Apply the selection rule: the fewest leaves within 0.1 point of the best accuracy.

    Among equals: the higher accuracy, the smaller ``r``, the smaller depth.
    """
    pool = list(candidates)
    if not pool:
        return None
    enough = max(candidate.accuracy for candidate in pool) - TOLERANCE - 1e-9
    good = [candidate for candidate in pool if candidate.accuracy >= enough]
    best = min(good, key=lambda c: (c.leaves, -c.accuracy, c.point.r or 0, c.point.max_depth or 0))
    return best.point
