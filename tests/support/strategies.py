"""Hypothesis strategies for tables that are small and nasty.

`cases(r)` draws a `Case`. Sizes keep the oracle under about 0.1 s. Hypothesis shrinks the values themselves, so a
failing table comes out nearly minimal. `hunt.py` draws from the same families with NumPy, and faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from agreement import Case

Floats = NDArray[np.float64]
CI = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
"""The same modest number of examples in every run."""

Draw = Callable[[st.SearchStrategy[object]], object]

SHAPES = {1: (4, 14), 2: (4, 12), 3: (5, 9), 4: (5, 8)}
"""By r: the most features and the most rows."""

SCALES = st.integers(-8, 8).map(lambda exponent: 10.0**exponent)
EPSILONS = st.integers(-11, -2).map(lambda exponent: 10.0**exponent)
UNIT = st.floats(-1, 1, allow_subnormal=False, width=32)

ELEMENTS: dict[str, st.SearchStrategy[float]] = {
    "grid": st.integers(0, 4).map(float),
    "tenths": st.integers(40, 60).map(lambda tenths: tenths / 10),
    "binary": st.sampled_from([0.0, 1.0]),
    "mostly zero": st.sampled_from([0.0] * 7 + [0.1, 0.2, 3.0]),
    "real": UNIT,
}


@st.composite
def plain_columns(draw: Draw, n: int) -> Floats:
    """A column of one family, in any unit and far from zero now and then."""
    elements = ELEMENTS[draw(st.sampled_from(sorted(ELEMENTS)))]
    column = np.array(draw(st.lists(elements, min_size=n, max_size=n)))
    if draw(st.integers(0, 3)) == 0:
        scale = draw(SCALES)
        column = scale * (column + draw(st.sampled_from([0.0, 1.0, 1e3, 1e6])))
    return column


@st.composite
def related_columns(draw: Draw, column: Floats) -> Floats:
    """A nearly collinear, copied or rescaled version of a column, or a constant."""
    kind = draw(st.sampled_from(["twin", "twin", "copy", "rescaled", "constant"]))
    if kind == "twin":
        noise = draw(st.lists(UNIT, min_size=len(column), max_size=len(column)))
        return column + draw(EPSILONS) * float(np.ptp(column)) * np.array(noise)
    if kind == "constant":
        return np.full(len(column), draw(st.sampled_from([0.0, 1.0, 1e8])))
    return column if kind == "copy" else draw(SCALES) * column + draw(st.sampled_from([0.0, -1.0, 1e3]))


@st.composite
def matrices(draw: Draw, n: int, m: int) -> Floats:
    """Columns of several families, rows repeated, values missing."""
    columns = [draw(plain_columns(n))]
    for _ in range(m - 1):
        related = draw(st.integers(0, 3)) == 0
        columns.append(draw(related_columns(columns[-1])) if related else draw(plain_columns(n)))
    X = np.column_stack(columns)
    if draw(st.booleans()):
        X = X[draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))]
    if draw(st.integers(0, 3)) == 0:
        cells = st.tuples(st.integers(0, n - 1), st.integers(0, m - 1))
        for row, column in draw(st.lists(cells, max_size=n)):
            X[row, column] = np.nan
    return X


def weights(n: int) -> st.SearchStrategy[Floats | None]:
    """None, whole numbers or reals; zeros among them, but not only zeros."""
    whole = st.lists(st.integers(0, 3).map(float), min_size=n, max_size=n)
    real = st.lists(st.one_of(st.just(0.0), st.floats(1e-3, 1e3)), min_size=n, max_size=n)
    some = st.one_of(whole, real).filter(any).map(np.array)
    return st.one_of(st.none(), st.none(), some)


@st.composite
def lattices(draw: Draw, dimensions: int) -> Floats:
    """A few whole-number points: copies of rows, binary columns, and a column that depends on another."""
    most = {1: 9, 2: 8, 3: 8, 4: 8}[dimensions]
    levels = st.integers(0, draw(st.sampled_from([1, 2, 4])))
    rows = st.lists(st.tuples(*[levels] * dimensions), min_size=2, max_size=most)
    points = np.array(draw(rows), dtype=np.float64)
    if dimensions > 1 and draw(st.integers(0, 4)) == 0:
        points[:, -1] = points[:, 0] + (points[:, -1] if draw(st.booleans()) else 0)
    return points


@st.composite
def cases(
    draw: Draw, r: int, complete: bool = False, weighted: bool = True, fewest_features: int | None = None
) -> Case:
    """A table with labels and weights for planes of `r` features; ``n <= r`` included.

    There are at least `r` features, or `fewest_features`, which may be less: planes="any" takes what there is.
    """
    most_features, most_rows = SHAPES[r]
    n, m = draw(st.integers(2, most_rows)), draw(st.integers(fewest_features or r, most_features))
    X = draw(matrices(n, m))
    if complete:
        X = np.nan_to_num(X)
    n_classes = draw(st.sampled_from([2, 2, 2, 3, 1, 12]))
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    return Case(X, y, draw(weights(n)) if weighted else None, r)
