"""The node problem by brute force: the executable definition that every search is compared with.

All ``C(n, r) * C(m, r)`` planes are made, one SVD each, and scored. Two steps are kept apart so that the planes of a
table, which cost most, are made once and scored under every criterion, orientation and missing mode:

``planes(X, r, sample_weight)``
    a `Planes` per feature set: each candidate's rows as above (+1), on (0) or below (-1) the plane.
``best(planes, problem)``
    an `Answer`: the best score, and the interval of scores that float64 leaves open.

**Doubt.** A plane's side test is a comparison with 1e-9, and float64 gives a row's distance with an error. Where the
distance, with its error, reaches into ``[0.2e-9, 5e-9]``, two correct programs may disagree. Such planes are marked;
the answer then gives the best score without them (`Answer.certain`) and the best score with their doubtful rows
placed at will (`Answer.optimistic`); every correct search lies between. On tables without doubt all three are equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb, inf

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ON_PLANE = 1e-9
INDEPENDENT = 1e-7
FLAT = 1e-8
DOUBT = (0.2e-9, 5e-9)
# Error of a distance in units of eps, per unit of leverage. Two SVDs of the same selection, one of rows in another
# order, differ by up to about 4; other formulas for the scaling add a few more.
ROUNDING = 32 * np.finfo(np.float64).eps
CHUNK = 4096
CRITERIA = ("gini", "twoing", "information_gain")
ORIENTATIONS = ("both", "canonical")
MISSING = ("learn", "right")


@dataclass(frozen=True)
class Problem:
    """What is asked of the planes: the criterion, the sides that count, and the smallest leaves."""

    criterion: str = "gini"
    orientation: str = "both"
    missing: str = "learn"
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0


@dataclass(frozen=True, eq=False)
class Planes:
    """All candidates of one feature set, over the rows of positive weight.

    Attributes
    ----------
    features : the feature set.
    samples : (n_planes, r) indices into the original rows.
    side : (n_planes, n) int8, +1 above, 0 on, -1 below; 0 for rows that are missing.
    doubtful : (n_planes, n) bool, rows whose side float64 does not settle.
    absent : (n,) bool, rows with a missing value on these features.
    positive : (n_planes,) bool, the first non-zero coefficient is positive.
    sign_unsure : (n_planes,) bool, float64 does not settle `positive`.
    unsure : (n_planes,) bool, float64 does not settle whether the selection is a candidate.
    """

    features: tuple[int, ...]
    samples: NDArray[np.int64]
    side: NDArray[np.int8]
    doubtful: Bools
    absent: Bools
    positive: Bools
    sign_unsure: Bools
    unsure: Bools


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of positive weight with every candidate plane of size `r`."""

    r: int
    y: NDArray[np.int64]
    weights: Floats
    n_features: int
    planes: tuple[Planes, ...] = field(repr=False)

    @property
    def n_candidates(self) -> int:
        return comb(len(self.y), self.r) * comb(self.n_features, self.r)

    @property
    def n_planes(self) -> int:
        return sum(len(planes.samples) for planes in self.planes)


@dataclass(frozen=True)
class Answer:
    """The best score, and the interval in which every correct program's score lies."""

    score: float
    certain: float
    optimistic: float
    doubtful: bool

    def accepts(self, score: float, tolerance: float = 1e-9) -> bool:
        """Whether `score` is a correct answer: equal to the best score, or inside the doubt."""
        if score in (inf, -inf):
            return score == self.certain
        low, high = sorted((self.certain, self.optimistic))
        return low - tolerance <= score <= high + tolerance


# --- the planes -------------------------------------------------------------------------------------------------------


def make_table(X: Floats, y: NDArray[np.int64], r: int, sample_weight: Floats | None = None) -> Table:
    """Every candidate plane of the rows with positive weight."""
    weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    rows = np.flatnonzero(weights > 0)
    kept = np.asarray(X, dtype=np.float64)[rows]
    scaled = scale(kept)
    planes = [_planes_of(kept, scaled, rows, features) for features in itertools.combinations(range(X.shape[1]), r)]
    return Table(r, np.asarray(y)[rows], weights[rows], X.shape[1], tuple(p for p in planes if p is not None))


