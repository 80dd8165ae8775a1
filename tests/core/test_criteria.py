"""The criteria in the paper's units."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cart_elc.criteria import CRITERIA, PAPERS, class_numbers, entropy, gini_impurity

COUNTS = arrays(np.float64, st.integers(2, 6), elements=st.integers(0, 20).map(float)).filter(lambda c: c.sum() > 0)


def test_known_values_of_one_split():
    left, right = np.array([3.0, 1.0]), np.array([0.0, 4.0])
    assert CRITERIA["gini"].score(left, right) == pytest.approx(0.5 * (1 - 0.75**2 - 0.25**2))
    assert CRITERIA["twoing"].score(left, right) == pytest.approx(0.25 / 4 * (0.75 + 0.75) ** 2)
    parent = -(3 / 8) * math.log2(3 / 8) - (5 / 8) * math.log2(5 / 8)
    side = -0.75 * math.log2(0.75) - 0.25 * math.log2(0.25)
    assert CRITERIA["information_gain"].score(left, right) == pytest.approx(parent - side / 2)


@given(COUNTS)
def test_impurities_are_zero_for_one_class_and_largest_for_equal_shares(counts):
    k = len(counts)
    for impurity, largest in ((gini_impurity, 1 - 1 / k), (entropy, math.log2(k))):
        assert -1e-12 <= impurity(counts) <= largest + 1e-12
        assert impurity(np.eye(k)[0]) == 0
        assert impurity(np.full(k, 7.0)) == pytest.approx(largest)


@pytest.mark.parametrize("criterion", [CRITERIA[name] for name in PAPERS], ids=PAPERS)
@given(st.data())
def test_scores_do_not_depend_on_sides_or_on_the_unit_of_weight(criterion, data):
    left = data.draw(COUNTS)
    right = data.draw(
        arrays(np.float64, len(left), elements=st.integers(0, 20).map(float)).filter(lambda c: c.sum() > 0)
    )
    score = criterion.score(left, right)
    assert criterion.score(right, left) == pytest.approx(float(score), abs=1e-12)
    assert criterion.score(8 * left, 8 * right) == pytest.approx(float(score), abs=1e-12)


@pytest.mark.parametrize("criterion", [CRITERIA[name] for name in PAPERS], ids=PAPERS)
def test_a_pure_split_is_better_than_a_useless_one_and_any_is_better_than_none(criterion):
    pure = float(criterion.score(np.array([4.0, 0.0]), np.array([0.0, 4.0])))
    useless = float(criterion.score(np.array([2.0, 2.0]), np.array([2.0, 2.0])))
    assert criterion.better(pure, useless)
    assert not criterion.better(useless, useless)
    assert criterion.better(useless, criterion.worst)


@pytest.mark.parametrize("criterion", [CRITERIA[name] for name in PAPERS], ids=PAPERS)
def test_counts_may_come_in_any_number_of_dimensions(criterion):
    counts = np.arange(1.0, 25.0).reshape(2, 4, 3)
    assert criterion.impurity(counts).shape == (2, 4)
    scores = criterion.score(counts[0], counts[1])
    assert scores[2] == pytest.approx(float(criterion.score(counts[0, 2], counts[1, 2])))


def test_the_sum_of_variances_numbers_classes_by_frequency():
    # Murthy, Kasif, Salzberg 1994: ten of one class and three of another have one variance, whatever their labels.
    measure = CRITERIA["sum_of_variances"]
    for counts in ([10.0, 3.0, 0.0], [0.0, 10.0, 3.0], [3.0, 0.0, 10.0], [10.0, 0.0, 3.0]):
        assert measure.impurity(np.array(counts)) == pytest.approx(30 / 169)
    assert class_numbers(np.array([[2.0, 5.0, 2.0], [1.0, 1.0, 1.0]])).tolist() == [[1, 0, 2], [0, 1, 2]]
    # The node's frequencies, 5 3 2, give the numbers on both sides.
    left, right = np.array([0.0, 1.0, 2.0]), np.array([5.0, 2.0, 0.0])
    expected = (3 * np.var([1, 2, 2]) + 7 * np.var([0, 0, 0, 0, 0, 1, 1])) / 10
    assert measure.score(left, right) == pytest.approx(expected)
