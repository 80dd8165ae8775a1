"""A third party can check a split's certificate, and a forged one is caught."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from agreement import Case, problems
from cart_elc import Split, best_split
from cart_elc.verification.verify import Verification, verify
from hunt import draw
from strategies import CI, cases

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(25, 4))
Y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.3 * RANDOM.normal(size=25) > 0.5, "yes", "no")


def verified(case: Case, problem: oracle.Problem, split: Split) -> Verification:
    return verify(split, case.X, case.y, sample_weight=case.sample_weight, missing=problem.missing, r=case.r)


@CI
@given(st.sampled_from([1, 2, 3]).flatmap(cases))
def test_every_split_of_the_search_is_verified(case: Case) -> None:
    for problem in problems():
        split = case.split(problem)
        if split.proven:
            verification = verified(case, problem, split)
            assert verification.ok, f"{problem}\n{verification}\n{case}"


@pytest.mark.parametrize("seed", range(60))
def test_the_enumeration_agrees_with_the_oracle(seed: int) -> None:
    case = draw(np.random.default_rng([5, seed]))
    table = case.table()
    for problem in problems():
        verification, answer = verified(case, problem, case.split(problem)), oracle.best(table, problem)
        assert verification.n_candidates == table.n_candidates
        if not answer.doubtful and not verification.n_doubtful:
            assert verification.n_planes == table.n_planes
            assert answer.accepts(verification.best)


@pytest.mark.parametrize("placement", ["through", "margin"])
@pytest.mark.parametrize("criterion", oracle.CRITERIA)
@pytest.mark.parametrize("r", [1, 2, 3])
def test_labels_may_be_strings_and_the_plane_may_have_been_moved(r: int, criterion: str, placement: str) -> None:
    verification = verify(best_split(X, Y, r, criterion=criterion, placement=placement), X, Y)
    assert verification.ok, str(verification)
    assert verification.score_matches
    assert verification.bound_holds
    assert verification.score == pytest.approx(verification.best, abs=1e-9)


def test_a_forged_score_is_caught() -> None:
    split = best_split(X, Y, 2)
    forged = verify(replace(split, score=split.score / 2, bound=split.score / 2), X, Y)
    assert not forged.ok
    assert not forged.score_matches
    assert "the split reports" in str(forged)


def test_a_forged_plane_is_caught() -> None:
    split = best_split(X, Y, 2)
    forged = verify(replace(split, weights=split.weights[::-1].copy()), X, Y)
    assert not forged.ok
    assert not forged.score_matches


@pytest.mark.parametrize("criterion", oracle.CRITERIA)
def test_a_worse_plane_that_is_called_proven_is_caught(criterion: str) -> None:
    """Its own score is right, but other planes are better."""
    worse = best_split(X[:, [2, 3]], Y, 2, criterion=criterion)
    split = best_split(X, Y, 2, criterion=criterion)
    forged = verify(replace(worse, features=(2, 3), n_candidates=split.n_candidates), X, Y)
    assert forged.score_matches
    assert not forged.bound_holds
    assert not forged.ok


def test_a_better_plane_that_passes_through_no_samples_is_caught() -> None:
    """The canonical orientation allows fewer partitions than the split of both orientations has."""
    for seed in range(200):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(12, 2)), random.integers(0, 2, size=12)
        both, canonical = (best_split(X, y, 2, orientation=name) for name in ("both", "canonical"))
        if both.score < canonical.score - 1e-6:
            break
    forged = verify(replace(both, orientation="canonical"), X, y)
    assert forged.score_matches
    assert not forged.ok
    assert "no plane through samples" in str(forged)


@pytest.mark.parametrize("criterion", oracle.CRITERIA)
def test_a_bound_that_is_too_good_is_caught_and_a_loose_one_is_not(criterion: str) -> None:
    split = best_split(X, Y, 2, criterion=criterion)
    sign = 1 if criterion == "gini" else -1
    assert not verify(replace(split, bound=split.score + sign * 0.01, proven=False), X, Y).ok
    assert verify(replace(split, bound=split.score - sign * 0.01, proven=False), X, Y).ok
    assert not verify(replace(split, bound=split.score - sign * 0.01, proven=True), X, Y).ok


def test_a_wrong_number_of_candidates_is_caught() -> None:
    split = best_split(X, Y, 2)
    assert not verify(replace(split, n_candidates=split.n_candidates - 1), X, Y).ok


def test_other_data_is_caught() -> None:
    split = best_split(X, Y, 2)
    assert not verify(split, X[::-1], Y).ok


def test_a_split_that_found_nothing_is_verified_and_a_false_one_is_caught() -> None:
    flat = np.column_stack([np.arange(5.0), np.arange(5.0)])
    nothing = best_split(flat, [0, 1, 0, 1, 0], 2)
    assert verify(nothing, flat, [0, 1, 0, 1, 0], r=2).ok
    assert verify(nothing, flat, [0, 1, 0, 1, 0], r=2).best == inf
    with pytest.raises(ValueError, match=r"r must be given .* \[1, 2\] have its candidates"):
        verify(nothing, flat, [0, 1, 0, 1, 0])
    bent = flat.copy()
    bent[0, 1] = 3.0
    assert not verify(nothing, bent, [0, 1, 0, 1, 0], r=2).ok
    assert verify(best_split(flat[:4], [0, 1, 0, 1], 2), flat[:4], [0, 1, 0, 1]).ok


def test_large_tables_are_refused_with_their_numbers() -> None:
    split = best_split(X, Y, 2)
    large = np.vstack([X] * 100)
    with pytest.raises(ValueError, match=r"18,742,500 planes over 2,500 rows.*max_planes=1,000,000"):
        verify(split, large, np.tile(Y, 100))
    with pytest.raises(ValueError, match="1,800 planes"):
        verify(split, X, Y, max_planes=1000)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": Y[:-1]}, "got shapes"),
        ({"sample_weight": np.ones(3)}, "sample_weight must have shape"),
        ({"sample_weight": np.zeros(25)}, "positive"),
        ({"missing": "left"}, "missing must be"),
        ({"r": 3}, "r must be"),
        ({"X": X[:, :1]}, "columns of X"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], message: str) -> None:
    arguments = {"X": X, "y": Y} | change
    split = replace(best_split(X, Y, 2), features=(0, 3))
    with pytest.raises(ValueError, match=message):
        verify(split, **arguments)


def test_the_report_reads_as_sentences() -> None:
    text = str(verify(best_split(X, Y, 2), X, Y))
    assert text.startswith("verified\n")
    assert "of 1,800 candidates" in text
