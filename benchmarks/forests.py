"""Writes docs/forests.md: forests and boosting of exact splits beside others, on the same folds, and what they cost.

``python benchmarks/forests.py [--data-dir DIR] [--trials N] [--minutes M] [--jobs J]``. Each score is a line of
``--records``, so that a run goes on where one was stopped; the page is written from all trials that are complete for
every method, and from those that ``--minutes`` left time for. Nothing is tuned. ydf is compared where it is installed,
and treeple where it can be imported, which needs the scikit-learn that it was built with.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification, make_friedman1
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import KFold
from tables import real_tables

from cart_elc import (
    ELCBoostingClassifier,
    ELCBoostingRegressor,
    ELCClassifier,
    ELCForestClassifier,
    ELCForestRegressor,
    ELCRegressor,
)

ROOT = Path(__file__).parents[1]
PAGE, RECORDS = ROOT / "docs" / "forests.md", ROOT / "build" / "forests.jsonl"
TREES, FOLDS, FIRST_SEED = 100, 5, 71
Table = tuple[np.ndarray, np.ndarray]
Scores = dict[tuple[str, str, int], float]


class ObliqueForestOfYdf:
    """ydf's random forest of sparse oblique splits with scikit-learn's two methods."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def fit(self, X: np.ndarray, y: np.ndarray) -> ObliqueForestOfYdf:
        """Train on one thread."""
        import ydf

        options = {"num_trees": TREES, "split_axis": "SPARSE_OBLIQUE", "num_threads": 1, "random_seed": self.seed}
        self.classes, codes = np.unique(y, return_inverse=True)
        self.model = ydf.RandomForestLearner(label="y", **options).train({"x": X, "y": codes}, verbose=0)
        return self

    def score(self, X: np.ndarray, y: np.ndarray) -> float:
        """Return the share of rows whose class is predicted."""
        predicted = self.model.predict({"x": X})
        likeliest = predicted.argmax(axis=1) if predicted.ndim == 2 else predicted > 0.5
        return float((self.classes[likeliest.astype(int)] == y).mean())


def treeples_forest(seed: int) -> Any:  # noqa: ANN401
    from treeple import ObliqueRandomForestClassifier

    return ObliqueRandomForestClassifier(TREES, random_state=seed)


CLASSIFIERS: dict[str, Callable[[int], Any]] = {
    "one tree, `ELCClassifier`": lambda seed: ELCClassifier(),
    "`ELCForestClassifier`": lambda seed: ELCForestClassifier(TREES, random_state=seed),
    "the same, `r=1`": lambda seed: ELCForestClassifier(TREES, r=1, random_state=seed),
    "`ELCBoostingClassifier`": lambda seed: ELCBoostingClassifier(random_state=seed),
    "random forest": lambda seed: RandomForestClassifier(TREES, random_state=seed),
    "extra trees": lambda seed: ExtraTreesClassifier(TREES, random_state=seed),
    "histogram boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed),
}
REGRESSORS: dict[str, Callable[[int], Any]] = {
    "one tree, `ELCRegressor`": lambda seed: ELCRegressor(),
    "`ELCForestRegressor`": lambda seed: ELCForestRegressor(TREES, random_state=seed),
    "the same, `r=1`": lambda seed: ELCForestRegressor(TREES, r=1, random_state=seed),
    "`ELCBoostingRegressor`": lambda seed: ELCBoostingRegressor(random_state=seed),
    "random forest": lambda seed: RandomForestRegressor(TREES, random_state=seed),
    "extra trees": lambda seed: ExtraTreesRegressor(TREES, random_state=seed),
    "histogram boosting": lambda seed: HistGradientBoostingRegressor(random_state=seed),
}


def add_what_is_installed() -> None:
    if importlib.util.find_spec("ydf"):
        CLASSIFIERS["ydf, sparse oblique"] = ObliqueForestOfYdf
    try:
        treeples_forest(0)
    except (ImportError, ValueError):
        return
    CLASSIFIERS["treeple, oblique"] = treeples_forest


def class_tables(data_dir: str | None) -> dict[str, Table]:
    """The data sets that can be had; rows with a missing value are left out, which not every rival takes."""
    found = real_tables(data_dir)
    complete = {name: ~np.isnan(X).any(axis=1) for name, (X, _) in found.items()}
    return {name: (X[complete[name]], y[complete[name]]) for name, (X, y) in found.items()}