def scale(X: Floats) -> Floats:
    """Each feature to [-1, 1] by its smallest and largest present value; a constant feature to 0."""
    scaled = np.full(X.shape, np.nan)
    for j in range(X.shape[1]):
        present = ~np.isnan(X[:, j])
        if present.any():
            low, high = X[present, j].min(), X[present, j].max()
            scaled[present, j] = 2 * ((X[present, j] - low) / (high - low)) - 1 if high > low else 0.0
    return scaled


def _planes_of(X: Floats, Z: Floats, rows: NDArray[np.int64], features: tuple[int, ...]) -> Planes | None:
    absent = np.isnan(X[:, features]).any(axis=1)
    complete = np.flatnonzero(~absent)
    r = len(features)
    if len(complete) < r:
        return None
    if r == 1:
        return _axis_planes(X[:, features[0]], rows, features, absent, complete)
    points = Z[complete][:, features]
    flatness = _flatness(points)
    if flatness <= 0.9 * FLAT:
        return None
    parts = [_oblique_planes(points, subsets) for subsets in _chunks(len(complete), r)]
    subsets, side, doubtful, positive, sign_unsure, unsure = (np.concatenate(part) for part in zip(*parts, strict=True))
    if flatness <= 1.1 * FLAT:
        unsure[:] = True
    return Planes(
        features,
        rows[complete[subsets]],
        _spread(side, complete, len(X)),
        _spread(doubtful, complete, len(X)),
        absent,
        positive,
        sign_unsure,
        unsure,
    )


def _chunks(n: int, r: int) -> Iterator[NDArray[np.int64]]:
    subsets = itertools.combinations(range(n), r)
    while chunk := list(itertools.islice(subsets, CHUNK)):
        yield np.array(chunk, dtype=np.int64)


def _spread(values: NDArray[np.generic], columns: NDArray[np.int64], width: int) -> NDArray[np.generic]:
    spread = np.zeros((len(values), width), dtype=values.dtype)
    spread[:, columns] = values
    return spread


def _axis_planes(
    column: Floats, rows: NDArray[np.int64], features: tuple[int, ...], absent: Bools, complete: NDArray[np.int64]
) -> Planes | None:
    """At r = 1 a plane is a value, and on it is what equals it."""
    values = column[complete]
    if values.min() == values.max():
        return None
    difference = values[None, :] - values[:, None]
    no = np.zeros(len(values), dtype=bool)
    return Planes(
        features,
        rows[complete][:, None],
        _spread(np.sign(difference).astype(np.int8), complete, len(column)),
        np.zeros((len(values), len(column)), dtype=bool),
        absent,
        ~no,
        no,
        no,
    )


def _flatness(points: Floats) -> float:
    """The largest distance of a row from the least-squares plane of the distinct rows (so copies change nothing)."""
    distinct = np.unique(points, axis=0)
    centred = distinct - distinct.mean(axis=0)
    normal = np.linalg.svd(centred, full_matrices=True)[2][-1]
    return float(np.abs(centred @ (normal / np.abs(normal).max())).max())


