"""Writes docs/refining.md: what refining does to planted trees and to tables at hand, its time, and its rivals.

``python benchmarks/refining.py [--data-dir DIR]``; some minutes. Optimal axis-parallel trees of depth 2 are compared
where `pystreed` is installed (``pip install cart-elc[peers]``).
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from planted_trees import Planted, planted
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tables import real_tables

from cart_elc import CARTClassifier, ELCClassifier, best_split

PAGE = Path(__file__).parents[1] / "docs" / "refining.md"
SEEDS, FOLDS, STARTS = 10, 5, 20
WITHIN = 0.01
Table = tuple[np.ndarray, np.ndarray]
Forms = Mapping[str, Mapping[str, Any]]

GREEDY: Forms = {'`criterion="gini", max_depth=3`': {"criterion": "gini", "max_depth": 3}, '`criterion="mdl"`': {}}
STEPS: Forms = {
    "grown": {},
    "`refine=True`": {"refine": True},
    f"`n_init={STARTS}`": {"refine": True, "n_init": STARTS},
}


def clusters(n: int, k: int, seed: int = 0) -> Table:
    """Gaussian clusters, several to a class, in five features, a tenth of the labels redrawn."""
    return make_classification(
        n, 5, n_informative=5, n_redundant=0, n_classes=k, n_clusters_per_class=4, flip_y=0.1, class_sep=0.7,
        random_state=seed,
    )  # fmt: skip


def large_tables() -> dict[str, Table]:
    """Tables of about 2,000 rows and more."""
    X, y = load_digits(return_X_y=True)
    middle = [18, 21, 26, 28, 36, 43, 53, 60]
    return {
        "digits, 8 pixels": (X[:, middle], y),
        "digits, odd or even": (X[:, middle], y % 2),
        "clusters 5000 x 5": clusters(5000, 2),
        "clusters 5000 x 5, 4 classes": clusters(5000, 4),
    }


def test_errors(data: Planted, parameters: Mapping[str, Any]) -> tuple[float, int, float]:
    """Test error beyond the planted tree's, leaves, and seconds."""
    start = time.process_time()
    model = ELCClassifier(**parameters).fit(data.X, data.y)
    seconds = time.process_time() - start
    wrong = float(np.mean(model.predict(data.X_test) != data.y_test))
    return wrong - data.error, model.get_n_leaves(), seconds


def planted_lines() -> Iterable[str]:
    yield "| | within one point | excess error, mean | leaves | seconds |"
    yield "|---|---:|---:|---:|---:|"
    tables = [planted(seed) for seed in range(SEEDS)]
    for form, parameters in GREEDY.items():
        for step, more in STEPS.items():
            cells = np.array([test_errors(data, {**parameters, **more}) for data in tables])
            excess, leaves, seconds = cells.mean(axis=0)
            near = int((cells[:, 0] <= WITHIN).sum())
            yield f"| {form}, {step} | {near} of {SEEDS} | {100 * excess:.1f} | {leaves:.1f} | {seconds:.1f} |"


def judged(model: Any, data: Table) -> tuple[float, float, float]:  # noqa: ANN401
    """Mean training and test accuracy in per cent, and leaves, over the folds."""
    X, y = data
    results = []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        fitted = model.fit(X[train], y[train])
        leaves = fitted.get_n_leaves() if hasattr(fitted, "get_n_leaves") else np.nan
        scores = (100 * fitted.score(X[part], y[part]) for part in (train, test))
        results.append([*scores, leaves])
    train_score, test_score, leaves = np.mean(results, axis=0)
    return float(train_score), float(test_score), float(leaves)


def table_lines(tables: Mapping[str, Table], forms: Forms, steps: Iterable[str]) -> Iterable[str]:
    """One line a form and step, one column a table: test accuracy / leaves."""
    yield "| | " + " | ".join(tables) + " |"
    yield "|---|" + "---:|" * len(tables)
    for form, parameters in forms.items():
        for step in steps:
            cells = (judged(ELCClassifier(**parameters, **STEPS[step]), table) for table in tables.values())
            texts = (f"{test:.1f} / {leaves:.1f}" for _, test, leaves in cells)
            yield f"| {form}, {step} | " + " | ".join(texts) + " |"


