"""What docs/linear_splits.md says of planes through samples: its theorem at r = 2 and its example at r = 3."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from numpy.typing import NDArray

import oracle
from oracle.through import left_sides
from strategies import CI, lattices

PAGE = Path(__file__).parents[2] / "docs" / "linear_splits.md"


def table_after(mark: str) -> list[list[str]]:
    """The cells of the first table after a comment of the page, without its two heading lines."""
    lines = PAGE.read_text(encoding="utf-8").split(f"<!-- {mark} -->\n")[1].splitlines()
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines)
    return [[cell.strip(' `"') for cell in row.strip("|").split("|")] for row in rows][2:]


EXAMPLE = np.array(table_after("example"), dtype=np.float64)
X, Y = EXAMPLE[:, :3], EXAMPLE[:, 3].astype(np.int64)


@pytest.mark.parametrize(("planes", "r", "gini"), [tuple(row) for row in table_after("scores")])
def test_the_scores_of_the_page_are_those_of_brute_force(planes: str, r: str, gini: str) -> None:
    answer = oracle.best(oracle.make_table(X, Y, int(r)), oracle.Problem(planes=planes))
    assert not answer.doubtful
    assert answer.score == pytest.approx(float(gini), abs=1e-12)


def test_the_page_has_all_six_scores_and_six_rows_in_general_position() -> None:
    assert len(table_after("scores")) == 6
    assert X.shape == (6, 3)
    for four in itertools.combinations(X, 4):
        assert abs(np.linalg.det(np.column_stack([four, np.ones(4)]))) > 0.5


def test_the_planes_of_the_page_are_as_it_says() -> None:
    values = X @ [3, 4, 5]
    assert values.tolist() == [14, 19, 14, 8, 8, 0]
    assert (X @ [-1, 2, 0])[:3].tolist() == [2, 2, 2]
    assert sorted(np.sign((X @ [-1, 2, 0])[3:] - 2)) == [-1, -1, 1]
    assert (X @ [1, 0, -1])[3:].tolist() == [0, 0, 0]
    assert sorted(np.sign((X @ [1, 0, -1])[:3])) == [-1, 1, 1]
    (split,) = oracle.optimum(oracle.make_table(X, Y, 3), oracle.Problem()).splits
    assert split.margin == pytest.approx(3 / np.sqrt(50))


def partitions(lefts: NDArray[np.bool_]) -> set[bytes]:
    return {(left ^ left[0]).tobytes() for left in lefts}


@CI
@given(lattices(2))
def test_with_two_features_planes_through_samples_make_every_linear_split(points: NDArray[np.float64]) -> None:
    table = oracle.make_table(points, np.zeros(len(points), dtype=np.int64), 2)
    assume(table.planes)
    (planes,) = table.planes
    through = np.concatenate(list(left_sides(planes, oracle.Problem(planes="through"))))
    assert partitions(through) == partitions(table.partitions[-1].left)


@pytest.mark.parametrize("seed", range(10))
def test_in_general_position_planes_through_samples_make_every_linear_split_of_two_features(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(9, 2))
    table = oracle.make_table(points, np.zeros(9, dtype=np.int64), 2)
    through = np.concatenate(list(left_sides(table.planes[0], oracle.Problem(planes="through"))))
    assert partitions(through) == partitions(table.partitions[-1].left)
