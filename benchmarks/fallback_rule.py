"""What falling back to smaller r does to the paper's iris trees at r = 3 and 4.

Where no plane through r samples is left (a node with few distinct rows), the paper's program makes a leaf; the library
tries r - 1, ..., 1. Both are grown here on the author's folds, in the paper's reading, by twoing.

    python benchmarks/fallback_rule.py
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from cart_elc.datasets import load
from cart_elc.experiments.algorithms import ALGORITHMS, DEPTHS, PAPER_READING
from cart_elc.experiments.published import grid
from cart_elc.experiments.report.formats import figure_text, verdict_of
from cart_elc.experiments.results import Figure, GridPoint
from cart_elc.experiments.specification import N_TRIALS
from cart_elc.experiments.tasks import N_FOLDS, Growth
from cart_elc.growing import Stopping, grow
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.tree.building import truncate


class Outcome(NamedTuple):
    """Accuracy in percent and leaves, by depth."""

    accuracy: list[Figure]
    leaves: list[Figure]


def outcome(r: int, fallback: bool) -> Outcome:
    """Return what the protocol gives."""
    iris = load("iris")
    X = ALGORITHMS["cart-elc"].arranged(iris.matrix)
    splitter = ELCSplitter(r=r, criterion="twoing", fallback=fallback, **PAPER_READING)
    found = np.empty((2, N_TRIALS, N_FOLDS, len(DEPTHS)))
    for trial in range(N_TRIALS):
        for fold in range(N_FOLDS):
            train, test = Growth("iris", "cart-elc", "twoing", r, trial, fold).rows(len(iris.y))
            tree = grow(X[train], iris.y[train], np.ones(len(train)), 3, splitter, Stopping(max_depth=DEPTHS[-1]))
            shallow = [truncate(tree, depth) for depth in DEPTHS]
            answers = (tree.predict_value(X[test]).argmax(axis=1) for tree in shallow)
            found[0, trial, fold] = [100.0 * np.mean(answer == iris.y[test]) for answer in answers]
            found[1, trial, fold] = [tree.n_leaves for tree in shallow]
    return Outcome(*([Figure.of(column) for column in by_trial.T] for by_trial in found.mean(axis=2)))


def main() -> None:
    """Print both with and without the fallback, below the published ones."""
    print("| accuracy, leaves | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " |")
    print("|---|" + "---|" * len(DEPTHS))
    within: Counter[str] = Counter()
    below: Counter[int] = Counter()
    for r in (3, 4):
        cells = [grid()[GridPoint("iris", "cart-elc", "twoing", r, depth)] for depth in DEPTHS]
        published = Outcome([cell[0] for cell in cells], [cell[1] for cell in cells])
        print_line(f"r = {r}: published", published)
        for name, fallback in (("a leaf, as the paper", False), ("smaller r, as the library", True)):
            ours = outcome(r, fallback)
            print_line(f"r = {r}: {name}", ours)
            within[name] += n_within(ours, published)
            below[r] += sum(a.mean < b.mean for a, b in zip(ours.accuracy, published.accuracy, strict=True))
    told = "; ".join(f"{name}: {n}" for name, n in within.items())
    lower = ", ".join(f"{n} of {2 * len(DEPTHS)} at r = {r}" for r, n in below.items())
    print(
        f"\nAccuracies below the published ones, both rules together: {lower}. "
        f"Figures within two standard deviations of the published ones, of {4 * len(DEPTHS)}. {told.capitalize()}."
    )


def print_line(name: str, figures: Outcome) -> None:
    """Print a line of the table."""
    texts = (f"{figure_text(a)}, {figure_text(b)}" for a, b in zip(*figures, strict=True))
    print(f"| {name} | " + " | ".join(texts) + " |")


def n_within(ours: Outcome, published: Outcome) -> int:
    """Count the figures that are reproduced."""
    verdicts = [
        verdict_of(*pair, higher_is_better=quantity == "accuracy")
        for quantity in Outcome._fields
        for pair in zip(getattr(ours, quantity), getattr(published, quantity), strict=True)
    ]
    return sum(verdict in ("to the digit", "reproduced") for verdict in verdicts)


if __name__ == "__main__":
    main()
