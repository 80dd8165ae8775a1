"""A long random hunt for tables on which the search and the oracle disagree.

Run as a program: ``python tests/support/hunt.py --minutes 60 --seed 1``. Tables are drawn by NumPy, without Hypothesis'
overhead, from the families of `nasty_tables`, with r = 1..4 and every set of candidates, criterion and missing mode;
every fourth is a nearly degenerate one with a planted split (`planted`), every tenth is searched in several
orientations (`turned`), and every twentieth has many rows within tolerances of each other (`crowded`). Labels are
classes or, every other time, numbers. A table that fails is shrunk, printed with its seed so that it can be pasted into
a test, and the hunt goes on; the exit status is the number of failures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

import oracle
from agreement import Case, complaints, growth_complaints, permutation_complaints
from crowded import FAMILIES as CROWDED
from crowded import draw_crowded, missed_splits
from nasty_tables import LARGE, SMALL, Random, draw, with_numbers
from planted import FINE, SETTLED, draw_planted
from turned import FAMILIES, draw_turned, turning_complaints

PATIENCE = 10.0
"""Seconds for one search; brute force needs less than one."""

Failures = Callable[[Case], Iterator[str]]


def failures(case: Case, asked: Iterable[oracle.Problem] = ()) -> Iterator[str]:
    """Every complaint about a case, under the problems asked or all that can be."""
    table = case.table()
    for problem in asked or case.problems():
        split = case.split(problem, time_limit=PATIENCE)
        if split.seconds > PATIENCE:
            yield f"{problem}: not done in {PATIENCE} s, {split.n_boxes} boxes"
            continue
        found = list(complaints(case, table, problem, split))
        if problem.planes == "any":
            found += invariance_complaints(case, table, problem)
        yield from (f"{problem}: {complaint}" for complaint in found)


def invariance_complaints(case: Case, table: oracle.Table, problem: oracle.Problem) -> Iterator[str]:
    """What changes with the order of columns, or gets worse with more of them."""
    backwards = list(range(case.X.shape[1]))[::-1]
    yield from permutation_complaints(case, table, problem, backwards, time_limit=PATIENCE)
    yield from growth_complaints(case, problem, time_limit=PATIENCE)


def planted_failures(case: Case, planes: str) -> Iterator[str]:
    """Complaints about a table whose labels a candidate separates without error."""
    criterion = "squared_error" if case.y.dtype.kind == "f" else "gini"
    for chosen in dict.fromkeys([planes, "any"]):
        split = case.split(oracle.Problem(criterion, chosen), time_limit=PATIENCE)
        if not split.proven or abs(split.score) > 1e-12:
            yield f"planes={chosen!r}: score {split.score!r}, proven={split.proven}; a split of score 0 is planted"


# --- shrinking --------------------------------------------------------------------------------------------------------


def shrink(case: Case, fails: Failures) -> Case:
    """A case that still fails and of which no row, column or weight can be spared."""
    while (smaller := next((c for c in _smaller(case) if next(fails(c), None)), None)) is not None:
        case = smaller
    return case


def _smaller(case: Case) -> Iterator[Case]:
    weight = case.sample_weight
    if weight is not None:
        yield replace(case, sample_weight=None)
    for i in range(len(case.X) if len(case.X) > 1 else 0):
        kept = np.arange(len(case.X)) != i
        if weight is None or (weight[kept] > 0).any():
            yield Case(case.X[kept], case.y[kept], None if weight is None else weight[kept], case.r)
    for j in range(case.X.shape[1] if case.X.shape[1] > case.r else 0):
        yield replace(case, X=np.delete(case.X, j, axis=1))


# --- the hunt ---------------------------------------------------------------------------------------------------------


def hunt(seconds: float, seed: int) -> int:
    """Hunt for a time; print what fails, and how many tables had doubt."""
    print(f"seed {seed}, {seconds:.0f} s", flush=True)
    tally: Counter[str] = Counter()
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        random = np.random.default_rng([seed, number])
        report = _track(number)(random, tally)
        if report:
            tally["failures"] += 1
            print(f"--- seed [{seed}, {number}]", report, sep="\n", flush=True)
        number += 1
    print(dict(tally))
    return tally["failures"]


def _track(number: int) -> Callable[[Random, Counter[str]], str | None]:
    if number % 20 == 18:
        return _hunt_crowded
    if number % 10 == 9:
        return _hunt_turned
    return _hunt_planted if number % 4 == 3 else _hunt_nasty


def _hunt_nasty(random: Random, tally: Counter[str]) -> str | None:
    large = random.random() < 0.5
    case = draw(random, LARGE if large else SMALL)
    if case.X.shape[1] == case.r and random.random() < 0.3:
        case = replace(case, r=case.r + 1)
    if random.random() < 0.5:
        case = with_numbers(random, case)
        tally["with numbers"] += 1
    asked = list(random.permutation(np.array(case.problems(), dtype=object)))[: 2 if large else 5]
    _count(case, asked[0], tally)
    if next(failures(case, asked), None) is None:
        return None
    small = shrink(case, lambda smaller: failures(smaller, asked))
    return "\n".join([str(small), *failures(small, asked)])


def _hunt_planted(random: Random, tally: Counter[str]) -> str | None:
    case, planes = draw_planted(random, SETTLED if random.random() < 0.5 else FINE)
    if random.random() < 0.5:
        case = replace(case, y=case.y.astype(np.float64))
    tally[f"planted, r={case.r}"] += 1
    found = list(planted_failures(case, planes))
    return "\n".join([str(case), *found]) if found else None


def _hunt_turned(random: Random, tally: Counter[str]) -> str | None:
    family, r = FAMILIES[random.integers(len(FAMILIES))], int(random.integers(2, 5))
    case, planes = draw_turned(random, family, r), str(random.choice(["any", "through"]))
    tally[f"turned, r={r}"] += 1
    if case.split(oracle.Problem("gini", planes), time_limit=PATIENCE / 4).seconds > PATIENCE / 4:
        tally["turned, too slow to tell"] += 1
        return None
    found = list(turning_complaints(random, case, planes, time_limit=4 * PATIENCE))
    return "\n".join([str(case), *found]) if found else None


def _hunt_crowded(random: Random, tally: Counter[str]) -> str | None:
    family, r = CROWDED[random.integers(len(CROWDED))], int(random.integers(2, 4))
    case = draw_crowded(random, family, r)
    tally[f"crowded, r={r}"] += 1
    found = list(missed_splits(case, time_limit=PATIENCE))
    return "\n".join([str(case), *found]) if found else None


def _count(case: Case, problem: oracle.Problem, tally: Counter[str]) -> None:
    answer = oracle.best(case.table(), problem)
    tally["tables"] += 1
    tally[f"r={case.r}"] += 1
    tally["doubtful"] += answer.doubtful
    tally["doubt that matters"] += answer.doubtful and abs(answer.certain - answer.optimistic) > 1e-9


def main() -> int:
    """Hunt as the command line says; the number of failures, at most 100."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return min(hunt(60 * options.minutes, options.seed), 100)


if __name__ == "__main__":
    sys.exit(main())
