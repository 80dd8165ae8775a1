"""What a split must satisfy on a table, checked against the oracle; each check gives a sentence where it fails."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import oracle
from cart_elc import Split, best_split

Floats = NDArray[np.float64]
TOLERANCE = 1e-9
MARGIN_TOLERANCE = 1e-7
FEW_PLACES = 40


@dataclass(frozen=True, eq=False)
class Case:
    """A table, its weights (None: all 1), and the number of features of a plane, at most or exactly."""

    X: Floats
    y: NDArray[np.int64] | Floats
    sample_weight: Floats | None
    r: int

    def table(self) -> oracle.Table:
        return oracle.make_table(self.X, self.y, self.r, self.sample_weight)

    def split(self, problem: oracle.Problem, **options: object) -> Split:
        with warnings.catch_warnings():
            # scikit-learn warns of a regression where there are nearly as many classes as rows.
            warnings.filterwarnings("ignore", message="The number of unique classes")
            return best_split(
                self.X,
                self.y,
                self.r,
                criterion=problem.criterion,
                sample_weight=self.sample_weight,
                planes=problem.planes,
                missing=problem.missing,
                **options,
            )

    def problems(self) -> list[oracle.Problem]:
        """Every problem that can be asked: planes of exactly `r` features need so many."""
        fits = self.r <= self.X.shape[1]
        return [problem for problem in self.asked() if fits or problem.planes == "any"]

    def asked(self, *planes: str) -> list[oracle.Problem]:
        """Every problem of the label's kind, with the sets of candidates named or all of them."""
        criteria = oracle.NUMBER_CRITERIA if self.y.dtype.kind == "f" else oracle.CRITERIA
        return problems(*planes, criteria=criteria)

    def kept(self) -> NDArray[np.int64]:
        """The rows of positive weight."""
        return np.arange(len(self.X)) if self.sample_weight is None else np.flatnonzero(self.sample_weight > 0)

    def __str__(self) -> str:
        weight = None if self.sample_weight is None else self.sample_weight.tolist()
        X, y = self.X.tolist(), self.y.tolist()
        return f"X = np.array({X!r})\ny = np.array({y!r})\nsample_weight = {weight!r}\nr = {self.r}"


def problems(*planes: str, criteria: Sequence[str] = oracle.CRITERIA) -> list[oracle.Problem]:
    """The criteria with every missing mode, and with the sets of candidates named or all of them."""
    return [
        oracle.Problem(criterion, chosen, missing)
        for criterion in criteria
        for chosen in planes or oracle.PLANES
        for missing in oracle.MISSING
    ]


def left_side(split: Split, X: Floats) -> NDArray[np.bool_]:
    """The stored rule, summed from left to right; rows with a missing value follow `missing_left`."""
    total = np.zeros(len(X))
    for feature, weight in zip(split.features, split.weights, strict=True):
        total += weight * X[:, feature]
    return np.where(np.isnan(total), split.missing_left, total >= split.threshold)


# --- one split --------------------------------------------------------------------------------------------------------