def linear_lines() -> Iterable[str]:
    """The exact linear classifier by errors against logistic regression on all features, and its time."""
    yield "| table | r | errors | proven | boxes | seconds | logistic regression, all features |"
    yield "|---|---:|---:|---|---:|---:|---:|"
    cancer = load_breast_cancer(return_X_y=True)
    for name, (X, y), sizes in (
        ("wdbc, 569 x 30", cancer, (1, 2, 3)),
        ("clusters 5000 x 5", clusters(5000, 2), (1, 2, 3)),
        ("clusters 100000 x 5", clusters(100_000, 2), (1, 2)),
    ):
        logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, y)
        for r in sizes:
            start = time.process_time()
            split = best_split(X, y, r, criterion="error")
            seconds = time.process_time() - start
            wrong = round(split.score * len(y))
            yield (
                f"| {name} | {r} | {wrong} | {'yes' if split.proven else 'no'} | {split.n_boxes:,} | {seconds:.2f} "
                f"| {int((logistic.predict(X) != y).sum())} |"
            )


def time_lines() -> Iterable[str]:
    yield "| depth | r | grown, seconds | grown and refined | ratio | changes | passes |"
    yield "|---:|---:|---:|---:|---:|---:|---:|"
    X, y = clusters(5000, 2)
    for depth, r in ((3, 2), (4, 2), (3, 3)):
        seconds = []
        for refine in (False, True):
            start = time.process_time()
            model = ELCClassifier(r=r, criterion="gini", max_depth=depth, refine=refine).fit(X, y)
            seconds.append(time.process_time() - start)
        done = model.refined_
        yield (
            f"| {depth} | {r} | {seconds[0]:.2f} | {seconds[1]:.2f} | {seconds[1] / seconds[0]:.1f} "
            f"| {done.n_changes} | {done.n_passes} |"
        )


def optimal_lines(tables: Mapping[str, Table]) -> Iterable[str]:
    """Depth-2 trees: greedy and refined with r = 1 and 2, and the optimal axis-parallel tree of binarised features."""
    forms: dict[str, Any] = {
        "CART": CARTClassifier(max_depth=2),
        "`r=1`, `refine=True`": ELCClassifier(r=1, criterion="gini", max_depth=2, refine=True),
        f"`r=1`, `n_init={STARTS}`": ELCClassifier(r=1, criterion="gini", max_depth=2, refine=True, n_init=STARTS),
        "`r=2`, `refine=True`": ELCClassifier(criterion="gini", max_depth=2, refine=True),
        f"`r=2`, `n_init={STARTS}`": ELCClassifier(criterion="gini", max_depth=2, refine=True, n_init=STARTS),
    }
    if find_spec("pystreed"):
        from pystreed import STreeDClassifier

        forms["optimal axis-parallel (STreeD, 10 thresholds a feature)"] = STreeDClassifier(
            max_depth=2, n_thresholds=10, continuous_binarize_strategy="quantile"
        )
    yield "| depth 2 | " + " | ".join(tables) + " |"
    yield "|---|" + "---:|" * len(tables)
    for name, model in forms.items():
        cells = (judged(model, table) for table in tables.values())
        yield f"| {name} | " + " | ".join(f"{train:.1f} / {test:.1f}" for train, test, _ in cells) + " |"


def page(data_dir: str | None) -> Iterable[str]:
    """The whole page."""
    large = large_tables()
    yield TOP
    yield PLANTED.format(seeds=SEEDS, starts=STARTS)
    yield from planted_lines()
    yield LARGE.format(folds=FOLDS)
    yield from table_lines(large, GREEDY, list(STEPS)[:2])
    yield SMALL
    yield from table_lines(real_tables(data_dir), GREEDY, list(STEPS)[:2])
    yield TIME
    yield from time_lines()
    yield LINEAR
    yield from linear_lines()
    yield OPTIMAL
    yield from optimal_lines({name: table for name, table in large.items() if len(np.unique(table[1])) == 2})
    yield BOTTOM


