"""A third party can check a split's certificate, and a forged one is caught."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import oracle
from agreement import Case
from cart_elc import Split, best_split
from cart_elc.tree import MissingPolicy
from cart_elc.verification import search
from cart_elc.verification.verify import Verification, verify
from nasty_tables import draw, with_numbers
from strategies import CI, cases

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(25, 4))
Y = np.where(X[:, 0] + X[:, 1] + 0.6 * RANDOM.normal(size=25) > 0.0, "yes", "no")
EVERY = [(planes, criterion) for planes in oracle.PLANES for criterion in oracle.CRITERIA]
SEPARABLE_BY_A_HAIR = np.array(
    [
        [-1, -1, -1],
        [1, 1, 1],
        [0.49999916553497314, 0.7499996423721313, 1.7763568394002505e-15],
        [-0.25, 0.25, 0],
        [0, -0.75, 0],
        [0.5, 0.75, 0],
        [0.75, -0.5, 0],
    ]
)
"""A plane through rows 2 and 5, which are 1e-6 apart, is tilted by rounding alone by more than the tolerance."""


def verified(case: Case, problem: oracle.Problem, split: Split) -> Verification:
    return verify(split, case.X, case.y, sample_weight=case.sample_weight, missing=problem.missing, r=case.r)


@pytest.fixture(scope="module")
def candidates_made_once():
    """The candidates of a feature set are made once for all criteria and missing modes, as the oracle's are."""
    make, made = search.candidates, {}

    def candidates(places, tallies, kind):
        key = (places.shape, places.tobytes(), tallies.tobytes(), kind)
        if key not in made:
            if len(made) >= 500:
                made.clear()
            made[key] = list(make(places, tallies, kind))
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "candidates", candidates)
        yield


def only_doubt(verification: Verification) -> bool:
    """Whether nothing is wrong except that rounding could decide."""
    return verification.n_deciding > 0 and len(verification.problems) == 1


@pytest.mark.usefixtures("candidates_made_once")
@CI
@given(st.sampled_from([1, 2, 3]).flatmap(cases))
def test_every_split_of_the_search_is_verified(case: Case) -> None:
    table = case.table()
    for problem in case.problems():
        split = case.split(problem)
        if split.proven:
            verification = verified(case, problem, split)
            if not verification.ok and not oracle.best(table, problem).settled:
                event("rounding could decide")
                assert only_doubt(verification), f"{problem}\n{verification}\n{case}"
            else:
                assert verification.ok, f"{problem}\n{verification}\n{case}"


@pytest.mark.usefixtures("candidates_made_once")
@pytest.mark.parametrize("seed", range(40))
def test_the_enumeration_agrees_with_the_oracle(seed: int) -> None:
    case = draw(np.random.default_rng([5, seed]))
    table = case.table()
    for problem in case.problems():
        split = case.split(problem)
        verification, answer = verified(case, problem, split), oracle.best(table, problem)
        assert verification.n_candidates == table.n_candidates(problem.planes)
        if answer.settled:
            assert verification.ok, f"{problem}\n{verification}\n{case}"
            assert answer.accepts(verification.best), f"{problem}\n{answer}\n{verification}\n{case}"


@pytest.mark.usefixtures("candidates_made_once")
@pytest.mark.parametrize("seed", range(20))
def test_splits_of_numbers_are_verified_and_forged_ones_are_not(seed: int) -> None:
    random = np.random.default_rng([6, seed])
    case = with_numbers(random, draw(random))
    table = case.table()
    for problem in case.problems():
        split = case.split(problem)
        verification, answer = verified(case, problem, split), oracle.best(table, problem)
        if not answer.settled:
            continue
        assert verification.ok, f"{problem}\n{verification}\n{case}"
        assert answer.accepts(verification.best), f"{problem}\n{answer}\n{verification}\n{case}"
        if split.found and np.isfinite(split.score) and abs(split.score) > 1e-6:
            sign = -1 if problem.criterion == "squared_error" else 1
            better = split.score + sign * 0.1 * abs(split.score)
            assert not verified(case, problem, replace(split, score=better, bound=better)).ok


