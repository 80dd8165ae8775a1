"""A check of a split's certificate by someone who does not trust the search.

`verify` reads the split's own rule, scores its partition afresh, and then makes every plane of the node problem, one by
one, in plain NumPy. Nothing here is shared with the search: no code, no bound, no order. What it costs grows as the
number of planes times the number of rows, so it is for small tables; it refuses the others with their numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb, inf, isinf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from cart_elc.splitters.split import Split

__all__ = ["Verification", "verify"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TOLERANCE = 1e-9
"""Scores that differ by no more are equal."""
ON_PLANE, INDEPENDENT, FLAT = 1e-9, 1e-7, 1e-8
"""The rules of the node problem: on a plane, an independent selection, a feature set in one plane."""
DOUBT = (0.2e-9, 5e-9)
"""A row whose distance may lie here could be on or off the plane by rounding alone; its plane proves nothing."""
MAX_PLANES = 1_000_000
ROWS_PER_PLANE = 1_000
CHUNK_CELLS = 2_000_000


@dataclass(frozen=True)
class Verification:
    """What `verify` found.

    Attributes
    ----------
    score : float
        Score of the partition that the split's own rule gives.
    score_matches : bool
        Whether that is the score which the split reports.
    best : float
        Best score of all candidates whose sides float64 settles; infinite if there is none.
    bound_holds : bool
        Whether no candidate is better than the split's bound.
    n_candidates : int
        ``C(n, r) * C(m, r)`` over the rows of positive weight.
    n_planes : int
        Candidates that fix a plane; all of them were scored.
    n_doubtful : int
        Planes left out of `best`: a row lies so near that rounding alone decides its side.
    problems : tuple of str
        A sentence for each claim of the split that does not hold.
    """

    score: float
    score_matches: bool
    best: float
    bound_holds: bool
    n_candidates: int
    n_planes: int
    n_doubtful: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every claim of the split holds."""
        return not self.problems

    def __str__(self) -> str:
        verdict = "verified" if self.ok else "NOT verified: " + "; ".join(self.problems)
        doubt = f", {self.n_doubtful:,} left out as doubtful" if self.n_doubtful else ""
        reported = "as" if self.score_matches else "not as"
        bound = "holds" if self.bound_holds else "is broken"
        return (
            f"{verdict}\n"
            f"  score of the rule on the data: {self.score:.12g} ({reported} reported)\n"
            f"  best of all planes:            {self.best:.12g} (bound {bound})\n"
            f"  planes scored: {self.n_planes:,} of {self.n_candidates:,} candidates{doubt}"
        )


def verify(
    split: Split,
    X: ArrayLike,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    missing: str = "learn",
    r: int | None = None,
    max_planes: int = MAX_PLANES,
) -> Verification:
    """Check a split against its data by exhaustive enumeration.

    Parameters
    ----------
    split : Split
        What `best_split` returned.
    X : array-like of shape (n_samples, n_features)
        The data that the split was searched on.
    y : array-like of shape (n_samples,)
        The labels.
    sample_weight : array-like of shape (n_samples,) or a number, optional
        The weights that the split was searched with.
    missing : {"learn", "right"}
        The treatment of missing values that the split was searched with.
    r : int, optional
        Features of a plane. By default as many as the split has, or, if it has none, the `r` that has its number of
        candidates.
    max_planes : int
        The most planes to enumerate, with at most 1,000 times as many distances. The default takes some ten seconds.

    Returns
    -------
    Verification
        True claims and false ones; `Verification.ok` says whether all hold.

    Notes
    -----
    Time is proportional to ``C(n, r) * C(m, r) * n``, memory is bounded.

    Planes on which rounding alone decides a row's side are left out of the proof and counted in `n_doubtful`; two
    correct programs may disagree on them.

    Examples
    --------
    >>> from cart_elc import best_split
    >>> from cart_elc.verification import verify
    >>> X, y = [[0, 0], [1, 0], [0, 1], [2, 2]], [0, 0, 1, 1]
    >>> verify(best_split(X, y, r=2), X, y).ok
    True
    """
    rows = _rows(X, y, sample_weight)
    _check(split, rows, missing)
    size = _size(split, rows, r)
    n_candidates = comb(len(rows.y), size) * comb(rows.X.shape[1], size)
    _refuse_if_large(n_candidates, len(rows.y), max_planes)
    judge = _Judge(split.criterion, split.orientation, missing)
    score = _score_of_rule(split, rows, judge)
    searched = _search(rows, size, judge)
    return _verdict(split, score, searched, n_candidates, judge)