def number_tables() -> dict[str, Table]:
    return {
        "progression": load_diabetes(return_X_y=True),
        "Friedman 1": make_friedman1(400, noise=1.0, random_state=0),
    }


def known_scores(records: Path) -> Scores:
    if not records.exists():
        return {}
    lines = map(json.loads, records.read_text(encoding="utf-8").splitlines())
    return {(line["method"], line["table"], line["trial"]): line["score"] for line in lines}


def judged(make: Callable[[int], Any], data: Table, trial: int) -> float:
    """Mean score in per cent over the folds of a trial."""
    X, y = data
    folds = KFold(FOLDS, shuffle=True, random_state=FIRST_SEED + trial).split(X)
    return float(np.mean([100 * make(trial).fit(X[train], y[train]).score(X[test], y[test]) for train, test in folds]))


def measure(
    records: Path, tasks: Iterator[tuple[str, Callable[[int], Any], str, Table, int]], until: float, n_jobs: int
) -> None:
    """Score what the records lack, a task at a time for each process, until the time is up."""
    known = known_scores(records)
    records.parent.mkdir(parents=True, exist_ok=True)
    wanted = [task for task in tasks if (task[0], task[2], task[4]) not in known]
    work = joblib.Parallel(n_jobs=n_jobs, return_as="generator", pre_dispatch=n_jobs, batch_size=1)
    in_time = (task for task in wanted if time.monotonic() <= until)
    scores = work(joblib.delayed(judged)(make, data, trial) for _, make, _, data, trial in in_time)
    with records.open("a", encoding="utf-8") as file:
        for (method, _, table, _, trial), score in zip(wanted, scores, strict=False):
            line = {"method": method, "table": table, "trial": trial, "score": score}
            file.write(json.dumps(line) + "\n")
            file.flush()


def all_tasks(
    classes: Mapping[str, Table], numbers: Mapping[str, Table], trials: int
) -> Iterator[tuple[str, Callable[[int], Any], str, Table, int]]:
    for trial in range(trials):
        for methods, tables in ((CLASSIFIERS, classes), (REGRESSORS, numbers)):
            for table, data in tables.items():
                for method, make in methods.items():
                    yield method, make, table, data, trial


def complete_trials(scores: Scores, methods: Mapping[str, Any], tables: Mapping[str, Table]) -> list[int]:
    trials = sorted({trial for _, _, trial in scores})
    return [t for t in trials if all((method, table, t) in scores for method in methods for table in tables)]


