"""Results as numbers: records gathered by grid point, summarised over trials, and the grid point chosen.

Nothing here runs anything: every figure of a report comes from here, and here it comes from records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cart_elc.datasets import CATALOGUE
from cart_elc.tree import FloatArray
from cart_elc_reproduction.protocol.specification import MAIN_CRITERION, TARGETS
from cart_elc_reproduction.protocol.tasks import N_FOLDS, Record
from cart_elc_reproduction.results.selection import Candidate, GridPoint, select_point

OuterFold = tuple[str, str, str, int, int]
"""Data set, algorithm, criterion, trial, fold."""

SHOWN_FORMS = ("cart-elc", "cart-elc-margin")
"""The forms of CART-ELC whose chosen trees a reader is shown."""


class MeanStd(NamedTuple):
    """A mean with its standard deviation."""

    mean: float
    std: float

    @classmethod
    def of(cls, values: FloatArray) -> MeanStd:
        """Return mean and population standard deviation, as the paper takes them."""
        return cls(float(np.mean(values)), float(np.std(values)))


@dataclass(frozen=True, eq=False)
class Result:
    """What cross-validation gave at a grid point: accuracies in percent and leaves, of which trials x the folds."""

    point: GridPoint
    accuracies: FloatArray
    leaves: FloatArray
    trials: tuple[int, ...]

    @property
    def trial_accuracies(self) -> FloatArray:
        """Mean accuracy of each trial."""
        means: FloatArray = self.accuracies.mean(axis=1)
        return means

    @property
    def accuracy(self) -> MeanStd:
        """Accuracy over the trials."""
        return MeanStd.of(self.trial_accuracies)

    @property
    def size(self) -> MeanStd:
        """Leaves over the trials."""
        return MeanStd.of(self.leaves.mean(axis=1))

    @property
    def n_trials(self) -> int:
        """Number of whole trials."""
        return len(self.trials)

    def paired(self, other: Result) -> tuple[FloatArray, FloatArray]:
        """Return the accuracies of both in the trials that both have."""
        shared = [trial for trial in self.trials if trial in other.trials]
        ours, theirs = (result.accuracies[[result.trials.index(trial) for trial in shared]] for result in (self, other))
        return ours, theirs


class Results:
    """All results of a run.

    Parameters
    ----------
    records : list of Record
        Trials that lack a fold are left out.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = list(records)

    def of_kind(self, kind: str) -> list[Record]:
        """Return the records of a kind."""
        return [record for record in self.records if record["kind"] == kind]

    @cached_property
    def parts(self) -> list[str]:
        """The parts of the paper that were asked for; all of them where the records do not tell."""
        asked = {record["part"] for record in self.of_kind("part")} or set(TARGETS)
        return [part for part in TARGETS if part in asked]

    @cached_property
    def datasets(self) -> list[str]:
        """The data sets that were run, or could not be had."""
        named = {record["dataset"] for record in self.records if "dataset" in record}
        return [name for name in CATALOGUE if name in named]

    @cached_property
    def datasets_run(self) -> list[str]:
        """The data sets that have fits."""
        named = {record["dataset"] for record in self.of_kind("fit")}
        return [name for name in CATALOGUE if name in named]

    @cached_property
    def _outer(self) -> dict[GridPoint, dict[tuple[int, int], Record]]:
        """Records of outer folds by grid point, then by trial and fold."""
        cells: dict[GridPoint, dict[tuple[int, int], Record]] = defaultdict(dict)
        for record in self.of_kind("fit"):
            if record["inner"] is None:
                cells[point_of(record)][record["trial"], record["fold"]] = record
        return cells

    @cached_property
    def by_point(self) -> dict[GridPoint, Result]:
        """Outer cross-validation results by grid point."""
        gathered = {point: gather(point, by_fold) for point, by_fold in self._outer.items()}
        return {point: result for point, result in sorted(gathered.items(), key=sort_key) if result is not None}

    @cached_property
    def trial_numbers(self) -> list[int]:
        """The numbers of whole trials that grid points have, in order."""
        return sorted({result.n_trials for result in self.by_point.values()})

    def grid(
        self, dataset: str, algorithm: str, criterion: str, largest_r: int | None = None
    ) -> dict[GridPoint, Result]:
        """Return the grid of one cell of a table."""
        return {
            point: result
            for point, result in self.by_point.items()
            if point[:3] == (dataset, algorithm, criterion) and (largest_r is None or (point.r or 0) <= largest_r)
        }

    def chosen(self, dataset: str, algorithm: str, criterion: str, largest_r: int | None = None) -> Result | None:
        """Return the result that the selection rule chooses on the test folds, as the paper does.

        Grid points that lack trials which others have are left out: means over different trials are not compared.
        """
        grid = self.grid(dataset, algorithm, criterion, largest_r)
        most = max((result.n_trials for result in grid.values()), default=0)
        whole = ((point, result) for point, result in grid.items() if result.n_trials == most)
        point = select_point(Candidate(p, result.accuracy.mean, result.size.mean) for p, result in whole)
        return None if point is None else grid[point]

    @cached_property
    def shown(self) -> list[Result]:
        """The results whose trees a reader is shown: by the main criterion, chosen among every r that was run."""
        found = (self.chosen(dataset, form, MAIN_CRITERION) for dataset in self.datasets_run for form in SHOWN_FORMS)
        return [result for result in found if result is not None]

    @cached_property
    def _inner(self) -> dict[OuterFold, dict[GridPoint, list[Record]]]:
        cells: dict[OuterFold, dict[GridPoint, list[Record]]] = defaultdict(lambda: defaultdict(list))
        for record in self.of_kind("fit"):
            if record["inner"] is not None:
                point = point_of(record)
                cells[(*point[:3], record["trial"], record["fold"])][point].append(record)
        return cells

    def nested(self, dataset: str, algorithm: str, criterion: str, largest_r: int | None = None) -> Result | None:
        """Return the result when every outer fold chooses its grid point by its own inner cross-validation."""
        chosen: dict[tuple[int, int], Record] = {}
        for (*cell, trial, fold), grid in self._inner.items():
            if tuple(cell) == (dataset, algorithm, criterion):
                allowed = ((p, r) for p, r in grid.items() if largest_r is None or (p.r or 0) <= largest_r)
                point = select_point(candidate for candidate in map(inner_candidate, allowed) if candidate)
                if point is not None and (trial, fold) in self._outer.get(point, {}):
                    chosen[trial, fold] = self._outer[point][trial, fold]
        return gather(GridPoint(dataset, algorithm, criterion, None, None), chosen)