TOP = """# Refining: the tree as a whole

A grown tree is proven split by split: each is the best for the rows that reach it, given that nothing is known yet of
what comes below. `refine=True` goes on from there. It passes over the nodes, from the leaves to the root, and gives
each its best split **given all the others**, until a pass changes nothing. The figures on this page are written by
`benchmarks/refining.py`.

## One step

With everything else fixed, each row of a node costs so much if it goes left and so much if it goes right. It wants one
side by the difference, or does not care. The best split is the one with the least weight on the wrong side: the
*directed problem*, which is `criterion="error"` with two classes and a weight for each row, and which the search solves
exactly (`best_split`). Others solve it by a surrogate (Carreira-Perpiñán and Tavallali, "Alternating Optimization of
Decision Trees", 2018). The search starts from the present split, so that it need only prove that nothing beats it.

At each node these are tried, and taken if the objective falls: no split at all (a leaf, or one of the two children in
its place); where both children are leaves, or the node is one, the best split together with its two leaves; the best
split given what is below. A subset of the levels of a category is a split among the others. Of equally good ones fewer
features win. Limits on depth, leaves and their rows hold throughout; a leaf that no row reaches any more goes away with
its split.

## What is minimised

* `"mdl"`, classes: bits, the sum of `-log2 p` of each row's class in its leaf, `-1/k log2 p` of each of the `k`
  classes in each leaf, and the price of each split;
* `"mdl"`, numbers: bits, `N/2 log2` of the squared error, 4 for each leaf, and the price of each split;
* `"squared_error"`: the squared error;
* `"gini"`, `"twoing"`, `"information_gain"`, `"error"`: the weight of the rows that are not of their leaf's heaviest
  class.

In a leaf of `n` rows with `c` of a class, `p = (c + 1/k) / (n + 1)`: as if it had one row more, shared by all classes.
These shares make the sum of the first two terms smallest, no class has share zero, and the second term, about
`1/2 log2 n` bits with two classes, is what it costs to tell the shares. The price of a split is that of growth,
`log2(C(n, s) C(m, s))` times `price`, with `n` the weight of its node. It is concave in `n`, and so is the code of the
labels: while other nodes' rows are moved, both are replaced by their slopes at the present tree, from above. So a step
that lowers what it minimises lowers the objective by at least as much. `cart_elc.refining.objectives` has all of this
in one place.

## What is proven, and what is not

`model.refined_` says what was done: the objective before and after, passes, changes, and `proven`. Where it is true,
**no node can be given a better split, or none, while the rest of the tree stays as it is**; where a node has two
leaves, whatever these predict (under `"mdl"`: given their shares). Where `min_samples_leaf` or
`min_weight_fraction_leaf` refuses the best split of a node, one that they allow is taken if it is better, and the node
is not called proven. A tree that was pruned afterwards has the proofs of the tree before.

It is not a globally optimal tree: several nodes changed at once may do better. To prove that for oblique splits one
would have to search the planes of all nodes together, a box of as many dimensions as the tree has coefficients; solvers
for axis-parallel trees reach depth 3 or 4 on binarised features, and none is known for oblique ones beyond toy sizes.
Against bad local optima there are several starts: `n_init` refines the trees of all criteria, random trees, and the
best tree so far with one split drawn anew; the one with the best objective is taken.
"""
PLANTED = """
## Planted trees

5,000 rows of 5 features with the labels of a tree of depth 3 whose splits have two features each, 5 % of the labels
turned; {seeds} such trees. How often the test error is within one point of the planted tree's own, and by how much it
exceeds it on average, in points (`r=2`; `n_init={starts}`):
"""
LARGE = """
## Tables of 2,000 rows and more

Test accuracy in per cent / leaves, the mean of {folds} folds:
"""
SMALL = """
## Tables of a few hundred rows

Where rows are few, a lower training error is no gain: the description length has to hold the tree back.
"""
TIME = """
## Time

The greedy fit and the refined one on clusters of 5,000 x 5, in seconds of one processor:
"""
LINEAR = """
## The exact linear classifier

A tree of depth 1 by errors is the linear classifier on at most `r` features with the fewest training errors, proven.
Algorithms that enumerate (He, Little, "An efficient, provably exact algorithm for the 0-1 loss linear classification
problem", 2023) need of the order of `N^(D+1)` steps.
"""
OPTIMAL = """
## Against optimal axis-parallel trees of depth 2

Training / test accuracy in per cent. `r=1` refined is not proven optimal as a whole; the optimal solver is, over the
thresholds that it is given.
"""
BOTTOM = """
## Which to use

From about two thousand rows on, refining gains on test rows under every criterion; `"mdl"` with `n_init` of ten or more
is the form to recommend, because it also finds the size of the tree. On tables of a few hundred rows it changes little
either way: there the description length holds it back, and with a depth of your own there is nothing to be gained.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", default=os.environ.get("CART_ELC_DATA"))
    PAGE.write_text("\n".join(page(parser.parse_args().data_dir)), encoding="utf-8")


if __name__ == "__main__":
    main()
