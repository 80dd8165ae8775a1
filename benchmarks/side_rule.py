"""Which of the author's unstated choices moves the housing trees: arithmetic, sign of the normal, or tie rule.

The author's program reads float32 and calls a row "on" a plane within an absolute 0.001, in the data's own units; it
takes the sign of a normal vector from its eigen-solver; and of equal candidates it seems to keep the last
(`tie_rule.py`). Here every plane through two samples is scored in NumPy, on the author's folds (housing, r = 2,
twoing), with one of these choices changed at a time. Signs by three rules: the first coefficient positive
(canonical), the last positive, and the larger negative, which is what LAPACK's eigen-decomposition gives; that of the
author's solver is not known. Ten minutes on two processors.

    CART_ELC_DATA=<folder> python benchmarks/side_rule.py
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from cart_elc.datasets import load
from cart_elc.experiments.algorithms import ALGORITHMS, DEPTHS
from cart_elc.experiments.published import grid
from cart_elc.experiments.report.formats import figure_text
from cart_elc.experiments.results import Figure, GridPoint
from cart_elc.experiments.specification import N_TRIALS
from cart_elc.experiments.tasks import N_FOLDS, Growth, cut

DATASET = "housing"
PLANES_AT_ONCE = 512  # the values of so many planes fit the processor's cache
DEEP = 3
FIRST_FIRST, LAST_FIRST = "first feature first", "last feature first (the tables)"
Matrix = NDArray[np.floating]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open.

    Attributes
    ----------
    coarse : bool
        float32 and an absolute tolerance of 0.001, instead of float64, scaled features and 1e-9.
    sign : str
        Which coefficient of a normal is positive (the first or the last one), or negative (the larger one).
    last : bool
        Of equal candidates the last is kept, by sample, then feature, instead of the first, by feature, then sample.
    """

    coarse: bool = False
    sign: Literal["first positive", "last positive", "larger negative"] = "first positive"
    last: bool = False

    def __str__(self) -> str:
        arithmetic = "float32, 0.001" if self.coarse else "float64, 1e-9"
        return f"{arithmetic}; {self.sign}; {'last' if self.last else 'first'} of equals"


class Plane(NamedTuple):
    """A plane in scaled features: a row is left where ``weights · (x - centre) / spread >= limit``."""

    features: tuple[int, int]
    centre: Matrix
    spread: Matrix
    weights: Matrix
    limit: float

    def left(self, X: Matrix) -> NDArray[np.bool_]:
        """Whether rows are on or above; a missing value is not."""
        scaled = (X[:, self.features] - self.centre) / self.spread
        with np.errstate(invalid="ignore"):
            return np.asarray(scaled @ self.weights >= self.limit)


def frame_of(values: Matrix, choices: Choices) -> tuple[Matrix, Matrix]:
    """Return centre and spread that scale columns to [-1, 1], or leave them as they are."""
    if choices.coarse:
        return np.zeros(2, values.dtype), np.ones(2, values.dtype)
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    return (low + high) / 2, np.where(high > low, (high - low) / 2, 1.0)


def normals(differences: Matrix, choices: Choices) -> tuple[Matrix, NDArray[np.bool_]]:
    """Return normals to differences of two points, and which pairs fix a plane.

    A pair of equal points fixes none. The eigen-solver then answers with the first axis, and so it is taken if coarse.
    """
    weights = np.stack([differences[:, 1], -differences[:, 0]], axis=1)
    length = np.abs(weights).max(axis=1) if not choices.coarse else np.sqrt((weights**2).sum(axis=1))
    fixed = length > (0.0 if choices.coarse else 1e-7)
    weights = weights / np.where(fixed, length, 1.0)[:, None].astype(weights.dtype)
    if choices.coarse:
        weights[~fixed] = (1.0, 0.0)
        fixed = np.ones_like(fixed)
    return np.where(to_turn(weights, choices.sign)[:, None], -weights, weights), fixed


def to_turn(weights: Matrix, sign: str) -> NDArray[np.bool_]:
    """Whether normals have the wrong sign; one along an axis is positive by every rule."""
    one, other = (weights[:, 1], weights[:, 0]) if sign == "last positive" else (weights[:, 0], weights[:, 1])
    leading = np.where(np.abs(one) > 1e-9, one, other)
    if sign != "larger negative":
        return np.asarray(leading < 0)
    larger = np.where(np.abs(one) > np.abs(other), one, other)
    return np.where((weights == 0.0).any(axis=1), leading < 0, larger > 0)


