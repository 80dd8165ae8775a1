"""A check of a split's certificate by someone who does not trust the search.

`verify` reads the split's own rule, scores its partition afresh, and then makes every candidate of the node problem, in
plain NumPy. Nothing here is shared with the search: no code, no bound, no order. What it costs grows as the number of
planes times the number of rows, so it is for small tables; it refuses the others with their numbers. Where rounding
alone decides a row's side, it takes no program's word: if that could make a better split, none is verified.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb, isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.columns import CategoricalColumns
from cart_elc.tree import FloatArray
from cart_elc.verification.scores import OF_NUMBERS, SCORES, TOLERANCE, Judge
from cart_elc.verification.search import LabelledRows, Searched, add_subsets, labelled_rows, score_all

if TYPE_CHECKING:
    from cart_elc.splitters.split import Split

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
        ``C(n, r) * C(m, r)`` over the rows of positive weight; for ``planes="any"`` the sum of that over ``1..r``.
    n_planes : int
        Planes that were made and scored; rows at one place count once.
    n_doubtful : int
        Planes left out of `best` in whole or in part: a row lies so near that rounding alone decides its side.
    n_deciding : int
        Doubtful planes that, with such rows placed at will, could beat the bound. Where there is one, the split is not
        verified.
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
    n_deciding: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every claim of the split holds."""
        return not self.problems

    def __str__(self) -> str:
        verdict = "verified" if self.ok else "NOT verified: " + "; ".join(self.problems)
        doubt = f", {self.n_doubtful:,} of them doubtful" if self.n_doubtful else ""
        reported = "as" if self.score_matches else "not as"
        bound = "holds" if self.bound_holds else "is broken"
        return (
            f"{verdict}\n"
            f"  score of the rule on the data: {self.score:.12g} ({reported} reported)\n"
            f"  best of all candidates:        {self.best:.12g} (bound {bound})\n"
            f"  planes scored: {self.n_planes:,} for {self.n_candidates:,} candidates{doubt}"
        )


