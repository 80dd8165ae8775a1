"""Writes docs/stopping.md: rules for when a tree stops, tried on noise, on planted trees and on real tables.

``python benchmarks/stopping.py [--data-dir DIR]``; some minutes. The rule of the library was chosen on the noise alone;
the real tables say what it costs there.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import numpy as np
from choosing import Table, judged, table_row
from scipy.special import ndtr
from tables import real_tables

from cart_elc import ELCClassifier, Split, Tree
from cart_elc.criteria import bits_saved, bits_to_name, entropy
from cart_elc.estimators import elc
from cart_elc.pruning.pruner import Grow
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import Node
from cart_elc.splitters.reporting import Progress
from cart_elc.targets import TrainingRows
from cart_elc.tree import FloatArray, IntArray
from cart_elc.tree.building import collapse

PAGE = Path(__file__).parents[1] / "docs" / "stopping.md"
BITS = (0.0, 1.0, 1.5, 2.0, 3.0)
PRICES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
N_TABLES = 100
NOISE = (
    (30, 3, 2),
    (50, 4, 2),
    (100, 5, 2),
    (200, 8, 2),
    (1000, 8, 2),
    (100, 50, 2),
    (60, 4, 3),
    (100, 5, 5),
    (100, 5, 10),
)
"""Rows, features and classes of the tables of noise."""
LABEL_NOISE = (0.0, 0.1, 0.2, 0.3)
N_PLANTED, N_TEST = 20, 5000
NEARLY_BEST = 5.0
JITTER = 0.1


class GrowingOn(ELCSplitter):
    """Takes the best split though it does not pay, as long as some split could."""

    def _least_saving(self, node: Node) -> float:
        least = super()._least_saving(node)
        most = node.weight * float(entropy(node.statistics())) - bits_to_name(node.weight, node.X.shape[1], 1)
        return -math.inf if most > least else least


class ByDescriptionLength:
    """Turns into a leaf what does not pay as a whole."""

    def growing_weights(self, rows: TrainingRows) -> FloatArray:
        """All rows."""
        return rows.weights

    def __call__(self, tree: Tree, rows: TrainingRows, grow: Grow) -> Tree:
        """Sum up what the splits of each subtree save beyond what they must."""
        saved = np.where(tree.is_leaf, 0.0, tree.score - elc.MIN_SAVING * np.count_nonzero(tree.value, axis=1))
        for node in reversed([*tree.split_nodes()]):
            saved[node] += sum(
                max(saved[child], 0.0) for child in (tree.children_left[node], tree.children_right[node])
            )
        return collapse(tree, [int(node) for node in tree.split_nodes() if saved[node] <= 0])


class SteadySplitter(ELCSplitter):
    """Of the feature sets whose best split is nearly the best, the one whose saving survives jitter best."""

    def __call__(self, node: Node) -> Split:
        """Search every set of features."""
        best = super().__call__(node)
        if not best.found or self.r == 1:
            return best
        unpriced = replace(self, price=0.0, min_saving=0.0)
        rivals = [best]
        for features in combinations(range(node.X.shape[1]), self.r):
            split = ELCSplitter.__call__(unpriced, replace(node, X=np.ascontiguousarray(node.X[:, features])))
            if split.found:
                chosen = tuple(features[j] for j in split.features)
                price = bits_to_name(node.weight, node.X.shape[1], len(chosen))
                rivals.append(replace(split, features=chosen, score=split.score - price))
        near = [split for split in rivals if split.score >= best.score - NEARLY_BEST]
        return max(near, key=lambda split: saving_under_jitter(node, split))


def saving_under_jitter(node: Node, split: Split) -> float:
    """Bits saved when each value moves by a normal error of a tenth of its feature's standard deviation."""
    points = node.X[node.rows][:, split.features]
    complete = ~np.isnan(points).any(axis=1)
    spread = JITTER * float(np.linalg.norm(split.weights * np.nanstd(points, axis=0)))
    left = np.where(complete, ndtr((points @ split.weights - split.threshold) / spread), split.missing_left)
    counts = [node.target.statistics(node.rows, node.weights * share) for share in (left, 1 - left)]
    return float(bits_saved(*counts)) - bits_to_name(node.weight, node.X.shape[1], len(split.features))


def with_splitter(kind: type[ELCSplitter]) -> type[ELCClassifier]:
    """The estimator with another splitter."""

    class Other(ELCClassifier):
        def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
            made = super()._make_splitter(n_features, progress)
            return kind(**{field.name: getattr(made, field.name) for field in fields(made)})

    return Other


