"""Writes docs/peers.md: trees of this library beside those of others, by nested cross-validation on the same folds.

``python benchmarks/peers.py [--data-dir DIR] [--trials 10] [--records FILE] [--jobs 2]``; hours for all trials. Every
fit is a line of the records, so that a run goes on where it was stopped, and the page says how many trials it has.
Parameters are chosen by inner cross-validation where a method has some to choose; this library's trees have none.
Libraries that are not installed are named on the page: ``pip install '.[peers]'`` brings them.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from planted_trees import planted
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Tags

from cart_elc import ELCBoostingClassifier, ELCClassifier, ELCForestClassifier
from cart_elc.datasets import DatasetUnavailableError, load

PAGE = Path(__file__).parents[1] / "docs" / "peers.md"
RECORDS = Path(__file__).parents[1] / "build" / "peers.jsonl"
SETS = ("iris", "wine", "wdbc", "cancer", "housing", "diabetes")
N_FOLDS, N_INNER = 5, 3
DEPTHS = (2, 3, 4, 6)
Record = dict[str, Any]
Rows = NDArray[Any]
Model = Any


class Adapter:
    """Gives a library without scikit-learn's ways the little that the comparison needs of them."""

    def __init__(self, **params: Model) -> None:
        self.params = params

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return self.params

    def set_params(self, **params: Model) -> Adapter:
        self.params = self.params | params
        return self

    def score(self, X: Rows, y: Rows) -> float:
        return float(np.mean(self.predict(X) == y))

    def predict(self, X: Rows) -> Rows:
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def __sklearn_tags__(self) -> Tags:
        return DecisionTreeClassifier().__sklearn_tags__()

    def __sklearn_clone__(self) -> Adapter:
        return type(self)(**self.params)


class ObliqueTree(Adapter):
    """obliquetree's classifier: splits on pairs of features."""

    def fit(self, X: Rows, y: Rows) -> ObliqueTree:
        from obliquetree import Classifier

        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model = Classifier(use_oblique=True, n_pair=2, random_state=0, **self.params)
        self.model.fit(X, codes)
        self.n_leaves = len(np.unique(self.model.apply(X)))
        return self

    def predict_proba(self, X: Rows) -> Rows:
        shares = np.asarray(self.model.predict_proba(X))
        return shares if shares.ndim == 2 else np.column_stack([1 - shares, shares])


class Ydf(Adapter):
    """Yggdrasil's CART, which prunes on rows that it holds out; ``split_axis`` as it calls it."""

    def fit(self, X: Rows, y: Rows) -> Ydf:
        import ydf

        ydf.verbose(0)
        self.classes_ = np.unique(y)
        rows = {f"x{j}": column for j, column in enumerate(X.T)} | {"y": np.array([f"c{label}" for label in y])}
        self.model = ydf.CartLearner(label="y", random_seed=1, **self.params).train(rows, verbose=0)
        self.names = list(self.model.label_classes())
        self.n_leaves = (self.model.num_nodes() + 1) // 2
        return self

    def predict_proba(self, X: Rows) -> Rows:
        shares = np.asarray(self.model.predict({f"x{j}": column for j, column in enumerate(X.T)}))
        shares = shares if shares.ndim == 2 else np.column_stack([1 - shares, shares])
        result = np.zeros((len(X), len(self.classes_)))
        for position, label in enumerate(self.classes_):
            if f"c{label}" in self.names:
                result[:, position] = shares[:, self.names.index(f"c{label}")]
        return result


@dataclass(frozen=True)
class Method:
    """A way to a classifier.

    ``package`` must be installed; ``grid`` is what inner cross-validation chooses from; ``leaves`` and ``coefficients``
    count those of a fitted model, or say None; ``complete`` fills missing values with medians, and ``scaled`` scales.
    """

    name: str
    make: Callable[[], Any]
    grid: dict[str, list[Any]] = field(default_factory=dict)
    leaves: Callable[[Any], int | None] = lambda _: None
    coefficients: Callable[[Any], int | None] = lambda _: None
    package: str = "cart_elc"
    complete: bool = True
    scaled: bool = False
    single: bool = True

    def estimator(self) -> Model:
        steps = [SimpleImputer(strategy="median")] if self.complete else []
        steps += [StandardScaler()] if self.scaled else []
        model = make_pipeline(*steps, self.make())
        last = model.steps[-1][0]
        if not self.grid:
            return model
        grid = {f"{last}__{name}": values for name, values in self.grid.items()}
        return GridSearchCV(model, grid, cv=StratifiedKFold(N_INNER, shuffle=True, random_state=0))


def own(name: str, make: Callable[[], Any]) -> Method:
    """A tree of this library."""
    return Method(
        name, make, leaves=lambda m: m.get_n_leaves(), coefficients=lambda m: len(m.tree_.weights), complete=False
    )


def stree() -> Model:
    from stree import Stree

    return Stree(kernel="linear", max_iter=10_000, random_state=0)


