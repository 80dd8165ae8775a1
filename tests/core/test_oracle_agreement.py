"""The search gives the brute-force answer, and its split is what it says it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given

import oracle
from agreement import (
    Case,
    bound_complaints,
    complaints,
    n_candidates,
    problems,
    rule_complaints,
    through_complaints,
)
from cart_elc import best_split
from hunt import draw, failures
from strategies import CI, cases


def assert_none(found: list[str], case: Case) -> None:
    assert not found, "\n".join([*found, str(case)])


def check(case: Case) -> None:
    """All criteria, orientations and missing modes on one table."""
    table = case.table()
    for problem in problems():
        answer = oracle.best(table, problem)
        if answer.doubtful:
            event("a plane's side is within rounding of the tolerance")
        split = case.split(problem)
        found = [*complaints(case, table, problem, split), *through_complaints(case, split)]
        assert_none([f"{problem}: {complaint}" for complaint in found], case)


@CI
@given(cases(1))
def test_the_score_equals_the_oracles_with_one_feature(case: Case) -> None:
    check(case)


@CI
@given(cases(2))
def test_the_score_equals_the_oracles_with_two_features(case: Case) -> None:
    check(case)


@CI
@given(cases(3))
def test_the_score_equals_the_oracles_with_three_features(case: Case) -> None:
    check(case)


@CI
@given(cases(4))
def test_the_score_equals_the_oracles_with_four_features(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("seed", range(100))
def test_random_nasty_tables_agree_with_the_oracle(seed: int) -> None:
    case = draw(np.random.default_rng([2024, seed]))
    assert_none(list(failures(case)), case)


@CI
@given(cases(2))
def test_margin_placement_keeps_the_score_of_the_search(case: Case) -> None:
    for problem in problems():
        through, margin = case.split(problem), case.split(problem, placement="margin")
        assert margin.score == through.score or not (margin.proven and through.proven)
        if margin.found and margin.proven:
            assert_none(list(rule_complaints(case, problem, margin)), case)


@pytest.mark.parametrize("problem", problems(), ids=str)
@pytest.mark.parametrize("m", [10, 11])
def test_ten_features_at_once(
    problem: oracle.Problem, m: int, ten_features: dict[int, tuple[Case, oracle.Table]]
) -> None:
    case, table = ten_features[m]
    split = case.split(problem)
    assert_none([*complaints(case, table, problem, split), *through_complaints(case, split)], case)


@pytest.fixture(scope="module")
def ten_features() -> dict[int, tuple[Case, oracle.Table]]:
    """20 rows with 10 and with 11 features; the oracle needs a few seconds for their 2 million planes."""
    random = np.random.default_rng(1)
    tables = {}
    for m, n in ((10, 20), (11, 15)):
        X = random.normal(size=(n, m))
        X[:, 3] = np.round(X[:, 3])
        X[:, 7] = X[:, 7] > 0
        case = Case(X, random.integers(0, 3, size=n), None, 10)
        tables[m] = case, case.table()
    return tables


def test_ten_of_eleven_features_on_twenty_rows_beats_or_equals_any_single_feature_set() -> None:
    random = np.random.default_rng(5)
    X, y = random.normal(size=(20, 11)), random.integers(0, 2, size=20)
    split = best_split(X, y, 10)
    assert split.proven
    assert split.n_candidates == n_candidates(20, 11, 10) == 2032316
    narrow = best_split(X[:, :10], y, 10)
    assert split.score <= narrow.score + 1e-12


@pytest.mark.parametrize("problem", problems(), ids=str)
@pytest.mark.parametrize("time_limit", [1e-6, 1e-3, 3e-3, 1e-2])
def test_the_bound_of_a_search_cut_short_holds(
    problem: oracle.Problem, time_limit: float, hard: list[tuple[Case, oracle.Table]]
) -> None:
    for case, table in hard:
        answer = oracle.best(table, problem)
        split = case.split(problem, time_limit=time_limit)
        assert_none(list(bound_complaints(answer, problem, split)), case)


@pytest.fixture(scope="module")
def hard() -> list[tuple[Case, oracle.Table]]:
    """Noise with random labels: tables on which the search takes longer than the limits."""
    tables = []
    for seed, (n, m, r, classes) in enumerate([(60, 3, 2, 2), (60, 4, 2, 5), (30, 4, 3, 2), (28, 3, 3, 12)]):
        random = np.random.default_rng(seed)
        X = random.normal(size=(n, m))
        X[random.random(X.shape) < 0.03] = np.nan
        case = Case(X, random.integers(0, classes, size=n), None, r)
        tables.append((case, case.table()))
    return tables


def test_a_table_without_candidates_says_so() -> None:
    for X, r in ((np.zeros((4, 2)), 1), (np.zeros((4, 2)), 2), (np.eye(2), 2), (np.tile(np.arange(5.0), (2, 1)).T, 2)):
        for criterion in oracle.CRITERIA:
            split = best_split(X, np.arange(len(X)) % 2, r, criterion=criterion)
            assert not split.found
            assert split.proven
            assert split.score == split.bound == oracle.no_candidate(criterion)
