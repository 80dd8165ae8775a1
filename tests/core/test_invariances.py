"""What must not change the answer: units, order, duplication against weight, absent rows, threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
from agreement import Case
from cart_elc import Split
from hunt import draw
from strategies import CI, cases

RS = st.sampled_from([1, 2, 3, 4])
ANY = RS.flatmap(cases)
CRITERIA = pytest.mark.parametrize("criterion", oracle.CRITERIA)


def settled(case: Case, *problems: oracle.Problem) -> bool:
    """Whether float64 leaves no choice of the answer (see `oracle`)."""
    table = case.table()
    return not any(oracle.best(table, problem).doubtful for problem in problems)


def same_score(a: Split, b: Split) -> bool:
    return a.score == b.score or abs(a.score - b.score) <= 1e-9


@CRITERIA
@CI
@given(case=ANY, data=st.data())
def test_scaling_features_by_powers_of_two_changes_no_score(criterion: str, case: Case, data: st.DataObject) -> None:
    problem = oracle.Problem(criterion)
    exponents = data.draw(st.lists(st.integers(-30, 30), min_size=case.X.shape[1], max_size=case.X.shape[1]))
    scaled = Case(case.X * 2.0 ** np.array(exponents), case.y, case.sample_weight, case.r)
    assert case.split(problem).score == scaled.split(problem).score


@CRITERIA
@CI
@given(case=ANY, shift=st.integers(-4096, 4096))
def test_exact_shifts_change_no_score(criterion: str, case: Case, shift: int) -> None:
    """Shifts of whole numbers are exact in float64; the scaled values are then equal to the last bit."""
    problem = oracle.Problem(criterion)
    whole = np.round(case.X / np.nanmax(np.abs(case.X), initial=1.0) * 64) if np.isfinite(case.X).any() else case.X
    one, other = (Case(X, case.y, case.sample_weight, case.r) for X in (whole, whole + shift))
    assert same_score(one.split(problem), other.split(problem))


@CRITERIA
@CI
@given(case=ANY, random=st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_score(criterion: str, case: Case, random: object) -> None:
    problem = oracle.Problem(criterion)
    order = np.array(random.sample(range(len(case.X)), len(case.X)))
    weight = None if case.sample_weight is None else case.sample_weight[order]
    shuffled = Case(case.X[order], case.y[order], weight, case.r)
    assume(settled(case, problem))
    assert same_score(case.split(problem), shuffled.split(problem))


@CRITERIA
@CI
@given(case=ANY, random=st.randoms(use_true_random=False))
def test_the_order_of_features_changes_no_score(criterion: str, case: Case, random: object) -> None:
    problem = oracle.Problem(criterion)
    order = random.sample(range(case.X.shape[1]), case.X.shape[1])
    assume(settled(case, problem))
    assert same_score(case.split(problem), Case(case.X[:, order], case.y, case.sample_weight, case.r).split(problem))


@CRITERIA
@pytest.mark.parametrize("missing", oracle.MISSING)
@CI
@given(case=RS.flatmap(lambda r: cases(r, weighted=False)))
def test_doubled_rows_are_rows_of_weight_two(criterion: str, missing: str, case: Case) -> None:
    problem = oracle.Problem(criterion, missing=missing)
    heavy = Case(case.X, case.y, np.full(len(case.X), 2.0), case.r)
    double = Case(np.repeat(case.X, 2, axis=0), np.repeat(case.y, 2), None, case.r)
    # What a description costs depends on how many rows there are: a table is not twice itself under "mdl".
    alike = (heavy, double) if criterion == "mdl" else (case, heavy, double)
    scores = [c.split(problem).score for c in alike]
    assume(all(settled(c, problem) for c in alike))
    assert np.allclose(scores, scores[0], rtol=0, atol=1e-9)


@CRITERIA
@CI
@given(case=ANY, data=st.data())
def test_a_row_of_weight_zero_is_absent(criterion: str, case: Case, data: st.DataObject) -> None:
    """Also where it would change the scaling, complete a class, or hold the only missing value."""
    problem = oracle.Problem(criterion)
    assume(case.sample_weight is None)
    absent = np.array(data.draw(st.lists(st.booleans(), min_size=len(case.X), max_size=len(case.X))))
    assume(not absent.all())
    far = np.where(absent[:, None], 1e6 * (1 + np.arange(case.X.shape[1])), case.X)
    with_rows = Case(far, case.y, np.where(absent, 0.0, 1.0), case.r).split(problem)
    without = Case(case.X[~absent], case.y[~absent], None, case.r).split(problem)
    assert with_rows.score == without.score
    assert with_rows.features == without.features
    assert np.array_equal(with_rows.weights, without.weights)
    assert with_rows.n_candidates == without.n_candidates


def identical(a: Split, b: Split) -> bool:
    plane = np.array_equal([*a.weights, a.threshold], [*b.weights, b.threshold], equal_nan=True)
    return plane and (a.features, a.score, a.samples, a.missing_left, a.bound, a.proven) == (
        b.features,
        b.score,
        b.samples,
        b.missing_left,
        b.bound,
        b.proven,
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_split_is_identical_for_any_number_of_threads_and_any_run(seed: int) -> None:
    case = draw(np.random.default_rng([7, seed]))
    for criterion in oracle.CRITERIA:
        problem = oracle.Problem(criterion)
        first = case.split(problem, n_jobs=1)
        for n_jobs in (1, 2, 3, 5):
            assert identical(first, case.split(problem, n_jobs=n_jobs)), str(case)


@CRITERIA
@pytest.mark.parametrize(("n", "m", "r", "levels"), [(400, 5, 2, 0), (120, 5, 3, 0), (200, 6, 2, 4), (60, 5, 4, 3)])
def test_larger_tables_give_identical_splits_for_any_number_of_threads(
    criterion: str, n: int, m: int, r: int, levels: int
) -> None:
    random = np.random.default_rng(n)
    X = random.integers(0, levels, size=(n, m)).astype(float) if levels else random.normal(size=(n, m))
    y = (X @ random.normal(size=m) + random.normal(size=n) > 0).astype(np.int64)
    case = Case(X, y, None, r)
    first = case.split(oracle.Problem(criterion), n_jobs=1)
    for n_jobs in (2, 4):
        assert identical(first, case.split(oracle.Problem(criterion), n_jobs=n_jobs))


@pytest.mark.parametrize("seed", range(40))
def test_the_plane_does_not_depend_on_the_order_of_rows(seed: int) -> None:
    """Ties are broken by coordinates, so even the plane is the same."""
    random = np.random.default_rng([11, seed])
    case = draw(random)
    order = random.permutation(len(case.X))
    weight = None if case.sample_weight is None else case.sample_weight[order]
    shuffled = Case(case.X[order], case.y[order], weight, case.r)
    problem = oracle.Problem()
    if settled(case, problem):
        a, b = case.split(problem), shuffled.split(problem)
        assert a.features == b.features
        assert np.allclose(a.weights, b.weights, rtol=1e-6)