class PrunedClassifier(with_splitter(GrowingOn)):  # type: ignore[misc]
    """Grown on, then pruned by description length."""

    def _make_pruner(self) -> ByDescriptionLength:
        return ByDescriptionLength()


Fit = Callable[[], ELCClassifier]


def noise(n: int, m: int, k: int) -> Iterator[Table]:
    """Tables whose labels have nothing to do with their rows."""
    for seed in range(N_TABLES):
        generator = np.random.default_rng([n, m, k, seed])
        yield generator.normal(size=(n, m)), generator.integers(0, k, n)


def n_split(make: Fit, data: Iterable[Table]) -> int:
    """How many of the tables are split at all."""
    return sum(make().fit(X, y).get_n_leaves() > 1 for X, y in data)


def planted(seed: int, share: float) -> tuple[Table, Table]:
    """500 rows and test rows of an oblique tree of four leaves in six features; a share of the labels is drawn anew."""
    generator = np.random.default_rng([5, seed])
    planes = generator.normal(size=(3, 2))
    pairs = [generator.choice(6, 2, replace=False) for _ in planes]

    def label(X: FloatArray) -> IntArray:
        above = [X[:, pair] @ plane > 0 for pair, plane in zip(pairs, planes, strict=True)]
        return np.asarray(np.where(above[0], above[1], ~above[2]), dtype=np.int64)

    X, test = generator.normal(size=(500, 6)), generator.normal(size=(N_TEST, 6))
    drawn = generator.random(500) < share
    return (X, np.where(drawn, generator.integers(0, 2, 500), label(X))), (test, label(test))


def on_planted(make: Fit, share: float) -> str:
    """Accuracy on clean labels, and leaves."""
    scores, leaves = [], []
    for seed in range(N_PLANTED):
        train, test = planted(seed, share)
        model = make().fit(*train)
        scores.append(100 * model.score(*test))
        leaves.append(model.get_n_leaves())
    return f"{np.mean(scores):.1f} / {np.mean(leaves):.1f}"


def on_checkerboard(make: Fit) -> str:
    """Accuracy and leaves on a board of two by two fields, on rows it has not seen."""
    generator = np.random.default_rng(9)
    X, test = generator.uniform(-1, 1, size=(400, 2)), generator.uniform(-1, 1, size=(N_TEST, 2))
    model = make().fit(X, (X > 0).sum(axis=1) % 2)
    return f"{100 * model.score(test, (test > 0).sum(axis=1) % 2):.1f} / {model.get_n_leaves()}"


def noisy_table() -> dict[str, Table]:
    """Two features of twenty matter, and three labels of ten are drawn anew."""
    generator = np.random.default_rng(3)
    X = generator.normal(size=(4000, 20))
    drawn = generator.random(4000) < 0.3
    return {"noisy": (X, np.where(drawn, generator.integers(0, 2, 4000), X[:, 0] + X[:, 1] > 0))}


def times_as_long(data: dict[str, Table], r: int) -> float:
    """How many times as long it takes to grow on, over all tables."""
    spent = []
    for kind in (ELCClassifier, PrunedClassifier):
        start = time.process_time()
        for X, y in data.values():
            kind(r).fit(X, y)
        spent.append(time.process_time() - start)
    return spent[1] / spent[0]


def noise_lines() -> Iterator[str]:
    """How many of a hundred tables are split, by the bits for each class."""
    yield "| rows x features, classes | " + " | ".join(f"{bits:g}" for bits in BITS) + " |"
    yield "|---|" + "---:|" * len(BITS)
    for n, m, k in NOISE:
        counts = []
        for bits in BITS:
            with patch.object(elc, "MIN_SAVING", bits):
                counts.append(n_split(lambda: ELCClassifier(max_depth=1), noise(n, m, k)))
        yield f"| {n} x {m}, {k} | " + " | ".join(map(str, counts)) + " |"


def real_lines(data: dict[str, Table], rows: Iterable[tuple[str, Fit, float]]) -> Iterator[str]:
    """Accuracy and leaves on real tables, for a title, an estimator and the bits for each class."""
    yield "| | " + " | ".join(data) + " | mean |"
    yield "|---|" + "---:|" * (len(data) + 1)
    for title, make, bits in rows:
        with patch.object(elc, "MIN_SAVING", bits):
            yield table_row(title, [judged(make(), table) for table in data.values()])


