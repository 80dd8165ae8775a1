"""The protocol as data: what the paper's tables ask for, and what is asked beyond the paper.

The paper's protocol (section 4.1): ten trials of five-fold cross-validation, every pair of ``r`` and ``max_depth`` on
the same folds; accuracy and leaves are averaged over the folds of a trial, then mean and population standard deviation
are taken over the trials. The author's folds are ``KFold(5, shuffle=True, random_state=71 + trial)``.

**Selection rule.** Of the grid points whose mean accuracy is within 0.1 percentage point of the best, the one with the
fewest leaves; then the higher accuracy, the smaller ``r``, the smaller ``max_depth``. (The paper says "the best balance
between mean accuracy and tree size"; this rule picks the paper's choice in each of its 18 cells.) The paper selects on
the test folds. ``nested`` studies choose by an inner five-fold cross-validation on the training rows instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.protocol.algorithms import (
    ALGORITHMS,
    BY_DEPTH,
    ELC_FORMS,
    PAPER_CRITERIA,
    PUBLISHED,
    VARIANTS,
)
from cart_elc_reproduction.protocol.tasks import N_FOLDS, FitTask, TimingTask

N_TRIALS = 10
TOLERANCE = 0.1
MAIN_CRITERION = "twoing"
"""The paper compares algorithms by twoing (section 4.1)."""

PAPER_SETS: tuple[str, ...] = tuple(name for name, facts in CATALOGUE.items() if facts.in_paper)
PAPER_R: Mapping[str, int] = {name: 4 if name == "iris" else 2 for name in CATALOGUE}
EXTENDED_R: Mapping[str, int] = {name: max(PAPER_R[name], 3) for name in CATALOGUE}


@dataclass(frozen=True, eq=False)
class Study:
    """A block of the protocol: algorithms times criteria times the grid, cross-validated."""

    algorithms: tuple[str, ...]
    criteria: tuple[str, ...]
    largest_r: Mapping[str, int]
    nested: bool = False

    def fit_tasks(self, datasets: Sequence[str], trials: int) -> Iterator[FitTask]:
        """Yield the trees to grow, one for all depths of the grid."""
        inner_folds: tuple[int | None, ...] = (None, *range(N_FOLDS)) if self.nested else (None,)
        for dataset in datasets:
            for name in self.algorithms:
                for criterion in self._criteria_of(name):
                    for r in r_values(name, self.largest_r[dataset]):
                        for trial in range(trials):
                            for fold in range(N_FOLDS):
                                for inner in inner_folds:
                                    yield FitTask(dataset, name, criterion, r, trial, fold, inner)

    def _criteria_of(self, name: str) -> tuple[str, ...]:
        """Return the study's criteria that the method has, or its only one."""
        own = ALGORITHMS[name].criteria
        return own if len(own) == 1 else tuple(criterion for criterion in self.criteria if criterion in own)


def r_values(algorithm: str, largest: int) -> tuple[int | None, ...]:
    """Return the values of ``r`` in the grid; a method without it has one empty value."""
    return tuple(range(1, largest + 1)) if ALGORITHMS[algorithm].searches_r else (None,)


COMPARISON = Study((*PUBLISHED, *VARIANTS), (MAIN_CRITERION,), PAPER_R)
TUNING = Study(("cart-elc",), PAPER_CRITERIA, PAPER_R)
BEYOND = (
    Study(ELC_FORMS, PAPER_CRITERIA, EXTENDED_R),
    Study(
        ("cart-elc", "cart-elc-margin", "hhcart-a", "hhcart-d", "cart-grid"),
        (MAIN_CRITERION,),
        EXTENDED_R,
        nested=True,
    ),
    Study((*PUBLISHED, *BY_DEPTH), PAPER_CRITERIA, PAPER_R),
)
TARGETS: dict[str, tuple[Study, ...]] = {
    "table1": (),
    "table2": (COMPARISON,),
    "table3": (COMPARISON,),
    "table4": (COMPARISON,),
    "table5": (TUNING,),
    "figures": (TUNING,),
    "beyond": BEYOND,
}
"""What each part of the report needs."""

# Where brute force ends within a second or so, and beyond: the paper gives up at r = 3 in most cases.
TIMINGS = tuple(TimingTask(n, r) for r in (1, 2, 3) for n in (100, 500, 1000, 5000, 10000, 20000))


def expand(targets: Iterable[str]) -> tuple[str, ...]:
    """Return the named parts, ``all`` standing for every one."""
    named = tuple(targets)
    return tuple(TARGETS) if "all" in named or not named else tuple(dict.fromkeys(named))


def plan(
    targets: Iterable[str], datasets: Sequence[str], algorithms: Sequence[str], trials: int
) -> list[FitTask | TimingTask]:
    """Return the tasks that the parts need, each once.

    Trials come one after the other, so that all kinds of task are met early and the time left can be told.
    """
    parts = expand(targets)
    studies = dict.fromkeys(study for part in parts for study in TARGETS[part])
    fits = dict.fromkeys(
        task for study in studies for task in study.fit_tasks(datasets, trials) if task.algorithm in algorithms
    )
    ordered = sorted(fits, key=lambda task: (task.trial, task.fold))
    return [*(TIMINGS if "table1" in parts else ()), *ordered]
