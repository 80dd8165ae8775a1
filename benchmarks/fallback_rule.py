"""What falling back to smaller r does to the size of the paper's iris trees at r = 3 and 4.

Where no plane through r samples is left (a node with few distinct rows), the paper's program makes a leaf; the library
tries r - 1, ..., 1. Both are grown here on the author's folds, in the paper's reading, by twoing.

    python benchmarks/fallback_rule.py
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from cart_elc.datasets import load
from cart_elc.experiments.algorithms import ALGORITHMS, PAPER_READING
from cart_elc.experiments.published import grid
from cart_elc.experiments.report.formats import figure_text, verdict_of
from cart_elc.experiments.results import Figure, GridPoint
from cart_elc.experiments.tasks import N_FOLDS, Growth
from cart_elc.growing import Stopping, grow
from cart_elc.pruning import truncate
from cart_elc.splitters.elc import ELCSplitter

N_TRIALS = 10
DEPTHS = range(1, 6)


def leaves(r: int, fallback: bool) -> NDArray[np.float64]:
    """Return the mean number of leaves of every trial and depth."""
    iris = load("iris")
    splitter = ELCSplitter(r=r, criterion="twoing", fallback=fallback, **PAPER_READING)
    found = np.empty((N_TRIALS, N_FOLDS, len(DEPTHS)))
    for trial in range(N_TRIALS):
        for fold in range(N_FOLDS):
            train, _ = Growth("iris", "cart-elc", "twoing", r, trial, fold).rows(len(iris.y))
            X = ALGORITHMS["cart-elc"].arranged(iris.matrix[train])
            tree = grow(X, iris.y[train], np.ones(len(train)), 3, splitter, Stopping(max_depth=DEPTHS[-1]))
            found[trial, fold] = [truncate(tree, depth).n_leaves for depth in DEPTHS]
    return found.mean(axis=1)


def main() -> None:
    """Print leaves with and without the fallback, below the published ones."""
    print("| leaves | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " |")
    print("|---|" + "---|" * len(DEPTHS))
    within: Counter[str] = Counter()
    for r in (3, 4):
        lines = {"published": [grid()[GridPoint("iris", "cart-elc", "twoing", r, depth)][1] for depth in DEPTHS]}
        for name, fallback in (("a leaf, as the paper", False), ("smaller r, as the library", True)):
            lines[name] = [Figure.of(column) for column in leaves(r, fallback).T]
        for name, figures in lines.items():
            print(f"| r = {r}: {name} | " + " | ".join(map(figure_text, figures)) + " |")
            pairs = zip(figures, lines["published"], strict=True)
            within[name] += sum(
                verdict_of(*pair, higher_is_better=False) in ("to the digit", "reproduced") for pair in pairs
            )
    total = within.pop("published")
    told = "; ".join(f"{name}: {n}" for name, n in within.items())
    print(f"\nSizes within two standard deviations of the published ones, of {total}. {told.capitalize()}.")


if __name__ == "__main__":
    main()
