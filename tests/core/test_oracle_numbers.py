"""The oracle's squared error and its description length are those of exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from strategies import CI

NUMBERS = st.integers(-1000, 1000).map(lambda thousandths: thousandths / 8)


def squared_error(values: list[Fraction], weights: list[Fraction]) -> Fraction:
    """The weighted squared deviations from the mean, exactly."""
    if not values:
        return Fraction(0)
    mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    return sum((w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)), Fraction(0))


@CI
@given(st.lists(st.tuples(NUMBERS, st.integers(1, 9), st.booleans()), min_size=2, max_size=12))
def test_scores_of_numbers_are_those_of_exact_fractions(rows: list[tuple[float, int, bool]]) -> None:
    y, weights = np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])
    left = np.array([row[2] for row in rows])
    exact = [(Fraction(v), Fraction(w), on_left) for v, w, on_left in rows]
    parts = [[row for row in exact if row[2] is side] for side in (True, False)]
    after = sum(squared_error([v for v, _, _ in part], [w for _, w, _ in part]) for part in parts)
    before = squared_error([v for v, _, _ in exact], [w for _, w, _ in exact])
    n = sum(w for _, w, _ in exact)
    score = oracle.score_partition("squared_error", y, weights, left)
    assert score == pytest.approx(float(after / n), rel=1e-12, abs=1e-12)
    share = float(after / before) if before else 1.0
    bits = float(n) / 2 * log2(1 / max(share, float(n) ** -2))
    problem = oracle.Problem("mdl_squared_error")
    net = oracle.net_scores(problem, y, weights, left[None, :], 1, 3)[0]
    assert net == pytest.approx(bits - log2(float(n)) - log2(3), rel=1e-9, abs=1e-9)


def test_an_exact_fit_of_few_rows_saves_few_bits() -> None:
    """Two rows are always fitted by two means; that they are is worth two bits, which never pay for a split."""
    left = np.array([[True, False]])
    problem = oracle.Problem("mdl_squared_error", price=0.0)
    assert oracle.net_scores(problem, np.array([0.0, 1e9]), np.ones(2), left, 1, 1)[0] == pytest.approx(2.0)
