"""The candidates of planes="any": the definition by planes against an exact one without planes."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

import oracle
from strategies import CI, lattices

Floats = NDArray[np.float64]
Partition = frozenset[int]


def as_partition(left: NDArray[np.bool_]) -> Partition:
    """The rows on the side that the first row is not on: the same for a partition and its mirror image."""
    return frozenset(np.flatnonzero(left != left[0]).tolist())


def by_planes(X: Floats, r: int) -> set[Partition]:
    """The partitions of all feature sets of at most r features, of which every one must be sure."""
    table = oracle.make_table(X, np.zeros(len(X), dtype=np.int64), r)
    assert all(part.sure.all() and not part.open for part in table.partitions)
    return {as_partition(left) for part in table.partitions for left in part.left} | {frozenset()}


def by_circuits(X: Floats, r: int) -> set[Partition]:
    """The same in rationals: all strictly separable partitions of each set of at most r features, flat or not."""
    found: set[Partition] = set()
    for size in range(1, min(r, X.shape[1]) + 1):
        for features in itertools.combinations(range(X.shape[1]), size):
            places, place_of = np.unique(X[:, features], axis=0, return_inverse=True)
            masks = oracle.separable_masks(oracle.exact_points(places))
            sides = (masks[:, None] >> np.arange(len(places))[None, :]) & 1 == 1
            found |= {as_partition(left[place_of.ravel()]) for left in sides}
    return found


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_both_definitions_list_the_same_partitions(dimensions: int) -> None:
    @CI
    @given(lattices(dimensions), st.integers(1, dimensions))
    def check(X: Floats, r: int) -> None:
        event(f"{len(np.unique(X, axis=0))} places")
        assert by_planes(X, r) == by_circuits(X, r)

    check()


@settings(CI, max_examples=20)
@given(lattices(4))
def test_both_definitions_agree_in_four_dimensions(X: Floats) -> None:
    assert by_planes(X, 4) == by_circuits(X, 4)


@settings(CI, max_examples=20)
@given(st.integers(1, 3).flatmap(lattices))
def test_separable_partitions_are_those_that_linear_programming_finds(X: Floats) -> None:
    places = np.unique(X, axis=0)
    assume(1 < len(places) <= 6)
    masks = set(oracle.separable_masks(oracle.exact_points(places)).tolist())
    for mask in range(2 ** len(places)):
        left = (mask >> np.arange(len(places))) & 1 == 1
        assert (mask in masks) == separated_by_linear_programming(places, left)
        assert (mask in masks) == oracle.is_separable(oracle.exact_points(places), left)


def separated_by_linear_programming(points: Floats, left: NDArray[np.bool_]) -> bool:
    """Whether ``w.x - b`` can be at least 1 on the left and at most -1 on the right; small whole numbers are exact."""
    sign = np.where(left, 1.0, -1.0)
    system = -sign[:, None] * np.column_stack([points, -np.ones(len(points))])
    status = linprog(np.zeros(system.shape[1]), system, -np.ones(len(points)), bounds=(None, None)).status
    assert status in (0, 2)
    return status == 0


@pytest.mark.parametrize(("n", "d"), [(5, 1), (9, 2), (14, 2), (9, 3), (8, 4)])
def test_in_general_position_there_are_as_many_as_cover_counts(n: int, d: int) -> None:
    X = np.random.default_rng(n * d).normal(size=(n, d))
    assert len(by_planes(X, d)) == sum(comb(n - 1, k) for k in range(d + 1))


def test_points_on_a_plane_are_divided_in_every_linear_way() -> None:
    """Four corners of a square in a plane and one point above: the diagonals are not divided from each other."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.5, 0.5, 1]])
    partitions = by_planes(square, 3)
    assert frozenset({3}) in partitions
    assert frozenset({3, 4}) in partitions
    assert frozenset({1, 2}) not in partitions
    assert len(partitions) == 14


def test_a_flat_feature_set_adds_nothing_and_is_skipped() -> None:
    X = np.array([[0.0, 0, 1], [1, 2, 0], [2, 4, 5], [3, 6, 2]])
    table = oracle.make_table(X, np.zeros(4, dtype=np.int64), 2)
    assert [part.features for part in table.partitions] == [(0,), (1,), (2,), (0, 2), (1, 2)]


def test_rows_at_the_same_place_stay_together() -> None:
    X = np.array([[0.0, 0], [0, 0], [1, 0], [0, 1]])
    assert all((0 in partition) == (1 in partition) for partition in by_planes(X, 2))


