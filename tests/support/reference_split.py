"""`best_split` of planes="any" as the oracle has it: a split with its rule, to test the checks on splits themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import oracle

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReferenceSplit:
    """A split with the attributes that checks look at."""

    features: tuple[int, ...]
    weights: Floats
    threshold: float
    score: float
    criterion: str
    planes: str
    missing_left: bool
    bound: float
    proven: bool
    n_candidates: int
    samples: tuple[int, ...] = ()
    seconds: float = 0.0
    n_boxes: int = 0

    @property
    def found(self) -> bool:
        return bool(self.features)


def reference_split(
    X: Floats,
    y: NDArray[np.int64],
    r: int = 2,
    *,
    criterion: str = "gini",
    sample_weight: Floats | None = None,
    planes: str = "any",
    missing: str = "learn",
    time_limit: float | None = None,
) -> ReferenceSplit:
    """The best of all linear splits by brute force; it takes the time that it takes."""
    table = oracle.make_table(X, y, r, sample_weight)
    optimum = oracle.optimum(table, oracle.Problem(criterion, planes, missing))
    candidates = table.n_candidates(planes)
    score = optimum.answer.certain
    if not np.isfinite(score):
        return ReferenceSplit((), np.empty(0), np.nan, score, criterion, planes, False, score, True, candidates)
    chosen = choose(optimum)
    weights, threshold, missing_left, exact = rule(table, chosen)
    return ReferenceSplit(
        chosen.features, weights, threshold, score, criterion, planes, missing_left, score, exact, candidates
    )


def choose(optimum: oracle.Optimum) -> oracle.TiedSplit:
    """The split that the tie rule names, of those that are sure."""
    sure = [split for split in optimum.tied if split.sure and len(split.features) == optimum.fewest]
    widest = max(split.margin for split in sure)
    return min((split for split in sure if split.margin >= widest - 1e-12), key=lambda split: split.features)


def rule(table: oracle.Table, split: oracle.TiedSplit) -> tuple[Floats, float, bool, bool]:
    """Weights, threshold and side of missing rows, and whether they give the partition; missing rows go right."""
    columns = table.X[:, split.features]
    absent = np.isnan(columns).any(axis=1)
    left = split.left if not split.left[absent].any() else ~split.left
    complete, goes_left = columns[~absent], left[~absent]
    if goes_left.all():
        weights = np.ones(len(split.features))
        return weights, float((complete @ weights).min()), False, True
    if len(split.features) == 1:
        sign = 1.0 if complete[goes_left].min() > complete[~goes_left].max() else -1.0
        low, high = float((sign * complete[~goes_left]).max()), float((sign * complete[goes_left]).min())
        return np.array([sign]), low + (high - low) / 2, False, True
    half = (np.nanmax(columns, axis=0) - np.nanmin(columns, axis=0)) / 2
    band = oracle.widest_band(table.scaled[~absent][:, split.features], goes_left)
    if band.normal is None:
        return np.ones(len(split.features)), 0.0, False, False
    weights = band.normal / half
    values = complete @ weights
    low, high = float(values[~goes_left].max()), float(values[goes_left].min())
    return weights, low + (high - low) / 2, False, low < high