# --- the data ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of positive weight: values, class codes, and each row's weight in the column of its class."""

    X: Floats
    y: Ints
    class_weights: Floats


def _rows(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> _Rows:
    values, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if values.ndim != 2 or labels.shape != values.shape[:1]:
        raise ValueError(f"X must be a table and y its labels, got shapes {values.shape} and {labels.shape}")
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    if np.isscalar(sample_weight) or sample_weight is None:
        weights = np.full(len(values), weights)
    if weights.shape != labels.shape:
        raise ValueError(f"sample_weight must have shape {labels.shape}, got {weights.shape}")
    kept = weights > 0
    if not kept.any():
        raise ValueError("sample_weight must have a positive value, got none")
    classes, codes = np.unique(labels[kept], return_inverse=True)
    class_weights = np.where(codes[:, None] == np.arange(len(classes)), weights[kept][:, None], 0.0)
    return _Rows(values[kept], codes, class_weights)


def _check(split: Split, rows: _Rows, missing: str) -> None:
    if split.criterion not in _SCORES:
        raise ValueError(f"split.criterion must be one of {sorted(_SCORES)}, got {split.criterion!r}")
    if split.orientation not in ("both", "canonical"):
        raise ValueError(f"split.orientation must be 'both' or 'canonical', got {split.orientation!r}")
    if missing not in ("learn", "right"):
        raise ValueError(f"missing must be 'learn' or 'right', got {missing!r}")
    if any(not 0 <= feature < rows.X.shape[1] for feature in split.features):
        raise ValueError(f"split.features must be columns of X (n_features={rows.X.shape[1]}), got {split.features}")


def _size(split: Split, rows: _Rows, r: int | None) -> int:
    """The number of features of the planes to enumerate."""
    n, m = rows.X.shape
    if r is not None:
        if not 1 <= r <= m or (split.features and r != len(split.features)):
            raise ValueError(f"r must be the number of the split's features, in [1, {m}], got {r}")
        return r
    if split.features:
        return len(split.features)
    fitting = [size for size in range(1, m + 1) if comb(n, size) * comb(m, size) == split.n_candidates]
    if len(fitting) != 1 and split.n_candidates > 0:
        raise ValueError(f"r must be given for this split without features: {fitting or 'no r'} have its candidates")
    return fitting[-1] if fitting else m


def _refuse_if_large(n_planes: int, n: int, max_planes: int) -> None:
    if n_planes > max_planes or n_planes * n > max_planes * ROWS_PER_PLANE:
        raise ValueError(
            f"verify enumerates all C(n, r) * C(m, r) = {n_planes:,} planes over {n:,} rows, which is above the limit "
            f"of max_planes={max_planes:,} planes and {ROWS_PER_PLANE * max_planes:,} distances; raise max_planes to "
            "wait for it"
        )


# --- scores from class counts -----------------------------------------------------------------------------------------


def _gini(left: Floats, total: Floats) -> Floats:
    right = total - left
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    kept = (left**2).sum(axis=-1) / n_left + (right**2).sum(axis=-1) / n_right
    return np.asarray(1 - kept / total.sum())


def _twoing(left: Floats, total: Floats) -> Floats:
    """``(sum_j |n a_j - T_j n_L|)^2 / (4 n^2 n_L n_R)``: the paper's formula with its fractions cleared."""
    n, n_left = total.sum(), left.sum(axis=-1)
    spread = np.abs(n * left - total * n_left[..., None]).sum(axis=-1)
    return np.asarray((spread / n) ** 2 / (4 * n_left * (n - n_left)))


def _information_gain(left: Floats, total: Floats) -> Floats:
    """``(h(n) - h(n_L) - h(n_R) - sum_j [h(T_j) - h(a_j) - h(b_j)]) / n`` with ``h(x) = x log2 x``."""
    right = total - left
    whole = _xlog(total.sum()) - _xlog(total).sum()
    parts = _xlog(left.sum(axis=-1)) + _xlog(right.sum(axis=-1)) - _xlog(left).sum(axis=-1) - _xlog(right).sum(axis=-1)
    return np.asarray((whole - parts) / total.sum())


def _xlog(x: Floats) -> Floats:
    return x * np.log2(np.where(x > 0, x, 1.0))


_SCORES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "gini": _gini,
    "twoing": _twoing,
    "information_gain": _information_gain,
}


