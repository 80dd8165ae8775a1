"""Writes docs/choosing.md: what r, the price and the criterion do to accuracy and size, on the same folds.

``python benchmarks/choosing.py [--data-dir DIR]``; some minutes. Nothing is tuned: the rules are those of the library.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from tables import real_tables

from cart_elc import ELCClassifier

PAGE = Path(__file__).parents[1] / "docs" / "choosing.md"
TRIALS, FOLDS, FIRST_SEED = 3, 5, 71
NOISE_TABLES = 100
Table = tuple[np.ndarray, np.ndarray]
Row = tuple[str, Mapping[str, Any]]

FEATURES: tuple[Row, ...] = tuple((f"`r={r}`", {"r": r}) for r in (1, 2, 3))
PRICES: tuple[Row, ...] = tuple((f"`price={price:g}`", {"price": price}) for price in (0.5, 1.0, 2.0))
CRITERIA: tuple[Row, ...] = (
    ('`criterion="mdl"`', {}),
    *((f'`criterion="gini", max_depth={depth}`', {"criterion": "gini", "max_depth": depth}) for depth in (2, 3, 4)),
    ('`criterion="gini"`, to purity', {"criterion": "gini"}),
)


def judged(model: Any, data: Table) -> tuple[float, float]:  # noqa: ANN401
    """Mean accuracy in per cent and number of leaves over the folds."""
    X, y = data
    scores, leaves = [], []
    for trial in range(TRIALS):
        for train, test in KFold(FOLDS, shuffle=True, random_state=FIRST_SEED + trial).split(X):
            fitted = model.fit(X[train], y[train])
            scores.append(100 * fitted.score(X[test], y[test]))
            leaves.append(fitted.get_n_leaves())
    return float(np.mean(scores)), float(np.mean(leaves))


def lines(rows: Iterable[Row], data: Mapping[str, Table]) -> Iterable[str]:
    """A Markdown table: one row per choice, one column per data set, accuracy / leaves."""
    yield "| | " + " | ".join(data) + " | mean |"
    yield "|---|" + "---:|" * (len(data) + 1)
    for title, parameters in rows:
        cells = [judged(ELCClassifier(n_jobs=-1, **parameters), table) for table in data.values()]
        yield table_row(title, cells)


def table_row(title: str, cells: list[tuple[float, float]]) -> str:
    """One row, with the mean at its end."""
    mean = tuple(float(np.mean(column)) for column in zip(*cells, strict=True))
    return f"| {title} | " + " | ".join(f"{accuracy:.1f} / {leaves:.1f}" for accuracy, leaves in [*cells, mean]) + " |"


def n_splits_on_noise(r: int, n: int, m: int) -> int:
    """How many tables of pure noise are split at all."""
    grown = 0
    for seed in range(NOISE_TABLES):
        generator = np.random.default_rng([17, seed])
        X, y = generator.normal(size=(n, m)), generator.integers(0, 2, n)
        grown += ELCClassifier(r, max_depth=1).fit(X, y).get_n_leaves() > 1
    return grown


def page(data: Mapping[str, Table]) -> Iterable[str]:
    """The whole page."""
    yield TOP.format(names=", ".join(data), trials=TRIALS, folds=FOLDS)
    yield from lines(FEATURES, data)
    yield table_row(
        "scikit-learn's tree, to purity", [judged(DecisionTreeClassifier(random_state=0), t) for t in data.values()]
    )
    yield PRICE
    yield from lines(PRICES, data)
    yield NOISE.format(tables=NOISE_TABLES)
    yield "| rows x features | `r=1` | `r=2` | `r=3` |"
    yield "|---|---:|---:|---:|"
    for n, m in ((50, 4), (200, 8), (1000, 8)):
        yield f"| {n} x {m} | " + " | ".join(str(n_splits_on_noise(r, n, m)) for r in (1, 2, 3)) + " |"
    yield CRITERION
    yield from lines(CRITERIA, data)
    yield BOTTOM


TOP = """# How to choose r, the price and the criterion

The short answer: leave the defaults (`r=2`, `criterion="mdl"`, `price=1`), look at the tree, and try `r=3`. This page
has the figures behind it, written by `benchmarks/choosing.py`. Each cell is test accuracy in per cent / leaves, the
mean of {trials} x {folds} folds, on {names}, with nothing tuned.

## r: how many features a split may use

`r` is an upper limit: a split takes a second or third feature only if that saves more bits than it costs to name. So a
larger `r` makes a tree smaller or leaves it as it is; what it costs is time, about a hundredfold for each step.
"""
PRICE = """
## price: how much a split must save

Under `"mdl"` a split on `s` of `m` features in a node of `n` rows costs `log2(C(n, s) C(m, s))` bits, the length of its
name, and must save two bits more than that for each class of the node. `price` multiplies both. Below 1 the tree grows
larger and follows the data more closely, above 1 it has fewer leaves. [stopping.md](stopping.md) shows where the rule
comes from and what else was tried.
"""
NOISE = """
On pure noise (labels drawn by a coin) a tree should be a single leaf. Of {tables} such tables, these many were split:
"""
CRITERION = """
## criterion: when the paper's own are better

`"gini"`, `"twoing"` and `"information_gain"` score a split alone and leave it to you when to stop: choose a depth,
prune (`pruning="cv"`, `ccp_alpha`), or grow to purity for an ensemble. At `r=2`:
"""
BOTTOM = """
A tree that stops at the first split that does not pay misses patterns whose first split saves too little alone. Grow
with `"gini"` and prune where you expect such a pattern; [stopping.md](stopping.md) has figures.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", default=os.environ.get("CART_ELC_DATA"))
    data = real_tables(parser.parse_args().data_dir)
    PAGE.write_text("\n".join(page(data)), encoding="utf-8")


if __name__ == "__main__":
    main()
