"""The bound of binned numbers is below every way to divide the uncertain rows, and tight where a bin is a number."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cart_elc import _core
from strategies import CI

ROWS = st.lists(
    st.tuples(st.integers(-9, 9), st.integers(1, 4), st.sampled_from(["above", "below", "open"])),
    min_size=2,
    max_size=11,
).filter(lambda rows: len({number for number, _, _ in rows}) > 1)


def smallest_loss(rows: list[tuple[int, int, str]], totals: list[float]) -> float:
    """The smallest loss over all ways to divide the open rows, by trying them."""
    y, w = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    above = np.array([row[2] == "above" for row in rows])
    free = [i for i, row in enumerate(rows) if row[2] == "open"]
    losses = []
    for chosen in itertools.product((False, True), repeat=len(free)):
        left = above.copy()
        left[free] = chosen
        losses.append(_core.squared_error_loss(totals, [float(w[left].sum()), float((w * y)[left].sum())]))
    return min(losses)


@CI
@given(ROWS, st.integers(1, 5))
def test_the_bound_of_binned_numbers_is_valid_and_tight_where_every_number_has_its_bin(
    rows: list[tuple[int, int, str]], n_bins: int
) -> None:
    y, w = np.array([row[0] for row in rows], float), np.array([row[1] for row in rows], float)
    mean = float((w * y).sum() / w.sum())
    totals = [float(w.sum()), float((w * y).sum()), float((w * (y - mean) ** 2).sum())]
    numbers = np.unique(y)
    best = smallest_loss(rows, totals)
    above, is_open = (np.array([row[2] == kind for row in rows]) for kind in ("above", "open"))
    side = [float(w[above].sum()), float((w * y)[above].sum())]
    for bins in (np.array_split(numbers, min(n_bins, len(numbers))), [numbers[i : i + 1] for i in range(len(numbers))]):
        inside = [np.isin(y, part) & is_open for part in bins]
        uncertain = [float(w[part].sum()) for part in inside] + [float((w * y)[part].sum()) for part in inside]
        low, high = [float(part[0]) for part in bins], [float(part[-1]) for part in bins]
        bound = _core.squared_error_bound(totals, low, high, side, uncertain)
        assert bound <= best + 1e-12
    assert bound == pytest.approx(best, abs=1e-12)


def test_the_loss_is_the_share_of_the_squared_error_that_is_left() -> None:
    y, left = np.array([1.0, 2.0, 4.0, 9.0]), np.array([True, True, True, False])
    totals = [4.0, float(y.sum()), float(((y - y.mean()) ** 2).sum())]
    after = float(((y[left] - y[left].mean()) ** 2).sum())
    assert _core.squared_error_loss(totals, [3.0, 7.0]) == pytest.approx(after / totals[2])
