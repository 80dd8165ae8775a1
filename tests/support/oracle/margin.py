"""The margin of a partition: half the distance between the convex hulls of its two sides.

`widest_band` brackets it. For points ``a`` of one side and ``b`` of the other, the widest band has the normal ``w``
that solves ``min |w|`` subject to ``w.(a - b) >= 1``, a least-distance problem, which Lawson and Hanson turn into one
of non-negative least squares. The normal that comes out gives a band that is really empty (a lower bound), the
multipliers give a point of each hull (an upper bound). Where the two do not meet, `margin_by_supports` decides: the
nearest points of two hulls are nearest points of the affine hulls of at most ``d + 1`` of the points, so all such
choices are tried.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from oracle.sides import Bools, Floats

ACCURACY = 1e-10
ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Band:
    """An empty band between two sides: its normal of length one, its half width, and a bound on any half width.

    The normal is None where no empty band was found.
    """

    normal: Floats | None
    half_width: float
    bound: float


def margin(points: Floats, left: Bools) -> float:
    """Half the distance between the hulls of the two sides, to 1e-10; zero if a side is empty or the hulls meet."""
    if left.all() or not left.any():
        return 0.0
    if points.shape[1] == 1:
        first, second = points[left], points[~left]
        return max(first.min() - second.max(), second.min() - first.max(), 0.0) / 2
    band = widest_band(points, left)
    return band.bound if band.bound - band.half_width <= ACCURACY else margin_by_supports(points, left)


def widest_band(points: Floats, left: Bools) -> Band:
    """The widest empty band between two sides that are not empty; its normal points to the left side."""
    first, second = np.unique(points[left], axis=0), np.unique(points[~left], axis=0)
    differences = (first[:, None, :] - second[None, :, :]).reshape(-1, points.shape[1])
    band = Band(None, 0.0, float(np.linalg.norm(differences, axis=1).min()) / 2)
    for _ in range(ROUNDS):
        if band.bound - band.half_width <= ACCURACY * 1e-3:
            break
        band = _improved(band, differences)
    return band


def margin_by_supports(points: Floats, left: Bools) -> float:
    """The same by trying every set of at most ``d + 1`` support points; slow beyond some thirty points."""
    first, second = np.unique(points[left], axis=0), np.unique(points[~left], axis=0)
    most = points.shape[1] + 1
    sizes = ((a, b) for a in range(1, most) for b in range(1, most + 1 - a) if a <= len(first) and b <= len(second))
    return min(_nearest(first, second, a, b) for a, b in sizes) / 2


def _improved(band: Band, differences: Floats) -> Band:
    """The better of a band and of the one found in units of its bound, in which the multipliers are well scaled."""
    normal, multipliers = _least_distance(differences, 2 * band.bound)
    bound = min(band.bound, float(np.linalg.norm(multipliers @ differences)) / 2)
    length = float(np.linalg.norm(normal))
    half_width = float((differences @ normal).min()) / length / 2 if length > 0 else 0.0
    if half_width > band.half_width:
        return Band(normal / length, half_width, bound)
    return Band(band.normal, band.half_width, bound)


def _least_distance(differences: Floats, unit: float) -> tuple[Floats, Floats]:
    """The shortest normal with every difference at least `unit` along it, and multipliers that sum to one."""
    system = np.vstack([differences.T / unit, np.ones(len(differences))])
    target = np.append(np.zeros(differences.shape[1]), 1.0)
    multipliers, _ = nnls(system, target)
    residual = target - system @ multipliers
    return -residual[:-1], multipliers / multipliers.sum()


def _nearest(first: Floats, second: Floats, a: int, b: int) -> float:
    """The smallest distance between points that are mixtures of `a` points of one side and `b` of the other."""
    chosen_first = first[np.array(list(itertools.combinations(range(len(first)), a)))]
    chosen_second = second[np.array(list(itertools.combinations(range(len(second)), b)))]
    return min(_nearest_to(corners, chosen_second) for corners in chosen_first)


def _nearest_to(corners: Floats, others: Floats) -> float:
    """The smallest distance of mixtures of `corners` from mixtures of each of `others`, where both are proper."""
    origin = others[:, 0, :] - corners[0]
    along_first = np.broadcast_to((corners[1:] - corners[0]).T, (len(others), corners.shape[1], len(corners) - 1))
    along_second = np.swapaxes(others[:, 1:, :] - others[:, :1, :], 1, 2)
    axes = np.concatenate([along_first, -along_second], axis=2)
    shares = np.einsum("kij,kj->ki", np.linalg.pinv(axes), origin)
    a = len(corners) - 1
    mixture_first, mixture_second = shares[:, :a], shares[:, a:]
    proper = (shares >= -1e-12).all(axis=1)
    proper &= (mixture_first.sum(axis=1) <= 1 + 1e-12) & (mixture_second.sum(axis=1) <= 1 + 1e-12)
    distance = np.linalg.norm(origin - np.einsum("kij,kj->ki", axes, shares), axis=1)
    return float(distance[proper].min(initial=np.inf))