def test_a_row_within_the_tolerance_of_a_plane_is_in_doubt() -> None:
    """The last row is 2e-9 from the line through the first two: whether it can be divided from both is left open."""
    X = np.array([[-1.0, -1], [1, 1], [-1, 1], [0, 2e-9]])
    part = oracle.make_table(X, np.zeros(4, dtype=np.int64), 2).partitions[-1]
    sure = {as_partition(left): bool(is_sure) for left, is_sure in zip(part.left, part.sure, strict=True)}
    assert sure[frozenset({2})]
    assert not sure[frozenset({2, 3})]
    y = np.array([0, 0, 1, 1])
    answer = oracle.best(oracle.make_table(X, y, 2), oracle.Problem())
    assert answer.doubtful
    assert answer.optimistic == 0.0 < answer.certain
    assert answer.accepts(0.0)
    assert answer.accepts(answer.certain)
    assert not answer.accepts(answer.certain + 0.01)


def test_a_split_whose_band_is_too_narrow_for_float64_is_in_doubt() -> None:
    """The line through the first two rows, which are 5e-7 apart, is tilted by a millionth; the split divides them."""
    X = np.array([[2e-13, 1.0000007], [-9e-13, 1.0000012], [1e-12, -3.5e-6], [2e-12, -9e-7], [9, 2], [3, 4]])
    y = np.array([1, 0, 0, 0, 1, 1])
    left = y == 1
    assert 0 < oracle.margin(oracle.scale(X), left) < 1e-12
    answer = oracle.best(oracle.make_table(X, y, 2), oracle.Problem())
    assert answer.optimistic == 0.0 < answer.certain
    assert not answer.settled


# --- missing values ---------------------------------------------------------------------------------------------------

NAN = np.nan


def test_the_rows_with_a_missing_value_join_either_side_as_one_block() -> None:
    X = np.array([[0.0], [1], [2], [NAN], [NAN]])
    for y in ([0, 0, 1, 1, 1], [0, 0, 1, 0, 0], [0, 0, 0, 1, 1]):
        for missing in oracle.MISSING:
            answer = oracle.best(oracle.make_table(X, np.array(y), 1), oracle.Problem(missing=missing))
            assert answer.score == 0.0
    apart = oracle.best(oracle.make_table(X, np.array([0, 0, 1, 0, 1]), 1), oracle.Problem())
    assert apart.score > 0


@pytest.mark.parametrize("planes", oracle.PLANES)
def test_a_column_of_one_value_splits_present_from_missing_where_sides_are_learnt(planes: str) -> None:
    table = oracle.make_table(np.array([[1.0], [1], [NAN], [NAN]]), np.array([0, 0, 1, 1]), 1)
    assert oracle.best(table, oracle.Problem(planes=planes)).score == 0.0
    assert oracle.best(table, oracle.Problem(planes=planes, missing="right")).score == np.inf


def test_at_r_two_any_still_splits_present_from_missing() -> None:
    X = np.array([[1.0, 3], [1, 4], [NAN, 3], [NAN, 4]])
    optimum = oracle.optimum(oracle.make_table(X, np.array([0, 0, 1, 1]), 2), oracle.Problem())
    assert [(split.features, split.margin) for split in optimum.splits] == [((0,), 0.0)]


@pytest.mark.parametrize("planes", ["through", "canonical"])
def test_planes_through_samples_are_among_all_linear_splits(planes: str) -> None:
    for seed in range(60):
        random = np.random.default_rng(seed)
        r = int(random.integers(1, 4))
        X = random.integers(0, 4, size=(8, 3)).astype(float)
        X[random.random(X.shape) < 0.1] = NAN
        table = oracle.make_table(X, random.integers(0, 3, size=8), r)
        for missing in oracle.MISSING:
            narrow = oracle.best(table, oracle.Problem(planes=planes, missing=missing))
            assert oracle.best(table, oracle.Problem(missing=missing)).score <= narrow.score + 1e-12


@pytest.mark.parametrize("limit", [{"min_samples_leaf": 3}, {"min_weight_leaf": 3.0}])
def test_leaves_that_are_too_small_are_no_candidates(limit: dict[str, float]) -> None:
    X, y = np.arange(6.0)[:, None], np.array([1, 0, 0, 0, 0, 0])
    table = oracle.make_table(X, y, 1)
    assert oracle.best(table, oracle.Problem()).score == 0.0
    assert oracle.best(table, oracle.Problem(**limit)).score == pytest.approx(2 / 9)