def lines(scores: Scores, methods: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterator[str]:
    """A Markdown table: mean and standard deviation over the trials."""
    trials = complete_trials(scores, methods, tables)
    yield f"| {len(trials)} trials of {FOLDS} folds | " + " | ".join(tables) + " | mean |"
    yield "|---|" + "---:|" * (len(tables) + 1)
    for method in methods:
        cells = [[scores[method, table, trial] for trial in trials] for table in tables]
        text = " | ".join(f"{np.mean(cell):.1f} ± {np.std(cell):.1f}" for cell in cells)
        yield f"| {method} | {text} | {np.mean([np.mean(cell) for cell in cells]):.1f} |"


def times(name: str, data: Table, n_trees: int, repeats: int) -> str:
    """The processor's time of a forest of one thread, in turn with the random forest, the least of several runs."""
    X, y = data
    made = {"elc": ELCForestClassifier, "forest": RandomForestClassifier}
    least = dict.fromkeys(made, float("inf"))
    for repeat in range(repeats):
        for key, forest in made.items():
            start = time.process_time()
            forest(n_trees, random_state=repeat, n_jobs=1).fit(X, y)
            least[key] = min(least[key], time.process_time() - start)
    per_tree = {key: 1000 * seconds / n_trees for key, seconds in least.items()}
    ratio = least["elc"] / least["forest"]
    return f"| {name} | {per_tree['elc']:.1f} | {per_tree['forest']:.1f} | {ratio:.1f} |"


def memory_line(n_trees: int = 2) -> str:
    """What a forest of 500 trees on 100,000 x 20 takes, from the arrays of a few of its trees."""
    X, y = make_classification(100_000, 20, random_state=0)
    forest = ELCForestClassifier(n_trees, random_state=0).fit(X, y)
    sizes = [sum(getattr(v, "nbytes", 0) for v in vars(model.tree_).values()) for model in forest.estimators_]
    nodes = [model.tree_.n_nodes for model in forest.estimators_]
    gib = 500 * np.mean(sizes) / 2**30
    return MEMORY.format(gib=gib, nodes=np.mean(nodes), per_node=np.sum(sizes) / np.sum(nodes))


def page(scores: Scores, classes: Mapping[str, Table], numbers: Mapping[str, Table]) -> Iterator[str]:
    yield TOP.format(trees=TREES)
    yield from lines(scores, CLASSIFIERS, classes)
    yield NUMBERS
    yield from lines(scores, REGRESSORS, numbers)
    yield SPEED
    yield times("10,000 x 20, `make_classification`", make_classification(10_000, 20, random_state=0), 5, 3)
    yield times("569 x 30, breast cancer", load_breast_cancer(return_X_y=True), 50, 3)
    yield memory_line()
    yield CHOICES


TOP = """# One tree or a forest

A tree of this library is made to be read: a handful of leaves, each a rule with a proof. A forest of {trees} trees
predicts better and cannot be read; what it knows is said by importances and by the agreement of its trees. Take one
tree where a person must check, explain or apply the rule; take a forest where only the prediction counts, and keep the
tree beside it: the difference between the two rows below is the price of being able to read the model.

```python
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from cart_elc import ELCClassifier, ELCForestClassifier

X, y = load_breast_cancer(return_X_y=True)
cross_val_score(ELCClassifier(), X, y, cv=5).mean()  # one tree of two or three leaves
cross_val_score(ELCForestClassifier(random_state=0), X, y, cv=5).mean()  # a hundred trees, grown to purity
forest = ELCForestClassifier(oob_score=True, n_jobs=-1, random_state=0).fit(X, y)
forest.oob_score_, forest.feature_importances_  # an estimate without held-out rows, and what matters
forest.estimators_[0]  # any tree: export_html, export_text, explain take it
forest.save("forest.npz")  # or .json; cart_elc.load reads both
```

Every split of a forest's tree is the proven best linear one on at most `r` of the features that its node has drawn.
Features are drawn by a hash of the node's place in its tree and rows in an order that depends on what they are, so
that the forest is the same for any `n_jobs`, any order of rows, and on a Dask cluster
(`joblib.parallel_config(backend="dask")`), even if a worker dies. Trees grow in compiled code (`src/core/growth`).

Test accuracy in per cent, all methods on the same folds with {trees} trees and otherwise their own defaults; written by
`benchmarks/forests.py`:
"""
NUMBERS = """
R² in per cent, of numbers:
"""
SPEED = """
## What it costs

Milliseconds of one processor per tree, beside scikit-learn's random forest on the same rows:

| rows x features | `ELCForestClassifier` | random forest | ratio |
|---|---:|---:|---:|"""
MEMORY = """
A forest of 500 trees on 100,000 x 20 (`make_classification`) holds about {gib:.2f} GiB: {nodes:.0f} nodes a tree of
{per_node:.0f} bytes each, from the arrays of its first trees.
"""
CHOICES = """## What makes a forest better

Nothing above was chosen on the tables above: `benchmarks/forest_choices.py` tries features per node, bootstrap, leaf
probabilities and `r` on made tables of its own and prints what came out. There

* two features in a split are better than one on every table, and three little better than two; a forest of trees with
  `r` 1, 2 and 3 is about as good as one of `r=2`, the default;
* for classes the square root of the features is best or near it on most tables, and half of them where many features
  are copies or mixtures of others; for numbers three quarters are best;
* without the bootstrap numbers are predicted slightly better and classes as well, but there is no out-of-bag score;
* adding a row of each class to a leaf, or leaves of at least two rows, changes hardly anything.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--records", type=Path, default=RECORDS)
    asked = parser.parse_args()
    add_what_is_installed()
    classes, numbers = class_tables(asked.data_dir), number_tables()
    measure(asked.records, all_tasks(classes, numbers, asked.trials), time.monotonic() + 60 * asked.minutes, asked.jobs)
    PAGE.write_text("\n".join(page(known_scores(asked.records), classes, numbers)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
