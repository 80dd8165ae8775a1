"""The oracle's choice among equally good splits, its description length, and its answers on planted tables."""

from __future__ import annotations

from math import comb, lgamma, log, log2

import numpy as np
import pytest

import oracle
from planted import FINE, draw_planted

MDL = oracle.Problem("mdl")


def best_splits(X: list[list[float]], y: list[int], r: int, problem: oracle.Problem) -> list[tuple[int, ...]]:
    table = oracle.make_table(np.array(X, dtype=float), np.array(y), r)
    return [split.features for split in oracle.optimum(table, problem).splits]


# --- ties -------------------------------------------------------------------------------------------------------------


def test_fewer_features_win_over_a_wider_margin() -> None:
    """The pair has the wider margin; the second feature alone is enough."""
    X = [[0, 0], [1, 4], [2, 4.5], [3, 10]]
    table = oracle.make_table(np.array(X), np.array([0, 0, 1, 1]), 2)
    optimum = oracle.optimum(table, oracle.Problem())
    assert optimum.fewest == 1
    assert oracle.margin(table.scaled, np.array([True, True, False, False])) > optimum.splits[0].margin
    assert [split.features for split in optimum.splits] == [(0,)]


def test_the_wider_margin_wins_among_equally_many_features() -> None:
    assert best_splits([[0, 0], [4, 1], [5, 9], [10, 10]], [0, 0, 1, 1], 1, oracle.Problem()) == [(1,)]


def test_splits_of_the_same_margin_are_all_listed_smallest_first() -> None:
    assert best_splits([[0, 0], [1, 1], [2, 2]], [0, 1, 1], 2, oracle.Problem()) == [(0,), (1,)]


def test_a_later_feature_of_the_same_margin_is_refused() -> None:
    X, y = np.array([[0.0, 0], [1, 1], [2, 2]]), np.array([0, 1, 1])
    optimum = oracle.optimum(oracle.make_table(X, y, 2), oracle.Problem())
    left = np.array([True, False, False])
    assert optimum.refuses((0,), left) is None
    assert optimum.refuses((0,), ~left) is None
    assert "later" in optimum.refuses((1,), left)
    assert "enough" in optimum.refuses((0, 1), left)
    assert "not among" in optimum.refuses((0,), np.array([True, True, False]))


def test_a_narrower_margin_is_refused() -> None:
    X, y = np.array([[0.0, 0], [4, 1], [5, 9], [10, 10]]), np.array([0, 0, 1, 1])
    optimum = oracle.optimum(oracle.make_table(X, y, 2), oracle.Problem())
    assert "is possible" in optimum.refuses((0,), y == 0)


def test_more_features_than_there_are_is_all_of_them() -> None:
    X, y = np.random.default_rng(3).normal(size=(9, 2)), np.arange(9) % 2
    scores = [oracle.best(oracle.make_table(X, y, r), oracle.Problem()).score for r in (2, 3, 7)]
    assert scores[0] == scores[1] == scores[2]


def test_with_one_row_or_one_value_there_is_no_split() -> None:
    for X in (np.zeros((1, 2)), np.ones((4, 2))):
        optimum = oracle.optimum(oracle.make_table(X, np.zeros(len(X), dtype=np.int64), 2), oracle.Problem())
        assert optimum.answer.score == np.inf
        assert optimum.tied == ()


# --- description length -----------------------------------------------------------------------------------------------


def test_a_split_is_worth_what_it_saves_less_what_it_costs() -> None:
    """Eight rows, half of each class, three features: separating them saves 8 bits and costs log2(8 * 3)."""
    X = np.column_stack([np.arange(8.0), np.zeros(8), np.zeros(8)])
    y = np.repeat([0, 1], 4)
    answer = oracle.best(oracle.make_table(X, y, 2), MDL)
    assert answer.score == pytest.approx(8 - log2(8 * 3))
    half = oracle.best(oracle.make_table(X, y, 2), oracle.Problem("mdl", price=0.5))
    assert half.score == pytest.approx(8 - log2(8 * 3) / 2)


def test_a_larger_feature_set_must_pay_for_itself() -> None:
    """One feature leaves an error of 5.3 bits, two leave none; but naming two of ten costs 6.1 bits more."""
    X = np.zeros((30, 10))
    X[:, 0] = np.arange(30)
    X[10, 1] = 1.0
    y = (X[:, 0] + 6 * X[:, 1] > 14.5).astype(np.int64)
    table = oracle.make_table(X, y, 2)
    assert oracle.optimum(table, MDL).fewest == 1
    free = oracle.optimum(table, oracle.Problem("mdl", price=0.0))
    assert free.fewest == 2
    assert free.answer.score > oracle.best(oracle.make_table(X, y, 1), oracle.Problem("mdl", price=0.0)).score