METHODS = (
    own("cart-elc, as it comes (r = 2)", ELCClassifier),
    own("cart-elc, r = 3", lambda: ELCClassifier(3, time_limit=60)),
    own("cart-elc, refined", lambda: ELCClassifier(refine=True)),
    Method("cart-elc, forest", lambda: ELCForestClassifier(random_state=0), complete=False, single=False),
    Method("cart-elc, boosting", lambda: ELCBoostingClassifier(random_state=0), complete=False, single=False),
    Method(
        "scikit-learn's tree, pruned",
        lambda: DecisionTreeClassifier(random_state=0),
        {"ccp_alpha": [0.0, 0.002, 0.005, 0.01, 0.02, 0.05]},
        leaves=lambda m: int(m.get_n_leaves()),
        coefficients=lambda m: int(m.get_n_leaves()) - 1,
        complete=False,
    ),
    Method(
        "STree, scaled",
        stree,
        {"C": [0.1, 1.0, 10.0], "max_depth": [2, 4]},
        leaves=lambda m: int(m.nodes_leaves()[1]),
        coefficients=lambda m: int(m.nodes_leaves()[0] - m.nodes_leaves()[1]) * m.n_features_in_,
        package="stree",
        scaled=True,
    ),
    Method("obliquetree", ObliqueTree, {"max_depth": [*DEPTHS]}, leaves=lambda m: m.n_leaves, package="obliquetree"),
    Method("ydf, axis", lambda: Ydf(split_axis="AXIS_ALIGNED"), leaves=lambda m: m.n_leaves, package="ydf"),
    Method("ydf, sparse oblique", lambda: Ydf(split_axis="SPARSE_OBLIQUE"), leaves=lambda m: m.n_leaves, package="ydf"),
    Method(
        "logistic regression",
        lambda: LogisticRegression(max_iter=2000),
        {"C": [0.01, 0.1, 1.0, 10.0]},
        coefficients=lambda m: int(m.coef_.size),
        scaled=True,
        single=False,
    ),
    Method("random forest", lambda: RandomForestClassifier(random_state=0), complete=False, single=False),
    Method("histogram boosting", lambda: HistGradientBoostingClassifier(random_state=0), complete=False, single=False),
)


def tables(data_dir: str | None) -> Iterator[tuple[str, Rows, Rows]]:
    """The data sets at hand, by name."""
    for name in SETS:
        try:
            data = load(name, data_dir)
        except DatasetUnavailableError:
            continue
        yield name, np.asarray(data.X, dtype=float), np.asarray(data.y)
    yield "digits", *load_digits(return_X_y=True)
    for seed in range(2):
        rows = planted(seed, n=1000)
        yield f"planted tree {seed + 1}", rows.X, rows.y


def folds(X: Rows, trial: int) -> Iterator[tuple[int, Rows, Rows]]:
    """The folds of a trial, which are the reproduction's."""
    split = KFold(N_FOLDS, shuffle=True, random_state=71 + trial).split(X)
    return ((fold, train, test) for fold, (train, test) in enumerate(split))


def judged(method: Method, X: Rows, y: Rows, train: Rows, test: Rows) -> Record:
    """One fit on the training rows, judged on the test rows."""
    model = clone(method.estimator())
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[train], y[train])
    seconds = time.perf_counter() - start
    shares = np.clip(np.asarray(model.predict_proba(X[test])), 1e-15, 1)
    shares = shares / shares.sum(axis=1, keepdims=True)
    last = (model.best_estimator_ if method.grid else model).steps[-1][1]
    classes = np.unique(y[train])
    known = np.isin(y[test], classes)
    return {
        "accuracy": float(np.mean(model.predict(X[test]) == y[test])),
        "log_loss": float(log_loss(y[test][known], shares[known], labels=classes)),
        "leaves": method.leaves(last),
        "coefficients": method.coefficients(last),
        "seconds": seconds,
    }


def run(arguments: argparse.Namespace) -> None:
    """Make the fits that the records lack, trial by trial."""
    arguments.records.parent.mkdir(parents=True, exist_ok=True)
    done = {(r["set"], r["trial"], r["fold"], r["method"]) for r in records(arguments.records)}
    methods = [method for method in METHODS if find_spec(method.package)]
    sets = list(tables(arguments.data_dir))
    for trial in range(arguments.trials):
        tasks = [
            ((name, trial, fold, method.name), joblib.delayed(judged)(method, X, y, train, test))
            for name, X, y in sets
            for fold, train, test in folds(X, trial)
            for method in methods
            if (name, trial, fold, method.name) not in done and not too_large(method, X)
        ]
        results = joblib.Parallel(n_jobs=arguments.jobs, return_as="generator")(task for _, task in tasks)
        with arguments.records.open("a", encoding="utf-8") as file:
            for (key, _), result in zip(tasks, results, strict=True):
                print(json.dumps(dict(zip(("set", "trial", "fold", "method"), key, strict=True)) | result), file=file)
                file.flush()


def too_large(method: Method, X: Rows) -> bool:
    """Whether a set is left out for a method: triples of 64 pixels take minutes a node."""
    return "r = 3" in method.name and X.shape[1] > 40


def records(path: Path) -> list[Record]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.endswith("}")]