def _oblique_planes(points: Floats, subsets: NDArray[np.int64]) -> tuple[NDArray[np.generic], ...]:
    """The independent selections among `subsets`, and on which side of their planes all points lie."""
    r = points.shape[1]
    corners = points[subsets]
    centres = corners.mean(axis=1, keepdims=True)
    _, spread, axes = np.linalg.svd(corners - centres)
    smallest = spread[:, r - 2]
    keep = smallest > 0.99 * INDEPENDENT
    subsets, centres, spread, axes, smallest = (a[keep] for a in (subsets, centres, spread, axes, smallest))
    normals = axes[:, -1, :]
    normals = normals / np.abs(normals).max(axis=1, keepdims=True)
    offsets = points[None, :, :] - centres
    distance = np.einsum("knr,kr->kn", offsets, normals)
    # The normal is wrong by about eps/s_i along the i-th axis of the selection, so a point's distance is wrong by that
    # times its coordinate there. For the defining samples the coordinate is at most s_i: they are never in doubt.
    along = np.abs(np.einsum("knr,kir->kni", offsets, axes[:, :-1, :]))
    error = ROUNDING * (1 + np.einsum("kni,ki->kn", along, 1 / spread[:, :-1]))
    side = np.where(distance > ON_PLANE, 1, np.where(distance < -ON_PLANE, -1, 0)).astype(np.int8)
    np.put_along_axis(side, subsets, 0, axis=1)
    doubtful = _in_doubt(np.abs(distance), error)
    np.put_along_axis(doubtful, subsets, False, axis=1)
    positive, sign_unsure = _signs(normals, spread)
    return subsets, side, doubtful, positive, sign_unsure, smallest <= 1.01 * INDEPENDENT


def _in_doubt(size: Floats, error: Floats) -> Bools:
    return (size + error >= DOUBT[0]) & (size - error <= DOUBT[1])


def _signs(normals: Floats, spread: Floats) -> tuple[Bools, Bools]:
    """Whether the first coefficient above 1e-9 is positive, and whether rounding could change that."""
    size = np.abs(normals)
    first = np.argmax(size > ON_PLANE, axis=1)
    error = ROUNDING * (1 + (1 / spread[:, :-1]).sum(axis=1))
    before = np.arange(normals.shape[1])[None, :] <= first[:, None]
    unsure = (_in_doubt(size, error[:, None]) & before).any(axis=1)
    return normals[np.arange(len(normals)), first] > 0, unsure


# --- the scores -------------------------------------------------------------------------------------------------------


def score_partitions(criterion: str, y: NDArray[np.int64], weights: Floats, left: Bools) -> Floats:
    """The scores of partitions, one per row of `left`, in the paper's units (information gain in bits)."""
    per_class = np.zeros((len(y), int(y.max()) + 1))
    per_class[np.arange(len(y)), y] = weights
    left_counts = left.astype(np.float64) @ per_class
    right_counts = (~left).astype(np.float64) @ per_class
    return _SCORES[criterion](left_counts, right_counts)


def score_partition(criterion: str, y: NDArray[np.int64], weights: Floats, left: Bools) -> float:
    """The score of one partition."""
    return float(score_partitions(criterion, y, weights, left[None, :])[0])


def _proportions(counts: Floats) -> tuple[Floats, Floats]:
    total = counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total, np.where(total[:, None] > 0, counts / total[:, None], 0.0)


def _gini(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr) = _proportions(left), _proportions(right)
    return (nl * (1 - (pl**2).sum(axis=1)) + nr * (1 - (pr**2).sum(axis=1))) / (nl + nr)


def _twoing(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr) = _proportions(left), _proportions(right)
    return (nl / (nl + nr)) * (nr / (nl + nr)) / 4 * np.abs(pl - pr).sum(axis=1) ** 2