@dataclass(frozen=True)
class _Judge:
    """The question: which partitions of a plane count, and which score is better."""

    criterion: str
    orientation: str
    missing: str

    @property
    def worst(self) -> float:
        return inf if self.criterion == "gini" else -inf

    def best(self, scores: Floats) -> float:
        return float(scores.min() if self.criterion == "gini" else scores.max()) if scores.size else self.worst

    def beats(self, a: float, b: float) -> bool:
        """Whether score `a` is better than `b` by more than the tolerance."""
        if isinf(a) or isinf(b):
            return a != b and a != self.worst
        return (b - a if self.criterion == "gini" else a - b) > TOLERANCE

    def scores(self, left: Bools, class_weights: Floats) -> Floats:
        """Scores of partitions, the worst where a side is empty."""
        n_left = left.sum(axis=-1)
        proper = (n_left > 0) & (n_left < left.shape[-1])
        scores = np.full(len(left), self.worst)
        counts = left[proper].astype(np.float64) @ class_weights
        scores[proper] = _SCORES[self.criterion](counts, class_weights.sum(axis=0))
        return scores


# --- the split's own rule ---------------------------------------------------------------------------------------------


def _score_of_rule(split: Split, rows: _Rows, judge: _Judge) -> float:
    if not split.features:
        return judge.worst
    total = np.zeros(len(rows.y))
    for feature, weight in zip(split.features, split.weights, strict=True):
        total = total + weight * rows.X[:, feature]
    left = np.where(np.isnan(total), split.missing_left, total >= split.threshold)
    return float(judge.scores(left[None, :], rows.class_weights)[0])


# --- all planes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Searched:
    """The best certain score of the planes seen, the number of planes, and of those in doubt."""

    best: float
    n_planes: int
    n_doubtful: int

    @classmethod
    def nothing(cls, judge: _Judge) -> _Searched:
        return cls(judge.worst, 0, 0)

    def joined(self, other: _Searched, judge: _Judge) -> _Searched:
        best = judge.best(np.array([self.best, other.best]))
        return _Searched(best, self.n_planes + other.n_planes, self.n_doubtful + other.n_doubtful)


@dataclass(frozen=True, eq=False)
class _Planes:
    """Some planes of a feature set: the rows above and on each, and whether its first coefficient is positive.

    `doubtful` marks planes with a row, `sign_doubtful` planes with a sign, that hangs on rounding.
    """

    above: Bools
    on: Bools
    positive: Bools
    doubtful: Bools
    sign_doubtful: Bools


def _search(rows: _Rows, r: int, judge: _Judge) -> _Searched:
    """Score every plane of `r` features."""
    searched = _Searched.nothing(judge)
    scaled = _scaled(rows.X)
    for features in itertools.combinations(range(rows.X.shape[1]), r):
        complete = ~_any(np.isnan(rows.X[:, features]))
        points = (rows.X if r == 1 else scaled)[complete][:, features]
        for planes in _planes(points):
            found = _score_planes(planes, complete, rows.class_weights, judge)
            searched = searched.joined(found, judge)
    return searched


def _scaled(X: Floats) -> Floats:
    """The columns on [-1, 1]; a constant column, or one without a value, becomes 0."""
    present = ~np.isnan(X)
    low = np.where(present, X, inf).min(axis=0)
    high = np.where(present, X, -inf).max(axis=0)
    constant = ~(high > low)
    low, high = np.where(constant, 0.0, low), np.where(constant, 1.0, high)
    unit = (X / 2 - low / 2) / (high / 2 - low / 2)
    return np.where(constant & present, 0.0, 2 * unit - 1)


def _score_planes(planes: _Planes, complete: Bools, class_weights: Floats, judge: _Judge) -> _Searched:
    canonical = judge.orientation == "canonical"
    certain = ~(planes.doubtful | planes.sign_doubtful) if canonical else ~planes.doubtful
    with_above = planes.above | planes.on
    with_below = ~planes.above
    canonical_left = np.where(planes.positive[:, None], with_above, with_below)
    lefts = [canonical_left] if canonical else [with_above, with_below]
    blocks = (False, True) if judge.missing == "learn" and not complete.all() else (False,)
    best = judge.worst
    for left, block in itertools.product(lefts, blocks):
        everyone = np.full((int(certain.sum()), len(complete)), block)
        everyone[:, complete] = left[certain]
        best = judge.best(np.array([best, judge.best(judge.scores(everyone, class_weights))]))
    return _Searched(best, len(certain), int((~certain).sum()))


