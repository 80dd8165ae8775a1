"""The checks on splits: they find nothing wrong with the oracle's own split, and something with every spoilt one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import agreement
import oracle
from agreement import Case, bound_complaints, complaints, growth_complaints, permutation_complaints, problems
from nasty_tables import draw
from reference_split import ReferenceSplit, reference_split


@pytest.fixture(autouse=True)
def _brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "best_split", reference_split)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_wrong_with_the_oracles_own_split(seed: int) -> None:
    case = draw(np.random.default_rng([2, seed]))
    table = case.table()
    for problem in problems("any"):
        split = case.split(problem)
        found = list(complaints(case, table, problem, split)) if split.proven else []
        found += permutation_complaints(case, table, problem, list(range(case.X.shape[1]))[::-1])
        assert not found, "\n".join([f"{problem}", *found, str(case)])


@pytest.mark.parametrize("seed", range(10))
def test_more_features_never_make_the_oracles_score_worse(seed: int) -> None:
    case = draw(np.random.default_rng([3, seed]))
    for problem in problems("any"):
        assert not list(growth_complaints(case, problem))


TABLE = Case(
    np.array([[0.0, 0, 5], [1, 4, 3], [2, 4.5, 1], [3, 10, 2], [4, 11, 3], [5, 9, 4]]),
    np.array([0, 0, 1, 1, 1, 1]),
    None,
    2,
)


def spoilt(**changes: object) -> list[str]:
    split: ReferenceSplit = replace(TABLE.split(oracle.Problem()), **changes)
    return list(complaints(TABLE, TABLE.table(), oracle.Problem(), split))


def test_the_split_to_be_spoilt_is_good() -> None:
    split = TABLE.split(oracle.Problem())
    assert (split.features, split.score, split.proven) == ((0,), 0.0, True)
    assert spoilt() == []


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"score": 0.25, "bound": 0.25}, "oracle's"),
        ({"features": (), "weights": np.empty(0)}, "nothing found"),
        ({"proven": False}, "not proven"),
        ({"bound": -0.5}, "bound"),
        ({"n_candidates": 7}, "n_candidates"),
        ({"planes": "through"}, "says it is for"),
        ({"criterion": "twoing"}, "says it is for"),
        ({"threshold": 100.0}, "side empty"),
        ({"weights": np.array([1.0]), "threshold": 2.5}, "own score"),
        ({"weights": np.array([1.0]), "threshold": 1.01}, "the plane's margin"),
        ({"features": (0, 1), "weights": np.array([-1.0, 0.0])}, "enough"),
        ({"features": (1,), "weights": np.array([-1.0]), "threshold": -4.25}, "is possible"),
    ],
)
def test_a_spoilt_split_is_found_out(changes: dict[str, object], word: str) -> None:
    assert any(word in complaint for complaint in spoilt(**changes)), spoilt(**changes)


def test_missing_rows_on_the_left_are_found_out_where_they_must_go_right() -> None:
    case = Case(np.array([[0.0], [1], [np.nan]]), np.array([0, 1, 1]), None, 1)
    problem = oracle.Problem(missing="right")
    split = case.split(problem)
    assert not list(complaints(case, case.table(), problem, split))
    mirrored = replace(split, weights=-split.weights, threshold=-split.threshold, missing_left=True)
    assert list(complaints(case, case.table(), problem, mirrored)) == ["missing rows go left under missing='right'"]


def test_an_answer_that_depends_on_the_order_of_columns_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_column_only(X: np.ndarray, y: np.ndarray, r: int, **options: object) -> ReferenceSplit:
        return reference_split(X[:, :1], y, 1, **options)

    monkeypatch.setattr(agreement, "best_split", first_column_only)
    assert list(permutation_complaints(TABLE, TABLE.table(), oracle.Problem(), [2, 1, 0]))


def test_a_score_that_gets_worse_with_more_features_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def worse_at_two(X: np.ndarray, y: np.ndarray, r: int, **options: object) -> ReferenceSplit:
        split = reference_split(X, y, r, **options)
        return replace(split, score=split.score + (r - 1))

    monkeypatch.setattr(agreement, "best_split", worse_at_two)
    assert any("worse" in complaint for complaint in growth_complaints(TABLE, oracle.Problem()))
    two_columns = replace(TABLE, X=TABLE.X[:, :2])
    assert any("r=3 of 2 features" in complaint for complaint in growth_complaints(two_columns, oracle.Problem()))


def test_a_bound_that_a_candidate_beats_is_found_out() -> None:
    problem = oracle.Problem()
    answer = oracle.best(TABLE.table(), problem)
    split = TABLE.split(problem)
    assert not list(bound_complaints(answer, problem, split))
    assert list(bound_complaints(answer, problem, replace(split, bound=0.1, score=0.3, proven=False)))
    assert list(bound_complaints(answer, problem, replace(split, score=-0.1)))