@pytest.mark.parametrize(("planes", "criterion"), EVERY)
@pytest.mark.parametrize("r", [1, 2, 3])
def test_labels_may_be_strings_and_the_r_of_the_search_is_found(r: int, criterion: str, planes: str) -> None:
    verification = verify(best_split(X, Y, r, criterion=criterion, planes=planes), X, Y)
    assert verification.ok, str(verification)
    assert verification.score_matches
    assert verification.bound_holds
    assert verification.score == pytest.approx(verification.best, abs=1e-9)


@pytest.mark.parametrize("missing", oracle.MISSING)
@pytest.mark.parametrize("criterion", oracle.CRITERIA)
def test_present_against_missing_is_a_candidate(criterion: str, missing: str) -> None:
    table, y = np.array([[1.0], [1.0], [1.0], [np.nan], [np.nan], [np.nan]]), [0, 0, 0, 1, 1, 1]
    split = best_split(table, y, 1, criterion=criterion, missing=missing)
    assert split.found == (missing == "learn")
    assert verify(split, table, y, missing=missing).ok
    other = "right" if missing == "learn" else "learn"
    assert not verify(split, table, y, missing=other).ok


def test_missing_values_that_go_left_against_the_parameter_are_caught() -> None:
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    split = best_split(holes, Y, 2, missing="right")
    assert verify(split, holes, Y, missing="right").ok
    learnt = replace(
        split, weights=-split.weights, threshold=np.nextafter(-split.threshold, 1), missing=MissingPolicy.LEFT
    )
    assert "rows with missing values go left" in str(verify(learnt, holes, Y, missing="right"))


def test_a_split_that_does_not_pay_is_none() -> None:
    noise = np.random.default_rng(3).integers(0, 2, size=25)
    nothing = best_split(X, noise, 2, criterion="mdl")
    assert not nothing.found
    assert verify(nothing, X, noise).ok
    assert verify(nothing, X, noise).best == -inf
    assert not verify(replace(nothing, n_candidates=0), X, noise).ok
    assert not verify(nothing, X, Y).bound_holds


@pytest.mark.parametrize(("planes", "criterion"), EVERY)
def test_a_forged_score_is_caught(planes: str, criterion: str) -> None:
    split = best_split(X, Y, 2, planes=planes, criterion=criterion)
    better = split.score / 2 if criterion in ("gini", "error") else split.score * 2
    forged = verify(replace(split, score=better, bound=better), X, Y)
    assert not forged.ok
    assert not forged.score_matches
    assert "the split reports" in str(forged)
    assert "no candidate scores" in str(forged)


def test_a_forged_plane_is_caught() -> None:
    split = best_split(X, Y, 2)
    forged = verify(replace(split, weights=split.weights[::-1].copy()), X, Y)
    assert not forged.ok
    assert not forged.score_matches


@pytest.mark.parametrize(("planes", "criterion"), EVERY)
def test_a_worse_plane_that_is_called_proven_is_caught(planes: str, criterion: str) -> None:
    """Its own score is right, but other planes are better."""
    worse = best_split(X[:, [2, 3]], Y, 2, criterion="gini", planes=planes)
    split = best_split(X, Y, 2, criterion=criterion, planes=planes)
    features = tuple(feature + 2 for feature in worse.features)
    forged = replace(worse, features=features, criterion=criterion, n_candidates=split.n_candidates)
    score = verify(forged, X, Y).score
    verification = verify(replace(forged, score=score, bound=score), X, Y)
    assert verification.score_matches
    assert not verification.bound_holds
    assert not verification.ok


def test_the_best_plane_through_samples_is_not_the_best_of_all() -> None:
    """Three features make splits that no plane through three samples makes."""
    table = [[0, 1, 2], [2, 2, 1], [2, 2, 0], [0, 2, 0], [1, 0, 1], [0, 0, 0]]
    y = [0, 0, 0, 1, 1, 1]
    through, every = (best_split(table, y, 3, planes=planes) for planes in ("through", "any"))
    assert verify(through, table, y).best == pytest.approx(0.25)
    assert verify(every, table, y).best == 0
    assert not verify(replace(through, planes="any", n_candidates=every.n_candidates), table, y).bound_holds
    forged = verify(replace(every, planes="through", n_candidates=through.n_candidates), table, y)
    assert forged.score_matches
    assert "no candidate scores 0; the best has 0.25" in str(forged)