def planted_lines(rows: Iterable[tuple[str, Fit, float]]) -> Iterator[str]:
    """The same on planted trees and on the checkerboard."""
    yield "| | " + " | ".join(f"{100 * share:.0f} % noise" for share in LABEL_NOISE) + " | checkerboard |"
    yield "|---|" + "---:|" * (len(LABEL_NOISE) + 1)
    for title, make, bits in rows:
        with patch.object(elc, "MIN_SAVING", bits):
            cells = [*(on_planted(make, share) for share in LABEL_NOISE), on_checkerboard(make)]
        yield f"| {title} | " + " | ".join(cells) + " |"


def page(data: dict[str, Table]) -> Iterator[str]:
    """The whole page."""
    default = elc.MIN_SAVING
    yield TOP.format(tables=N_TABLES, names=", ".join(data))
    yield from noise_lines()
    yield REAL
    by_bits = [(f"{bits:g} bits", ELCClassifier, bits) for bits in BITS]
    yield from real_lines(data, by_bits)
    yield PRICE
    by_price = [(f"`price={price:g}`", lambda price=price: ELCClassifier(price=price), default) for price in PRICES]
    yield from real_lines(data, by_price)
    yield PLANTED.format(trees=N_PLANTED)
    pruned = [("grown on and pruned", PrunedClassifier, default)]
    yield from planted_lines([*by_bits, *by_price, *pruned])
    yield GROWING_ON
    yield from real_lines(data, [("stops (the library)", ELCClassifier, default), *pruned])
    grown_on = [n_split(PrunedClassifier, noise(*size)) for size in NOISE]
    yield f"\nOf {N_TABLES} tables of noise, of the sizes above, it splits {', '.join(map(str, grown_on))}."
    yield TIMES.format(**{f"r{r}": times_as_long(data, r) for r in (2, 3)}, noisy=times_as_long(noisy_table(), 2))
    yield STEADY.format(bits=NEARLY_BEST)
    yield from real_lines(
        data, [("the proven best", ELCClassifier, default), ("the steadiest", with_splitter(SteadySplitter), default)]
    )
    yield ""


TOP = """# When a tree stops, and what else was tried

Under `criterion="mdl"` a split on `s` of `m` features in a node of `n` rows is named by `log2(C(n, s) C(m, s))` bits.
What it saves is `n` times its information gain. A node becomes a leaf where no split saves more than its name costs
**and two bits beyond that for each class of the node**: a leaf fits a share for each class, and fitted shares gain by
chance alone. This page has the figures behind that rule, written by `benchmarks/stopping.py`.

## Pure noise

Labels are drawn without a look at the rows, so a tree should be a single leaf. Of {tables} such tables, these many
were split, by the number of bits for each class:
"""
REAL = """
With the name's price alone, small tables and tables of many classes are split by chance. Two bits for each class is
the smallest of these numbers with which no size is split more than five times. It was chosen on such tables alone.

## What it costs on real tables

Test accuracy in per cent / leaves, the mean of 3 x 5 folds, at `r=2`:
"""
PRICE = """
The trees get smaller and hardly less accurate. The same with the price as the factor, which also multiplies the two
bits:
"""
PLANTED = """
## Known truth

Trees of three planted oblique splits in six features, 500 rows, a share of whose labels is drawn anew; accuracy on
clean test rows / leaves, the mean of {trees} trees. A tree of four leaves is the truth. The last column is a
checkerboard of two by two fields, 400 rows without noise.
"""
GROWING_ON = """
## Growing on, and pruning by description length

A tree that stops at the first split that does not pay never sees what a second one would make of it: with many labels
wrong, the first of three planted splits often saves too little alone. The alternative takes the best split as long as
some split could still pay, and afterwards turns into a leaf each subtree that saves less as a whole than it must. On
real tables:
"""
TIMES = """\
But it searches many nodes that end as leaves, and each of those searches in full, where a search for a split that pays
ends as soon as none can: fits of these tables take {r2:.1f} times as long at `r=2` and {r3:.1f} times at `r=3`, one of
4,000 rows and 20 features with 30 % noise {noisy:.0f} times. The library stops.
"""
STEADY = """
## The steadiest of nearly best splits

Among the pairs of features whose best split is within {bits:g} bits of the proven best, take the one that saves most
when each value is moved by a normal error of a tenth of its feature's standard deviation. This is not in the library:
such a split is not the proven best.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", default=os.environ.get("CART_ELC_DATA"))
    data_dir = parser.parse_args().data_dir
    data = real_tables(data_dir)
    complete = Path(data_dir or "") / "housing.csv"
    if complete.is_file():
        rows = np.genfromtxt(complete, delimiter=",", skip_header=1)
        data["housing, complete"] = rows[:, :-1], rows[:, -1].astype(int)
    PAGE.write_text("\n".join(page(data)), encoding="utf-8")


if __name__ == "__main__":
    main()