def point_of(record: Record) -> GridPoint:
    """Return the grid point of a record."""
    return GridPoint(*(record[name] for name in GridPoint._fields))


def sort_key(item: tuple[GridPoint, Result | None]) -> tuple[str, str, str, int, int]:
    """Order grid points; a missing value comes first."""
    point = item[0]
    return (*point[:3], point.r or 0, point.max_depth or 0)


def inner_candidate(item: tuple[GridPoint, list[Record]]) -> Candidate | None:
    """Return a grid point's inner figures, or None if a fold is lacking."""
    point, records = item
    if len(records) < N_FOLDS:
        return None
    accuracy = 100.0 * float(np.mean([record["accuracy"] for record in records]))
    return Candidate(point, accuracy, float(np.mean([record["leaves"] for record in records])))


def gather(point: GridPoint, by_fold: dict[tuple[int, int], Record]) -> Result | None:
    """Return the result of the trials that have all their folds, or None if there is none."""
    trials = sorted({trial for trial, _ in by_fold})
    whole = [trial for trial in trials if all((trial, fold) in by_fold for fold in range(N_FOLDS))]
    if not whole:
        return None
    rows = [[by_fold[trial, fold] for fold in range(N_FOLDS)] for trial in whole]
    accuracies = np.array([[100.0 * record["accuracy"] for record in row] for row in rows])
    leaves = np.array([[float(record["leaves"]) for record in row] for row in rows])
    return Result(point, accuracies, leaves, tuple(whole))