def page(found: list[Record]) -> str:
    """The page of the records of whole trials."""
    by_trial: dict[int, int] = defaultdict(int)
    for record in found:
        by_trial[record["trial"]] += 1
    whole = [trial for trial, n in by_trial.items() if n == max(by_trial.values())]
    found = [record for record in found if record["trial"] in whole]
    names = [method.name for method in METHODS if any(r["method"] == method.name for r in found)]
    sets = list(dict.fromkeys(record["set"] for record in found))
    lines = [HEAD.format(n_trials=len(whole), n_folds=N_FOLDS, n_inner=N_INNER, versions=versions())]
    for title, key, scale, digits in MEASURES:
        lines += [f"\n## {title}\n", *measure_table(found, names, sets, key, scale, digits)]
    lines += ["\n## What is lost and what is won\n", *differences(found, names, sets)]
    absent = [method.name for method in METHODS if not find_spec(method.package)]
    lines += [f"\nNot installed here and so not compared: {', '.join(absent)}."] if absent else []
    return "\n".join([*lines, TAIL])


def versions() -> str:
    packages = ("cart-elc", "scikit-learn", "STree", "obliquetree", "ydf")
    found = [f"{name} {version}" for name in packages if (version := installed(name))]
    return ", ".join(found)


def installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def by_trials(found: list[Record], method: str, name: str, key: str) -> list[float]:
    """The mean over the folds of each trial."""
    trials: dict[int, list[float]] = defaultdict(list)
    for record in found:
        if record["method"] == method and record["set"] == name and record[key] is not None:
            trials[record["trial"]].append(record[key])
    return [float(np.mean(values)) for _, values in sorted(trials.items())]


def measure_table(
    found: list[Record], names: list[str], sets: list[str], key: str, scale: float, digits: int
) -> Iterator[str]:
    yield f"| | {' | '.join(sets)} | mean |"
    yield f"| --- |{' --- |' * (len(sets) + 1)}"
    measured = [method for method in names if by_trials(found, method, sets[0], key)]
    everywhere = [name for name in sets if all(by_trials(found, method, name, key) for method in measured)]
    for method in measured:
        values = {name: by_trials(found, method, name, key) for name in sets}
        cells = [cell(values[name], scale, digits) for name in sets]
        common = [float(np.mean(values[name])) for name in everywhere]
        yield f"| {method} | {' | '.join(cells)} | {scale * float(np.mean(common)):.{digits}f} |"
    if everywhere != sets:
        yield f"\nThe mean is over {', '.join(everywhere)}."


def cell(values: list[float], scale: float, digits: int) -> str:
    """Mean and standard deviation over the trials."""
    if not values:
        return "-"
    return f"{scale * np.mean(values):.{digits}f} ± {scale * np.std(values):.{digits}f}"


def differences(found: list[Record], names: list[str], sets: list[str]) -> Iterator[str]:
    """The default tree against each other method: mean difference and its 95 % interval over the trials."""
    default = METHODS[0].name
    yield f"Accuracy of *{default}* less that of each other method, in points, with the 95 % interval over the trials."
    yield f"\n| | {' | '.join(sets)} |"
    yield f"| --- |{' --- |' * len(sets)}"
    for method in names:
        if method != default:
            yield f"| {method} | {' | '.join(difference(found, default, method, name) for name in sets)} |"


def difference(found: list[Record], default: str, method: str, name: str) -> str:
    one, other = (np.array(by_trials(found, who, name, "accuracy")) for who in (default, method))
    if not len(other):
        return "-"
    gaps = 100 * (one - other)
    half = 1.96 * gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else float("nan")
    bold = "**" if abs(gaps.mean()) > half else ""
    return f"{bold}{gaps.mean():+.1f}{bold} ± {half:.1f}"


MEASURES = (
    ("Accuracy", "accuracy", 100.0, 1),
    ("Log-loss", "log_loss", 1.0, 3),
    ("Leaves", "leaves", 1.0, 1),
    ("Coefficients", "coefficients", 1.0, 1),
    ("Seconds of a fit, its inner cross-validation included", "seconds", 1.0, 2),
)
HEAD = """# Beside other libraries

Generated by `benchmarks/peers.py`: {n_trials} trials of {n_folds}-fold cross-validation, the same folds for all, which
are those of the [reproduction](reproduction.md). Where a method has parameters to choose, {n_inner}-fold
cross-validation within the training rows chooses them; the trees of this library are fitted as they come, with nothing
chosen. Methods that cannot have missing values get medians in their place. Means and standard deviations are over
trials. {versions}."""
TAIL = """
A tree of sparse splits is read by people; logistic regression, forests and boosting are the yardsticks of what such a
tree gives away. treeple 0.10 and linear-tree 0.3 do not work with this scikit-learn (they fail on import and on fit)
and are left out.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--records", type=Path, default=RECORDS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only-write", action="store_true", help="write the page from the records at hand")
    arguments = parser.parse_args()
    if not arguments.only_write:
        run(arguments)
    PAGE.write_text(page(records(arguments.records)), encoding="utf-8")


if __name__ == "__main__":
    main()