def verify(
    split: Split,
    X: ArrayLike,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    missing: str = "learn",
    r: int | None = None,
    categorical_features: Any = "from_dtype",  # noqa: ANN401
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
        The `r` of the search. By default the one that has the split's number of candidates; for planes through samples,
        as many as the split has features, if it has any.
    categorical_features : "from_dtype", array-like or None
        Which features are categories, as in the search.
    max_planes : int
        The most planes, and subsets of levels, to enumerate, with at most 1,000 times as many distances. What the
        default lets through takes up to a minute or two.

    Returns
    -------
    Verification
        True claims and false ones; `Verification.ok` says whether all hold.

    Notes
    -----
    Time is proportional to ``C(n, r) * C(m, r) * n``, memory is bounded.

    Two correct programs may disagree on a plane where rounding alone decides a row's side. Such planes cannot break the
    bound, but if one of them could beat it, the split is not verified.

    Examples
    --------
    >>> from cart_elc import best_split
    >>> from cart_elc.verification.verify import verify
    >>> X, y = [[0, 0], [1, 0], [0, 1], [2, 2]], [0, 0, 1, 1]
    >>> verify(best_split(X, y, r=2), X, y).ok
    True
    """
    columns = CategoricalColumns.of(X, categorical_features)
    rows = labelled_rows(columns.codes(X), y, sample_weight, numbers=split.criterion in OF_NUMBERS)
    check(split, rows, missing)
    categories, numbers = np.flatnonzero(columns.is_nominal).tolist(), np.flatnonzero(~columns.is_nominal)
    n_subsets = sum(number_of_subsets(rows.X[:, feature]) for feature in categories)
    n, m = len(rows.X), len(numbers)
    sizes = sizes_of_planes(replace(split, n_candidates=split.n_candidates - n_subsets), n, m, r) if m else ()
    n_candidates = number_of_candidates(n, m, sizes) + n_subsets
    refuse_if_large(n_candidates, n, max_planes)
    judge = Judge(split.criterion, rows.tallies.sum(axis=0), rows.counted, rows.X.shape[1], rows.unit)
    searched = score_all(replace(rows, X=rows.X[:, numbers]), sizes, split.planes, missing, judge, split.bound)
    for feature in categories:
        add_subsets(searched, rows, feature)
    return verdict(split, score_of_rule(split, rows, judge), searched, n_candidates, missing)


def check(split: Split, rows: LabelledRows, missing: str) -> None:
    if split.criterion not in SCORES:
        raise ValueError(f"split.criterion must be one of {sorted(SCORES)}, got {split.criterion!r}")
    if split.planes not in ("any", "through", "canonical"):
        raise ValueError(f"split.planes must be 'any', 'through' or 'canonical', got {split.planes!r}")
    if missing not in ("learn", "right"):
        raise ValueError(f"missing must be 'learn' or 'right', got {missing!r}")
    if any(not 0 <= feature < rows.X.shape[1] for feature in split.features):
        raise ValueError(f"split.features must be columns of X (n_features={rows.X.shape[1]}), got {split.features}")


def sizes_of_planes(split: Split, n: int, m: int, r: int | None) -> tuple[int, ...]:
    """The numbers of features of the planes to enumerate: up to `r`, or `r` alone for planes through samples."""
    used, alone = len(split.features), split.planes != "any"
    sizes = {size: (size,) if alone else tuple(range(1, size + 1)) for size in range(1, m + 1)}
    possible = [size for size in sizes if size == used or (size > used and not (alone and used))]
    if r is not None:
        if min(r, m) not in possible:
            raise ValueError(f"r must be one of {possible} for a split on {used} of {m} features, got {r}")
        return sizes[min(r, m)]
    fitting = [size for size in possible if number_of_candidates(n, m, sizes[size]) == split.n_candidates]
    if alone and len(fitting) > 1 and split.n_candidates > 0:
        raise ValueError(f"r must be given for this split without features: {fitting} have its candidates")
    return sizes[(fitting or possible)[0]]


def number_of_subsets(codes: FloatArray) -> int:
    """In how many ways the levels of a category can be divided, or from its missing values if there is one level."""
    return int(max(1, 2 ** (len(np.unique(codes[~np.isnan(codes)])) - 1) - 1))


def number_of_candidates(n: int, m: int, sizes: tuple[int, ...]) -> int:
    return sum(comb(n, size) * comb(m, size) for size in sizes)


def refuse_if_large(n_planes: int, n: int, max_planes: int) -> None:
    if n_planes > max_planes or n_planes * n > max_planes * ROWS_PER_PLANE:
        raise ValueError(
            f"verify enumerates all {n_planes:,} planes over {n:,} rows, which is above the limit "
            f"of max_planes={max_planes:,} planes and {ROWS_PER_PLANE * max_planes:,} distances; raise max_planes to "
            "wait for it"
        )


def score_of_rule(split: Split, rows: LabelledRows, judge: Judge) -> float:
    if not split.features:
        return judge.worst
    if split.levels is not None:
        sides = {code: bool(side) for code, side in enumerate(split.levels.tolist()) if side < 2}
        left = np.array([sides.get(code, split.missing_left) for code in rows.X[:, split.features[0]].tolist()])
        return float(judge.scores(left @ rows.tallies, judge.price_of_subset(len(sides))))
    total = np.zeros(len(rows.X))
    for feature, weight in zip(split.features, split.weights, strict=True):
        total = total + weight * rows.X[:, feature]
    left = np.where(np.isnan(total), split.missing_left, total >= split.threshold)
    return float(judge.scores(left @ rows.tallies, judge.price(len(split.features))))


def verdict(split: Split, score: float, searched: Searched, n_candidates: int, missing: str) -> Verification:
    judge = searched.judge
    matches = score == split.score or abs(score - split.score) <= TOLERANCE * max(judge.scale, abs(score))
    holds = not (isnan(split.bound) or judge.beats(searched.best, split.bound))
    tight = not split.proven or split.bound == split.score
    reached = not judge.beats(split.score, searched.reachable)
    counted = split.n_candidates == n_candidates
    allowed = missing == "learn" or not (split.found and split.missing_left)
    claims = {
        f"the rule scores {score:.12g} on the data, the split reports {split.score:.12g}": matches,
        f"a candidate scores {searched.best:.12g}, beyond the bound {split.bound:.12g}": holds,
        f"{searched.n_deciding:,} planes hang on rounding and could beat the bound": searched.n_deciding == 0,
        f"the score {split.score:.12g} is beyond its own bound": not judge.beats(split.score, split.bound),
        f"called proven, but the bound {split.bound:.12g} is not the score {split.score:.12g}": tight,
        f"no candidate scores {split.score:.12g}; the best has {searched.reachable:.12g}": reached,
        f"there are {n_candidates:,} candidates, the split reports {split.n_candidates:,}": counted,
        "rows with missing values go left, against missing='right'": allowed,
    }
    problems = tuple(sentence for sentence, true in claims.items() if not true)
    seen = (searched.n_planes, searched.n_doubtful, searched.n_deciding)
    return Verification(score, matches, searched.best, holds, n_candidates, *seen, problems)