@pytest.mark.parametrize("planes", oracle.PLANES)
def test_where_nothing_pays_there_is_no_split(planes: str) -> None:
    table = oracle.make_table(np.arange(4.0)[:, None], np.array([0, 1, 0, 1]), 1)
    answer = oracle.best(table, oracle.Problem("mdl", planes))
    assert answer.score == answer.certain == answer.optimistic == -np.inf
    assert answer.accepts(-np.inf)
    assert not answer.accepts(0.1)


def test_a_balance_of_zero_is_left_open() -> None:
    """Two rows of two classes: separating them saves 2 bits and, at a price of two, costs 2 bits."""
    table = oracle.make_table(np.array([[0.0], [1.0]]), np.array([0, 1]), 1)
    answer = oracle.best(table, oracle.Problem("mdl", price=2.0))
    assert answer.accepts(-np.inf)
    assert answer.accepts(1e-12)
    assert not answer.accepts(0.5)


def test_whole_weights_are_copies_and_others_sum_to_the_number_of_rows() -> None:
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 1, 1])
    copies = np.array([3, 1, 1, 2, 1, 1])
    one = oracle.best(oracle.make_table(X, y, 1, copies.astype(float)), MDL)
    other = oracle.best(oracle.make_table(np.repeat(X, copies, axis=0), np.repeat(y, copies), 1), MDL)
    assert one.score == pytest.approx(other.score)
    tiny = oracle.best(oracle.make_table(X, y, 1, np.full(6, 1 / 6)), MDL)
    assert tiny.score == pytest.approx(oracle.best(oracle.make_table(X, y, 1), MDL).score)


def test_the_binomial_is_exact_for_whole_numbers_and_smooth_between() -> None:
    assert oracle.log2_binomial(1000.0, 3) == log2(comb(1000, 3))
    assert oracle.log2_binomial(2.0, 3) == 0.0
    assert oracle.log2_binomial(0.5, 2) == 0.0
    between = oracle.log2_binomial(10.5, 2)
    assert between == pytest.approx((lgamma(11.5) - lgamma(3) - lgamma(9.5)) / log(2))
    assert oracle.log2_binomial(10.0, 2) < between < oracle.log2_binomial(11.0, 2)
    assert oracle.price_in_bits(10.0, 5, 2) == pytest.approx(log2(45 * 10))


# --- planted splits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(100))
def test_the_oracle_finds_the_split_planted_in_a_nearly_degenerate_table(seed: int) -> None:
    case, planes = draw_planted(np.random.default_rng([17, seed]))
    for chosen in {planes, "any"}:
        assert oracle.best(case.table(), oracle.Problem(planes=chosen)).certain == 0.0, f"{chosen}\n{case}"


@pytest.mark.parametrize("seed", range(50))
def test_the_oracle_accepts_the_finely_planted_split(seed: int) -> None:
    case, planes = draw_planted(np.random.default_rng([18, seed]), FINE)
    for chosen in {planes, "any"}:
        answer = oracle.best(case.table(), oracle.Problem(planes=chosen))
        assert answer.accepts(0.0), f"{chosen}\n{case}"
        assert answer.score == 0.0 or answer.doubtful


def test_the_oracle_proves_nothing_false_beside_a_selection_of_tiny_extent() -> None:
    tiny = [0.49999916553497314, 0.7499996423721313, 1.7763568394002505e-15]
    X = [[-1, -1, -1], [1, 1, 1], tiny, [-0.25, 0.25, 0], [0, -0.75, 0], [0.5, 0.75, 0], [0.75, -0.5, 0]]
    table = oracle.make_table(np.array(X), np.array([0, 1, 0, 0, 0, 0, 1]), 3)
    for planes in ("any", "through"):
        assert oracle.best(table, oracle.Problem(planes=planes)).score == 0.0


def test_numbers_that_differ_by_little_are_not_ties() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    for size in (1.0, 1e-8):
        table = oracle.make_table(X, 0.5 + size * np.array([0.0, 9.0, 10.0]), 1)
        optimum = oracle.optimum(table, oracle.Problem("squared_error"))
        assert [split.features for split in optimum.tied] == [(0,)], f"numbers of size {size}"
