"""A check of a split's certificate by someone who does not trust the search.

`verify` reads the split's own rule, scores its partition afresh, and then makes every plane of the node problem, one by
one, in plain NumPy. Nothing here is shared with the search: no code, no bound, no order. What it costs grows as the
number of planes times the number of rows, so it is for small tables; it refuses the others with their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.verification.rows import LabelledRows, labelled_rows
from cart_elc.verification.scores import SCORES, TOLERANCE, Judge
from cart_elc.verification.search import Searched, score_all_planes

if TYPE_CHECKING:
    from cart_elc.splitters.split import Split

__all__ = ["Verification", "verify"]

MAX_PLANES = 1_000_000
ROWS_PER_PLANE = 1_000


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
        The most planes to enumerate, with at most 1,000 times as many distances. What the default lets through takes up
        to a minute or two.

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
    >>> from cart_elc.verification.verify import verify
    >>> X, y = [[0, 0], [1, 0], [0, 1], [2, 2]], [0, 0, 1, 1]
    >>> verify(best_split(X, y, r=2), X, y).ok
    True
    """
    rows = labelled_rows(X, y, sample_weight)
    check(split, rows, missing)
    size = size_of_planes(split, rows, r)
    n_candidates = comb(len(rows.y), size) * comb(rows.X.shape[1], size)
    refuse_if_large(n_candidates, len(rows.y), max_planes)
    judge = Judge(split.criterion, split.orientation, missing)
    score = score_of_rule(split, rows, judge)
    searched = score_all_planes(rows, size, judge)
    return verdict(split, score, searched, n_candidates, judge)


def check(split: Split, rows: LabelledRows, missing: str) -> None:
    """Refuse parameters and splits that say nothing about these rows."""
    if split.criterion not in SCORES:
        raise ValueError(f"split.criterion must be one of {sorted(SCORES)}, got {split.criterion!r}")
    if split.orientation not in ("both", "canonical"):
        raise ValueError(f"split.orientation must be 'both' or 'canonical', got {split.orientation!r}")
    if missing not in ("learn", "right"):
        raise ValueError(f"missing must be 'learn' or 'right', got {missing!r}")
    if any(not 0 <= feature < rows.X.shape[1] for feature in split.features):
        raise ValueError(f"split.features must be columns of X (n_features={rows.X.shape[1]}), got {split.features}")


def size_of_planes(split: Split, rows: LabelledRows, r: int | None) -> int:
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


def refuse_if_large(n_planes: int, n: int, max_planes: int) -> None:
    """Refuse tables whose enumeration would take longer than the caller allowed."""
    if n_planes > max_planes or n_planes * n > max_planes * ROWS_PER_PLANE:
        raise ValueError(
            f"verify enumerates all C(n, r) * C(m, r) = {n_planes:,} planes over {n:,} rows, which is above the limit "
            f"of max_planes={max_planes:,} planes and {ROWS_PER_PLANE * max_planes:,} distances; raise max_planes to "
            "wait for it"
        )


def score_of_rule(split: Split, rows: LabelledRows, judge: Judge) -> float:
    """Return the score of the partition that the split's own rule gives."""
    if not split.features:
        return judge.worst
    total = np.zeros(len(rows.y))
    for feature, weight in zip(split.features, split.weights, strict=True):
        total = total + weight * rows.X[:, feature]
    left = np.where(np.isnan(total), split.missing_left, total >= split.threshold)
    return float(judge.scores(left[None, :], rows.class_weights)[0])


def verdict(split: Split, score: float, searched: Searched, n_candidates: int, judge: Judge) -> Verification:
    """Judge every claim of the split."""
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