def complaints(case: Case, table: oracle.Table, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """Everything that is wrong with a split which the search was given time to prove."""
    answer = oracle.best(table, problem)
    if not split.proven:
        if answer.settled:
            yield from unproven_complaints(case)
        return
    knows_less = answer.doubtful and tells_more_apart(case, problem)
    if not (knows_less or answer.accepts(split.score)):
        yield f"score {split.score!r}, the oracle's is {answer}"
    yield from certificate_complaints(table, problem, split)
    if not split.found:
        if split.score != problem.worst:
            yield f"nothing found, but score {split.score!r}"
        return
    yield from rule_complaints(case, problem, split)
    if problem.planes == "any" and not knows_less:
        yield from tie_complaints(case, table, problem, split)
    elif problem.planes != "any":
        yield from through_complaints(case, split)


def tells_more_apart(case: Case, problem: oracle.Problem) -> bool:
    """Whether the search has a finer tolerance than the oracle, and so knows linear splits that are none to it."""
    return problem.planes == "any" and case.r > 1 and len(np.unique(case.X, axis=0)) > FEW_PLACES


def certificate_complaints(table: oracle.Table, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with what a proven split says about itself."""
    if split.n_candidates != table.n_candidates(problem.planes):
        yield f"n_candidates {split.n_candidates}, there are {table.n_candidates(problem.planes)}"
    if (split.criterion, split.planes) != (problem.criterion, problem.planes):
        yield f"says it is for {split.criterion}, {split.planes}"
    if split.bound != split.score:
        yield f"proven, but the bound is {split.bound!r} and the score {split.score!r}"
    sizes = range(1, table.r + 1) if problem.planes == "any" else [table.r]
    if split.found and (list(split.features) != sorted(set(split.features)) or len(split.features) not in sizes):
        yield f"features {split.features}"


def rule_complaints(case: Case, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with the stored rule: its partition has two sides and the score."""
    rows = case.kept()
    X, y = case.X[rows], case.y[rows]
    weights = np.ones(len(rows)) if case.sample_weight is None else case.sample_weight[rows]
    left = left_side(split, X)
    if not left.any() or left.all():
        yield "the rule leaves a side empty"
        return
    score = float(oracle.net_scores(problem, y, weights, left[None, :], len(split.features), X.shape[1])[0])
    if abs(score - split.score) > TOLERANCE * max(1.0, abs(score)):
        yield f"the rule's own score is {score!r}, the split says {split.score!r}"
    if problem.missing == "right" and split.missing_left:
        yield "missing rows go left under missing='right'"


def tie_complaints(case: Case, table: oracle.Table, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with the choice among equally good splits, and with the place of the plane.

    A split whose score is better than what float64 settles is in doubt, and so is everything else about it.
    """
    optimum = oracle.optimum(table, problem)
    if abs(split.score - optimum.answer.certain) > TOLERANCE * max(1.0, abs(split.score)):
        return
    left = left_side(split, table.X)
    refusal = optimum.refuses(split.features, left)
    if refusal is not None:
        yield refusal
    columns = table.X[:, list(split.features)]
    complete = ~np.isnan(columns).any(axis=1)
    if left[complete].any() and not left[complete].all() and expressible(columns):
        widest = oracle.margin(table.scaled[complete][:, list(split.features)], left[complete])
        if empty_band(split, table) < widest - MARGIN_TOLERANCE:
            yield f"the plane's margin is {empty_band(split, table)!r}, {widest!r} is possible for its partition"


def empty_band(split: Split, table: oracle.Table) -> float:
    """The distance of the plane from the nearest complete row, in features scaled to [-1, 1]."""
    X = table.X[:, list(split.features)]
    half = (np.nanmax(X, axis=0) - np.nanmin(X, axis=0)) / 2
    distance = np.abs(X[~np.isnan(X).any(axis=1)] @ split.weights - split.threshold)
    return float(distance.min() / np.linalg.norm(split.weights * half))


def through_complaints(case: Case, split: Split) -> Iterator[str]:
    """What is wrong with a plane through its samples."""
    if not (split.found and split.proven):
        return
    samples = case.X[list(split.samples)][:, list(split.features)]
    if len(set(split.samples)) != case.r or not set(split.samples) <= set(case.kept().tolist()):
        yield f"samples {split.samples}"
    if np.isnan(samples).any():
        yield f"samples {split.samples} have missing values"
        return
    X = case.X[case.kept()][:, list(split.features)]
    if not expressible(X):  # the widest margin may have taken the place of the plane through the samples
        return
    half = (np.nanmax(X, axis=0) - np.nanmin(X, axis=0)) / 2
    unit = float(np.abs(split.weights * half).max())
    rounding = 1e-15 * case.r * float((np.abs(split.weights) * np.nanmax(np.abs(X), axis=0)).sum())
    distance = np.abs(samples @ split.weights - split.threshold)
    if (distance > 2.1e-9 * unit + 8 * rounding).any():
        yield f"samples lie {distance / unit} from the plane"
    if not left_side(split, case.X[list(split.samples)]).all():
        yield "a defining sample is not on the left side"


def unproven_complaints(case: Case) -> Iterator[str]:
    """A split may stay unproven only where float64 cannot express some partition, of any columns."""
    if expressible(case.X[case.kept()]):
        yield "not proven, though float64 can express every partition of these columns"


def expressible(X: Floats) -> bool:
    """Whether float64 can express every partition of these columns: none is far from zero for its spread.

    A gap of 1e-10 between the sides, in scaled units, survives rounding if the offset is at most 10^4 times the spread.
    Columns without two values are in no plane.
    """
    X = X[:, ~np.isnan(X).all(axis=0)]
    spread = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    return bool((np.nanmax(np.abs(X), axis=0) <= 1e4 * spread)[spread > 0].all())


def bound_complaints(answer: oracle.Answer, problem: oracle.Problem, split: Split) -> Iterator[str]:
    """What is wrong with the bound of a search that was cut short."""
    sign = 1 if problem.minimise else -1
    if sign * split.bound > sign * answer.certain + TOLERANCE:
        yield f"bound {split.bound!r} is beaten: {answer}"
    if sign * split.score < sign * split.bound - TOLERANCE:
        yield f"score {split.score!r} is better than the bound {split.bound!r}"
    if split.proven and not answer.accepts(split.score):
        yield f"proven in time with score {split.score!r}, the oracle's is {answer}"


# --- several splits of planes="any" -----------------------------------------------------------------------------------


def growth_complaints(case: Case, problem: oracle.Problem, **options: object) -> Iterator[str]:
    """With more features to choose from the score never gets worse, and more than there are is all of them."""
    m = case.X.shape[1]
    most = min(case.r, m)
    splits = {r: replace(case, r=r).split(problem, **options) for r in range(1, most + 1)}
    for r in range(1, most):
        fewer, more = splits[r], splits[r + 1]
        slack = TOLERANCE * max(1.0, abs(fewer.score)) if fewer.found else 0.0
        worse = problem.better(fewer.score, more.score) != more.score and abs(fewer.score - more.score) > slack
        if worse and fewer.proven and more.proven:
            yield f"score {more.score!r} at r={r + 1} is worse than {fewer.score!r} at r={r}"
    if case.r >= m:
        beyond = replace(case, r=m + 1).split(problem, **options)
        if (splits[m].features, splits[m].score) != (beyond.features, beyond.score):
            yield f"r={m + 1} of {m} features gives {beyond.features}, r={m} {splits[m].features}"


def permutation_complaints(
    case: Case, table: oracle.Table, problem: oracle.Problem, order: Sequence[int], **options: object
) -> Iterator[str]:
    """Permuting the columns permutes the answer, where only one split is best and nothing is in doubt."""
    optimum = oracle.optimum(table, problem)
    if optimum.answer.doubtful or len(optimum.splits) != 1:
        return
    original = case.split(problem, **options)
    permuted = replace(case, X=case.X[:, list(order)]).split(problem, **options)
    if not (original.proven and permuted.proven):
        return
    back = tuple(sorted(order[feature] for feature in permuted.features))
    if back != original.features:
        yield f"columns in the order {list(order)} give features {back}, not {original.features}"
    one, other = left_side(original, table.X), left_side(permuted, table.X[:, list(order)])
    if not (one == other).all() and not (one != other).all():
        yield f"columns in the order {list(order)} give another partition"
