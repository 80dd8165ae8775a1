"""The directed problem, in which rows want sides, and searches that must beat a known loss, against enumeration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from agreement import Case
from cart_elc import best_split
from cart_elc.splitters.elc import ELCSplitter, Known
from cart_elc.splitters.node import Node
from cart_elc.targets import Classes
from oracle.answer import candidates
from strategies import CI, cases

PROBLEM = oracle.Problem("error")


def least_on_wrong_side(case: Case) -> float:
    """The least weight on the wrong side over all linear splits, by enumeration; either side may be either's."""
    table, wants = case.table(), case.y[case.kept()] == 1
    weights = np.ones(len(case.y)) if case.sample_weight is None else case.sample_weight
    weights, least = weights[case.kept()], np.inf
    for partitions in table.partitions:
        for left, sure in candidates(partitions, PROBLEM):
            wrong = np.where(left == wants, weights, 0.0).sum(axis=1)
            wrong = np.minimum(wrong, weights.sum() - wrong)
            least = min(least, wrong[sure].min(initial=np.inf))
    return float(least)


def two_sided(case: Case) -> Case:
    return replace(case, y=case.y % 2)


@CI
@given(st.sampled_from([1, 2, 3]).flatmap(cases).map(two_sided))
def test_error_with_two_classes_solves_the_directed_problem(case: Case) -> None:
    if oracle.best(case.table(), PROBLEM).doubtful:
        return
    weights = np.ones(len(case.y)) if case.sample_weight is None else case.sample_weight
    on_one_side = min(weights[case.y == 0].sum(), weights[case.y == 1].sum())
    split = case.split(PROBLEM)
    if split.found:
        assert split.score * weights.sum() == pytest.approx(min(least_on_wrong_side(case), on_one_side), rel=1e-9)


def known_split(X: np.ndarray, y: np.ndarray, must_beat: float, prices: tuple[float, ...] = (0.0, 0.0)):
    rows = np.arange(len(y))
    splitter = ELCSplitter(r=2, criterion="error", known=Known(must_beat, prices))
    return splitter(Node(X, Classes(y, 2), rows, np.ones(len(y))))


@pytest.fixture
def table() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    X = random.normal(size=(200, 3))
    return X, ((X[:, 0] + X[:, 1] > 0) ^ (random.random(200) < 0.1)).astype(np.int64)


def test_only_a_split_that_beats_what_is_known_is_returned(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    best = best_split(X, y, r=2, criterion="error")
    errors = round(best.score * len(y))
    none = known_split(X, y, errors)
    assert not none.found
    assert none.proven
    found = known_split(X, y, errors + 1)
    assert found.score == best.score
    assert found.features == best.features
    assert none.n_boxes < best.n_boxes


def test_prices_by_size_count_against_what_is_known(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    one, two = (best_split(X, y, r=r, criterion="error").score * len(y) for r in (1, 2))
    gain = one - two
    assert gain > 0
    assert len(known_split(X, y, one + 1, (0.0, gain - 0.5)).features) == 2
    assert len(known_split(X, y, one + 1, (0.0, gain + 0.5)).features) == 1
    assert not known_split(X, y, one, (0.0, gain)).found
