"""The search gives the brute-force answer, and its split is what it says it is."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import oracle
from agreement import (
    Case,
    bound_complaints,
    complaints,
    growth_complaints,
    permutation_complaints,
    problems,
)
from cart_elc import best_split
from hunt import failures, planted_failures
from nasty_tables import draw, with_numbers
from planted import FINE, draw_planted
from strategies import CI, cases

ANY_SIZE = st.sampled_from([1, 2, 3, 4]).flatmap(cases)
NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-10, 10, allow_subnormal=False, width=32))


def assert_none(found: list[str], case: Case) -> None:
    assert not found, "\n".join([*found, str(case)])


def check(case: Case) -> None:
    """All criteria, candidates and missing modes on one table."""
    table = case.table()
    for problem in case.problems():
        answer = oracle.best(table, problem)
        if answer.doubtful:
            event("a plane's side is within rounding of the tolerance")
        found = list(complaints(case, table, problem, case.split(problem)))
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


@pytest.mark.parametrize("seed", range(100))
def test_random_nasty_tables_of_numbers_agree_with_the_oracle(seed: int) -> None:
    random = np.random.default_rng([2027, seed])
    case = with_numbers(random, draw(random))
    assert_none(list(failures(case)), case)


@CI
@given(ANY_SIZE, st.lists(NUMBERS, min_size=14, max_size=14))
def test_the_score_of_numbers_equals_the_oracles(case: Case, numbers: list[float]) -> None:
    check(replace(case, y=np.array(numbers[: len(case.X)])))


@pytest.mark.parametrize("seed", range(50))
def test_numbers_planted_in_a_nearly_degenerate_table_are_told_apart(seed: int) -> None:
    case, planes = draw_planted(np.random.default_rng([2028, seed]))
    assert_none(list(planted_failures(replace(case, y=case.y.astype(np.float64)), planes)), case)


@pytest.mark.parametrize("seed", range(100))
def test_a_split_planted_in_a_nearly_degenerate_table_is_found(seed: int) -> None:
    case, planes = draw_planted(np.random.default_rng([2025, seed]))
    assert_none(list(planted_failures(case, planes)), case)


@pytest.mark.parametrize("seed", range(100))
def test_nearly_degenerate_tables_agree_with_the_oracle(seed: int) -> None:
    case, _ = draw_planted(np.random.default_rng([2026, seed]), FINE)
    assert_none(list(failures(case, problems("any"))), case)


@pytest.mark.parametrize("planes", ["any", "through"])
def test_rows_on_one_plane_up_to_rounding_hide_no_plane_of_a_narrow_selection(planes: str) -> None:
    """Five rows have x2 = 0 but for 1.8e-15; two of them are a millionth apart, and a plane through both is tilted."""
    narrow = [0.49999916553497314, 0.7499996423721313, 1.7763568394002505e-15]
    X = [[-1, -1, -1], [1, 1, 1], narrow, [-0.25, 0.25, 0], [0, -0.75, 0], [0.5, 0.75, 0], [0.75, -0.5, 0]]
    case = Case(np.array(X), np.array([0, 1, 0, 0, 0, 0, 1]), None, 3)
    assert_none(list(planted_failures(case, planes)), case)


def test_what_no_smaller_plane_expresses_is_split_by_a_larger_one() -> None:
    """Within the tolerance three features divide the classes, but no plane of float64 does; four do, widely."""
    near = [-0.24999237060546875, 0.4999732971191406, -0.7499885559082031, -1.2434497875801753e-14]
    level = np.array([[3, 1, -4], [-4, 2, 0], [1, -4, -2], [-1, 3, -4], [-4, -2, 1], [1, -3, -3]]) / 4
    X = np.array([[-1.0] * 4, [1.0] * 4, near, *([*row, 0] for row in level)])
    case = Case(X, np.array([0, 1, 1, 0, 1, 1, 1, 0, 1]), None, 4)
    assert_none(list(planted_failures(case, "any")), case)
    assert case.split(oracle.Problem("gini", "any")).margin > 0.01


ANY = st.sampled_from([1, 2, 3, 4]).flatmap(lambda r: cases(r, fewest_features=1))


@CI
@given(ANY, st.randoms(use_true_random=False))
def test_permuting_the_columns_permutes_the_answer(case: Case, random: Random) -> None:
    order = random.sample(range(case.X.shape[1]), case.X.shape[1])
    table = case.table()
    for problem in problems("any"):
        assert_none(list(permutation_complaints(case, table, problem, order)), case)


@CI
@given(ANY)
def test_the_score_never_gets_worse_as_r_grows_and_a_larger_r_than_features_is_all_of_them(case: Case) -> None:
    for problem in problems("any"):
        assert_none(list(growth_complaints(case, problem)), case)


@pytest.mark.parametrize("problem", problems("through", "canonical"), ids=str)
@pytest.mark.parametrize("m", [10, 11])
def test_ten_features_at_once(
    problem: oracle.Problem, m: int, ten_features: dict[int, tuple[Case, oracle.Table]]
) -> None:
    case, table = ten_features[m]
    assert_none(list(complaints(case, table, problem, case.split(problem))), case)


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
    split = best_split(X, y, 10, planes="through")
    assert split.proven
    assert split.n_candidates == comb(20, 10) * comb(11, 10) == 2032316
    narrow = best_split(X[:, :10], y, 10, planes="through")
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
            split = best_split(X, np.arange(len(X)) % 2, r, criterion=criterion, planes="through")
            assert not split.found
            assert split.proven
            assert split.score == split.bound == oracle.no_candidate(criterion)