def _planes(points: Floats) -> Iterator[_Planes]:
    """All planes through ``r`` of the points, in chunks."""
    n, r = points.shape
    if n < r or _lie_in_one_plane(points):
        return
    subsets = itertools.combinations(range(n), r)
    while chunk := list(itertools.islice(subsets, max(1, CHUNK_CELLS // (n * r)))):
        selections = np.array(chunk, dtype=np.int64)
        yield _axis_planes(points[:, 0], selections[:, 0]) if r == 1 else _oblique_planes(points, selections)


def _lie_in_one_plane(points: Floats) -> bool:
    if points.shape[1] == 1:
        return bool(points.min() == points.max())
    distinct = np.unique(points, axis=0)
    centred = distinct - distinct.mean(axis=0)
    normal = np.linalg.svd(centred)[2][-1]
    return bool(np.abs(centred @ normal).max() <= FLAT * np.abs(normal).max())


def _axis_planes(values: Floats, selections: Ints) -> _Planes:
    cuts = values[selections][:, None]
    no = np.zeros(len(selections), dtype=bool)
    return _Planes(values > cuts, values == cuts, ~no, no, no)


def _oblique_planes(points: Floats, selections: Ints) -> _Planes:
    """The planes of the independent selections; distances are measured from the first sample of each."""
    corners = points[selections]
    _, lengths, axes = np.linalg.svd(corners - corners.mean(axis=1, keepdims=True))
    independent = lengths[:, -2] > INDEPENDENT
    selections, corners, thinnest = selections[independent], corners[independent], lengths[independent, -2]
    normals = axes[independent, -1]
    normals = normals / np.abs(normals).max(axis=1, keepdims=True)
    distances = np.einsum("kj,knj->kn", normals, points - corners[:, :1])
    on = np.abs(distances) <= ON_PLANE
    np.put_along_axis(on, selections, True, axis=1)
    doubtful = _doubtful(points, corners, distances, thinnest)
    return _Planes((distances > 0) & ~on, on, _positive(normals), doubtful, _sign_in_doubt(normals, thinnest))


def _doubtful(points: Floats, corners: Floats, distances: Floats, thinnest: Floats) -> Bools:
    """Whether a row of the plane has a distance that rounding may move across the tolerance.

    A plane of a thin selection is wrong by eps over its thinnest extent for each unit away from its samples.
    """
    away = np.full(distances.shape, inf)
    for corner in corners.transpose(1, 0, 2):
        np.minimum(away, np.abs(points - corner[:, None, :]).max(axis=2), out=away)
    error = 64 * np.finfo(np.float64).eps * (1 + away / thinnest[:, None])
    size = np.abs(distances)
    return _any((size + error >= DOUBT[0]) & (size - error <= DOUBT[1]) & (away > 0))


def _positive(normals: Floats) -> Bools:
    first = (np.abs(normals) > ON_PLANE).argmax(axis=1)
    return np.take_along_axis(normals, first[:, None], axis=1)[:, 0] > 0


def _sign_in_doubt(normals: Floats, thinnest: Floats) -> Bools:
    """Whether a coefficient is so near to 1e-9 that the canonical sign may hang on rounding."""
    error = 64 * np.finfo(np.float64).eps * (1 + 1 / thinnest[:, None])
    size = np.abs(normals)
    return _any((size + error >= DOUBT[0]) & (size - error <= DOUBT[1]))


def _any(rows: Bools) -> Bools:
    return np.asarray(rows.any(axis=1))


# --- the verdict ------------------------------------------------------------------------------------------------------


def _verdict(split: Split, score: float, searched: _Searched, n_candidates: int, judge: _Judge) -> Verification:
    matches = score == split.score or abs(score - split.score) <= TOLERANCE
    holds = not judge.beats(searched.best, split.bound)
    claims = [
        (matches, f"the rule scores {score:.12g} on the data, the split reports {split.score:.12g}"),
        (holds, f"a plane scores {searched.best:.12g}, beyond the bound {split.bound:.12g}"),
        (not judge.beats(split.score, split.bound), f"the score {split.score:.12g} is beyond its own bound"),
        (
            not split.proven or split.bound == split.score,
            f"called proven, but the bound {split.bound:.12g} is not the score {split.score:.12g}",
        ),
        (
            searched.n_doubtful > 0 or not judge.beats(split.score, searched.best),
            f"no plane through samples scores {split.score:.12g}; the best has {searched.best:.12g}",
        ),
        (
            split.n_candidates == n_candidates,
            f"there are {n_candidates:,} candidates, the split reports {split.n_candidates:,}",
        ),
        (
            not (judge.missing == "right" and split.missing_left and split.features),
            "rows with missing values go left, against missing='right'",
        ),
    ]
    problems = tuple(sentence for holds_true, sentence in claims if not holds_true)
    return Verification(
        score, matches, searched.best, holds, n_candidates, searched.n_planes, searched.n_doubtful, problems
    )