@pytest.mark.parametrize(("planes", "criterion"), EVERY)
def test_a_bound_that_is_too_good_is_caught_and_a_loose_one_is_not(planes: str, criterion: str) -> None:
    split = best_split(X, Y, 2, criterion=criterion, planes=planes)
    sign = 1 if criterion in ("gini", "error") else -1
    assert not verify(replace(split, bound=split.score + sign * 0.01, proven=False), X, Y).ok
    assert verify(replace(split, bound=split.score - sign * 0.01, proven=False), X, Y).ok
    assert not verify(replace(split, bound=split.score - sign * 0.01, proven=True), X, Y).ok
    assert not verify(replace(split, bound=float("nan"), proven=False), X, Y).ok


@pytest.mark.parametrize("planes", ["through", "canonical"])
def test_what_rounding_could_decide_is_not_verified(planes: str) -> None:
    y = np.array([0, 1, 0, 0, 0, 0, 1])
    split = replace(
        best_split(SEPARABLE_BY_A_HAIR, y, 3, planes=planes),
        weights=np.array([1.0, 0.2, -0.55]),
        threshold=0.65 - 1e-9,
        score=4 / 21,
        bound=4 / 21,
        proven=True,
    )
    verification = verify(split, SEPARABLE_BY_A_HAIR, y)
    assert verification.score_matches
    assert verification.n_deciding > 0
    assert not verification.ok
    assert "planes hang on rounding and could beat the bound" in str(verification)


def test_doubtful_planes_that_could_not_beat_the_bound_do_not_matter() -> None:
    y = np.array([0, 1, 0, 0, 0, 0, 1])
    verification = verify(best_split(SEPARABLE_BY_A_HAIR, y, 3), SEPARABLE_BY_A_HAIR, y)
    assert verification.best == 0
    assert verification.n_doubtful > 0
    assert verification.ok


def test_a_wrong_number_of_candidates_is_caught() -> None:
    split = best_split(X, Y, 2)
    assert not verify(replace(split, n_candidates=split.n_candidates - 1), X, Y).ok


def test_other_data_is_caught() -> None:
    split = best_split(X, Y, 2)
    assert not verify(split, X[::-1], Y).ok


def test_a_split_that_found_nothing_is_verified_and_a_false_one_is_caught() -> None:
    flat = np.column_stack([np.arange(5.0), np.arange(5.0)])
    nothing = best_split(flat, [0, 1, 0, 1, 0], 2, planes="through")
    assert verify(nothing, flat, [0, 1, 0, 1, 0], r=2).ok
    assert verify(nothing, flat, [0, 1, 0, 1, 0], r=2).best == inf
    with pytest.raises(ValueError, match=r"r must be given .* \[1, 2\] have its candidates"):
        verify(nothing, flat, [0, 1, 0, 1, 0])
    bent = flat.copy()
    bent[0, 1] = 3.0
    assert not verify(nothing, bent, [0, 1, 0, 1, 0], r=2).ok
    assert verify(best_split(flat[:4], [0, 1, 0, 1], 2, planes="through"), flat[:4], [0, 1, 0, 1]).ok


def test_large_tables_are_refused_with_their_numbers() -> None:
    split = best_split(X, Y, 2)
    large = np.vstack([X] * 100)
    with pytest.raises(ValueError, match=r"18,752,500 planes over 2,500 rows.*max_planes=1,000,000"):
        verify(split, large, np.tile(Y, 100), r=2)
    with pytest.raises(ValueError, match="1,900 planes"):
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
    split = replace(best_split(X, Y, 2, planes="through"), features=(0, 3))
    with pytest.raises(ValueError, match=message):
        verify(split, **arguments)


def test_the_report_reads_as_sentences() -> None:
    text = str(verify(best_split(X, Y, 2), X, Y))
    assert text.startswith("verified\n")
    assert "for 1,900 candidates" in text