def _entropy(p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.where(p > 0, p * np.log2(p), 0.0).sum(axis=1)


def _information_gain(left: Floats, right: Floats) -> Floats:
    (nl, pl), (nr, pr), (n, p) = _proportions(left), _proportions(right), _proportions(left + right)
    return _entropy(p) - (nl * _entropy(pl) + nr * _entropy(pr)) / n


_SCORES = {"gini": _gini, "twoing": _twoing, "information_gain": _information_gain}


def no_candidate(criterion: str) -> float:
    """The score of a node without a candidate: as bad as can be."""
    return inf if criterion == "gini" else -inf


def better(criterion: str, a: float, b: float) -> float:
    """The better of two scores."""
    return min(a, b) if criterion == "gini" else max(a, b)


# --- the answer -------------------------------------------------------------------------------------------------------


def best(table: Table, problem: Problem) -> Answer:
    """The best score over all candidates with two admissible sides."""
    worst = no_candidate(problem.criterion)
    score = certain = optimistic = worst
    doubtful = False
    for planes in table.planes:
        unsure = _unsure(planes, problem)
        for left, plane in _partitions(planes, problem):
            scores = _admissible_scores(table, problem, left)
            score = _best_of(problem, score, scores)
            certain = _best_of(problem, certain, scores[~unsure[plane]])
        if unsure.any():
            doubtful = True
            optimistic = better(problem.criterion, optimistic, _optimistic(table, planes, problem, unsure))
    optimistic = better(problem.criterion, optimistic, score)
    return Answer(score, certain, optimistic, doubtful)


def candidate_scores(table: Table, problem: Problem) -> list[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """Every candidate with admissible sides as (features, samples, score), one entry per partition."""
    return [
        (planes.features, tuple(int(i) for i in planes.samples[k]), float(score))
        for planes in table.planes
        for left, plane in _partitions(planes, problem)
        for k, score in zip(plane, _admissible_scores(table, problem, left), strict=True)
        if np.isfinite(score)
    ]


def _unsure(planes: Planes, problem: Problem) -> Bools:
    unsure = planes.unsure | planes.doubtful.any(axis=1)
    return unsure | planes.sign_unsure if problem.orientation == "canonical" else unsure


def _partitions(planes: Planes, problem: Problem) -> Iterator[tuple[Bools, NDArray[np.int64]]]:
    """Batches of left sides, with the plane that each comes from."""
    everything = np.arange(len(planes.side))
    on_or_above, on_or_below = planes.side >= 0, planes.side <= 0
    if problem.orientation == "canonical":
        on_or_above = np.where(planes.positive[:, None], on_or_above, on_or_below)
    for left in (on_or_above, on_or_below)[: 1 if problem.orientation == "canonical" else 2]:
        yield left & ~planes.absent, everything
        if problem.missing == "learn" and planes.absent.any():
            yield left | planes.absent, everything


def _admissible_scores(table: Table, problem: Problem, left: Bools) -> Floats:
    """Scores of partitions; those with a side that is empty or too small get the worst score."""
    n_left, n = left.sum(axis=1), left.shape[1]
    weight_left = left @ table.weights
    fits = np.minimum(n_left, n - n_left) >= max(1, problem.min_samples_leaf)
    fits &= np.minimum(weight_left, table.weights.sum() - weight_left) >= problem.min_weight_leaf
    scores = np.full(len(left), no_candidate(problem.criterion))
    if fits.any():
        scores[fits] = score_partitions(problem.criterion, table.y, table.weights, left[fits])
    return scores


def _best_of(problem: Problem, score: float, scores: Floats) -> float:
    if len(scores) == 0:
        return score
    return better(problem.criterion, score, float(scores.min() if problem.criterion == "gini" else scores.max()))


def _optimistic(table: Table, planes: Planes, problem: Problem, unsure: Bools) -> float:
    """The best score of the unsure planes with every doubtful row on the side that suits it."""
    either_sign = Problem(problem.criterion, "both", problem.missing, problem.min_samples_leaf, problem.min_weight_leaf)
    score = no_candidate(problem.criterion)
    for left, plane in _partitions(planes, either_sign if planes.sign_unsure.any() else problem):
        for k in np.flatnonzero(unsure[plane]):
            free = np.flatnonzero(planes.doubtful[plane[k]])
            if len(free) > 10:
                return -no_candidate(problem.criterion)
            choices = np.array(list(itertools.product((False, True), repeat=len(free))), dtype=bool)
            lefts = np.repeat(left[k][None, :], len(choices), axis=0)
            lefts[:, free] = choices
            score = _best_of(problem, score, _admissible_scores(table, problem, lefts))
    return score
