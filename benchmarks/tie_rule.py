"""What the tie rule alone does to the paper's iris column at r = 1.

Petal length and petal width split iris equally well at many nodes, so a tree depends on which of equal candidates is
kept. The library keeps the smallest feature; the author's program visits samples before features and, as this suggests,
keeps the last of equals. Every candidate is scored here in NumPy, on the author's folds, with twoing and with `x >= t`
on the left.

    python benchmarks/tie_rule.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cart_elc.datasets import load
from cart_elc.experiments.algorithms import DEPTHS
from cart_elc.experiments.published import grid
from cart_elc.experiments.report.formats import figure_text
from cart_elc.experiments.results import Figure, GridPoint
from cart_elc.experiments.specification import N_TRIALS
from cart_elc.experiments.tasks import N_FOLDS, Growth

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class TieRule:
    """Which of equally good candidates is kept: the first or the last, in the order of samples or of features."""

    samples_first: bool
    last: bool

    def __str__(self) -> str:
        return f"{'last' if self.last else 'first'} by {'sample, then feature' if self.samples_first else 'feature'}"

    def choose(self, scores: Matrix) -> tuple[int, int]:
        """Return sample and feature of the best score, scores being samples x features."""
        ordered = (scores if self.samples_first else scores.T).ravel()
        place = len(ordered) - 1 - np.argmax(ordered[::-1]) if self.last else np.argmax(ordered)
        shape = scores.shape if self.samples_first else scores.T.shape
        first, second = (int(i) for i in np.unravel_index(place, shape))
        return (first, second) if self.samples_first else (second, first)


def twoing_scores(X: Matrix, y: Labels) -> Matrix:
    """Return the twoing score of every cut `x_j >= x_ij`, -1 where a side is empty; equal scores are equal."""
    one_hot = np.eye(3)[y]
    left = np.einsum("ijk,kc->ijc", (X.T[:, None, :] >= X.T[:, :, None]).astype(float), one_hot)
    right = one_hot.sum(axis=0) - left
    n_left, n_right = left.sum(axis=2), right.sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.abs(left / n_left[..., None] - right / n_right[..., None]).sum(axis=2)
    scores = np.where(n_right > 0, n_left * n_right * apart**2 / (4 * len(y) ** 2), -1.0)
    return np.round(scores.T, 12)


def predictions(X: Matrix, y: Labels, rows: Matrix, depth: int, rule: TieRule) -> Matrix:
    """Return the classes of rows at every depth up to the given one, one line a depth."""
    majority = np.full(len(rows), np.bincount(y, minlength=3).argmax())
    scores = twoing_scores(X, y) if depth and len(np.unique(y)) > 1 else np.full((1, 1), -1.0)
    if scores.max() < 0:
        return np.tile(majority, (depth + 1, 1))
    sample, feature = rule.choose(scores)
    cut = X[sample, feature]
    below = np.empty((depth, len(rows)), dtype=np.int64)
    in_training, in_rows = X[:, feature] >= cut, rows[:, feature] >= cut
    for train, test in ((in_training, in_rows), (~in_training, ~in_rows)):
        below[:, test] = predictions(X[train], y[train], rows[test], depth - 1, rule)
    return np.vstack([majority, below])


def accuracies(rule: TieRule) -> Matrix:
    """Return the mean accuracy in percent of every trial and depth."""
    iris = load("iris")
    found = np.empty((N_TRIALS, N_FOLDS, len(DEPTHS)))
    for trial in range(N_TRIALS):
        for fold in range(N_FOLDS):
            train, test = Growth("iris", "cart-elc", "twoing", 1, trial, fold).rows(len(iris.y))
            answer = predictions(iris.matrix[train], iris.y[train], iris.matrix[test], len(DEPTHS), rule)
            found[trial, fold] = (answer[1:] == iris.y[test]).mean(axis=1)
    return 100.0 * found.mean(axis=1)


def main() -> None:
    """Print the column under the four rules, below the published one."""
    printed = [grid()[GridPoint("iris", "cart-elc", "twoing", 1, depth)][0] for depth in DEPTHS]
    lines = {"published": printed}
    for rule in (TieRule(a, b) for a in (False, True) for b in (False, True)):
        lines[str(rule)] = [Figure.of(column) for column in accuracies(rule).T]
    print("| kept of equal candidates | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " |")
    print("|---|" + "---|" * len(DEPTHS))
    for name, figures in lines.items():
        print(f"| {name} | " + " | ".join(map(figure_text, figures)) + " |")
    equal = {
        name: sum(f"{f.mean:.1f}" == f"{p.mean:.1f}" for f, p in zip(figures, printed, strict=True))
        for name, figures in lines.items()
    }
    told = "; ".join(f"{name}: {n}" for name, n in equal.items() if name != "published")
    print(f"\nMeans that equal the published ones to the digit, of {len(printed)}. {told.capitalize()}.")


if __name__ == "__main__":
    main()