def twoing_table(totals: Labels) -> Matrix:
    """Return the twoing score by the rows of each of two classes on the left, -1 where a side is empty.

    Equal scores are equal numbers.
    """
    first, second = (np.arange(total + 1.0) for total in totals)
    n, n_left = totals.sum(), first[:, None] + second
    n_right = n - n_left
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = 2.0 * np.abs(first[:, None] / n_left - (totals[0] - first[:, None]) / n_right)
        scores = n_left * n_right * apart**2 / (4.0 * n**2)
    return np.round(np.where((n_left > 0) & (n_right > 0), scores, -1.0), 12)


def best_plane(X: Matrix, y: Labels, choices: Choices) -> Plane | None:
    """Return the best plane through two samples in two features, by enumeration."""
    one_hot, table = np.eye(2, dtype=np.float32)[y], twoing_table(np.bincount(y, minlength=2))
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    found = None
    for features in combinations(range(X.shape[1]), 2):
        values = X[:, features]
        complete = np.flatnonzero(~np.isnan(values).any(axis=1))
        if len(complete) < 2:
            continue
        scores, pairs, planes = scored(values, complete, features, one_hot, table, choices)
        if not len(scores):
            continue
        at = len(scores) - 1 - int(np.argmax(scores[::-1])) if choices.last else int(np.argmax(scores))
        order = (*pairs[at], *features) if choices.last else tuple(-i for i in (*features, *pairs[at]))
        if scores[at] >= 0.0 and (not best[1] or (float(scores[at]), order) > best):
            best, found = (float(scores[at]), order), planes(at)
    return found


def scored(values, complete, features, one_hot, table, choices):  # noqa: ANN001, ANN201
    """Return the scores of all planes in two features, their defining rows, and how a plane is made."""
    centre, spread = frame_of(values, choices)
    scaled = (values - centre) / spread
    first, second = (complete[i] for i in np.triu_indices(len(complete), 1))
    weights, fixed = normals(scaled[second] - scaled[first], choices)
    first, second, weights = first[fixed], second[fixed], weights[fixed]
    tolerance = scaled.dtype.type(0.001 if choices.coarse else 1e-9)
    limits = (weights * (scaled[first] + scaled[second]) / 2).sum(axis=1) - tolerance
    scores, columns = np.empty(len(weights)), np.ascontiguousarray(scaled.T)
    with np.errstate(invalid="ignore"):
        for start in range(0, len(weights), PLANES_AT_ONCE):
            part = slice(start, start + PLANES_AT_ONCE)
            left = (weights[part] @ columns >= limits[part, None]).astype(np.float32) @ one_hot
            counts = left.astype(np.intp)
            scores[part] = table[counts[:, 0], counts[:, 1]]
    return scores, np.column_stack([first, second]), lambda at: Plane(features, centre, spread, weights[at], limits[at])


def grown(X: Matrix, y: Labels, rows: Matrix, depth: int, choices: Choices) -> tuple[Labels, Labels]:
    """Return the classes of rows and the number of leaves at every depth up to the given one."""
    classes = np.full((depth + 1, len(rows)), np.bincount(y, minlength=2).argmax())
    leaves = np.ones(depth + 1, dtype=np.int64)
    plane = best_plane(X, y, choices) if depth and len(np.unique(y)) > 1 else None
    if plane is None:
        return classes, leaves
    leaves[1:] = 0
    for train, test in ((plane.left(X), plane.left(rows)), (~plane.left(X), ~plane.left(rows))):
        classes[1:, test], below = grown(X[train], y[train], rows[test], depth - 1, choices)
        leaves[1:] += below
    return classes, leaves


def by_choices(choices: Choices | str, trial: int, fold: int) -> tuple[Matrix, Matrix]:
    """Return which test rows are right, and the leaves, at every depth; a text is the library's own search."""
    data, growth = load(DATASET), Growth(DATASET, "cart-elc", "twoing", 2, trial, fold)
    train, test = growth.rows(len(data.y))
    if isinstance(choices, str):
        X = data.matrix if choices == FIRST_FIRST else ALGORITHMS["cart-elc"].arranged(data.matrix)
        model = ALGORITHMS["cart-elc"].make(growth.parameters()).fit(X[train], data.y[train])
        trees = [cut(model, depth) for depth in DEPTHS]
        right = np.array([tree.predict(X[test]) == data.y[test] for tree in trees])
        return right, np.array([tree.get_n_leaves() for tree in trees])
    X = data.matrix.astype(np.float32 if choices.coarse else np.float64)
    classes, leaves = grown(X[train], data.y[train], X[test], DEPTHS[-1], choices)
    return classes[1:] == data.y[test], leaves[1:]


class Outcome(NamedTuple):
    """Accuracy and leaves by depth, and the right answers of every fold."""

    accuracy: list[Figure]
    leaves: list[Figure]
    right: list[Matrix]


def run(choices: Choices | str) -> Outcome:
    """Run the protocol."""
    calls = (delayed(by_choices)(choices, trial, fold) for trial in range(N_TRIALS) for fold in range(N_FOLDS))
    answers = Parallel(n_jobs=-1)(calls)
    right = [answer[0] for answer in answers]
    shares = np.array([100.0 * r.mean(axis=1) for r in right]).reshape(N_TRIALS, N_FOLDS, -1).mean(axis=1)
    sizes = np.array([answer[1] for answer in answers]).reshape(N_TRIALS, N_FOLDS, -1).mean(axis=1)
    return Outcome([Figure.of(c) for c in shares.T], [Figure.of(c) for c in sizes.T], right)


def differing(first: Outcome, second: Outcome) -> str:
    """Return how many trees of the given depth answer otherwise."""
    pairs = zip(first.right, second.right, strict=True)
    n = sum(not np.array_equal(a[DEEP - 1], b[DEEP - 1]) for a, b in pairs)
    return f"{n} of {len(first.right)}"


def print_table(lines: dict[str, tuple[list[Figure], list[Figure]]]) -> None:
    """Print accuracy and leaves by depth."""
    print("| accuracy, leaves | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " |")
    print("|---|" + "---|" * len(DEPTHS))
    for name, (accuracy, leaves) in lines.items():
        cells = (f"{figure_text(a)}, {b.mean:.1f}" for a, b in zip(accuracy, leaves, strict=True))
        print(f"| {name} | " + " | ".join(cells) + " |")


def check_solver() -> None:
    """Make sure that the sign by the larger coefficient is that of LAPACK's eigen-decomposition."""
    differences = np.random.default_rng(0).normal(size=(2000, 2))
    covariances = np.einsum("ij,ik->ijk", differences, differences) / 2
    normal = np.linalg.eigh(covariances)[1][:, :, 0]
    ours, _ = normals(differences, Choices(coarse=True, sign="larger negative"))
    np.testing.assert_allclose(ours, normal, atol=1e-6)


def main() -> None:
    """Print the housing column under each choice, below the published one, and what each choice alone changes."""
    printed = [grid()[GridPoint(DATASET, "cart-elc", "twoing", 2, depth)] for depth in DEPTHS]
    check_solver()
    plain, coarse, ties, turned = Choices(), Choices(coarse=True), Choices(last=True), Choices(sign="last positive")
    solver = Choices(coarse=True, sign="larger negative")  # which one is larger depends on the units
    found = {choices: run(choices) for choices in (plain, coarse, ties, turned, solver)}
    library = {order: run(order) for order in (FIRST_FIRST, LAST_FIRST)}
    lines = {"published": ([cell[0] for cell in printed], [cell[1] for cell in printed])}
    lines |= {f"the library's search, {order}": (o.accuracy, o.leaves) for order, o in library.items()}
    lines |= {str(choices): (outcome.accuracy, outcome.leaves) for choices, outcome in found.items()}
    print_table(lines)
    changes = {
        "the arithmetic": (plain, coarse),
        "the tie rule": (plain, ties),
        "the sign, by the last coefficient": (plain, turned),
        "the sign, by the larger one": (coarse, solver),
    }
    told = "; ".join(f"{name}: {differing(found[a], found[b])}" for name, (a, b) in changes.items())
    equals = differing(library[FIRST_FIRST], found[plain])
    print(
        f"\nTrees of depth {DEEP} that answer otherwise for some test row when one choice is changed: {told}. Between "
        f"the library's search and the enumeration of the same planes: {equals}, by other ones of equally good planes."
    )


if __name__ == "__main__":
    main()
